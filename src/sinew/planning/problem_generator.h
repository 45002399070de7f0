// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/planning/motion_judge.h"
#include "sinew/planning/problem_file.h"

namespace sinew {

struct ProblemOptions {
  std::string kind = "shelf";  ///< shelf, box, table or cage.
  std::size_t count = 100;
  std::uint64_t seed = 1;
  ClearanceOptions clearance{};
  double witness_time = 10.0;  ///< [s] How long a witness is looked for at most.
  /// And for how many iterations: where these end first, all machines draw the same problems.
  std::size_t witness_iterations = 1'000'000;
  std::function<void(std::size_t made)> progress{};  ///< Called after each that is made.
};

struct GeneratedProblems {
  std::vector<PlanningProblem> problems;
  /// Drawn and left out, because no witness was found: with these nobody knows whether there is a path.
  std::size_t undecided = 0;
};

/// The kinds that there are.
std::vector<std::string> problem_kinds();

/// Problems for an arm, drawn by seed and sized to its reach: places in a shelf, in an open box, between
/// things on a table, behind the bars of a cage; from the home posture or from one place to another.
///
/// Each is solvable: the generator has found a path for it, with random numbers of its own, and proven it
/// clear. What it has no such witness for is left out and counted. The chain begins at the robot's root.
Result<GeneratedProblems> generate_problems(const RobotModel& model, const SerialChain& chain,
                                            const ProblemOptions& options);

}  // namespace sinew
