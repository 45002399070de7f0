// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/messages/world.h"
#include "sinew/model/load_robot.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/motion/world_reader.h"

namespace sinew {

/// What can be said of a robot by thinking alone: where its tools are, which joints would put one elsewhere,
/// how near it is to a singularity or to touching something. Moves nothing. One thread.
class RobotSight {
 public:
  static Result<std::unique_ptr<RobotSight>> make(const LoadedRobot& robot);

  const RobotModel& model() const { return robot_.model; }

  /// The arms in the model's order; each with the tool that is named first, else its flange.
  struct ArmNow {
    std::string_view name;
    std::string_view tool;
    Pose X_BT;
    double smallest_singular_value = 0.0;
  };
  std::vector<ArmNow> arms(std::span<const double> q) const;

  /// From now on among these things and the bounds of its workspace; what cannot be understood leaves the
  /// last world.
  Status look_at(const World& world);
  /// The pair that is nearest to being too near; nothing when no two things could ever touch.
  struct Nearest {
    std::string a;
    std::string b;
    Contact contact;
  };
  std::optional<Nearest> nearest(std::span<const double> q);

  /// Where an arm's tool shall be, in the arm's base.
  struct Wish {
    std::string arm;
    std::string tool;
    Pose X_BT;
    std::optional<std::uint32_t> component_mask{};  ///< Not said: as many as the arm has joints for.
    bool is_exact = false;                          ///< Within kPoseTolerance is not near enough.
  };
  struct Answer {
    bool is_reachable = false;
    bool is_clear = false;        ///< Of everything, by the guard's margin, in that posture.
    std::vector<double> q;        ///< All positions of the robot; the nearest that was found otherwise.
    std::string why;              ///< Why not, or what would touch what, in words.
    double position_error = 0.0;  ///< [m]
    double rotation_error = 0.0;  ///< [rad]
  };
  /// Refused: no such arm or tool.
  Result<Answer> solve(const Wish& wish, std::span<const double> from);
  /// Whether the robot may stand with these positions: reachable when those `asked` for are within their
  /// limits.
  Answer look_at_posture(std::span<const double> q, std::span<const std::size_t> asked);

 private:
  explicit RobotSight(LoadedRobot robot) : robot_(std::move(robot)) {}
  std::string name_of(std::size_t link, std::size_t object) const;
  void judge(Answer& answer);

  LoadedRobot robot_;
  std::vector<std::unique_ptr<ArmSolver>> arms_;
  std::vector<std::string> tools_;  // of the arms above
  std::unique_ptr<RobotShapes> shapes_;
  std::unique_ptr<CollisionChecker> checker_;
  Obstacles workspace_;
  Obstacles around_;  // the bounds of the workspace, then the world
  std::unique_ptr<World> world_;
  std::unique_ptr<WorldInUse> meaning_;
};

}  // namespace sinew
