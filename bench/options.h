// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/result.h"

namespace sinew::bench {

/// The systems there are, in the order of the table.
inline const std::vector<std::string> kSystems = {"limit", "sinew", "pipe", "iceoryx", "cyclonedds"};

/// What the command line asks for.
struct Options {
  bool is_help = false;
  bool is_json = false;
  bool is_quick = false;
  std::string csv_file;  ///< Empty: none.
  std::vector<std::string> systems = kSystems;
  std::vector<std::uint32_t> sizes = {64, 1024, 16384};  ///< Of messages [bytes].
  std::vector<std::string> modes = {"block", "spin"};
  double seconds = 0;  ///< Measured per row, all rounds together [s].
  int rounds = 5;
};

extern const char* const kHelp;

/// Reads the arguments after the program's name.
Result<Options> parse_options(std::span<const char* const> arguments);

}  // namespace sinew::bench
