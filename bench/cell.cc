// SPDX-License-Identifier: BSD-3-Clause
#include "cell.h"

#include <fmt/format.h>

namespace sinew::bench {

std::string_view mode_text(WaitMode mode) {
  return mode == WaitMode::Block ? "block" : "spin";
}

std::string size_text(std::uint32_t size) {
  return size % 1024 == 0 ? fmt::format("{} KiB", size / 1024) : fmt::format("{} B", size);
}

std::string cell_text(const Cell& cell) {
  return fmt::format("{}, {} {}, {}, {}", size_text(cell.size), cell.readers,
                     cell.readers == 1 ? "reader" : "readers", mode_text(cell.mode),
                     cell.rate_hz == 0 ? "flat out" : fmt::format("{:g} kHz", cell.rate_hz / 1000.0));
}

}  // namespace sinew::bench
