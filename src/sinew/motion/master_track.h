// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/messages/joints.h"
#include "sinew/model/robot_model.h"
#include "sinew/trajectory/axis.h"

namespace sinew {

/// Where a master's joints are, how they move and how that changes, out of the positions that it says it has
/// measured: a filter that follows steady acceleration without lag.
class MasterTrack {
 public:
  /// `model` must outlive it.
  explicit MasterTrack(const RobotModel& model);

  enum class News {
    None,    ///< No number, of another robot, or said before: as if nothing had come.
    Moved,   ///< One more sample.
    Jumped,  ///< Not where it could have come since the last, or its time has gone back: begun anew.
  };
  /// `came_ns`: when it came, by the follower's time.
  News take(const JointState& state, std::int64_t came_ns);

  /// Forgets all.
  void clear() { came_ns_ = 0; }
  bool is_known() const { return came_ns_ != 0; }
  /// When the last sample came.
  std::int64_t came_ns() const { return came_ns_; }
  /// The joints at `now_ns`, a little beyond the last sample, and `ahead_ns` later still, if they go on so.
  std::vector<AxisState> at(std::int64_t now_ns, std::int64_t ahead_ns) const;

 private:
  bool is_sound(const JointState& state) const;
  bool has_jumped(const JointState& state, double time) const;
  void begin(const JointState& state);
  void add(const JointState& state, double time);

  const RobotModel& model_;
  std::vector<AxisState> joints_;
  std::vector<double> fastest_;  // [rad/s, m/s]
  std::int64_t stamp_ns_ = 0;
  std::int64_t came_ns_ = 0;
};

}  // namespace sinew
