// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/mcap_scan.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sinew/recording/crc32.h"

namespace sinew::recording {
namespace {

// A stretch of messages outside of chunks is read at once when it is not longer [bytes].
constexpr std::uint64_t kLongestStretch = 1U << 20;
constexpr std::size_t kMostProblems = 20;
constexpr std::uint64_t kSumStep = 1U << 20;

}  // namespace

std::optional<McapScan::Head> McapScan::head_at(std::uint64_t offset) {
  Buffer head;
  if (!reader_.source_.read(offset, kRecordHead, head)) return std::nullopt;
  Head found{.op = static_cast<Op>(head[0])};
  std::memcpy(&found.length, head.data() + 1, sizeof found.length);
  const std::uint64_t left = reader_.size() - offset - kRecordHead;
  if (found.length > left) return std::nullopt;
  return found;
}

McapContents McapScan::run(bool sums_data) {
  contents_ = {.is_scanned = true};
  std::uint64_t offset = kMcapMagic.size();
  bool has_end = false;
  while (!has_end) {
    const auto head = head_at(offset);
    if (!head) {
      if (offset < reader_.size() || offset == kMcapMagic.size())
        contents_.problems.push_back(fmt::format("it is cut off within the record at byte {}", offset));
      break;
    }
    has_end = head->op == Op::DataEnd || head->op == Op::Footer;
    if (head->op == Op::DataEnd) note_data_end(offset, sums_data);
    if (!has_end && !note_record(*head, offset) && contents_.problems.size() < kMostProblems)
      contents_.problems.push_back(fmt::format("the record at byte {} is damaged", offset));
    offset += kRecordHead + head->length;
    if (head->op == Op::DataEnd) contents_.data_end = offset;
  }
  contents_.is_whole = has_end;
  McapStatistics& statistics = contents_.statistics;
  statistics.schema_count = static_cast<std::uint16_t>(contents_.schemas.size());
  statistics.channel_count = static_cast<std::uint32_t>(contents_.channels.size());
  for (const auto& [id, channel] : contents_.channels) statistics.counts[id];
  return std::move(contents_);
}

bool McapScan::read_header(McapContents& contents) {
  const auto head = head_at(kMcapMagic.size());
  if (!head || head->op != Op::Header || head->length > reader_.limits_.largest_chunk) return false;
  if (!reader_.source_.read(kMcapMagic.size() + kRecordHead, head->length, bytes_)) return false;
  const auto header = recording::read_header(bytes_);
  if (header) contents.header = *header;
  return header.has_value();
}

bool McapScan::read_metadata_at(std::uint64_t offset, std::uint64_t length, McapContents& contents) {
  if (length > reader_.limits_.largest_chunk || !reader_.source_.read(offset, length, bytes_)) return false;
  std::span<const std::byte> rest(bytes_);
  const auto record = take_record(rest);
  const auto metadata = record && record->op == Op::Metadata ? read_metadata(record->content) : std::nullopt;
  if (metadata) contents.metadata.push_back(*metadata);
  return metadata.has_value();
}

// False when the record cannot be what it says.
bool McapScan::note_record(const Head& head, std::uint64_t offset) {
  const std::uint64_t length = kRecordHead + head.length;
  const MessagePlace place{.offset = offset, .length = length, .is_chunk = head.op == Op::Chunk};
  switch (head.op) {
    case Op::Header:
      return read_header(contents_);
    case Op::Schema:
    case Op::Channel:
      if (length > reader_.limits_.largest_chunk || !reader_.source_.read(offset, length, bytes_))
        return false;
      note_definitions(bytes_);
      return true;
    case Op::Message:
      note_loose_message(place);
      return true;
    case Op::Chunk:
      note_chunk(place);
      return true;
    case Op::Metadata:
      ++contents_.statistics.metadata_count;
      return read_metadata_at(offset, length, contents_);
    case Op::Attachment:
      ++contents_.statistics.attachment_count;
      return true;
    default:
      return true;
  }
}

// Takes over the schemas and channels among some records.
void McapScan::note_definitions(std::span<const std::byte> records) {
  while (const auto record = take_record(records)) {
    if (record->op == Op::Schema) {
      if (const auto schema = read_schema(record->content)) contents_.schemas[schema->id] = *schema;
    } else if (record->op == Op::Channel) {
      if (const auto channel = read_channel(record->content)) contents_.channels[channel->id] = *channel;
    }
  }
}

void McapScan::note_message(const McapMessage& message, MessagePlace& place, bool is_first) {
  McapStatistics& statistics = contents_.statistics;
  place.start_ns = is_first ? message.log_ns : std::min(place.start_ns, message.log_ns);
  place.end_ns = is_first ? message.log_ns : std::max(place.end_ns, message.log_ns);
  statistics.start_ns =
      statistics.message_count == 0 ? message.log_ns : std::min(statistics.start_ns, message.log_ns);
  statistics.end_ns = std::max(statistics.end_ns, message.log_ns);
  ++statistics.message_count;
  ++statistics.counts[message.channel_id];
  const auto [last, is_new] = last_sequence_.try_emplace(message.channel_id, message.sequence);
  // numbers are the low half of the channel's own, so a step over 2^32 is a step like any other
  if (!is_new)
    contents_.gaps[message.channel_id] += static_cast<std::uint32_t>(message.sequence - last->second - 1);
  last->second = message.sequence;
}

void McapScan::note_chunk(const MessagePlace& found) {
  ++contents_.statistics.chunk_count;
  const auto records = reader_.load(found);
  if (!records) {
    if (contents_.problems.size() < kMostProblems) contents_.problems.push_back(records.error().message);
    return;
  }
  note_definitions(*records);
  bool is_intact = true;
  const auto messages = messages_of(*records, &is_intact);
  if (!is_intact && contents_.problems.size() < kMostProblems)
    contents_.problems.push_back(fmt::format("the chunk at byte {} holds a damaged record", found.offset));
  MessagePlace place = found;
  for (std::size_t i = 0; i < messages.size(); ++i) note_message(messages[i], place, i == 0);
  if (!messages.empty()) contents_.places.push_back(place);
}

void McapScan::note_loose_message(const MessagePlace& found) {
  if (found.length > reader_.limits_.largest_chunk ||
      !reader_.source_.read(found.offset, found.length, bytes_))
    return;
  const auto messages = messages_of(bytes_);
  if (messages.empty()) return;
  std::vector<MessagePlace>& places = contents_.places;
  const bool joins = !places.empty() && !places.back().is_chunk &&
                     places.back().offset + places.back().length == found.offset &&
                     places.back().length + found.length <= kLongestStretch;
  if (joins) {
    places.back().length += found.length;
  } else {
    places.push_back(found);
  }
  note_message(messages.front(), places.back(), !joins);
}

void McapScan::note_data_end(std::uint64_t offset, bool sums_data) {
  if (!sums_data) return;
  std::optional<std::uint32_t> said;
  if (reader_.source_.read(offset + kRecordHead, sizeof(std::uint32_t), bytes_)) said = read_data_end(bytes_);
  if (!said || *said == 0) return;
  std::uint32_t sum = 0;
  for (std::uint64_t start = 0; start < offset; start += kSumStep) {
    if (!reader_.source_.read(start, std::min(kSumStep, offset - start), bytes_)) return;
    sum = crc32(bytes_, sum);
  }
  if (sum != *said)
    contents_.problems.push_back(
        fmt::format("the CRC of the data is {:08x}, the file says {:08x}", sum, *said));
}

}  // namespace sinew::recording
