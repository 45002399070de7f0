// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/motion/move_planner.h"
#include "sinew/motion/straight_way.h"
#include "sinew/trajectory/playback.h"

namespace sinew {

/// A shipped robot with one arm, a planner of moves for it, and an eye of its own for what is planned.
class MoveCell {
 public:
  explicit MoveCell(const std::string& robot, MovePlannerOptions options = {})
      : robot_(*load_robot(robot)),
        home(starting_positions(robot_.model)),
        chain(
            *SerialChain::make(robot_.model, robot_.model.arms[0].base_link, robot_.model.arms[0].tip_link)),
        planner(*MovePlanner::make(robot_.model, with_meshes(options))) {
    auto shapes =
        RobotShapes::make(robot_.model, {.mesh_points = points_of_mesh, .margin = options.margin - 1e-4});
    shapes_ = std::make_unique<RobotShapes>(*std::move(shapes));
    checker_ = std::make_unique<CollisionChecker>(*shapes_);
  }

  const RobotModel& model() const { return robot_.model; }

  void set_world(const Obstacles& world) {
    ASSERT_TRUE(planner->set_world(world));
    checker_->set_world(world);
  }

  Pose tool(const std::vector<double>& q, const Pose& X_FT) const { return chain.tool_pose(q) * X_FT; }

  /// What any planned chain must keep, looked at a thousand times a second: limits, continuity, distances,
  /// rest at both ends; and that the controller's playback takes it.
  void expect_sound(const PlannedMoves& planned, const std::vector<double>& from) {
    const Trajectory& trajectory = planned.trajectory;
    if (trajectory.piece_count() == 0) return;
    const std::vector<AxisLimits> limits = limits_of(model(), planned.joint_mask);
    const auto playback = Playback::make(trajectory, limits, 0);
    ASSERT_TRUE(playback) << playback.error().message;
    std::vector<AxisState> last(limits.size());
    std::vector<AxisState> now(limits.size());
    std::vector<double> q = from;
    const auto looks = static_cast<int>(trajectory.length() / 1e-3) + 1;
    for (int k = 0; k <= looks; ++k) {
      const double t = std::min(k * 1e-3, trajectory.length());
      trajectory.sample(t, std::span<AxisState>(now));
      for (std::size_t j = 0; j < limits.size(); ++j) {
        ASSERT_LE(std::abs(now[j].velocity), limits[j].velocity) << "joint " << j << " at " << t;
        ASSERT_LE(std::abs(now[j].acceleration), limits[j].acceleration) << "joint " << j << " at " << t;
        ASSERT_GE(now[j].position, limits[j].lower - 1e-9);
        ASSERT_LE(now[j].position, limits[j].upper + 1e-9);
        if (k > 0) {
          ASSERT_LE(std::abs(now[j].position - last[j].position), 1e-3 * limits[j].velocity);
          ASSERT_LE(std::abs(now[j].velocity - last[j].velocity), 1e-3 * limits[j].acceleration + 1e-9);
          ASSERT_LE(std::abs(now[j].acceleration - last[j].acceleration), 1e-3 * limits[j].jerk + 1e-6);
        }
        q[position(planned.joint_mask, j)] = now[j].position;
      }
      ASSERT_TRUE(checker_->is_clear(q)) << "at " << t << " s of " << trajectory.length();
      std::swap(now, last);
    }
    for (std::size_t j = 0; j < limits.size(); ++j) {
      const std::size_t i = position(planned.joint_mask, j);
      EXPECT_NEAR(trajectory.at(j, 0.0).value, from[i], 1e-9);
      EXPECT_NEAR(last[j].position, planned.postures.back()[i], 1e-9);
      EXPECT_NEAR(last[j].velocity, 0.0, 1e-9);
    }
  }

  /// Whether the arm is too near to something at one of many places along a way of its flange, in steps to
  /// the nearest of all postures; so says a checker with the margin that ways are looked at with.
  template <class PoseAt>
  bool is_blocked(const std::vector<double>& from, const PoseAt& pose_at, double margin = 0.0106) {
    auto shapes = RobotShapes::make(model(), {.mesh_points = points_of_mesh, .margin = margin});
    CollisionChecker checker(*shapes);
    const InverseKinematics ik(chain);
    std::vector<double> q = from;
    for (int k = 0; k <= 1000; ++k) {
      if (!checker.is_clear(q)) return true;
      const IkResult found = ik.solve(pose_at(k / 1000.0), q);
      if (found.status != IkStatus::Solved) return false;
      q.assign(found.solutions[0].q.data(), found.solutions[0].q.data() + found.solutions[0].q.size());
    }
    return !checker.is_clear(q);
  }

  /// The place of joint `j` of a mask among the robot's positions.
  static std::size_t position(std::uint64_t mask, std::size_t j) {
    for (std::size_t i = 0;; ++i)
      if ((mask >> i & 1) != 0 && j-- == 0) return i;
  }

  /// All positions `time` into a planned chain.
  static std::vector<double> at(const PlannedMoves& planned, std::vector<double> q, double time) {
    for (std::size_t j = 0; j < planned.trajectory.joint_count(); ++j)
      q[position(planned.joint_mask, j)] = planned.trajectory.at(j, time).value;
    return q;
  }

 private:
  static MovePlannerOptions with_meshes(MovePlannerOptions options) {
    options.mesh_points = points_of_mesh;
    return options;
  }

  LoadedRobot robot_;
  std::unique_ptr<RobotShapes> shapes_;
  std::unique_ptr<CollisionChecker> checker_;

 public:
  std::vector<double> home;
  SerialChain chain;
  std::unique_ptr<MovePlanner> planner;
};

}  // namespace sinew
