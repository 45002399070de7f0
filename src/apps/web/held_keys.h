// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sinew/base/time.h"
#include "sinew/web/socket.h"

namespace sinew {

/// How old what a client says is, by its own clock: as much as it came later than what came soonest. What was
/// queued while somebody stalled is known by that, and does not pass for new.
class ClientClock {
 public:
  /// Age [ns] of what the client said at its time `said_ns` and what came at `now_ns`.
  std::int64_t age_ns(std::int64_t said_ns, std::int64_t now_ns) {
    const std::int64_t lag_ns = now_ns - said_ns;
    // no two clocks run alike
    const std::int64_t drift_ns = least_lag_ns_ ? (now_ns - last_ns_) / kDrift : 0;
    least_lag_ns_ = least_lag_ns_ ? std::min(*least_lag_ns_ + drift_ns, lag_ns) : lag_ns;
    last_ns_ = now_ns;
    return lag_ns - *least_lag_ns_;
  }

 private:
  static constexpr std::int64_t kDrift = 2000;  // one part in so many
  std::optional<std::int64_t> least_lag_ns_;
  std::int64_t last_ns_ = 0;
};

/// Which presses of keys the pages hold. The motion service decides what goes on by them; here it is known
/// early what would be refused, and a page that is gone lets go. Takes values and gives values. One thread.
class HeldKeys {
 public:
  static constexpr std::int64_t kSilence_ns = 150 * kMillisecond_ns;
  static constexpr std::size_t kMostPresses = 16;  ///< Remembered of a page.

  enum class Verdict {
    First,  ///< Held, and the first that is heard of it.
    Held,   ///< Held on.
    Late,   ///< It was said too long ago to count.
    Over,   ///< It was let go before.
  };

  /// A page says that a key is held. `age_ns`: how long ago it said so.
  Verdict beat(web::SocketNumber page, std::uint64_t press, std::int64_t age_ns, std::int64_t now_ns) {
    if (age_ns > kSilence_ns) return Verdict::Late;
    std::vector<Press>& presses = pages_[page];
    const auto found = std::ranges::find(presses, press, &Press::number);
    if (found == presses.end()) {
      if (presses.size() == kMostPresses) presses.erase(presses.begin());
      presses.push_back({.number = press, .held_ns = now_ns - age_ns});
      return Verdict::First;
    }
    if (found->is_over) return Verdict::Over;
    found->held_ns = std::max(found->held_ns, now_ns - age_ns);
    return Verdict::Held;
  }

  /// It was let go: no beat brings it back.
  void release(web::SocketNumber page, std::uint64_t press) {
    std::vector<Press>& presses = pages_[page];
    const auto found = std::ranges::find(presses, press, &Press::number);
    if (found != presses.end()) found->is_over = true;
  }

  /// The page is gone; answers what it held.
  std::vector<std::uint64_t> page_gone(web::SocketNumber page) {
    std::vector<std::uint64_t> held;
    for (const Press& press : pages_[page])
      if (!press.is_over) held.push_back(press.number);
    pages_.erase(page);
    return held;
  }

  bool is_held(std::uint64_t press, std::int64_t now_ns) const {
    return std::ranges::any_of(pages_, [&](const auto& page) {
      return std::ranges::any_of(page.second, [&](const Press& one) {
        return one.number == press && !one.is_over && now_ns - one.held_ns <= kSilence_ns;
      });
    });
  }

 private:
  struct Press {
    std::uint64_t number = 0;
    std::int64_t held_ns = 0;
    bool is_over = false;
  };
  std::map<web::SocketNumber, std::vector<Press>> pages_;  // presses oldest first
};

}  // namespace sinew
