// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/base/realtime.h"
#include "sinew/collision/way_watch.h"
#include "sinew/control/braking_way.h"
#include "sinew/messages/joints.h"

namespace sinew {

/// What the guard says of a step.
struct GuardVerdict {
  bool is_clear = true;
  std::uint64_t joint_mask = 0;  ///< Otherwise: the joints that bring the two together.
  Contact contact;               ///< And the two.
};

/// Watches that the robot keeps away from itself and from the world, also while it brakes.
///
/// The rule that makes it safe: a step is allowed only when braking with all joints, begun after the step,
/// touches nothing on its whole way. So there always is a way to stop that has been looked at: the one from
/// the state before. Of a device that has a queue of commands, the way on which it first goes on with the
/// velocity that it has, for the time of its queue, is looked at as well.
///
/// One thread; allocates nothing after its making.
class Guard {
 public:
  /// `shapes` must outlive this object. `queue` [s]: for how long the device has commands ahead.
  explicit Guard(const RobotShapes& shapes, double queue = 0.0);

  /// From now on against these; what their solids point to must outlive their use.
  void set_world(const Obstacles& world) SINEW_REALTIME;

  /// Whatever it remembers of earlier steps to save work is forgotten: from now on as if it were new.
  void forget() SINEW_REALTIME;

  /// A cycle begins; in each there may be several checks, until one is clear.
  void begin_cycle() SINEW_REALTIME { ++lag_; }
  /// In the checks to come, these joints brake already and can do no more about what the device has queued.
  void set_braking(std::uint64_t joint_mask) SINEW_REALTIME { braking_mask_ = joint_mask; }
  /// May the robot, which was sent to `from`, go on to the state `next` (`dt` [s] later) and brake from
  /// there, within `limits`? One entry per joint each.
  GuardVerdict check(std::span<const double> from, std::span<const AxisState> next,
                     std::span<const AxisLimits> limits, double dt) SINEW_REALTIME;

 private:
  GuardVerdict check_coasting(std::span<const double> from, std::span<const AxisState> next,
                              std::span<const AxisLimits> limits, double dt) SINEW_REALTIME;
  GuardVerdict verdict_of(const CheckResult& result) const SINEW_REALTIME;

  WayWatch watch_;
  std::vector<std::uint64_t> moves_link_;  // per link: the joints between it and the root
  std::array<BrakingWay, 2> ways_;         // the last that was clear, and the one that is looked at
  std::size_t clear_ = 0;
  bool has_clear_ = false;
  int lag_ = 0;  // cycles since the last was clear
  JointArray drift_{};

  /// For a device with a queue.
  struct Coasting {
    WayWatch watch;
    BrakingWay way;
    std::array<AxisState, kMaxJoints> states{};
    JointArray no_drift{};
  };
  std::uint64_t braking_mask_ = 0;
  double queue_;                        // [s]
  std::unique_ptr<Coasting> coasting_;  // null without a queue
};

}  // namespace sinew
