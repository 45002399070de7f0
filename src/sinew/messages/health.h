// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace sinew {

/// How well a cyclic process keeps its time. Published by that process, a few times a second.
struct alignas(8) Health {
  static constexpr std::uint32_t kVersion = 2;

  std::int64_t stamp_ns = 0;         ///< When this was written (robot time).
  std::int64_t started_ns = 0;       ///< When the process began to cycle (robot time).
  std::uint64_t cycles = 0;          ///< Cycles since then.
  std::uint64_t late_cycles = 0;     ///< Cycles not begun before the next was due: skipped, never made up.
  std::int64_t period_ns = 0;        ///< Wanted time from one cycle to the next.
  std::int64_t wake_latency_ns = 0;  ///< From when this cycle was due to when it began.
  std::int64_t worst_wake_latency_ns = 0;  ///< The largest since started_ns.
  std::int64_t wake_p50_ns = 0;            ///< Median of the wake latency, over the last ten seconds or so.
  std::int64_t wake_p99_ns = 0;            ///< 99 in 100 were below.
  std::int64_t busy_ns = 0;                ///< Work done in this cycle.
  std::int64_t worst_busy_ns = 0;          ///< The largest since started_ns.
  std::int64_t busy_p50_ns = 0;            ///< Median of the work, over the last ten seconds or so.
  std::int64_t busy_p99_ns = 0;            ///< 99 in 100 were below.
  std::uint64_t refusals = 0;              ///< Inputs that were not taken since started_ns.
  double bus_load = 0.0;          ///< [1] Share of the device bus in use, 0 to 1; zero where there is no bus.
  std::uint32_t is_realtime = 0;  ///< 1: real-time priority and locked memory; 0: refused by the system.
  std::uint32_t process_id = 0;   ///< Of the process that this is about.
  std::array<char, 32> process_name{};  ///< Text, ended by a zero byte.
};
static_assert(std::is_trivially_copyable_v<Health> && sizeof(Health) == 160,
              "Health crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
