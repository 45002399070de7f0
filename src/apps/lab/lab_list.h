// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/lab/grade.h"

#include "apps/lab/solution_limits.h"

namespace sinew::lab {

struct GradeOptions {
  std::uint64_t seed = 1;
  SolutionLimits limits;
};

/// An exercise.
struct Lab {
  std::string_view name;  ///< Of its folder in labs/: "03_inverse_kinematics".
  std::string_view title;
  std::vector<std::string_view> endings;    ///< Of solutions: ".py".
  std::vector<std::string_view> functions;  ///< That a solution in Python must have.
  /// Refused when the laboratory itself fails; whatever the solution does is a grade.
  Result<Grade> (*grade)(const Lab& lab, const std::filesystem::path& solution,
                         const GradeOptions& options) = nullptr;

  std::string_view number() const { return name.substr(0, 2); }
};

/// All of them, in order.
std::span<const Lab> all_labs();

/// The lab meant by "03", "3", "labs/03", "labs/03_inverse_kinematics/": its number, or the beginning of its
/// name.
Result<const Lab*> find_lab(std::string_view words);

/// Runs a solution, measures it, and judges. Refused: a solution that is not there or cannot be one by its
/// name.
Result<Grade> grade_solution(const Lab& lab, const std::filesystem::path& solution,
                             const GradeOptions& options);

}  // namespace sinew::lab
