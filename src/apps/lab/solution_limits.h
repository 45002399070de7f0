// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::lab {

/// What a solution may use. Time is computing time where that can be told, so that a busy machine is not held
/// against a student.
struct SolutionLimits {
  double seconds_per_answer = 2.0;                    ///< Of computing.
  double patience = 20.0;                             ///< [s] By the clock, for one answer.
  double seconds_in_all = 120.0;                      ///< Of computing.
  std::uint64_t memory = std::uint64_t{1} << 30U;     ///< [bytes] Of addresses.
  std::uint64_t file_size = std::uint64_t{1} << 20U;  ///< [bytes] Of a file that it writes.
  std::size_t output = std::size_t{1} << 20U;         ///< [bytes] Printed, or in one answer.
};

/// Takes away from this process, for good: memory, computing time, size of files, and the calls that start
/// processes, signal others, look into them or open sockets. For a child between fork and exec: makes only
/// system calls. False: the system refuses, and the child must not go on.
///
/// This keeps accidents and mischief of students from a teacher's machine. It is no wall against an attacker:
/// who grades strangers does it in a container, or as a user of its own.
bool give_up_rights(const SolutionLimits& limits);

}  // namespace sinew::lab
