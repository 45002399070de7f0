// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/recording/byte_source.h"
#include "sinew/recording/mcap_records.h"

namespace sinew::recording {

/// What is refused however well it is written.
struct McapLimits {
  std::uint64_t largest_chunk = 512U << 20;  ///< [bytes], packed or unpacked; also of any other record read.
};

/// Where messages stand in a file: a chunk, or a stretch of messages outside of chunks.
struct MessagePlace {
  std::uint64_t start_ns = 0;  ///< Earliest log_ns within.
  std::uint64_t end_ns = 0;    ///< Latest.
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  ///< [bytes] Of the whole chunk record, or of the stretch.
  bool is_chunk = true;
};

/// All that is known of a file but its messages.
struct McapContents {
  McapHeader header;
  std::map<std::uint16_t, McapSchema> schemas;
  std::map<std::uint16_t, McapChannel> channels;
  std::vector<McapMetadata> metadata;
  std::vector<MessagePlace> places;  ///< In the order of the file.
  McapStatistics statistics;
  std::map<std::uint16_t, std::uint64_t>
      gaps;                           ///< Numbers left out between messages of a channel; by scan only.
  std::uint64_t data_end = 0;         ///< Where the summary begins, or should; 0: not known.
  bool is_scanned = false;            ///< Read from end to end, not from the summary.
  bool is_whole = false;              ///< It was closed as it should be.
  std::vector<std::string> problems;  ///< What was passed over, and why.
};

/// Reads an MCAP file of anybody's: by its summary where there is one, else by a scan that takes all up to
/// the last whole record. Bounded, and never trusts a length. One thread.
class McapReader {
 public:
  static Result<McapReader> open(const std::string& path, const McapLimits& limits = {});
  static Result<McapReader> of(Buffer bytes, const McapLimits& limits = {});

  const McapContents& contents() const { return contents_; }
  const std::string& name() const { return source_.name(); }
  std::uint64_t size() const { return source_.size(); }

  /// Reads all of the file, with every CRC, and compares it with the summary. Answers what is wrong: nothing
  /// for a file that is whole.
  std::vector<std::string> check() const;

  /// The unpacked records of a place; its CRC is checked.
  Result<Buffer> load(const MessagePlace& place) const;

 private:
  McapReader(ByteSource source, const McapLimits& limits) : source_(std::move(source)), limits_(limits) {}
  static Result<McapReader> read(ByteSource source, const McapLimits& limits);
  std::optional<McapContents> read_summary() const;
  McapContents scan(bool sums_data) const;

  friend class McapScan;
  ByteSource source_;
  McapLimits limits_;
  McapContents contents_;
};

/// The messages within `records`, as far as they can be read; their bytes are lent from it. `is_intact`,
/// when given, says whether that was all.
std::vector<McapMessage> messages_of(std::span<const std::byte> records, bool* is_intact = nullptr);

/// Goes through the messages of a file by time, whatever their order in it; messages of equal time stay in
/// the order of the file. A chunk that cannot be read is passed over and told of in problems().
class McapMessages {
 public:
  /// `reader` must outlive this object. `channels`: only these; empty: all.
  explicit McapMessages(const McapReader& reader, std::set<std::uint16_t> channels = {});

  /// The next message, whose bytes are lent until the next call; none at the end.
  std::optional<McapMessage> next();

  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Loaded {
    Buffer bytes;
    std::vector<McapMessage> messages;  ///< By time.
    std::size_t position = 0;
    std::size_t order = 0;  ///< Of its place in the file.

    const McapMessage& first() const { return messages[position]; }
  };
  void load_next_place();
  Loaded* earliest();

  const McapReader& reader_;
  std::set<std::uint16_t> channels_;
  std::vector<std::size_t> order_;  ///< Places by their start.
  std::size_t next_place_ = 0;
  std::vector<Loaded> loaded_;
  std::vector<std::string> problems_;
};

}  // namespace sinew::recording
