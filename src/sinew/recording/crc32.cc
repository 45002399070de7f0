// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/crc32.h"

#include <array>
#include <bit>
#include <cstring>

namespace sinew::recording {
namespace {

static_assert(std::endian::native == std::endian::little, "eight bytes are taken at once, lowest first");

constexpr std::uint32_t kPolynomial = 0xEDB88320;

using Table = std::array<std::array<std::uint32_t, 256>, 8>;

// kTable[k][b]: what byte b does to the sum when k zero bytes follow it.
constexpr Table make_table() {
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? kPolynomial : 0);
    table[0][byte] = sum;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = table[k - 1][byte];
      table[k][byte] = (shorter >> 8) ^ table[0][shorter & 0xFF];
    }
  }
  return table;
}

constexpr Table kTable = make_table();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t sum = ~before;
  // eight bytes a step: their eight look-ups do not wait for each other
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    word ^= sum;
    sum = 0;
    for (std::size_t k = 0; k < 8; ++k) sum ^= kTable[7 - k][(word >> (8 * k)) & 0xFF];
  }
  for (const std::byte byte : bytes)
    sum = (sum >> 8) ^ kTable[0][(sum ^ static_cast<std::uint32_t>(byte)) & 0xFF];
  return ~sum;
}

}  // namespace sinew::recording
