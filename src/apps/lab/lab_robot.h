// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/picture/robot_charts.h"

#include "apps/lockstep/lockstep.h"

namespace sinew::lab {

/// The SCORBOT with its controller, guard and motion service in lockstep, and what is noted while it moves.
class LabRobot {
 public:
  /// Among `objects`; the arm's joints begin at `start` [rad], or at home when it is empty.
  static Result<std::unique_ptr<LabRobot>> make(std::vector<SceneObject> objects,
                                                const std::vector<double>& start = {});

  /// Asks the motion service and steps until it has answered for good; refused when it has not in `seconds`.
  Result<Reply> carry_out(const Request& request, double seconds);
  void pass(double seconds);

  Lockstep& lockstep() { return *lockstep_; }
  const JointLog& log() const { return log_; }
  double seconds() const;
  /// Measured, as a share of a joint's limit.
  double peak_speed_share() const { return peak_speed_share_; }
  /// What of the robot touched what, in the order in which it was seen; contacts of fingers are not noted.
  const std::vector<std::string>& touched() const { return touched_; }

 private:
  LabRobot() = default;
  void step();
  void note();

  std::unique_ptr<Lockstep> lockstep_;
  std::int64_t begun_ns_ = 0;
  std::int64_t note_due_ns_ = 0;
  JointLog log_;
  double peak_speed_share_ = 0.0;
  std::vector<std::string> touched_;
};

}  // namespace sinew::lab
