// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/replayer.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/channels/inspect.h"
#include "sinew/recording/channel_tap.h"

namespace sinew::recording {
namespace {

bool can_be_put(const McapChannel& channel) {
  return channel.encoding == "sinew" || channel.encoding == "bytes";
}

// A number from a channel's metadata; 0, which asks for the default, when it is not there or no number.
std::uint32_t number_in(const McapChannel& channel, const std::string& key, int base = 10) {
  const auto found = channel.metadata.find(key);
  if (found == channel.metadata.end()) return 0;
  const std::string& text = found->second;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

// Sleeps until `due_ns`; false when asked to stop before.
bool sleep_until(std::int64_t due_ns, const std::function<bool()>& should_stop) {
  while (!should_stop()) {
    if (monotonic_now_ns() >= due_ns) return true;
    const timespec due{static_cast<time_t>(due_ns / kSecond_ns), static_cast<long>(due_ns % kSecond_ns)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
  }
  return false;
}

}  // namespace

Result<Replayer> Replayer::open(const McapReader& reader, const ReplayOptions& options) {
  Replayer replayer(reader, options);
  for (const auto& [id, channel] : reader.contents().channels) {
    if (!fits_patterns(channel.topic, options.patterns)) continue;
    if (!can_be_put(channel)) {
      replayer.problems_.push_back(
          fmt::format("{} is passed over: its messages are written as '{}', and only recordings of 'sinew' "
                      "messages can be replayed",
                      channel.topic, channel.encoding));
      continue;
    }
    replayer.by_topic_[channel.topic];
  }
  if (replayer.by_topic_.empty()) {
    return Error{
        ErrorCode::NotFound,
        fmt::format("{} holds no channel to replay{}; 'sinew replay {} --info' lists what it holds",
                    reader.name(), options.patterns.empty() ? "" : " that fits --channels", reader.name())};
  }
  if (Status checked = replayer.check_writers(); !checked) return checked.error();
  for (const auto& [id, channel] : reader.contents().channels) {
    if (!replayer.by_topic_.contains(channel.topic) || !can_be_put(channel)) continue;
    if (const Status added = replayer.add(channel); !added) return added.error();
  }
  return replayer;
}

Status Replayer::check_writers() const {
  if (options_.may_mix) return Done{};
  const auto listing = channels::list_channels(options_.space);
  if (!listing) return listing.error();
  for (const channels::ChannelInfo& info : listing->channels) {
    if (!by_topic_.contains(info.name)) continue;
    for (const channels::WriterInfo& writer : info.writers) {
      if (writer.life == channels::Life::Dead) continue;
      return Error{ErrorCode::Denied,
                   fmt::format("{} (pid {}) writes '{}' in space '{}', and its messages would mix with the "
                               "recorded ones; end it, replay with --into-space NAME, or insist with --force",
                               writer.name, writer.pid, info.name, options_.space)};
    }
  }
  return Done{};
}

Status Replayer::add(const McapChannel& channel) {
  Handle& handle = by_topic_[channel.topic];
  const auto& schemas = reader_->contents().schemas;
  const auto schema = schemas.find(channel.schema_id);
  const bool has_schema = schema != schemas.end() && schema->second.encoding == "sinew";
  sinew_options wanted;
  sinew_options_init(&wanted);
  wanted.space = options_.space.c_str();
  wanted.name = channel.topic.c_str();
  wanted.schema = has_schema ? schema->second.text.c_str() : nullptr;
  wanted.sender = "replay";
  wanted.capacity = number_in(channel, "capacity");
  wanted.depth = number_in(channel, "depth");
  wanted.writers = number_in(channel, "writers");
  wanted.mode = number_in(channel, "mode", 8);
  wanted.may_create = 1;
  // a name that stands twice in the file must be the same channel both times, which opening it again shows
  sinew_error error{};
  Handle opened(sinew_writer_open(&wanted, &error));
  if (opened == nullptr) return error_from(error);
  if (handle == nullptr) handle = std::move(opened);
  writers_[channel.id] = handle.get();
  return Done{};
}

Result<ReplayReport> Replayer::play(const std::function<bool()>& should_stop) {
  std::set<std::uint16_t> ids;
  for (const auto& [id, writer] : writers_) ids.insert(id);
  McapMessages messages(*reader_, ids);
  ReplayReport report;
  const std::int64_t start_ns = monotonic_now_ns();
  std::uint64_t first_ns = 0;
  bool is_first = true;
  while (const auto message = messages.next()) {
    if (is_first) first_ns = message->log_ns;
    is_first = false;
    const std::uint64_t after_ns = message->log_ns > first_ns ? message->log_ns - first_ns : 0;
    const double elapsed = static_cast<double>(after_ns) * 1e-9 / options_.speed;
    const std::int64_t due_ns = deadline_after_ns(start_ns, nanoseconds_from_seconds(elapsed));
    if (!sleep_until(due_ns, should_stop)) break;
    report.worst_late_ns = std::max(report.worst_late_ns, monotonic_now_ns() - due_ns);
    const int status =
        sinew_put(writers_.at(message->channel_id), message->bytes.data(), message->bytes.size(), nullptr);
    if (status != SINEW_OK && status != SINEW_TOO_LARGE && status != SINEW_INVALID)
      return error_from_status(status, "replaying a message");
    ++(status == SINEW_OK ? report.messages : report.skipped);
  }
  problems_.insert(problems_.end(), messages.problems().begin(), messages.problems().end());
  return report;
}

}  // namespace sinew::recording
