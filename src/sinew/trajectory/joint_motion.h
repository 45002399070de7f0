// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string>

#include "sinew/base/result.h"
#include "sinew/trajectory/joint_curve.h"
#include "sinew/trajectory/state_to_state.h"

namespace sinew {

/// Why there is no motion, and of which joint that speaks.
struct MotionVerdict {
  TransitionFault fault = TransitionFault::None;
  std::size_t joint = 0;
  double value = 0.0;  ///< [rad, m] and derivatives
  double bound = 0.0;

  explicit operator bool() const { return fault == TransitionFault::None; }
};

/// The verdict in words; a joint beyond `names` is called by its number, from 1.
Status motion_status(const MotionVerdict& verdict, std::span<const std::string> names = {});

/// What is asked of a JointMotion: one entry for each joint, at most kMaxAxes.
struct MotionRequest {
  std::span<const AxisState> from;  ///< Beyond limits as well: then the joint comes back into them first.
  std::span<const AxisState> to;    ///< Velocities may be other than zero, accelerations not.
  std::span<const AxisLimits> limits;
  double least_duration = 0.0;  ///< [s]
};

/// Up to 64 joints from any states to any states, each as fast as its limits of velocity, acceleration and
/// jerk allow, but all in the same time: the shortest that every joint can take. Not every time beyond its
/// shortest is possible for a joint that moves (see AxisTransition); what is taken is the first that is for
/// all of them.
///
/// One thread. All memory is in the object; nothing but trajectory() allocates.
class JointMotion {
 public:
  /// Plans anew. When the verdict is a refusal, the motion is empty. Refuses a motion that passes a position
  /// limit on its way; the motion is then the fastest nevertheless, and another way must be found.
  MotionVerdict plan(const MotionRequest& request) SINEW_REALTIME;

  std::size_t joint_count() const SINEW_REALTIME { return joint_count_; }

  /// [s]
  double duration() const SINEW_REALTIME { return duration_; }

  const AxisProfile& profile(std::size_t joint) const SINEW_REALTIME { return profiles_[joint]; }

  /// The states `time` [s] after the begin; `states` holds joint_count() of them.
  void sample(double time, std::span<AxisState> states) const SINEW_REALTIME;

  /// The same motion as polynomials, a piece wherever the jerk of a joint changes.
  Trajectory trajectory() const;

 private:
  MotionVerdict take(const MotionRequest& request) SINEW_REALTIME;
  MotionVerdict synchronise(double least_duration) SINEW_REALTIME;

  std::size_t joint_count_ = 0;
  double duration_ = 0.0;
  std::array<AxisTransition, kMaxAxes> transitions_;
  std::array<AxisProfile, kMaxAxes> profiles_;
};

}  // namespace sinew
