// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "sinew/base/result.h"

namespace sinew::web {

/// What a URL of Southern Arm Control asks for.
struct ArmTarget {
  double x = 0.0;           ///< [m] Of the grip point in the arm's base.
  double y = 0.0;           ///< [m]
  double z = 0.0;           ///< [m]
  double roll = 0.0;        ///< [rad] About the hand's own axis.
  double pitch = 0.0;       ///< [rad] Of the hand, down is positive: half pi is straight down.
  double hand_width = 0.0;  ///< [m] Between the fingers, once the arm is there.
  double time = 0.0;        ///< [s] That the arm takes; 0: as fast as its limits allow.
};

/// Whether a path has the form of the URL API: seven parts, the first of which looks like a number.
bool is_arm_url(std::string_view target);

/// "/x/y/z/roll/pitch/handWidth/time". Refused, with which part and its bounds: another count of parts, what
/// is no finite number, and what no arm could mean (10 m, four turns, 1 m of hand, 600 s).
Result<ArmTarget> arm_target_from(std::string_view target);

}  // namespace sinew::web
