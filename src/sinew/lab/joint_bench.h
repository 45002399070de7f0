// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/robot_model.h"
#include "sinew/simulation/simulation.h"

namespace sinew::lab {

/// A simulated robot of which one joint is led by hand, straight at its drive; the others hold still. For
/// laboratories in which the student's part stands where the controller's stands otherwise.
class JointBench {
 public:
  /// Joint `position` of the model's positions, from `start` [rad, m].
  static Result<JointBench> make(const RobotModel& model, std::size_t position, double start);

  /// Leads the joint to `goal` in `duration_ns`, evenly: a whole number of milliseconds.
  void lead(double goal, std::int64_t duration_ns);

  /// Where the joint that is led really is, and where any other is.
  double measured() const { return measured(position_); }
  double measured(std::size_t position) const { return simulation_->joint_position(0, position); }

 private:
  JointBench(std::unique_ptr<Simulation> simulation, std::size_t position, std::vector<double> held);

  std::unique_ptr<Simulation> simulation_;
  std::size_t position_;
  std::vector<double> held_;  ///< Where each joint is sent.
  std::uint64_t cycle_ = 0;
};

}  // namespace sinew::lab
