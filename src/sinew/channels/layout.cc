// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/layout.h"

#include <bit>

#include <fmt/format.h>

#include "sinew/messages/schema.h"

namespace sinew::channels {

Status check_layout(const Layout& layout) {
  const auto refuse = [](std::string_view what, std::uint64_t value, std::uint64_t bound) {
    return Error{ErrorCode::OutOfLimits, fmt::format("{} {} is not within 1 to {}", what, value, bound)};
  };
  if (layout.depth == 0 || layout.depth > kMaxDepth) return refuse("depth", layout.depth, kMaxDepth);
  if (!std::has_single_bit(layout.depth))
    return Error{ErrorCode::OutOfLimits, fmt::format("depth {} is no power of two", layout.depth)};
  if (layout.writers == 0 || layout.writers > kMaxWriters)
    return refuse("number of writers", layout.writers, kMaxWriters);
  if (layout.capacity == 0 || layout.capacity > kMaxCapacity)
    return refuse("capacity", layout.capacity, kMaxCapacity);
  if (layout.schema_size > kMaxSchemaText) return refuse("schema size", layout.schema_size, kMaxSchemaText);
  const std::uint64_t slots = std::uint64_t{layout.writers} * layout.slots_per_writer();
  if (slots > kMaxSlots) return refuse("writers × (depth + 1)", slots, kMaxSlots);
  if (layout.file_size() > kMaxFileSize) return refuse("file size", layout.file_size(), kMaxFileSize);
  return Done{};
}

Result<Layout> read_layout(const ChannelHeader& header, std::uint64_t file_size) {
  if (header.magic != kMagic)
    return Error{ErrorCode::Damaged, "it does not begin with the mark of a channel"};
  if (header.endian_mark != kEndianMark)
    return Error{ErrorCode::Damaged, "it was made on a machine of the other byte order"};
  if (header.abi_version != kAbiVersion) {
    return Error{
        ErrorCode::Mismatch,
        fmt::format("it has channel format {}, this program knows {}: rebuild the {} one", header.abi_version,
                    kAbiVersion, header.abi_version < kAbiVersion ? "other" : "this")};
  }
  const Layout layout{.depth = header.depth,
                      .writers = header.writers,
                      .capacity = header.capacity,
                      .schema_size = header.schema_size};
  if (const Status checked = check_layout(layout); !checked)
    return Error{ErrorCode::Damaged, "its header is broken: " + checked.error().message};
  if (header.file_size != layout.file_size() || file_size != layout.file_size()) {
    return Error{ErrorCode::Damaged,
                 fmt::format("it has {} bytes where its header promises {}", file_size, layout.file_size())};
  }
  return layout;
}

}  // namespace sinew::channels
