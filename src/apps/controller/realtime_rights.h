// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace sinew {

/// What the system has granted this process, and what it has not, with the remedy.
struct RealtimeRights {
  bool has_priority = false;         ///< SCHED_FIFO.
  bool has_locked_memory = false;    ///< Nothing of it is ever paged out.
  bool has_fast_wake = false;        ///< The processor stays out of its slow sleeps.
  std::vector<std::string> missing;  ///< A line each.

  bool are_complete() const noexcept { return has_priority && has_locked_memory; }
};

/// Keeps small what locking the memory of this process will make resident: threads begun from now on have
/// small stacks, and all share one heap. Call it before there are any.
void bound_locked_memory();

/// Gives the calling thread a real-time priority; false, with errno: it was not granted. Threads that it
/// starts have no part in it: of the same priority, they would drive the cycle from its core and its caches.
bool take_realtime_priority();

/// Asks for real-time priority, locked memory and short wake-up times for the calling thread and process, as
/// far as the system allows. What was granted holds until the process ends.
RealtimeRights take_realtime_rights();

}  // namespace sinew
