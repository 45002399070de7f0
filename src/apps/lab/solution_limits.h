// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "apps/lab/file_rights.h"

namespace sinew::lab {

/// What a solution may use. Time is computing time where that can be told, so that a busy machine is not held
/// against a student.
struct SolutionLimits {
  double seconds_per_answer = 2.0;                    ///< Of computing.
  double patience = 20.0;                             ///< [s] By the clock, for one answer.
  double seconds_in_all = 120.0;                      ///< Of computing.
  std::uint64_t memory = std::uint64_t{1} << 30U;     ///< [bytes] Of addresses.
  std::uint64_t file_size = std::uint64_t{1} << 20U;  ///< [bytes] Of a file in memory; it writes no others.
  std::uint64_t threads = 64;  ///< About; without root they are counted with what else its user runs.
  bool bounds_reading = true;  ///< Where the system can: see can_bound_files().
  std::size_t output = std::size_t{1} << 20U;  ///< [bytes] Printed, or in one answer.
};

/// What the child needs and cannot find out between fork and exec.
struct SolutionPlace {
  ReadableFiles readable;
  std::uint64_t tasks = 0;  ///< Processes and threads that its user has already.
};

/// Of a solution in this file. To be asked before the fork.
SolutionPlace solution_place(const std::filesystem::path& file);

/// Takes away from this process, for good: memory, computing time, threads, all writing and most reading of
/// files, the rights of root, and the calls in kForbiddenCalls. For a child between fork and exec: makes only
/// system calls. False: the system refuses, and the child must not go on.
///
/// This keeps accidents and mischief of students from a teacher's machine. It is no wall against an attacker
/// who knows a hole in the kernel: who grades strangers does it in a machine of its own.
bool give_up_rights(const SolutionLimits& limits, const SolutionPlace& place);

}  // namespace sinew::lab
