// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/base/realtime.h"
#include "sinew/channels/layout.h"

namespace sinew::channels {

enum class SleepOutcome { Woken, TimedOut, Interrupted };

/// Sleeps until wake_all() is called on the word, or `deadline_ns` (CLOCK_MONOTONIC) comes; does not sleep at
/// all when the low half of the word is not `expected`. Works on read-only memory. May wake without a reason.
SleepOutcome sleep_while(const AtomicU64& word, std::uint32_t expected, std::int64_t deadline_ns) noexcept;

/// Wakes everybody who sleeps on the word, in any process. Needs no right to write it.
void wake_all(const AtomicU64& word) SINEW_REALTIME;

}  // namespace sinew::channels
