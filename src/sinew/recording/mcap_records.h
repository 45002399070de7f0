// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::recording {

// The records of an MCAP file, by its public specification (mcap.dev/spec), version 0. A file reads
//
//   magic | Header | data: Schema, Channel, Chunk, MessageIndex, Metadata … DataEnd | summary | Footer |
//   magic
//
// and each record: one byte of Op, eight of length, content. Times are nanoseconds since 1970.

inline constexpr std::array<unsigned char, 8> kMcapMagic{0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

/// Bytes in front of a record's content: Op and length.
inline constexpr std::size_t kRecordHead = 9;

/// What a record is.
enum class Op : std::uint8_t {
  Header = 0x01,
  Footer = 0x02,
  Schema = 0x03,
  Channel = 0x04,
  Message = 0x05,
  Chunk = 0x06,
  MessageIndex = 0x07,
  ChunkIndex = 0x08,
  Attachment = 0x09,
  AttachmentIndex = 0x0A,
  Statistics = 0x0B,
  Metadata = 0x0C,
  MetadataIndex = 0x0D,
  SummaryOffset = 0x0E,
  DataEnd = 0x0F,
};

using TextMap = std::map<std::string, std::string>;
using CountMap = std::map<std::uint16_t, std::uint64_t>;

struct McapHeader {
  std::string profile;
  std::string library;
};

/// What the messages of a channel look like.
struct McapSchema {
  std::uint16_t id = 0;  ///< Never zero.
  std::string name;
  std::string encoding;  ///< "sinew", "jsonschema", …
  std::string text;
};

/// A stream of messages.
struct McapChannel {
  std::uint16_t id = 0;
  std::uint16_t schema_id = 0;  ///< Zero: no schema.
  std::string topic;
  std::string encoding;  ///< Of its messages: "sinew", "json", …
  TextMap metadata;
};

/// One message. The bytes are lent.
struct McapMessage {
  std::uint16_t channel_id = 0;
  std::uint32_t sequence = 0;  ///< The low half of the channel's own number.
  std::uint64_t log_ns = 0;
  std::uint64_t publish_ns = 0;
  std::span<const std::byte> bytes;
};

/// Records packed together. The bytes are lent.
struct McapChunk {
  std::uint64_t start_ns = 0;  ///< Earliest log_ns within.
  std::uint64_t end_ns = 0;    ///< Latest.
  std::uint64_t unpacked_size = 0;
  std::uint32_t unpacked_crc = 0;  ///< Zero: not known.
  std::string compression;
  std::span<const std::byte> packed;
};

/// Where a chunk's messages of one channel are.
struct McapMessageIndex {
  struct Entry {
    std::uint64_t log_ns = 0;
    std::uint64_t offset = 0;  ///< Within the unpacked chunk.
  };
  std::uint16_t channel_id = 0;
  std::vector<Entry> entries;
};

/// Where a chunk is.
struct McapChunkIndex {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t offset = 0;  ///< Of the chunk's record, from the start of the file.
  std::uint64_t length = 0;  ///< Of the whole record.
  CountMap index_offsets;    ///< Channel → offset of its MessageIndex.
  std::uint64_t index_length = 0;
  std::string compression;
  std::uint64_t packed_size = 0;
  std::uint64_t unpacked_size = 0;
};

struct McapStatistics {
  std::uint64_t message_count = 0;
  std::uint16_t schema_count = 0;
  std::uint32_t channel_count = 0;
  std::uint32_t attachment_count = 0;
  std::uint32_t metadata_count = 0;
  std::uint32_t chunk_count = 0;
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  CountMap counts;  ///< Channel → messages.
};

/// Facts by name.
struct McapMetadata {
  std::string name;
  TextMap facts;
};

struct McapMetadataIndex {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string name;
};

struct McapSummaryOffset {
  Op group = Op::Schema;
  std::uint64_t start = 0;
  std::uint64_t length = 0;
};

struct McapFooter {
  std::uint64_t summary_start = 0;
  std::uint64_t summary_offset_start = 0;
  std::uint32_t summary_crc = 0;  ///< Zero: not known.
};

using Buffer = std::vector<std::byte>;

/// Appends one whole record to `out`: any of the above but McapChunk.
template <class Record>
void append_record(Buffer& out, const Record& record);
void append_data_end(Buffer& out, std::uint32_t data_crc);

/// All of a chunk's record that stands before its packed bytes.
void append_chunk_head(Buffer& out, const McapChunk& chunk);

/// A record as it stands in a file; its content is lent.
struct RawRecord {
  Op op = Op::Header;
  std::span<const std::byte> content;
};

/// Takes the first record off `bytes`; none when it is not whole.
std::optional<RawRecord> take_record(std::span<const std::byte>& bytes);

// Each reads the content of one record, which may come from anybody; none when it is not what it should be.
// Bytes after the last field known are passed over, as the specification wants.
std::optional<McapHeader> read_header(std::span<const std::byte> content);
std::optional<McapSchema> read_schema(std::span<const std::byte> content);
std::optional<McapChannel> read_channel(std::span<const std::byte> content);
std::optional<McapMessage> read_message(std::span<const std::byte> content);
std::optional<McapChunk> read_chunk(std::span<const std::byte> content);
std::optional<McapChunkIndex> read_chunk_index(std::span<const std::byte> content);
std::optional<McapStatistics> read_statistics(std::span<const std::byte> content);
std::optional<McapMetadata> read_metadata(std::span<const std::byte> content);
std::optional<McapMetadataIndex> read_metadata_index(std::span<const std::byte> content);
std::optional<McapFooter> read_footer(std::span<const std::byte> content);
std::optional<std::uint32_t> read_data_end(std::span<const std::byte> content);

}  // namespace sinew::recording
