// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sinew/base/result.h"

namespace sinew::processes {

/// A process that cannot be mistaken for another one: pids come round again, pid and start time do not.
struct ProcessIdentity {
  std::int32_t pid = 0;
  std::uint64_t start_ticks = 0;  ///< Since the machine came up, in clock ticks, as /proc says.

  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

/// The process that has `pid` now, dead but not yet reaped included; none when there is none.
std::optional<ProcessIdentity> identity_of(std::int32_t pid);

/// True while the very process lives. One that is dead and only waits to be reaped does not.
bool is_alive(const ProcessIdentity& process);

/// A descriptor that becomes readable when the process ends; refused when it is gone. The caller closes it.
Result<int> watch_process(const ProcessIdentity& process);

/// Sends `signal` to the process behind a descriptor of watch_process(); false when it is gone.
bool signal_watched(int watch, int signal);

/// What a process has taken so far.
struct ProcessUse {
  std::int64_t cpu_ns = 0;         ///< Time on processors, all threads.
  std::uint64_t memory_bytes = 0;  ///< Of physical memory.
  std::int64_t age_ns = 0;         ///< Since it was started.
};
std::optional<ProcessUse> use_of(const ProcessIdentity& process);

/// Sends `signal` to all living processes of the session that `leader` began, also when the leader is gone.
/// Answers how many there were.
std::size_t signal_session(const ProcessIdentity& leader, int signal);

/// Kills all of the session and waits, a second at most, until nobody of it lives. False: somebody does.
bool end_session(const ProcessIdentity& leader);

}  // namespace sinew::processes
