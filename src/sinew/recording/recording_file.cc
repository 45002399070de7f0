// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/recording_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/channels/version.h"
#include "sinew/messages/decode.h"
#include "sinew/recording/json_schema.h"

namespace sinew::recording {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::uint64_t since_1970(std::int64_t monotonic_ns, std::int64_t wall_ahead_ns) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, monotonic_ns + wall_ahead_ns));
}

}  // namespace

RecordingFacts facts_now(std::string space) {
  const std::int64_t now_ns = monotonic_now_ns();
  return {.space = std::move(space), .started_ns = now_ns, .wall_ahead_ns = wall_now_ns() - now_ns};
}

Result<RecordingFile> RecordingFile::create(const McapWriterOptions& options, const RecordingFacts& facts) {
  auto writer = McapWriter::create(options);
  if (!writer) return writer.error();
  RecordingFile file(*std::move(writer), facts);
  McapMetadata about{.name = "sinew", .facts = facts.more};
  about.facts["space"] = facts.space;
  about.facts["host"] = host_name();
  about.facts["version"] = std::string(channels::kVersion);
  about.facts["started_ns"] = std::to_string(facts.started_ns);
  about.facts["monotonic_offset_ns"] = std::to_string(facts.wall_ahead_ns);
  if (const Status added = file.writer_.add_metadata(about); !added) return added.error();
  return file;
}

Result<std::uint16_t> RecordingFile::add_schema(const TappedChannel& channel, const Entry& entry) {
  if (channel.schema.empty()) return std::uint16_t{0};
  if (entry.schema)
    return writer_.add_schema(
        {.name = channel.message_name, .encoding = "jsonschema", .text = json_schema_of(*entry.schema)});
  return writer_.add_schema({.name = channel.message_name, .encoding = "sinew", .text = channel.schema});
}

Result<RecordingFile::Entry*> RecordingFile::entry_for(const TappedChannel& channel) {
  const auto [found, is_new] = entries_.try_emplace(channel.number);
  Entry& entry = found->second;
  if (!is_new) return &entry;
  entry.counts = {.name = channel.name, .message_name = channel.message_name};
  if (facts_.encoding == MessageEncoding::Json && !channel.schema.empty()) {
    auto schema = parse_schema(channel.schema);
    if (schema) entry.schema = *std::move(schema);
  }
  const auto schema_id = add_schema(channel, entry);
  if (!schema_id) return schema_id.error();
  const std::string encoding = entry.schema ? "json" : channel.schema.empty() ? "bytes" : "sinew";
  const auto id = writer_.add_channel({.schema_id = *schema_id,
                                       .topic = channel.name,
                                       .encoding = encoding,
                                       .metadata = {{"capacity", std::to_string(channel.capacity)},
                                                    {"depth", std::to_string(channel.depth)},
                                                    {"writers", std::to_string(channel.writers)},
                                                    {"mode", fmt::format("{:04o}", channel.mode)}}});
  if (!id) return id.error();
  entry.id = *id;
  return &entry;
}

Status RecordingFile::note(const TappedChannel& channel) {
  const auto entry = entry_for(channel);
  return entry ? Status(Done{}) : Status(entry.error());
}

Status RecordingFile::write(const TappedMessage& message) {
  const auto entry = entry_for(*message.channel);
  if (!entry) return entry.error();
  std::span<const std::byte> bytes = message.bytes;
  if ((*entry)->schema) {
    json_ = json_of(*(*entry)->schema, bytes);
    bytes = std::as_bytes(std::span(json_));
  }
  ++(*entry)->counts.messages;
  (*entry)->counts.missed += message.missed;
  missed_ += message.missed;
  return writer_.write(
      {.channel_id = (*entry)->id,
       .sequence = static_cast<std::uint32_t>(message.sequence),
       .log_ns = since_1970(std::max(message.stamp_ns, facts_.started_ns), facts_.wall_ahead_ns),
       .publish_ns = since_1970(message.stamp_ns, facts_.wall_ahead_ns),
       .bytes = bytes});
}

Status RecordingFile::close() {
  std::map<std::string, std::uint64_t> missed;
  for (const auto& [number, entry] : entries_) missed[entry.counts.name] += entry.counts.missed;
  McapMetadata about{.name = "sinew:missed"};
  for (const auto& [name, count] : missed) about.facts[name] = std::to_string(count);
  if (Status flushed = writer_.flush(); !flushed) return flushed;
  if (Status added = writer_.add_metadata(about); !added) return added;
  return writer_.close();
}

std::vector<RecordedChannel> RecordingFile::channels() const {
  std::vector<RecordedChannel> rows;
  for (const auto& [number, entry] : entries_) rows.push_back(entry.counts);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const RecordedChannel& a, const RecordedChannel& b) { return a.name < b.name; });
  return rows;
}

}  // namespace sinew::recording
