// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::bench {

/// What one planner made of one problem.
struct PlanOutcome {
  std::string planner;
  std::string set;        ///< The problem's name.
  std::size_t index = 0;  ///< Its number in the set.
  bool is_solved = false;
  double time_ms = 0.0;
  double length = 0.0;           ///< Of the path [rad, m].
  std::optional<bool> is_clear;  ///< Of a path that was re-checked; nothing: nobody looked.
  std::string reason;            ///< Why there is no path, or what it touches.
};

/// All outcomes of a run: as rows for each planner, over all problems and for each set, and problem by
/// problem.
class PlanReport {
 public:
  void add(PlanOutcome outcome) { outcomes_.push_back(std::move(outcome)); }

  /// For people: rows, and what was not solved and why.
  std::string text() const;
  std::string json() const;
  /// A line for each planner and problem.
  std::string csv() const;

 private:
  struct Row;
  std::vector<std::string> planners() const;
  std::vector<std::string> sets() const;
  Row row_of(const std::string& planner, const std::string* set) const;
  std::vector<const PlanOutcome*> failures() const;

  std::vector<PlanOutcome> outcomes_;
};

}  // namespace sinew::bench
