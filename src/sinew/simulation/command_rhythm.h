// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "sinew/base/realtime.h"
#include "sinew/base/time.h"

namespace sinew {

/// How often a controller commands, learnt from the stamps of its commands. Shorter times from one to the
/// next count at once and longer ones by and by: a controller that is late leaves some out. A value.
class CommandRhythm {
 public:
  /// `stamp_ns`: of a command, in the order of their coming.
  void hear(std::int64_t stamp_ns) SINEW_REALTIME {
    const std::int64_t passed_ns = stamp_ns - last_ns_;
    if (last_ns_ != 0 && passed_ns > 0)
      period_ns_ = period_ns_ == 0 ? passed_ns : std::min(passed_ns, period_ns_ + period_ns_ / 8);
    last_ns_ = stamp_ns;
  }
  /// The next controller may have another one.
  void forget() SINEW_REALTIME { *this = {}; }

  /// From one command to the next; zero: not known yet.
  std::int64_t period_ns() const SINEW_REALTIME { return period_ns_; }

 private:
  std::int64_t last_ns_ = 0;
  std::int64_t period_ns_ = 0;
};

}  // namespace sinew
