// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew::channels {

/// A channel file as it lies on every machine: `int64 n`, depth 2, one place, and messages 1 to 3 that say
/// -10, -20 and -30 at 1000, 2000 and 3000 ns. Sixteen bytes a row; those left out are zero.
struct GoldenRow {
  std::size_t offset;
  std::string_view hex;
};
inline constexpr std::size_t kGoldenSize = 4480;
inline constexpr GoldenRow kGoldenRows[] = {
    {0, "53494e45574348310100000004030201"},    {16, "88776655443322118011000000000000"},
    {32, "02000000010000000800000038000000"},   {48, "a9412d7686d7074600002a36fe9c9717"},
    {64, "e1100000010000004e00000000000000"},   {128, "0000000000000000676f6c64656e0000"},
    {160, "0000000000000000302e312e30000000"},  {256, "03000000000002000000000000000000"},
    {384, "00000000000000000300000000000000"},  {400, "00002a36fe9c9717676f6c64656e0000"},
    {512, "02000000000001000300000000000200"},  {528, "73696e65772d736368656d6120310a73"},
    {544, "7472756374204e2076657273696f6e20"},  {560, "312073697a6520380a2020696e743634"},
    {576, "206e20617420300a0000000000000000"},  {4096, "0100000000000000e803000000000000"},
    {4112, "00002a36fe9c971708000000e1100000"}, {4160, "f6ffffffffffffff0000000000000000"},
    {4224, "0200000000000000d007000000000000"}, {4240, "01002a36fe9c971708000000e1100000"},
    {4288, "ecffffffffffffff0000000000000000"}, {4352, "0300000000000000b80b000000000000"},
    {4368, "02002a36fe9c971708000000e1100000"}, {4416, "e2ffffffffffffff0000000000000000"},
};

inline std::string golden_channel() {
  std::string bytes(kGoldenSize, '\0');
  for (const GoldenRow& row : kGoldenRows) {
    for (std::size_t i = 0; i < row.hex.size() / 2; ++i)
      bytes[row.offset + i] =
          static_cast<char>(std::stoi(std::string(row.hex.substr(2 * i, 2)), nullptr, 16));
  }
  return bytes;
}

}  // namespace sinew::channels
