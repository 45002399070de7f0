// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace sinew::channels {

/// A process in one word, so that a place can change hands in one atomic step: pid (22 bits, the kernel's
/// bound), start time in clock ticks (26 bits, against pids that come round again), and PID namespace (16
/// bits, because a pid means nothing in another container). Never 0.
using ProcessKey = std::uint64_t;

/// The key of the calling process.
ProcessKey own_process_key();

/// The pid within the process's own namespace.
std::uint32_t pid_of(ProcessKey key);

enum class Life {
  Alive,
  Dead,     ///< Proven: no such pid, or the pid belongs to a process that started at another time.
  Unknown,  ///< It runs in another PID namespace, or the system does not let us look. Treated as alive.
};

/// Whether the process of `key` can still touch memory. A zombie without threads cannot.
Life life_of(ProcessKey key);

/// The name of process `pid` as the system shows it; empty when it cannot be told.
std::string process_name(std::uint32_t pid);

/// The program that process `pid` runs, as it was called and without its folder; its name where that cannot
/// be told.
std::string program_name(std::uint32_t pid);

}  // namespace sinew::channels
