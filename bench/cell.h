// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sinew::bench {

/// How a reader waits for the next message.
enum class WaitMode {
  Block,  ///< Asleep in the kernel until it is woken.
  Spin,   ///< Looking again and again, on a core of its own.
};

/// One situation in which every system is measured.
struct Cell {
  std::uint32_t size = 64;  ///< Of a message [bytes].
  int readers = 1;          ///< Processes.
  WaitMode mode = WaitMode::Block;
  int rate_hz = 1000;  ///< Messages a second; 0: as fast as the writer can.
};

/// "block" or "spin".
std::string_view mode_text(WaitMode mode);

/// "64 B", "16 KiB".
std::string size_text(std::uint32_t size);

/// "64 B, 8 readers, block, 1 kHz".
std::string cell_text(const Cell& cell);

}  // namespace sinew::bench
