// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Marks a function that may run in the control cycle: no allocation, lock, exception, log, or system call
/// but those that ARCHITECTURE.md names. Clang 20 and newer verify it; tests with AllocationGuard do so
/// everywhere.
#if defined(__clang__) && __clang_major__ >= 20
#define SINEW_REALTIME noexcept [[clang::nonblocking]]
#else
#define SINEW_REALTIME noexcept
#endif
