// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/mcap_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/recording/compression.h"
#include "sinew/recording/crc32.h"
#include "sinew/recording/mcap_scan.h"

namespace sinew::recording {
namespace {

constexpr std::size_t kFooterLength = kRecordHead + 20;

bool is_magic(std::span<const std::byte> bytes) {
  return std::ranges::equal(bytes, std::as_bytes(std::span(kMcapMagic)));
}

// Takes over what one record of the summary says; false when it cannot be read.
bool note_summary(const RawRecord& record, McapContents& contents, std::vector<McapMetadataIndex>& metadata) {
  switch (record.op) {
    case Op::Schema:
      // number zero is no schema, and to be ignored
      if (const auto schema = read_schema(record.content)) contents.schemas[schema->id] = *schema;
      return true;
    case Op::Channel: {
      const auto channel = read_channel(record.content);
      if (channel) contents.channels[channel->id] = *channel;
      return channel.has_value();
    }
    case Op::ChunkIndex: {
      const auto index = read_chunk_index(record.content);
      if (!index) return false;
      contents.places.push_back({.start_ns = index->start_ns,
                                 .end_ns = index->end_ns,
                                 .offset = index->offset,
                                 .length = index->length});
      return true;
    }
    case Op::Statistics: {
      const auto statistics = read_statistics(record.content);
      if (statistics) contents.statistics = *statistics;
      return statistics.has_value();
    }
    case Op::MetadataIndex: {
      const auto index = read_metadata_index(record.content);
      if (index) metadata.push_back(*index);
      return index.has_value();
    }
    default:
      return true;
  }
}

}  // namespace

Result<McapReader> McapReader::open(const std::string& path, const McapLimits& limits) {
  auto source = ByteSource::open(path);
  if (!source) return source.error();
  return read(*std::move(source), limits);
}

Result<McapReader> McapReader::of(Buffer bytes, const McapLimits& limits) {
  return read(ByteSource::of(std::move(bytes)), limits);
}

Result<McapReader> McapReader::read(ByteSource source, const McapLimits& limits) {
  McapReader reader(std::move(source), limits);
  Buffer start;
  if (!reader.source_.read(0, kMcapMagic.size(), start) || !is_magic(start))
    return Error{ErrorCode::Damaged,
                 fmt::format("{} is no MCAP file: it does not begin with the bytes of one", reader.name())};
  auto summary = reader.read_summary();
  reader.contents_ = summary ? *std::move(summary) : reader.scan(false);
  return reader;
}

// None unless the summary is there, intact, and enough to find every message.
std::optional<McapContents> McapReader::read_summary() const {
  const std::uint64_t tail = kFooterLength + kMcapMagic.size();
  Buffer end;
  if (size() < tail || !source_.read(size() - tail, tail, end)) return std::nullopt;
  if (!is_magic(std::span(end).last(kMcapMagic.size()))) return std::nullopt;
  std::span<const std::byte> rest(end);
  const auto raw = take_record(rest);
  const auto footer = raw && raw->op == Op::Footer ? read_footer(raw->content) : std::nullopt;
  const std::uint64_t summary_end = size() - tail;
  if (!footer || footer->summary_start == 0 || footer->summary_start > summary_end) return std::nullopt;

  Buffer bytes;
  const std::uint64_t covered =
      summary_end - footer->summary_start + kFooterLength - sizeof footer->summary_crc;
  if (covered > limits_.largest_chunk || !source_.read(footer->summary_start, covered, bytes))
    return std::nullopt;
  if (footer->summary_crc != 0 && crc32(bytes) != footer->summary_crc) return std::nullopt;
  McapContents contents{.data_end = footer->summary_start, .is_whole = true};
  std::vector<McapMetadataIndex> metadata;
  rest =
      std::span<const std::byte>(bytes).first(static_cast<std::size_t>(summary_end - footer->summary_start));
  while (!rest.empty()) {
    const auto record = take_record(rest);
    if (!record || !note_summary(*record, contents, metadata)) return std::nullopt;
  }
  if (contents.places.size() != contents.statistics.chunk_count) return std::nullopt;
  if (contents.places.empty() && contents.statistics.message_count > 0) return std::nullopt;

  McapScan scan(*this);
  if (!scan.read_header(contents)) return std::nullopt;
  for (const McapMetadataIndex& index : metadata) {
    if (!scan.read_metadata_at(index.offset, index.length, contents)) return std::nullopt;
  }
  return contents;
}

McapContents McapReader::scan(bool sums_data) const {
  return McapScan(*this).run(sums_data);
}

Result<Buffer> McapReader::load(const MessagePlace& place) const {
  const auto refuse = [&](std::string_view reason) {
    return Error{ErrorCode::Damaged,
                 fmt::format("{}: the chunk at byte {} cannot be read: {}", name(), place.offset, reason)};
  };
  Buffer bytes;
  if (place.length > limits_.largest_chunk) return refuse("it is too large");
  if (!source_.read(place.offset, place.length, bytes)) return refuse("it is not all there");
  if (!place.is_chunk) return bytes;
  std::span<const std::byte> rest(bytes);
  const auto record = take_record(rest);
  const auto chunk = record && record->op == Op::Chunk ? read_chunk(record->content) : std::nullopt;
  if (!chunk) return refuse("it is no chunk");
  if (chunk->unpacked_size > limits_.largest_chunk) return refuse("unpacked it would be too large");
  const auto compression = compression_from(chunk->compression);
  if (!compression) return refuse(compression.error().message);
  auto unpacked = unpack(*compression, chunk->packed, chunk->unpacked_size);
  if (!unpacked) return refuse(unpacked.error().message);
  if (chunk->unpacked_crc != 0 && crc32(*unpacked) != chunk->unpacked_crc) return refuse("its CRC is wrong");
  return unpacked;
}

std::vector<std::string> McapReader::check() const {
  const McapContents found = scan(true);
  std::vector<std::string> problems = found.problems;
  const McapStatistics& said = contents_.statistics;
  const McapStatistics& counted = found.statistics;
  if (!contents_.is_whole || contents_.is_scanned) {
    problems.emplace_back("it has no good summary, so what it held cannot be compared with what is left");
    return problems;
  }
  if (said.message_count != counted.message_count)
    problems.push_back(fmt::format("the summary counts {} messages, the file holds {}", said.message_count,
                                   counted.message_count));
  if (said.chunk_count != counted.chunk_count)
    problems.push_back(fmt::format("the summary counts {} chunks, the file holds {}", said.chunk_count,
                                   counted.chunk_count));
  if (contents_.data_end != found.data_end)
    problems.push_back(fmt::format("the summary begins at byte {}, the data end at byte {}",
                                   contents_.data_end, found.data_end));
  if (contents_.channels.size() != found.channels.size())
    problems.push_back(fmt::format("the summary lists {} channels, the file holds {}",
                                   contents_.channels.size(), found.channels.size()));
  return problems;
}

std::vector<McapMessage> messages_of(std::span<const std::byte> records, bool* is_intact) {
  std::vector<McapMessage> messages;
  bool is_good = true;
  while (!records.empty() && is_good) {
    const auto record = take_record(records);
    const auto message = record && record->op == Op::Message ? read_message(record->content) : std::nullopt;
    is_good = record && (message || record->op != Op::Message);
    if (message) messages.push_back(*message);
  }
  if (is_intact != nullptr) *is_intact = is_good;
  return messages;
}

}  // namespace sinew::recording
