// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/frame_store.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/accounts/strict_json.h"
#include "sinew/accounts/whole_file.h"

#include "apps/web/api_call.h"
#include "apps/web/frame_json.h"
#include "apps/web/point_store.h"

namespace sinew {
namespace {

using accounts::Json;

constexpr std::size_t kMostFrameBytes = 1U << 20U;
constexpr double kFarthestFrame = 100.0;  // [m]
constexpr double kHeaviest = 1000.0;      // [kg]
constexpr double kFarthestCentre = 10.0;  // [m]
constexpr double kDegrees = 180.0 / std::numbers::pi;

Status check_frame(const TaughtFrame& frame) {
  if (Status named = PointStore::check_name(frame.name); !named) return named;
  if (!is_valid(frame.X) || frame.X.position.norm() > kFarthestFrame || !(frame.mass >= 0.0) ||
      frame.mass > kHeaviest)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' is no place within {} m, or its mass not within 0 to {} kg", frame.name,
                             kFarthestFrame, kHeaviest)};
  if (frame.p_TC.allFinite() && frame.p_TC.norm() <= kFarthestCentre) return Done{};
  return Error{ErrorCode::InvalidInput, fmt::format("the centre of the mass of '{}' is not within {} m of it",
                                                    frame.name, kFarthestCentre)};
}

std::string_view key_of(FrameStore::Kind kind) {
  return kind == FrameStore::Kind::Tools ? "tools" : "frames";
}

std::string file_text(FrameStore::Kind kind, const std::vector<TaughtFrame>& frames) {
  Json list = Json::array();
  for (const TaughtFrame& frame : frames) list.push_back(frame_json(frame));
  return Json{{std::string(key_of(kind)), std::move(list)}}.dump(1) + "\n";
}

}  // namespace

Json frame_json(const TaughtFrame& frame) {
  const RollPitchYaw turn = roll_pitch_yaw(frame.X.rotation);
  const Vector3& p = frame.X.position;
  return {{"name", frame.name},
          {"arm", frame.arm},
          {"position", {p.x(), p.y(), p.z()}},
          {"rpy", {turn.roll, turn.pitch, turn.yaw}},
          {"mass", frame.mass},
          {"centre", {frame.p_TC.x(), frame.p_TC.y(), frame.p_TC.z()}}};
}

Result<TaughtFrame> frame_from(const Json& json, const std::string& name) {
  if (!json.is_object()) return Error{ErrorCode::InvalidInput, "a frame must be an object"};
  TaughtFrame frame;
  const auto own_name = text_at(json, "name", name);
  if (!own_name) return own_name.error();
  const auto arm = text_at(json, "arm", "");
  if (!arm) return arm.error();
  const auto position = numbers_at(json, "position", 3);
  if (!position) return position.error();
  const auto rpy = numbers_at(json, "rpy", 3);
  if (!rpy) return rpy.error();
  const auto mass = number_at(json, "mass", 0.0, kHeaviest, 0.0);
  if (!mass) return mass.error();
  Vector3 p_TC = Vector3::Zero();
  if (json.contains("centre")) {
    const auto centre = numbers_at(json, "centre", 3);
    if (!centre) return centre.error();
    p_TC = Vector3((*centre)[0], (*centre)[1], (*centre)[2]);
  }
  return TaughtFrame{.name = *own_name,
                     .arm = *arm,
                     .X = {.rotation = quaternion_from({(*rpy)[0], (*rpy)[1], (*rpy)[2]}),
                           .position = Vector3((*position)[0], (*position)[1], (*position)[2])},
                     .mass = *mass,
                     .p_TC = p_TC};
}

FrameStore::FrameStore(Kind kind, const std::filesystem::path& folder, const std::filesystem::path& programs)
    : kind_(kind),
      program_(programs / fmt::format("{}.prog", key_of(kind))),
      frames_(folder / fmt::format("{}.json", key_of(kind)),
              {.parse = [kind](std::string_view text) { return parse(kind, text); },
               .text = [kind](const std::vector<TaughtFrame>& frames) { return file_text(kind, frames); },
               .publish = [this](const std::vector<TaughtFrame>&) { return write_program(); },
               .most_bytes = kMostFrameBytes,
               .most_undone = kMostUndone}) {}

Result<std::vector<TaughtFrame>> FrameStore::parse(Kind kind, std::string_view text) {
  const auto json = accounts::strict_json(text);
  if (!json) return json.error();
  const std::string key(key_of(kind));
  if (!json->is_object() || !json->contains(key) || !(*json)[key].is_array())
    return Error{ErrorCode::Damaged, "there is no list"};
  std::vector<TaughtFrame> frames;
  for (const Json& entry : (*json)[key]) {
    auto frame = frame_from(entry);
    if (!frame) return frame.error();
    if (Status valid = check_frame(*frame); !valid) return valid.error();
    frames.push_back(*std::move(frame));
  }
  return frames;
}

std::string FrameStore::program_text() const {
  std::string text = fmt::format(
      "# Taught {}, in mm and deg: include this before UNITS says otherwise. Written by the pendant; changes "
      "here are lost.\n",
      key_of(kind_));
  for (const TaughtFrame& frame : frames_.items()) {
    const RollPitchYaw turn = roll_pitch_yaw(frame.X.rotation);
    const Vector3 p = 1000.0 * frame.X.position;
    text += fmt::format("{} {{{}}} = POSE({:.4f}, {:.4f}, {:.4f}, {:.6f}, {:.6f}, {:.6f})\n",
                        kind_ == Kind::Tools ? "TOOL" : "FRAME", frame.name, p.x(), p.y(), p.z(),
                        kDegrees * turn.roll, kDegrees * turn.pitch, kDegrees * turn.yaw);
  }
  return text;
}

Status FrameStore::write_program() const {
  std::error_code error;
  std::filesystem::create_directories(program_.parent_path(), error);
  return accounts::replace_whole_file(program_.string(), program_text());
}

Status FrameStore::put(TaughtFrame frame) {
  if (Status valid = check_frame(frame); !valid) return valid;
  std::vector<TaughtFrame> changed = frames_.items();
  const auto known = std::ranges::find(changed, frame.name, &TaughtFrame::name);
  if (known != changed.end()) {
    *known = std::move(frame);
  } else {
    if (changed.size() >= kMost) return Error{ErrorCode::Full, fmt::format("there are {} already", kMost)};
    changed.push_back(std::move(frame));
  }
  return frames_.change(std::move(changed));
}

Status FrameStore::remove(std::string_view name) {
  std::vector<TaughtFrame> changed = frames_.items();
  if (std::erase_if(changed, [&](const TaughtFrame& frame) { return frame.name == name; }) == 0)
    return Error{ErrorCode::NotFound, fmt::format("there is no '{}'", name)};
  return frames_.change(std::move(changed));
}

}  // namespace sinew
