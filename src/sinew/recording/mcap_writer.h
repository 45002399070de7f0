// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/recording/compression.h"
#include "sinew/recording/mcap_records.h"

namespace sinew::recording {

struct McapWriterOptions {
  std::string path;
  Compression compression = default_compression();
  std::size_t chunk_size = 1U << 20;  ///< A chunk ends when it holds so many bytes.
  bool may_replace = false;           ///< Overwrite a file of that name.
};

/// Appends to a file that only grows: every record stands on its own before the next begins.
class AppendFile {
 public:
  static Result<AppendFile> create(const std::string& path, bool may_replace);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  ~AppendFile();

  /// Appends all of `bytes`. When the disk is full, whatever part got there is cut off again.
  Status append(std::span<const std::byte> bytes);

  /// Makes sure that it outlives a loss of power.
  Status sync();

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  std::uint32_t crc() const { return crc_; }  ///< Of all bytes so far.

 private:
  AppendFile() = default;
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;
};

/// Writes an MCAP file: chunked, packed, indexed, with CRCs. One thread.
///
/// Schemas, channels and metadata reach the file at once, messages with their chunk: after a sudden death
/// all up to the last whole chunk is there, and McapReader finds it.
class McapWriter {
 public:
  static Result<McapWriter> create(const McapWriterOptions& options);
  McapWriter(McapWriter&&) noexcept = default;
  McapWriter& operator=(McapWriter&&) noexcept = default;

  /// Answers the schema's id; an equal one is written only once. `schema.id` is not used.
  Result<std::uint16_t> add_schema(McapSchema schema);

  /// Answers the channel's id. `channel.id` is not used.
  Result<std::uint16_t> add_channel(McapChannel channel);

  Status add_metadata(const McapMetadata& metadata);

  /// Adds a message to the chunk; ends the chunk when it is full. Its channel must have been added.
  Status write(const McapMessage& message);

  /// Ends the chunk that is open, if any, so that it is in the file.
  Status flush();

  /// Ends the file with its summary. Nothing may follow.
  Status close();

  const McapStatistics& statistics() const { return statistics_; }
  std::uint64_t size() const { return file_.size(); }        ///< Of the file so far [bytes].
  std::uint64_t open_size() const { return chunk_.size(); }  ///< Not yet in the file [bytes].
  const std::string& path() const { return file_.path(); }

 private:
  McapWriter(AppendFile file, const McapWriterOptions& options);
  void append_summary(Buffer& out) const;
  Status append_chunk(const McapChunk& head);
  Status append_indexes(McapChunkIndex index);

  AppendFile file_;
  Compressor compressor_;
  std::size_t chunk_size_;
  Buffer chunk_;    ///< Records of the open chunk.
  Buffer scratch_;  ///< The record being made.
  std::uint64_t chunk_start_ns_ = 0;
  std::uint64_t chunk_end_ns_ = 0;
  std::map<std::uint16_t, McapMessageIndex> open_indexes_;
  std::vector<McapSchema> schemas_;
  std::vector<McapChannel> channels_;
  std::vector<McapChunkIndex> chunk_indexes_;
  std::vector<McapMetadataIndex> metadata_indexes_;
  McapStatistics statistics_;
};

}  // namespace sinew::recording
