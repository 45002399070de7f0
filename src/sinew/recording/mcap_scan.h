// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sinew/recording/mcap_reader.h"

namespace sinew::recording {

/// Reads a file record by record from its start, as far as it goes. Part of McapReader.
class McapScan {
 public:
  /// `reader` must outlive this object.
  explicit McapScan(const McapReader& reader) : reader_(reader) {}

  /// Everything up to the end of the data, or to the first record that is not whole. `sums_data`: compare the
  /// CRC of the data section too, which takes reading every byte.
  McapContents run(bool sums_data);

  bool read_header(McapContents& contents);
  bool read_metadata_at(std::uint64_t offset, std::uint64_t length, McapContents& contents);

 private:
  struct Head {
    Op op = Op::Header;
    std::uint64_t length = 0;  ///< Of the content [bytes].
  };
  std::optional<Head> head_at(std::uint64_t offset);
  bool note_record(const Head& head, std::uint64_t offset);
  void note_definitions(std::span<const std::byte> records);
  void note_chunk(const MessagePlace& place);
  void note_loose_message(const MessagePlace& place);
  void note_message(const McapMessage& message, MessagePlace& place, bool is_first);
  void note_data_end(std::uint64_t offset, bool sums_data);

  const McapReader& reader_;
  McapContents contents_;
  Buffer bytes_;
  std::map<std::uint16_t, std::uint32_t> last_sequence_;
};

}  // namespace sinew::recording
