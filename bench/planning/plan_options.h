// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sinew/base/result.h"
#include "sinew/kinematics/chain_choice.h"

namespace sinew::bench {

/// What sinew-bench-plan was asked for.
struct PlanBenchOptions {
  ChainChoice choice;
  std::string problems;  ///< File to read them from; empty: make them.
  std::string generate;  ///< shelf, box, table, cage, all of these, or lines.
  std::string out;       ///< File to write the problems to.
  std::string csv;       ///< File to write a line to for each planner and problem.
  std::size_t count = 100;
  std::uint64_t seed = 1;
  double time_limit = 5.0;  ///< [s] For one problem and planner.
  std::size_t rounds = 1;   ///< Each problem is planned so often, and the shortest time counts.
  bool is_json = false;
  bool with_rivals = true;
  bool with_judge = true;  ///< What is returned is re-checked with FCL.
  bool is_help = false;
};

/// Reads the words of the command line.
Result<PlanBenchOptions> plan_options_from(std::span<const char* const> words);

/// The text of --help.
std::string plan_help_text();

}  // namespace sinew::bench
