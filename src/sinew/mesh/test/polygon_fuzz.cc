// SPDX-License-Identifier: BSD-3-Clause
// Any numbers as the corners of a polygon: it is cut into as many triangles as it must, or refused, within
// its work.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sinew/base/assert.h"
#include "sinew/mesh/polygon.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostWork = 100'000;
  std::vector<sinew::Vector3> corners(size / (3 * sizeof(float)));
  for (std::size_t i = 0; i < corners.size(); ++i) {
    std::array<float, 3> numbers{};
    std::memcpy(numbers.data(), data + i * sizeof(numbers), sizeof(numbers));
    corners[i] = {numbers[0], numbers[1], numbers[2]};
  }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  const bool is_cut = sinew::PolygonCutter(kMostWork).cut(corners, triangles);
  const std::size_t most = corners.size() < 3 ? 0 : corners.size() - 2;
  SINEW_ASSERT(is_cut ? triangles.size() == most : triangles.size() <= most);
  for (const auto& triangle : triangles)
    for (const std::uint32_t corner : triangle) SINEW_ASSERT(corner < corners.size());
  return 0;
}
