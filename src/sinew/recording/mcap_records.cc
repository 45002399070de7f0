// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/mcap_records.h"

#include <bit>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

static_assert(std::endian::native == std::endian::little,
              "the format's numbers are little-endian, as ours are");

namespace sinew::recording {
namespace {

using Bytes = std::span<const std::byte>;

// The fields of each record in the order of the file: said once, for writing and for reading. What stands
// beyond them is written by hand below.
template <class Record>
struct Form;
template <>
struct Form<McapHeader> {
  static constexpr Op kOp = Op::Header;
  static constexpr std::tuple kFields{&McapHeader::profile, &McapHeader::library};
};
template <>
struct Form<McapSchema> {
  static constexpr Op kOp = Op::Schema;
  static constexpr std::tuple kFields{&McapSchema::id, &McapSchema::name, &McapSchema::encoding,
                                      &McapSchema::text};
};
template <>
struct Form<McapChannel> {
  static constexpr Op kOp = Op::Channel;
  static constexpr std::tuple kFields{&McapChannel::id, &McapChannel::schema_id, &McapChannel::topic,
                                      &McapChannel::encoding, &McapChannel::metadata};
};
template <>
struct Form<McapMessage> {
  static constexpr Op kOp = Op::Message;
  static constexpr std::tuple kFields{&McapMessage::channel_id, &McapMessage::sequence, &McapMessage::log_ns,
                                      &McapMessage::publish_ns, &McapMessage::bytes};
};
template <>
struct Form<McapChunk> {  // but its packed bytes
  static constexpr Op kOp = Op::Chunk;
  static constexpr std::tuple kFields{&McapChunk::start_ns, &McapChunk::end_ns, &McapChunk::unpacked_size,
                                      &McapChunk::unpacked_crc, &McapChunk::compression};
};
template <>
struct Form<McapMessageIndex> {
  static constexpr Op kOp = Op::MessageIndex;
  static constexpr std::tuple kFields{&McapMessageIndex::channel_id, &McapMessageIndex::entries};
};
template <>
struct Form<McapChunkIndex> {
  static constexpr Op kOp = Op::ChunkIndex;
  static constexpr std::tuple kFields{
      &McapChunkIndex::start_ns,    &McapChunkIndex::end_ns,        &McapChunkIndex::offset,
      &McapChunkIndex::length,      &McapChunkIndex::index_offsets, &McapChunkIndex::index_length,
      &McapChunkIndex::compression, &McapChunkIndex::packed_size,   &McapChunkIndex::unpacked_size};
};
template <>
struct Form<McapStatistics> {
  static constexpr Op kOp = Op::Statistics;
  static constexpr std::tuple kFields{
      &McapStatistics::message_count,    &McapStatistics::schema_count,   &McapStatistics::channel_count,
      &McapStatistics::attachment_count, &McapStatistics::metadata_count, &McapStatistics::chunk_count,
      &McapStatistics::start_ns,         &McapStatistics::end_ns,         &McapStatistics::counts};
};
template <>
struct Form<McapMetadata> {
  static constexpr Op kOp = Op::Metadata;
  static constexpr std::tuple kFields{&McapMetadata::name, &McapMetadata::facts};
};
template <>
struct Form<McapMetadataIndex> {
  static constexpr Op kOp = Op::MetadataIndex;
  static constexpr std::tuple kFields{&McapMetadataIndex::offset, &McapMetadataIndex::length,
                                      &McapMetadataIndex::name};
};
template <>
struct Form<McapSummaryOffset> {
  static constexpr Op kOp = Op::SummaryOffset;
  static constexpr std::tuple kFields{&McapSummaryOffset::group, &McapSummaryOffset::start,
                                      &McapSummaryOffset::length};
};
template <>
struct Form<McapFooter> {
  static constexpr Op kOp = Op::Footer;
  static constexpr std::tuple kFields{&McapFooter::summary_start, &McapFooter::summary_offset_start,
                                      &McapFooter::summary_crc};
};

// Appends fields to a buffer.
class Out {
 public:
  explicit Out(Buffer& buffer) : buffer_(buffer) {}

  template <class Number>
    requires std::is_unsigned_v<Number>
  void put(Number value) {
    put(std::as_bytes(std::span(&value, 1)));
  }
  void put(Op op) { put(static_cast<std::uint8_t>(op)); }
  void put(Bytes content) { buffer_.insert(buffer_.end(), content.begin(), content.end()); }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    put(std::as_bytes(std::span(text)));
  }
  void put(const McapMessageIndex::Entry& entry) {
    put(entry.log_ns);
    put(entry.offset);
  }
  template <class Key, class Value>
  void put(const std::pair<Key, Value>& entry) {
    put(entry.first);
    put(entry.second);
  }
  // a map or a list
  template <class Entries>
    requires requires { typename Entries::value_type; }
  void put(const Entries& entries) {
    const std::size_t start = begin_length<std::uint32_t>();
    for (const auto& entry : entries) put(entry);
    end_length<std::uint32_t>(start);
  }
  template <class Record>
  void put_fields(const Record& record) {
    std::apply([&](auto... field) { (put(record.*field), ...); }, Form<Record>::kFields);
  }

  // A record, a map or a list begins with its length, known only when it ends; `more` bytes are to follow.
  template <class Length>
  std::size_t begin_length() {
    put(Length{0});
    return buffer_.size();
  }
  template <class Length>
  void end_length(std::size_t start, std::size_t more = 0) {
    const auto length = static_cast<Length>(buffer_.size() - start + more);
    std::memcpy(buffer_.data() + start - sizeof length, &length, sizeof length);
  }

 private:
  Buffer& buffer_;
};

// Takes fields off bytes that may be anything. Once something does not fit, everything else is empty and
// is_good() says so.
class In {
 public:
  explicit In(Bytes bytes) : bytes_(bytes) {}

  bool is_good() const { return is_good_; }

  Bytes take(std::uint64_t size) {
    if (!is_good_ || size > bytes_.size()) {
      is_good_ = false;
      return {};
    }
    const Bytes taken = bytes_.first(static_cast<std::size_t>(size));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }
  Bytes rest() { return take(bytes_.size()); }

  template <class Number>
    requires std::is_unsigned_v<Number>
  void get(Number& value) {
    const Bytes taken = take(sizeof value);
    if (taken.size() == sizeof value) std::memcpy(&value, taken.data(), sizeof value);
  }
  template <class Number>
  Number number() {
    Number value{};
    get(value);
    return value;
  }
  void get(std::string& text) {
    const Bytes taken = take(number<std::uint32_t>());
    text.assign(reinterpret_cast<const char*>(taken.data()), taken.size());
  }
  // lent bytes are what is left of the record
  void get(Bytes& bytes) { bytes = rest(); }
  template <class Key, class Value>
  void get(std::map<Key, Value>& map) {
    In inner(take(number<std::uint32_t>()));
    while (inner.is_good_ && !inner.bytes_.empty()) {
      Key key{};
      inner.get(key);
      inner.get(map[std::move(key)]);
    }
    is_good_ = is_good_ && inner.is_good_;
  }
  template <class Record>
  void get_fields(Record& record) {
    std::apply([&](auto... field) { (get(record.*field), ...); }, Form<Record>::kFields);
  }

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

template <class Record>
std::optional<Record> read(Bytes content) {
  In in(content);
  Record record;
  in.get_fields(record);
  return whole(in, std::move(record));
}

}  // namespace

template <class Record>
void append_record(Buffer& out, const Record& record) {
  Out o(out);
  o.put(Form<Record>::kOp);
  const std::size_t start = o.begin_length<std::uint64_t>();
  o.put_fields(record);
  o.end_length<std::uint64_t>(start);
}

template void append_record(Buffer& out, const McapHeader& record);
template void append_record(Buffer& out, const McapSchema& record);
template void append_record(Buffer& out, const McapChannel& record);
template void append_record(Buffer& out, const McapMessage& record);
template void append_record(Buffer& out, const McapMessageIndex& record);
template void append_record(Buffer& out, const McapChunkIndex& record);
template void append_record(Buffer& out, const McapStatistics& record);
template void append_record(Buffer& out, const McapMetadata& record);
template void append_record(Buffer& out, const McapMetadataIndex& record);
template void append_record(Buffer& out, const McapSummaryOffset& record);
template void append_record(Buffer& out, const McapFooter& record);

void append_chunk_head(Buffer& out, const McapChunk& chunk) {
  Out o(out);
  o.put(Op::Chunk);
  const std::size_t start = o.begin_length<std::uint64_t>();
  o.put_fields(chunk);
  o.put(std::uint64_t{chunk.packed.size()});
  o.end_length<std::uint64_t>(start, chunk.packed.size());
}

void append_data_end(Buffer& out, std::uint32_t data_crc) {
  Out o(out);
  o.put(Op::DataEnd);
  o.put(std::uint64_t{sizeof data_crc});
  o.put(data_crc);
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
  return read<McapHeader>(content);
}
std::optional<McapSchema> read_schema(Bytes content) {
  auto schema = read<McapSchema>(content);
  return schema && schema->id == 0 ? std::nullopt : schema;
}
std::optional<McapChannel> read_channel(Bytes content) {
  return read<McapChannel>(content);
}
std::optional<McapMessage> read_message(Bytes content) {
  return read<McapMessage>(content);
}
std::optional<McapChunk> read_chunk(Bytes content) {
  In in(content);
  McapChunk record;
  in.get_fields(record);
  record.packed = in.take(in.number<std::uint64_t>());
  return whole(in, std::move(record));
}
std::optional<McapChunkIndex> read_chunk_index(Bytes content) {
  return read<McapChunkIndex>(content);
}
std::optional<McapStatistics> read_statistics(Bytes content) {
  return read<McapStatistics>(content);
}
std::optional<McapMetadata> read_metadata(Bytes content) {
  return read<McapMetadata>(content);
}
std::optional<McapMetadataIndex> read_metadata_index(Bytes content) {
  return read<McapMetadataIndex>(content);
}
std::optional<McapFooter> read_footer(Bytes content) {
  return read<McapFooter>(content);
}
std::optional<std::uint32_t> read_data_end(Bytes content) {
  In in(content);
  const auto crc = in.number<std::uint32_t>();
  return whole(in, crc);
}

}  // namespace sinew::recording
