// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/base/fixed_vector.h"
#include "sinew/trajectory/axis.h"

namespace sinew {

/// How an axis comes back from a state beyond its limits of velocity and acceleration.
struct LimitBrake {
  /// Constant jerk for a time.
  struct Step {
    double jerk = 0.0;  ///< [rad/s³, m/s³]
    double time = 0.0;  ///< [s]
  };

  FixedVector<Step, 4> steps;  ///< None where the state is within the limits, and can stay there.
  double duration = 0.0;       ///< [s]
  AxisState end;               ///< Within the limits, from where they can be kept.
};

/// Back into `limits`, position limits left aside, as fast as the limit of jerk allows: the acceleration
/// first, then, within its limit, the velocity. A state from which the velocity limit will be passed whatever
/// is done counts as beyond it; it is passed by no more than must be. `from` and `limits` must be usable.
LimitBrake brake_into_limits(const AxisState& from, const AxisLimits& limits) SINEW_REALTIME;

}  // namespace sinew
