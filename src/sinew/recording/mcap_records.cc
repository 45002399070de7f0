// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/mcap_records.h"

#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "sinew/base/assert.h"

static_assert(std::endian::native == std::endian::little,
              "the format's numbers are little-endian, as ours are");

namespace sinew::recording {
namespace {

using Bytes = std::span<const std::byte>;

// Appends fields to a buffer.
class Out {
 public:
  explicit Out(Buffer& buffer) : buffer_(buffer) {}

  template <class Number>
  void number(Number value) {
    static_assert(std::is_unsigned_v<Number>);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    buffer_.insert(buffer_.end(), bytes, bytes + sizeof value);
  }

  void bytes(Bytes content) { buffer_.insert(buffer_.end(), content.begin(), content.end()); }

  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    bytes(std::as_bytes(std::span(text)));
  }

  // A record, an array or a map begins with its length, known only when it ends.
  template <class Length>
  std::size_t begin_length() {
    number(Length{0});
    return buffer_.size();
  }
  template <class Length>
  void end_length(std::size_t start) {
    const auto length = static_cast<Length>(buffer_.size() - start);
    std::memcpy(buffer_.data() + start - sizeof length, &length, sizeof length);
  }

  void text_map(const TextMap& map) {
    const std::size_t start = begin_length<std::uint32_t>();
    for (const auto& [key, value] : map) {
      text(key);
      text(value);
    }
    end_length<std::uint32_t>(start);
  }

  void count_map(const CountMap& map) {
    const std::size_t start = begin_length<std::uint32_t>();
    for (const auto& [key, value] : map) {
      number(key);
      number(value);
    }
    end_length<std::uint32_t>(start);
  }

 private:
  Buffer& buffer_;
};

template <class Fill>
void append(Buffer& buffer, Op op, Fill fill) {
  Out out(buffer);
  out.number(static_cast<std::uint8_t>(op));
  const std::size_t start = out.begin_length<std::uint64_t>();
  fill(out);
  out.end_length<std::uint64_t>(start);
}

// Takes fields off bytes that may be anything. Once something does not fit, everything else is empty and
// is_good() says so.
class In {
 public:
  explicit In(Bytes bytes) : bytes_(bytes) {}

  bool is_good() const { return is_good_; }
  bool has_more() const { return is_good_ && !bytes_.empty(); }

  Bytes take(std::uint64_t size) {
    if (!is_good_ || size > bytes_.size()) {
      is_good_ = false;
      return {};
    }
    const Bytes taken = bytes_.first(static_cast<std::size_t>(size));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

  template <class Number>
  Number number() {
    const Bytes taken = take(sizeof(Number));
    Number value{};
    if (taken.size() == sizeof value) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }

  std::string text() {
    const Bytes taken = take(number<std::uint32_t>());
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  TextMap text_map() {
    TextMap map;
    In inner(take(number<std::uint32_t>()));
    while (inner.has_more()) {
      std::string key = inner.text();
      map[std::move(key)] = inner.text();
    }
    is_good_ = is_good_ && inner.is_good();
    return map;
  }

  CountMap count_map() {
    CountMap map;
    In inner(take(number<std::uint32_t>()));
    while (inner.has_more()) {
      const auto key = inner.number<std::uint16_t>();
      map[key] = inner.number<std::uint64_t>();
    }
    is_good_ = is_good_ && inner.is_good();
    return map;
  }

  Bytes rest() { return take(bytes_.size()); }

 private:
  Bytes bytes_;
  bool is_good_ = true;
};

// `record` when every field was there.
template <class Record>
std::optional<Record> whole(const In& in, Record record) {
  if (!in.is_good()) return std::nullopt;
  return record;
}

}  // namespace

void append_record(Buffer& out, const McapHeader& record) {
  append(out, Op::Header, [&](Out& o) {
    o.text(record.profile);
    o.text(record.library);
  });
}

void append_record(Buffer& out, const McapSchema& record) {
  append(out, Op::Schema, [&](Out& o) {
    o.number(record.id);
    o.text(record.name);
    o.text(record.encoding);
    o.text(record.text);
  });
}

void append_record(Buffer& out, const McapChannel& record) {
  append(out, Op::Channel, [&](Out& o) {
    o.number(record.id);
    o.number(record.schema_id);
    o.text(record.topic);
    o.text(record.encoding);
    o.text_map(record.metadata);
  });
}

void append_record(Buffer& out, const McapMessage& record) {
  append(out, Op::Message, [&](Out& o) {
    o.number(record.channel_id);
    o.number(record.sequence);
    o.number(record.log_ns);
    o.number(record.publish_ns);
    o.bytes(record.bytes);
  });
}

void append_chunk_head(Buffer& out, const McapChunk& chunk) {
  Out o(out);
  o.number(static_cast<std::uint8_t>(Op::Chunk));
  const std::size_t start = o.begin_length<std::uint64_t>();
  o.number(chunk.start_ns);
  o.number(chunk.end_ns);
  o.number(chunk.unpacked_size);
  o.number(chunk.unpacked_crc);
  o.text(chunk.compression);
  o.number(std::uint64_t{chunk.packed.size()});
  const std::uint64_t length = out.size() - start + chunk.packed.size();
  std::memcpy(out.data() + start - sizeof length, &length, sizeof length);
}

void append_record(Buffer& out, const McapMessageIndex& record) {
  append(out, Op::MessageIndex, [&](Out& o) {
    o.number(record.channel_id);
    const std::size_t start = o.begin_length<std::uint32_t>();
    for (const auto& entry : record.entries) {
      o.number(entry.log_ns);
      o.number(entry.offset);
    }
    o.end_length<std::uint32_t>(start);
  });
}

void append_record(Buffer& out, const McapChunkIndex& record) {
  append(out, Op::ChunkIndex, [&](Out& o) {
    o.number(record.start_ns);
    o.number(record.end_ns);
    o.number(record.offset);
    o.number(record.length);
    o.count_map(record.index_offsets);
    o.number(record.index_length);
    o.text(record.compression);
    o.number(record.packed_size);
    o.number(record.unpacked_size);
  });
}

void append_record(Buffer& out, const McapStatistics& record) {
  append(out, Op::Statistics, [&](Out& o) {
    o.number(record.message_count);
    o.number(record.schema_count);
    o.number(record.channel_count);
    o.number(record.attachment_count);
    o.number(record.metadata_count);
    o.number(record.chunk_count);
    o.number(record.start_ns);
    o.number(record.end_ns);
    o.count_map(record.counts);
  });
}

void append_record(Buffer& out, const McapMetadata& record) {
  append(out, Op::Metadata, [&](Out& o) {
    o.text(record.name);
    o.text_map(record.facts);
  });
}

void append_record(Buffer& out, const McapMetadataIndex& record) {
  append(out, Op::MetadataIndex, [&](Out& o) {
    o.number(record.offset);
    o.number(record.length);
    o.text(record.name);
  });
}

void append_record(Buffer& out, const McapSummaryOffset& record) {
  append(out, Op::SummaryOffset, [&](Out& o) {
    o.number(static_cast<std::uint8_t>(record.group));
    o.number(record.start);
    o.number(record.length);
  });
}

void append_record(Buffer& out, const McapFooter& record) {
  append(out, Op::Footer, [&](Out& o) {
    o.number(record.summary_start);
    o.number(record.summary_offset_start);
    o.number(record.summary_crc);
  });
}

void append_data_end(Buffer& out, std::uint32_t data_crc) {
  append(out, Op::DataEnd, [&](Out& o) { o.number(data_crc); });
}

std::optional<RawRecord> take_record(Bytes& bytes) {
  In in(bytes);
  const auto op = static_cast<Op>(in.number<std::uint8_t>());
  const Bytes content = in.take(in.number<std::uint64_t>());
  if (!in.is_good()) return std::nullopt;
  bytes = in.rest();
  return RawRecord{.op = op, .content = content};
}

std::optional<McapHeader> read_header(Bytes content) {
  In in(content);
  McapHeader record;
  record.profile = in.text();
  record.library = in.text();
  return whole(in, std::move(record));
}

std::optional<McapSchema> read_schema(Bytes content) {
  In in(content);
  McapSchema record;
  record.id = in.number<std::uint16_t>();
  record.name = in.text();
  record.encoding = in.text();
  record.text = in.text();
  if (record.id == 0) return std::nullopt;
  return whole(in, std::move(record));
}

std::optional<McapChannel> read_channel(Bytes content) {
  In in(content);
  McapChannel record;
  record.id = in.number<std::uint16_t>();
  record.schema_id = in.number<std::uint16_t>();
  record.topic = in.text();
  record.encoding = in.text();
  record.metadata = in.text_map();
  return whole(in, std::move(record));
}

std::optional<McapMessage> read_message(Bytes content) {
  In in(content);
  McapMessage record;
  record.channel_id = in.number<std::uint16_t>();
  record.sequence = in.number<std::uint32_t>();
  record.log_ns = in.number<std::uint64_t>();
  record.publish_ns = in.number<std::uint64_t>();
  if (in.is_good()) record.bytes = in.rest();
  return whole(in, record);
}

std::optional<McapChunk> read_chunk(Bytes content) {
  In in(content);
  McapChunk record;
  record.start_ns = in.number<std::uint64_t>();
  record.end_ns = in.number<std::uint64_t>();
  record.unpacked_size = in.number<std::uint64_t>();
  record.unpacked_crc = in.number<std::uint32_t>();
  record.compression = in.text();
  record.packed = in.take(in.number<std::uint64_t>());
  return whole(in, std::move(record));
}

std::optional<McapChunkIndex> read_chunk_index(Bytes content) {
  In in(content);
  McapChunkIndex record;
  record.start_ns = in.number<std::uint64_t>();
  record.end_ns = in.number<std::uint64_t>();
  record.offset = in.number<std::uint64_t>();
  record.length = in.number<std::uint64_t>();
  record.index_offsets = in.count_map();
  record.index_length = in.number<std::uint64_t>();
  record.compression = in.text();
  record.packed_size = in.number<std::uint64_t>();
  record.unpacked_size = in.number<std::uint64_t>();
  return whole(in, std::move(record));
}

std::optional<McapStatistics> read_statistics(Bytes content) {
  In in(content);
  McapStatistics record;
  record.message_count = in.number<std::uint64_t>();
  record.schema_count = in.number<std::uint16_t>();
  record.channel_count = in.number<std::uint32_t>();
  record.attachment_count = in.number<std::uint32_t>();
  record.metadata_count = in.number<std::uint32_t>();
  record.chunk_count = in.number<std::uint32_t>();
  record.start_ns = in.number<std::uint64_t>();
  record.end_ns = in.number<std::uint64_t>();
  record.counts = in.count_map();
  return whole(in, std::move(record));
}

std::optional<McapMetadata> read_metadata(Bytes content) {
  In in(content);
  McapMetadata record;
  record.name = in.text();
  record.facts = in.text_map();
  return whole(in, std::move(record));
}

std::optional<McapMetadataIndex> read_metadata_index(Bytes content) {
  In in(content);
  McapMetadataIndex record;
  record.offset = in.number<std::uint64_t>();
  record.length = in.number<std::uint64_t>();
  record.name = in.text();
  return whole(in, std::move(record));
}

std::optional<McapFooter> read_footer(Bytes content) {
  In in(content);
  McapFooter record;
  record.summary_start = in.number<std::uint64_t>();
  record.summary_offset_start = in.number<std::uint64_t>();
  record.summary_crc = in.number<std::uint32_t>();
  return whole(in, record);
}

std::optional<std::uint32_t> read_data_end(Bytes content) {
  In in(content);
  const auto crc = in.number<std::uint32_t>();
  return whole(in, crc);
}

}  // namespace sinew::recording
