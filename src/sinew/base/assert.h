// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace sinew {

/// Writes the broken promise to stderr and ends the process: the driver's watchdog stops the robot and the
/// supervisor starts the process anew.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace sinew

/// Ends the process when `condition`, a promise of our own code, does not hold. For bugs only; what users or
/// devices get wrong is refused with a Result.
#define SINEW_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::sinew::assertion_failed(#condition, __FILE__, __LINE__))
