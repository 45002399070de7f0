// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/trajectory/axis_profile.h"

namespace sinew {

/// How long a motion should take, and where it leads.
struct TimedTarget {
  double position = 0.0;  ///< [rad, m]
  double duration = 0.0;  ///< [s]
};

/// A motion to rest at `target`, within `limits`, that takes as long as `target` says, so that several axes
/// arrive together: `fastest`, which plan_to_rest_at() made from `state`, is run slower as a whole when it
/// begins at rest, and cruises slower when not. Where that is no longer possible (the axis is stopping
/// already) or the wish is for less time than `fastest` takes, it is `fastest`. Accurate to 1e-9 of the
/// duration; does not allocate.
AxisProfile slowed_to(const TimedTarget& target, const AxisProfile& fastest, const AxisState& state,
                      const AxisLimits& limits) SINEW_REALTIME;

}  // namespace sinew
