// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sinew/base/time.h"

namespace sinew::processes {

/// How a process that died is brought back.
struct RestartRules {
  std::int64_t first_delay_ns = 100 * kMillisecond_ns;  ///< Before the first restart; each next doubles it.
  std::int64_t longest_delay_ns = 5 * kSecond_ns;
  std::int64_t healthy_after_ns = 10 * kSecond_ns;  ///< Who lived so long was well: counting begins anew.
  std::uint32_t most_quick_deaths = 6;              ///< In a row; then it is left dead.
};

/// Counts the quick deaths of one process.
class RestartCounter {
 public:
  explicit RestartCounter(const RestartRules& rules = {}) : rules_(rules) {}

  /// The process died after a life of `lived_ns`: how long to wait before the next, or nothing: give up.
  std::optional<std::int64_t> delay_after_death_ns(std::int64_t lived_ns) {
    if (lived_ns >= rules_.healthy_after_ns) quick_deaths_ = 0;
    ++quick_deaths_;
    if (quick_deaths_ >= rules_.most_quick_deaths && lived_ns < rules_.healthy_after_ns) return std::nullopt;
    std::int64_t delay_ns = std::min(rules_.first_delay_ns, rules_.longest_delay_ns);
    for (std::uint32_t i = 1; i < quick_deaths_ && delay_ns < rules_.longest_delay_ns; ++i)
      delay_ns = std::min(2 * delay_ns, rules_.longest_delay_ns);
    return delay_ns;
  }

  std::uint32_t quick_deaths() const { return quick_deaths_; }
  void forget() { quick_deaths_ = 0; }

 private:
  RestartRules rules_;
  std::uint32_t quick_deaths_ = 0;
};

}  // namespace sinew::processes
