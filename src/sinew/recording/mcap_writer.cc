// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/mcap_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sinew/channels/version.h"
#include "sinew/recording/crc32.h"

namespace sinew::recording {
namespace {

constexpr std::size_t kMostIds = std::numeric_limits<std::uint16_t>::max();

std::span<const std::byte> magic_bytes() {
  return std::as_bytes(std::span(kMcapMagic));
}

// Appends the records of one kind and notes where they stand; `base` is where `out` begins in the file.
template <class Records>
void append_group(Buffer& out, Op op, const Records& records, std::uint64_t base,
                  std::vector<McapSummaryOffset>& groups) {
  const std::size_t start = out.size();
  for (const auto& record : records) append_record(out, record);
  if (out.size() > start)
    groups.push_back({.group = op, .start = base + start, .length = out.size() - start});
}

}  // namespace

McapWriter::McapWriter(AppendFile file, const McapWriterOptions& options)
    : file_(std::move(file)), compressor_(options.compression), chunk_size_(options.chunk_size) {
  chunk_.reserve(chunk_size_ + chunk_size_ / 4);
}

Result<McapWriter> McapWriter::create(const McapWriterOptions& options) {
  auto file = AppendFile::create(options.path, options.may_replace);
  if (!file) return file.error();
  McapWriter writer(*std::move(file), options);
  Buffer start(magic_bytes().begin(), magic_bytes().end());
  append_record(start,
                McapHeader{.profile = "x-sinew", .library = fmt::format("sinew {}", channels::kVersion)});
  if (const Status written = writer.file_.append(start); !written) return written.error();
  return writer;
}

Result<std::uint16_t> McapWriter::add_schema(McapSchema schema) {
  const auto same = std::find_if(schemas_.begin(), schemas_.end(), [&](const McapSchema& s) {
    return s.name == schema.name && s.encoding == schema.encoding && s.text == schema.text;
  });
  if (same != schemas_.end()) return same->id;
  if (schemas_.size() == kMostIds)
    return Error{ErrorCode::Full, fmt::format("{} holds {} schemas, and cannot hold more", path(), kMostIds)};
  schema.id = static_cast<std::uint16_t>(schemas_.size() + 1);
  scratch_.clear();
  append_record(scratch_, schema);
  if (const Status written = file_.append(scratch_); !written) return written.error();
  ++statistics_.schema_count;
  schemas_.push_back(std::move(schema));
  return schemas_.back().id;
}

Result<std::uint16_t> McapWriter::add_channel(McapChannel channel) {
  if (channels_.size() == kMostIds)
    return Error{ErrorCode::Full,
                 fmt::format("{} holds {} channels, and cannot hold more", path(), kMostIds)};
  channel.id = static_cast<std::uint16_t>(channels_.size() + 1);
  scratch_.clear();
  append_record(scratch_, channel);
  if (const Status written = file_.append(scratch_); !written) return written.error();
  ++statistics_.channel_count;
  statistics_.counts[channel.id] = 0;
  channels_.push_back(std::move(channel));
  return channels_.back().id;
}

Status McapWriter::add_metadata(const McapMetadata& metadata) {
  scratch_.clear();
  append_record(scratch_, metadata);
  metadata_indexes_.push_back({.offset = file_.size(), .length = scratch_.size(), .name = metadata.name});
  ++statistics_.metadata_count;
  return file_.append(scratch_);
}

Status McapWriter::write(const McapMessage& message) {
  if (message.channel_id == 0 || message.channel_id > channels_.size())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} has no channel {}: add it first", path(), message.channel_id)};
  const bool is_first = chunk_.empty();
  chunk_start_ns_ = is_first ? message.log_ns : std::min(chunk_start_ns_, message.log_ns);
  chunk_end_ns_ = is_first ? message.log_ns : std::max(chunk_end_ns_, message.log_ns);
  const bool is_very_first = statistics_.message_count == 0;
  statistics_.start_ns = is_very_first ? message.log_ns : std::min(statistics_.start_ns, message.log_ns);
  statistics_.end_ns = std::max(statistics_.end_ns, message.log_ns);
  ++statistics_.message_count;
  ++statistics_.counts[message.channel_id];

  McapMessageIndex& index = open_indexes_[message.channel_id];
  index.channel_id = message.channel_id;
  index.entries.push_back({.log_ns = message.log_ns, .offset = chunk_.size()});
  append_record(chunk_, message);
  return chunk_.size() >= chunk_size_ ? flush() : Status(Done{});
}

Status McapWriter::flush() {
  if (chunk_.empty()) return Done{};
  const auto packed = compressor_.pack(chunk_);
  if (!packed) return packed.error();
  // what does not shrink is stored as it is
  const bool is_smaller = packed->size() < chunk_.size();
  Status written =
      append_chunk({.start_ns = chunk_start_ns_,
                    .end_ns = chunk_end_ns_,
                    .unpacked_size = chunk_.size(),
                    .unpacked_crc = crc32(chunk_),
                    .compression = std::string(is_smaller ? compression_name(compressor_.compression()) : ""),
                    .packed = is_smaller ? *packed : std::span<const std::byte>(chunk_)});
  chunk_.clear();
  for (auto& [id, index] : open_indexes_) index.entries.clear();
  return written;
}

Status McapWriter::append_chunk(const McapChunk& chunk) {
  scratch_.clear();
  append_chunk_head(scratch_, chunk);
  scratch_.insert(scratch_.end(), chunk.packed.begin(), chunk.packed.end());
  McapChunkIndex index{.start_ns = chunk.start_ns,
                       .end_ns = chunk.end_ns,
                       .offset = file_.size(),
                       .length = scratch_.size(),
                       .compression = chunk.compression,
                       .packed_size = chunk.packed.size(),
                       .unpacked_size = chunk.unpacked_size};
  if (Status written = file_.append(scratch_); !written) return written;
  ++statistics_.chunk_count;
  return append_indexes(std::move(index));
}

Status McapWriter::append_indexes(McapChunkIndex index) {
  scratch_.clear();
  for (const auto& [id, entries] : open_indexes_) {
    if (entries.entries.empty()) continue;
    index.index_offsets[id] = file_.size() + scratch_.size();
    append_record(scratch_, entries);
  }
  index.index_length = scratch_.size();
  chunk_indexes_.push_back(std::move(index));
  return file_.append(scratch_);
}

void McapWriter::append_summary(Buffer& out) const {
  const std::uint64_t base = file_.size();
  std::vector<McapSummaryOffset> groups;
  append_group(out, Op::Schema, schemas_, base, groups);
  append_group(out, Op::Channel, channels_, base, groups);
  append_group(out, Op::ChunkIndex, chunk_indexes_, base, groups);
  append_group(out, Op::MetadataIndex, metadata_indexes_, base, groups);
  append_group(out, Op::Statistics, std::span(&statistics_, 1), base, groups);
  McapFooter footer{.summary_start = base, .summary_offset_start = base + out.size()};
  for (const McapSummaryOffset& group : groups) append_record(out, group);
  const std::size_t footer_start = out.size();
  append_record(out, footer);
  // the sum covers all of the footer but itself
  const std::size_t covered = out.size() - sizeof footer.summary_crc;
  footer.summary_crc = crc32(std::span(out).first(covered));
  out.resize(footer_start);
  append_record(out, footer);
  out.insert(out.end(), magic_bytes().begin(), magic_bytes().end());
}

Status McapWriter::close() {
  if (Status flushed = flush(); !flushed) return flushed;
  scratch_.clear();
  append_data_end(scratch_, file_.crc());
  if (Status written = file_.append(scratch_); !written) return written;
  Buffer summary;
  append_summary(summary);
  if (Status written = file_.append(summary); !written) return written;
  return file_.sync();
}

}  // namespace sinew::recording
