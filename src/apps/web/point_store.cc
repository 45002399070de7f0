// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/point_store.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "sinew/accounts/strict_json.h"
#include "sinew/accounts/whole_file.h"
#include "sinew/base/text.h"

#include "apps/web/point_json.h"

namespace sinew {
namespace {

using accounts::Json;

constexpr std::size_t kMostPointBytes = 8 << 20;
constexpr std::size_t kMostPointName = 32;
constexpr std::size_t kMostNote = 200;

Status check(const TaughtPoint& point) {
  if (Status valid = PointStore::check_name(point.name); !valid) return valid;
  if (point.note.size() > kMostNote)
    return Error{ErrorCode::OutOfLimits, fmt::format("the note of '{}' has {} bytes; {} is the most",
                                                     point.name, point.note.size(), kMostNote)};
  const auto is_number = [](const auto& joint) { return std::isfinite(joint.second); };
  if (point.joints.empty() || !std::ranges::all_of(point.joints, is_number))
    return Error{ErrorCode::InvalidInput, fmt::format("point '{}' has no joint positions", point.name)};
  return Done{};
}

Status check(const TaughtPoints& points) {
  if (points.size() > PointStore::kMostPoints)
    return Error{ErrorCode::Full,
                 fmt::format("{} points; {} is the most", points.size(), PointStore::kMostPoints)};
  std::set<std::string> names;
  for (const TaughtPoint& point : points) {
    if (Status valid = check(point); !valid) return valid;
    if (!names.insert(point.name).second)
      return Error{ErrorCode::AlreadyExists, fmt::format("two points are called '{}'", point.name)};
  }
  return Done{};
}

std::string file_text(const TaughtPoints& points) {
  Json list = Json::array();
  for (const TaughtPoint& point : points) list.push_back(point_json(point));
  return Json{{"points", std::move(list)}}.dump(1) + "\n";
}

}  // namespace

Json point_json(const TaughtPoint& point) {
  Json joints = Json::object();
  for (const auto& [name, value] : point.joints) joints[name] = value;
  return {{"name", point.name}, {"arm", point.arm}, {"note", point.note}, {"joints", std::move(joints)}};
}

Result<TaughtPoint> point_from(const Json& json) {
  if (Status known = accounts::check_keys(json, "a point", {"name", "arm", "note", "joints"}); !known)
    return known.error();
  TaughtPoint point;
  for (const auto& [key, text] :
       {std::pair{"name", &point.name}, {"arm", &point.arm}, {"note", &point.note}}) {
    if (text != &point.name && !json.contains(key)) continue;
    auto value = accounts::text_at(json, "a point", key);
    if (!value) return value.error();
    *text = *std::move(value);
  }
  if (!json.contains("joints") || !json["joints"].is_object())
    return Error{ErrorCode::Damaged, fmt::format("point '{}' has no joints", point.name)};
  for (const auto& [name, value] : json["joints"].items()) {
    if (!value.is_number())
      return Error{ErrorCode::Damaged, fmt::format("point '{}': joint '{}' is no number", point.name, name)};
    point.joints.emplace_back(name, value.get<double>());
  }
  return point;
}

PointStore::PointStore(std::filesystem::path file, std::filesystem::path programs)
    : programs_(std::move(programs)),
      points_(std::move(file),
              {.parse = parse,
               .text = file_text,
               .publish = [this](const TaughtPoints& points) { return write_programs(points); },
               .most_bytes = kMostPointBytes,
               .most_undone = kMostUndone}) {}

Status PointStore::check_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_plain = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  if (!name.empty() && name.size() <= kMostPointName && is_letter(name.front()) &&
      std::ranges::all_of(name, is_plain))
    return Done{};
  return Error{ErrorCode::InvalidInput,
               fmt::format("a point's name begins with a letter and has letters, digits and '_', at most {}",
                           kMostPointName)};
}

Result<TaughtPoints> PointStore::parse(std::string_view text) {
  const auto json = accounts::strict_json(text);
  if (!json) return json.error();
  if (!json->contains("points") || !(*json)["points"].is_array())
    return Error{ErrorCode::Damaged, "there is no list 'points'"};
  TaughtPoints points;
  for (const Json& entry : (*json)["points"]) {
    auto point = point_from(entry);
    if (!point) return point.error();
    points.push_back(*std::move(point));
  }
  if (Status valid = check(points); !valid) return valid.error();
  return points;
}

std::string PointStore::program_text(const TaughtPoints& points, std::string_view arm,
                                     const std::vector<std::string>& lengths) {
  std::string text =
      "# Taught points, in mm and deg: include this before UNITS says otherwise. Written by the pendant; "
      "changes here are lost.\n";
  for (const TaughtPoint& point : points) {
    if (point.arm != arm) continue;
    std::string values;
    for (const auto& [name, value] : point.joints) {
      const bool is_length = std::ranges::find(lengths, name) != lengths.end();
      const double shown = is_length ? 1000.0 * value : value * 180.0 / std::numbers::pi;
      values += fmt::format("{}{:.7f}", values.empty() ? "" : ", ", shown);
    }
    text += fmt::format("{} = JOINTS({})\n", point.name, values);
  }
  return text;
}

Status PointStore::write_programs(const TaughtPoints& points) const {
  std::set<std::string> arms;
  for (const TaughtPoint& point : points) arms.insert(point.arm);
  // without points, too: programs that include them find none
  if (arms.empty()) arms.insert("");
  std::error_code error;
  std::filesystem::create_directories(programs_, error);
  for (const std::string& arm : arms) {
    const std::string name = arms.size() == 1 ? "points.prog" : fmt::format("points_{}.prog", arm);
    const std::string text = program_text(points, arm, lengths_);
    if (Status saved = accounts::replace_whole_file((programs_ / name).string(), text); !saved) return saved;
  }
  return Done{};
}

Status PointStore::replace(TaughtPoints points) {
  if (Status valid = check(points); !valid) return valid;
  if (points == points_.items()) return points_.publish_missing();
  return points_.change(std::move(points));
}

Status PointStore::put(TaughtPoint point) {
  TaughtPoints changed = points_.items();
  const auto known = std::ranges::find(changed, point.name, &TaughtPoint::name);
  if (known == changed.end())
    changed.push_back(std::move(point));
  else
    *known = std::move(point);
  return replace(std::move(changed));
}

Status PointStore::remove(std::string_view name) {
  TaughtPoints changed = points_.items();
  if (std::erase_if(changed, [&](const TaughtPoint& point) { return point.name == name; }) == 0)
    return Error{ErrorCode::NotFound, fmt::format("there is no point '{}'", name)};
  return replace(std::move(changed));
}

}  // namespace sinew
