// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sinew/base/result.h"
#include "sinew/kinematics/chain_choice.h"

namespace sinew::bench {

/// What sinew-bench-ik was asked for.
struct IkBenchOptions {
  ChainChoice choice;
  std::string poses;                 ///< File to read them from; empty: draw them.
  std::optional<std::size_t> count;  ///< How many to draw, or to read at most.
  std::uint64_t seed = 1;
  std::string csv;  ///< File to write the rows to, too.
  bool is_all = false;
  bool is_json = false;
  bool with_forward = false;
  bool with_kdl = true;
  bool with_numerical = false;
  bool is_help = false;
};

inline constexpr std::size_t kUsualCount = 10'000;

/// Reads the words of the command line.
Result<IkBenchOptions> ik_options_from(std::span<const char* const> words);

/// The text of --help.
std::string ik_help_text();

}  // namespace sinew::bench
