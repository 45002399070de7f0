// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/stream_store.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sinew/accounts/strict_json.h"
#include "sinew/accounts/whole_file.h"
#include "sinew/base/text.h"

#include "apps/web/json_values.h"
#include "apps/web/point_store.h"

namespace sinew {
namespace {

using accounts::Json;

Error no_such(std::string_view name) {
  return Error{ErrorCode::NotFound, fmt::format("there is no stream '{}'", name)};
}

Status check(const Stream& stream) {
  const auto wrong = [&](std::string_view what) {
    return Error{ErrorCode::InvalidInput, fmt::format("stream '{}': {}", stream.name, what)};
  };
  if (Status valid = PointStore::check_name(stream.name); !valid) return wrong(valid.error().message);
  if (stream.joints.empty()) return wrong("it has no joints");
  if (stream.rows.size() > most_rows_of(stream.joints.size()))
    return wrong(
        fmt::format("{} rows; {} is the most", stream.rows.size(), most_rows_of(stream.joints.size())));
  for (const std::vector<double>& row : stream.rows)
    if (row.size() != stream.joints.size() ||
        !std::ranges::all_of(row, [](double value) { return std::isfinite(value); }))
      return wrong("a row does not hold a number for each joint");
  if (stream.last >= stream.rows.size() || stream.first + Stream::kLeastRows > stream.last + 1)
    return wrong(fmt::format("from row {} to row {} of {} is too short to be moved along", stream.first,
                             stream.last, stream.rows.size()));
  return Done{};
}

Status check(const Streams& streams) {
  if (streams.size() > StreamStore::kMostStreams)
    return Error{ErrorCode::Full,
                 fmt::format("{} streams; {} is the most", streams.size(), StreamStore::kMostStreams)};
  std::set<std::string> names;
  for (const auto& stream : streams) {
    if (Status valid = check(*stream); !valid) return valid;
    if (!names.insert(stream->name).second)
      return Error{ErrorCode::AlreadyExists, fmt::format("two streams are called '{}'", stream->name)};
  }
  return Done{};
}

Json stream_json(const Stream& stream) {
  Json rows = Json::array();
  for (const std::vector<double>& row : stream.rows) {
    Json& numbers = rows.emplace_back(Json::array());
    for (const double value : row) numbers.push_back(rounded(value));
  }
  return {{"name", stream.name},     {"by", stream.by},       {"recorded", stream.recorded_s},
          {"joints", stream.joints}, {"first", stream.first}, {"last", stream.last},
          {"rows", std::move(rows)}};
}

template <class Value>
bool take(const Json& json, const char* key, Value& value) {
  try {
    json.at(key).get_to(value);
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

Result<Stream> stream_from(const Json& json) {
  Stream stream;
  if (!json.is_object() || !take(json, "name", stream.name) || !take(json, "by", stream.by) ||
      !take(json, "recorded", stream.recorded_s) || !take(json, "joints", stream.joints) ||
      !take(json, "first", stream.first) || !take(json, "last", stream.last) ||
      !take(json, "rows", stream.rows))
    return Error{ErrorCode::Damaged, fmt::format("stream '{}' is not whole", stream.name)};
  return stream;
}

}  // namespace

Result<Streams> StreamStore::parse(std::string_view text) {
  const auto json = accounts::strict_json(text);
  if (!json) return json.error();
  if (!json->is_object() || !json->contains("streams") || !(*json)["streams"].is_array())
    return Error{ErrorCode::Damaged, "there is no list 'streams'"};
  Streams streams;
  for (const Json& entry : (*json)["streams"]) {
    auto stream = stream_from(entry);
    if (!stream) return stream.error();
    streams.push_back(std::make_shared<const Stream>(*std::move(stream)));
  }
  if (Status valid = check(streams); !valid) return valid.error();
  return streams;
}

Status StreamStore::load() {
  const auto text = accounts::read_whole_file(file_.string(), kMostBytes);
  is_damaged_ = !text && text.error().code != ErrorCode::NotFound;
  if (!text) return is_damaged_ ? Status(text.error()) : Status(Done{});
  auto streams = parse(*text);
  is_damaged_ = !streams;
  if (is_damaged_)
    return Error{ErrorCode::Damaged,
                 fmt::format("{}: {}; it is left as it is", file_.string(), streams.error().message)};
  streams_ = *std::move(streams);
  return Done{};
}

Status StreamStore::reload() {
  past_.push_back(std::exchange(streams_, {}));
  if (past_.size() > kMostUndone) past_.pop_front();
  future_.clear();
  ++changes_;
  return load();
}

Status StreamStore::save(const Streams& streams) {
  if (is_damaged_)
    return Error{ErrorCode::Damaged,
                 fmt::format("{} could not be read and is not written over; move it away", file_.string())};
  Json list = Json::array();
  for (const auto& stream : streams) list.push_back(stream_json(*stream));
  const std::string text = Json{{"streams", std::move(list)}}.dump() + "\n";
  if (text.size() > kMostBytes)
    return Error{ErrorCode::Full,
                 fmt::format("all streams together would take {}; {} is the most: delete some",
                             bytes_text(text.size()), bytes_text(kMostBytes))};
  return accounts::replace_whole_file(file_.string(), text);
}

Status StreamStore::replace(Streams streams) {
  if (Status valid = check(streams); !valid) return valid;
  if (Status saved = save(streams); !saved) return saved;
  past_.push_back(std::exchange(streams_, std::move(streams)));
  if (past_.size() > kMostUndone) past_.pop_front();
  future_.clear();
  ++changes_;
  return Done{};
}

Result<std::shared_ptr<const Stream>> StreamStore::find(std::string_view name) const {
  const auto found =
      std::ranges::find(streams_, name, [](const auto& one) { return std::string_view(one->name); });
  if (found == streams_.end()) return no_such(name);
  return *found;
}

Status StreamStore::check_new(std::string_view name) const {
  if (Status valid = PointStore::check_name(name); !valid)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("a stream is called as a point is: {}", valid.error().message)};
  if (find(name)) return Error{ErrorCode::AlreadyExists, fmt::format("there is a stream '{}' already", name)};
  if (streams_.size() >= kMostStreams)
    return Error{ErrorCode::Full, fmt::format("there are {} streams; delete some", streams_.size())};
  return Done{};
}

Status StreamStore::add(Stream stream) {
  if (Status valid = check_new(stream.name); !valid) return valid;
  Streams changed = streams_;
  changed.push_back(std::make_shared<const Stream>(std::move(stream)));
  return replace(std::move(changed));
}

Status StreamStore::change(std::string_view name, Stream stream) {
  Streams changed = streams_;
  for (auto& one : changed) {
    if (one->name != name) continue;
    if (*one == stream) return Done{};
    one = std::make_shared<const Stream>(std::move(stream));
    return replace(std::move(changed));
  }
  return no_such(name);
}

Status StreamStore::remove(std::string_view name) {
  Streams changed = streams_;
  if (std::erase_if(changed, [&](const auto& one) { return one->name == name; }) == 0) return no_such(name);
  return replace(std::move(changed));
}

Status StreamStore::turn(std::deque<Streams>& from, std::deque<Streams>& to, const char* nothing) {
  if (from.empty()) return Error{ErrorCode::NothingNew, nothing};
  if (Status saved = save(from.back()); !saved) return saved;
  to.push_back(std::exchange(streams_, std::move(from.back())));
  from.pop_back();
  ++changes_;
  return Done{};
}

}  // namespace sinew
