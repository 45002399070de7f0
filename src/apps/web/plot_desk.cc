// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/plot_desk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"
#include "sinew/channels/inspect.h"

#include "apps/web/api_call.h"
#include "apps/web/json_values.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostChannelsTold = 64;  // channels of one robot
constexpr int kDeepestField = 4;

bool is_plottable(const SchemaField& field) {
  return field.kind != FieldKind::Character && field.kind != FieldKind::Struct;
}

void add_fields(const Schema& schema, const SchemaStruct& part, const std::string& before, int depth,
                Json& all) {
  for (const SchemaField& field : part.fields) {
    const std::string name = before + field.name;
    if (field.kind == FieldKind::Struct && field.count == 0 && depth < kDeepestField)
      add_fields(schema, schema.structs[field.type_index], name + ".", depth + 1, all);
    if (!is_plottable(field)) continue;
    all.push_back({{"name", name}, {"count", field.count}, {"unit", field.unit}, {"text", field.text}});
  }
}

template <class Number>
double plain_number(std::span<const std::byte> bytes) {
  Number number{};
  std::memcpy(&number, bytes.data(), sizeof number);
  return static_cast<double>(number);
}

template <class One, class Two, class Four, class Eight>
std::optional<double> whole_in(std::span<const std::byte> bytes) {
  switch (bytes.size()) {
    case 1:
      return plain_number<One>(bytes);
    case 2:
      return plain_number<Two>(bytes);
    case 4:
      return plain_number<Four>(bytes);
    case 8:
      return plain_number<Eight>(bytes);
    default:
      return std::nullopt;
  }
}

// "state", "ref/console"
Status check_channel(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '/';
  };
  const bool is_name = !name.empty() && name.size() <= 64 && std::ranges::all_of(name, is_plain) &&
                       name.find("..") == std::string_view::npos && name.front() != '/';
  if (is_name) return Done{};
  return Error{ErrorCode::InvalidInput, "'channel' must be the name of one, as GET /api/channels tells"};
}

}  // namespace

Json plot_fields_json(const Schema& schema) {
  Json all = Json::array();
  add_fields(schema, schema.message(), "", 0, all);
  return all;
}

Result<FieldPath> plot_field(const Schema& schema, std::string_view path) {
  auto found = find_field(schema, path);
  if (!found) return found;
  if (found->field.count == 0 && is_plottable(found->field)) return found;
  return Error{ErrorCode::InvalidInput,
               fmt::format("'{}' is no number; of an array name one element, as in '{}[0]'", path, path)};
}

std::optional<double> plot_value(const FieldPath& path, std::span<const std::byte> message) {
  const SchemaField& field = path.field;
  if (std::size_t{field.offset} + field.width > message.size()) return std::nullopt;
  const auto bytes = message.subspan(field.offset, field.width);
  std::optional<double> value;
  if (field.kind == FieldKind::Float)
    value = field.width == 4 ? plain_number<float>(bytes) : plain_number<double>(bytes);
  else if (field.kind == FieldKind::Integer)
    value = whole_in<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(bytes);
  else
    value = whole_in<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(bytes);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

Result<PlotDesk::Channel*> PlotDesk::opened(const cli::RobotLink& link, const std::string& name) {
  if (opening_ != robot_.openings()) {
    channels_.clear();
    opening_ = robot_.openings();
  }
  if (const auto known = channels_.find(name); known != channels_.end()) return &known->second;
  if (channels_.size() >= kMostOpen)
    return Error{ErrorCode::Full, fmt::format("{} channels are being drawn already", kMostOpen)};
  auto reader =
      cli::UntypedReader::open(link.space(), fmt::format("{}/{}", link.name(), name), SINEW_START_NEWEST);
  if (!reader) return reader.error();
  return &channels_.emplace(name, Channel{.reader = *std::move(reader)}).first->second;
}

Status PlotDesk::subscribe(web::SocketNumber page, const Json& words) {
  Status taken = take(page, words);
  close_unused();
  return taken;
}

Status PlotDesk::take(web::SocketNumber page, const Json& words) {
  const auto name = text_at(words, "channel");
  if (!name) return name.error();
  if (Status valid = check_channel(*name); !valid) return valid;
  if (!words.contains("fields") || !words["fields"].is_array())
    return Error{ErrorCode::InvalidInput, "'fields' must be a list of names"};
  const auto known = pages_.find(page);
  std::vector<Wish> wishes = known == pages_.end() ? std::vector<Wish>{} : known->second;
  std::erase_if(wishes, [&](const Wish& wish) { return wish.channel == *name; });
  std::size_t count = words["fields"].size();
  for (const Wish& wish : wishes) count += wish.fields.size();
  if (count > kMostFields || (!words["fields"].empty() && wishes.size() >= kMostChannels))
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("a page draws {} fields of {} channels at most", kMostFields, kMostChannels)};
  if (!words["fields"].empty()) {
    const auto robot = robot_.robot();
    if (!robot) return robot.error();
    const auto channel = opened((*robot)->link, *name);
    if (!channel) return channel.error();
    const auto& schema = (*channel)->reader.schema();
    Wish wish{.channel = *name, .fields = {}};
    for (const Json& path : words["fields"]) {
      if (!path.is_string() || !schema)
        return Error{ErrorCode::InvalidInput, "'fields' must be names of numbers"};
      auto field = plot_field(*schema, path.get_ref<const std::string&>());
      if (!field) return field.error();
      wish.fields.push_back(*std::move(field));
    }
    wishes.push_back(std::move(wish));
  }
  pages_[page] = std::move(wishes);
  return Done{};
}

void PlotDesk::closed(web::SocketNumber page) {
  if (pages_.erase(page) != 0) close_unused();
}

void PlotDesk::close_unused() {
  std::erase_if(pages_, [](const auto& page) { return page.second.empty(); });
  std::erase_if(channels_, [&](const auto& channel) {
    return std::ranges::none_of(pages_, [&](const auto& page) {
      return std::ranges::any_of(page.second,
                                 [&](const Wish& wish) { return wish.channel == channel.first; });
    });
  });
}

std::optional<std::string> PlotDesk::text_for(web::SocketNumber page, std::int64_t now_ns) {
  const auto known = pages_.find(page);
  if (known == pages_.end()) return std::nullopt;
  const auto robot = robot_.robot();
  if (!robot) return std::nullopt;
  Json samples = Json::array();
  for (const Wish& wish : known->second) {
    const auto found = opened((*robot)->link, wish.channel);
    if (!found) continue;
    Channel& channel = **found;
    // once for all pages
    if (channel.read_ns != now_ns) {
      channel.read_ns = now_ns;
      channel.has_frame = sinew_read_newest(channel.reader.handle(), channel.reader.buffer(),
                                            channel.reader.capacity(), &channel.frame) == SINEW_OK;
    }
    if (!channel.has_frame) continue;
    Json values = Json::object();
    for (const FieldPath& field : wish.fields) {
      const auto value = plot_value(field, channel.reader.message(channel.frame));
      values[field.text] = value ? Json(*value) : Json(nullptr);
    }
    samples.push_back({{"channel", wish.channel},
                       {"number", channel.frame.sequence},
                       {"t", seconds_from_nanoseconds(channel.frame.stamp_ns)},
                       {"values", std::move(values)}});
  }
  return json_text(
      {{"op", "plot"}, {"t", seconds_from_nanoseconds(now_ns)}, {"samples", std::move(samples)}});
}

Result<std::string> PlotDesk::channels_text() {
  const auto robot = robot_.robot();
  if (!robot) return robot.error();
  const cli::RobotLink& link = (*robot)->link;
  Json all = Json::array();
  for (const std::string_view folder : {"", "/ref", "/sensor"}) {
    for (const std::string& name :
         channels::channel_names(link.space(), fmt::format("{}{}", link.name(), folder))) {
      if (all.size() >= kMostChannelsTold) break;
      const auto reader = cli::UntypedReader::open(link.space(), name, SINEW_START_NEWEST);
      if (!reader || !reader->schema()) continue;
      all.push_back({{"name", name.substr(link.name().size() + 1)},
                     {"message", reader->schema()->message().name},
                     {"text", reader->schema()->message().text},
                     {"fields", plot_fields_json(*reader->schema())}});
    }
  }
  return json_text({{"channels", std::move(all)}});
}

}  // namespace sinew
