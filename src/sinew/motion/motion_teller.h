// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/base/time.h"
#include "sinew/messages/motion.h"

namespace sinew {

/// Says when the channel `motion` wants to be written: at each change, and ten times a second while the rest
/// of what it tells may have changed.
class MotionTeller {
 public:
  static constexpr std::int64_t kPeriod_ns = 100 * kMillisecond_ns;

  /// Whether `state` is to be put; it then counts as told.
  bool is_due(const MotionState& state);

 private:
  MotionState told_;
  bool has_told_ = false;
};

}  // namespace sinew
