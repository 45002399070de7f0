// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/control/controller.h"
#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/motion/jogger.h"
#include "sinew/motion/straight_way.h"

namespace sinew {

/// One robot with its real controller and a perfect device, cycle by cycle; what is sent is judged as a
/// recording would be: no limit passed, nothing refused, nothing held by the guard.
class StreamBench {
 public:
  /// Stands in the posture of that name, or at the joint positions `q`; else where it starts.
  explicit StreamBench(const std::string& name, const std::string& posture = "",
                       const std::vector<double>& q = {}) {
    auto loaded = load_robot(name);
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    robot_ = std::make_unique<LoadedRobot>(*std::move(loaded));
    const auto control = read_control(robot_->settings.control);
    const double margin = guard_options(*control).margin;
    shapes_ = std::make_unique<RobotShapes>(
        *RobotShapes::make(model(), {.mesh_points = points_of_mesh, .margin = margin}));
    controller_ = *Controller::make(model(), *shapes_);
    room_ = *RouteFinder::make(model(), margin, points_of_mesh);
    view_ = std::make_unique<RobotView>(model());
    limits_ = limits_of(model(), ~std::uint64_t{0});
    state_.joint_count = static_cast<std::uint32_t>(model().positions.size());
    state_.measured_mask = ~std::uint64_t{0};
    put_in_posture(posture);
    std::ranges::copy(q, state_.position.begin());
    for (int i = 0; i < 20; ++i) cycle();
    EXPECT_EQ(controller_->state(), ControlState::Running);
  }

  const RobotModel& model() const { return robot_->model; }
  RouteFinder& room() { return *room_; }
  const RobotView& view() const { return *view_; }
  Controller& controller() { return *controller_; }
  const JointState& state() const { return state_; }
  const JointCommand& sent() const { return sent_[3]; }
  const Safety& safety() const { return controller_->output().safety; }
  std::int64_t now_ns() const { return now_ns_; }
  std::size_t joint(const char* name) const { return model().joints[find_joint(model(), name)].position; }

  /// One cycle of the controller.
  void cycle() {
    now_ns_ += kMillisecond_ns;
    state_.stamp_ns = now_ns_;
    if (sent().is_enabled != 0) {
      late_.push_back(sent());
      if (late_.size() > device_lag) late_.pop_front();
      state_.position = late_.front().position;
      state_.velocity = late_.front().velocity;
    }
    const ControlOutput& output = controller_->step(state_, now_ns_);
    std::rotate(sent_.begin(), sent_.begin() + 1, sent_.end());
    sent_[3] = output.command;
    view_->take(state_);
    view_->take(output.command);
    view_->take(output.safety);
    if (++cycles_ > 8) judge();
  }

  void put(const std::vector<Segment>& segments) {
    for (const Segment& segment : segments) controller_->take_segment(segment);
  }

  /// How many cycles after it was sent there the device is somewhere; from 1.
  std::size_t device_lag = 1;

  /// Where the tool is, as the device says.
  Pose measured_tool(const std::string& arm = "") const {
    auto& solver = solvers_[arm];
    if (!solver) solver = *ArmSolver::make(model(), arm, "");
    return solver->tool_pose({state_.position.data(), state_.joint_count});
  }
  /// Where the tool is sent.
  Pose tool(const std::string& arm = "") const {
    auto& solver = solvers_[arm];
    if (!solver) solver = *ArmSolver::make(model(), arm, "");
    return solver->tool_pose({sent().position.data(), sent().joint_count});
  }
  bool rests() const { return view_->rests_wholly(~std::uint64_t{0}); }

  /// The largest shares of limits that were seen in what is sent.
  double worst_velocity() const { return worst_[0]; }
  double worst_acceleration() const { return worst_[1]; }
  double worst_jerk() const { return worst_[2]; }
  double worst_overrun() const { return worst_overrun_; }

  void expect_no_limit_passed() const {
    EXPECT_LE(worst_velocity(), 1.0 + 1e-6);
    EXPECT_LE(worst_acceleration(), 1.0 + 1e-6);
    EXPECT_LE(worst_jerk(), 1.0 + 1e-3) << "third differences of rounded positions";
    EXPECT_LE(worst_overrun(), 1e-9);
  }
  void expect_nothing_refused() const {
    EXPECT_EQ(safety().refusals, 0U) << "refusal " << static_cast<int>(safety().last_refusal) << " of joint "
                                     << safety().refused_joint << ", value " << safety().refused_value
                                     << ", bound " << safety().refused_bound;
  }

 private:
  void put_in_posture(const std::string& posture) {
    std::vector<double> q = starting_positions(model());
    if (!posture.empty()) {
      const auto found =
          std::ranges::find_if(model().postures, [&](const auto& p) { return p.name == posture; });
      EXPECT_NE(found, model().postures.end()) << posture;
      if (found != model().postures.end())
        for (std::size_t i = 0; i < q.size(); ++i)
          if (i < found->positions.size() && !std::isnan(found->positions[i])) q[i] = found->positions[i];
    }
    std::ranges::copy(q, state_.position.begin());
  }

  void judge() {
    const double dt = 1e-3;
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      const auto q = [&](int k) { return sent_[static_cast<std::size_t>(k)].position[i]; };
      const double v = (q(3) - q(2)) / dt;
      const double a = (q(3) - 2.0 * q(2) + q(1)) / (dt * dt);
      const double j = (q(3) - 3.0 * q(2) + 3.0 * q(1) - q(0)) / (dt * dt * dt);
      worst_[0] = std::max(worst_[0], std::abs(v) / limits_[i].velocity);
      worst_[1] = std::max(worst_[1], std::abs(a) / limits_[i].acceleration);
      worst_[2] = std::max(worst_[2], std::abs(j) / limits_[i].jerk);
      worst_overrun_ = std::max({worst_overrun_, q(3) - limits_[i].upper, limits_[i].lower - q(3)});
    }
  }

  std::unique_ptr<LoadedRobot> robot_;
  std::unique_ptr<RobotShapes> shapes_;
  std::unique_ptr<Controller> controller_;
  std::unique_ptr<RouteFinder> room_;
  std::unique_ptr<RobotView> view_;
  mutable std::map<std::string, std::unique_ptr<ArmSolver>> solvers_;
  std::vector<AxisLimits> limits_;
  JointState state_;
  std::array<JointCommand, 4> sent_{};
  std::deque<JointCommand> late_;  // what the device has not done yet
  std::int64_t now_ns_ = 10 * kSecond_ns;
  int cycles_ = 0;
  std::array<double, 3> worst_{};
  double worst_overrun_ = -1.0;
};

}  // namespace sinew
