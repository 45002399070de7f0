// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/lab/value.h"

#include "apps/lab/solution_limits.h"

namespace sinew::lab {

/// A student's Python file in a process of its own, under limits, asked over pipes: one JSON object a line, a
/// question
/// {"call": NAME, "with": [ARGUMENT…]}, an answer {"value": …} or {"error": TEXT} (python/lab_harness.py).
/// The process has a group of its own and dies with this object.
class Solution {
 public:
  /// Starts it. `functions` are those that it must have. Refused when the process cannot be started, which is
  /// no fault of the student's; those come as refusals of ask().
  static Result<std::unique_ptr<Solution>> start(const std::filesystem::path& file,
                                                 std::span<const std::string_view> functions,
                                                 const SolutionLimits& limits = {});
  ~Solution();
  Solution(const Solution&) = delete;
  Solution& operator=(const Solution&) = delete;

  /// Calls a function of the file. After a refusal all further questions get the same one.
  Result<Value> ask(std::string_view function, std::span<const Value> arguments);

  pid_t pid() const { return pid_; }

 private:
  Solution(std::filesystem::path file, const SolutionLimits& limits)
      : file_(std::move(file)), limits_(limits) {}
  Result<std::string> read_line(double cpu_bound);
  /// Takes what has come through the pipes; false when the answers' pipe is closed.
  bool take_bytes(int wait_ms);
  void take_output();
  Error refuse(std::string what);
  Status send(const std::string& line);
  double cpu_seconds() const;  ///< 0 when it cannot be told.
  std::string death_text();

  std::filesystem::path file_;
  SolutionLimits limits_;
  pid_t pid_ = -1;
  bool is_ready_ = false;  ///< It has said that it is loaded.
  int questions_ = -1;
  int answers_ = -1;
  int output_ = -1;
  std::string pending_;  ///< Of the answers, not a whole line yet.
  std::string printed_;  ///< The end of what it printed.
  std::size_t printed_size_ = 0;
  std::optional<Error> refusal_;
};

}  // namespace sinew::lab
