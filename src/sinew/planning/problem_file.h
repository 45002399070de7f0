// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/obstacles.h"

namespace sinew {

/// A question to a planner: from here to there among these things.
struct PlanningProblem {
  std::string name;
  std::size_t index = 0;
  std::vector<double> start;  ///< [rad, m]
  std::vector<double> goal;   ///< As many as the start.
  std::vector<Obstacle> objects;
};

inline constexpr std::size_t kMostProblems = 100'000;

/// The things of a problem, in the frame of the robot's root link.
Result<Obstacles> world_of(const PlanningProblem& problem);

/// Problems from plain text: blocks of lines
///
///     problem NAME INDEX
///     start q…
///     goal q…
///     box x y z qx qy qz qw hx hy hz      (half extents)
///     cyl x y z qx qy qz qw radius length (along z)
///     sph x y z radius
///     end
///
/// in m and rad; blank lines and lines that begin with '#' say nothing. A refusal names `file` and line.
Result<std::vector<PlanningProblem>> parse_problems(std::string_view text, std::string_view file);

/// The same from a file.
Result<std::vector<PlanningProblem>> load_problems(const std::filesystem::path& path);

/// The text that parse_problems() reads; boxes, cylinders and spheres only.
std::string problem_text(const PlanningProblem& problem);

}  // namespace sinew
