// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "sinew/base/time.h"

namespace sinew::web {

/// Lets so many through at once, and then so many a second. Time is an argument.
class RateLimit {
 public:
  RateLimit(double at_once, double per_second) : most_(at_once), per_second_(per_second), left_(at_once) {}

  /// Whether one more may pass now; if so it has.
  bool allows(std::int64_t now_ns) {
    if (last_ns_ != 0)
      left_ = std::min(most_, left_ + per_second_ * seconds_from_nanoseconds(
                                                        std::max<std::int64_t>(0, now_ns - last_ns_)));
    last_ns_ = now_ns;
    if (left_ < 1.0) return false;
    left_ -= 1.0;
    return true;
  }

 private:
  double most_;
  double per_second_;
  double left_;
  std::int64_t last_ns_ = 0;
};

}  // namespace sinew::web
