// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/motion_teller.h"

namespace sinew {
namespace {

/// But for what changes all the time.
bool tells_the_same(const MotionState& a, const MotionState& b) {
  return a.phase == b.phase && a.queue_length == b.queue_length && a.request == b.request &&
         a.override_share == b.override_share && a.owner == b.owner && a.program_phase == b.program_phase &&
         a.program_line == b.program_line && a.program_request == b.program_request &&
         a.program == b.program && a.program_message == b.program_message;
}

}  // namespace

bool MotionTeller::is_due(const MotionState& state) {
  const std::int64_t since_ns = state.stamp_ns - told_.stamp_ns;
  // time that runs backwards is a clock that was set anew
  const bool is_fresh = since_ns >= 0 && since_ns < kPeriod_ns;
  if (has_told_ && is_fresh && tells_the_same(state, told_)) return false;
  told_ = state;
  has_told_ = true;
  return true;
}

}  // namespace sinew
