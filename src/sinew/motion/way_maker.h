// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/motion/move.h"
#include "sinew/motion/move_space.h"
#include "sinew/motion/move_way.h"

namespace sinew {

/// An arm with one tool at its flange.
struct ToolArm {
  ToolArm(SerialChain the_chain, const Pose& tool)
      : X_FT(tool), chain(std::move(the_chain)), ik(chain), follower(chain, ik) {}

  Pose X_FT;
  SerialChain chain;
  InverseKinematics ik;
  ToolPathFollower follower;
};

/// Makes the tools of an arm when they are first needed, and keeps the newest.
class ToolArms {
 public:
  /// `model` must outlive it.
  ToolArms(const RobotModel& model, std::size_t base_link, std::size_t tip_link)
      : model_(model), base_link_(base_link), tip_link_(tip_link) {}

  /// Lives until as many other tools as are kept have been asked for.
  const ToolArm& with(const Pose& X_FT);

 private:
  const RobotModel& model_;
  std::size_t base_link_;
  std::size_t tip_link_;
  std::vector<std::unique_ptr<ToolArm>> known_;
};

/// A way, or why there is none.
struct MadeWay {
  /// Of a tool move from a singular posture: the joints turn to another one first while the tool stands, and
  /// stop there.
  std::optional<MoveWay> turn;
  MoveWay way;
  std::vector<JointVector> corners;  ///< Of a joint move: straight and proven between.
  JointVector end;                   ///< Where the joints are then.
  std::optional<MoveRefusal> refusal;
  std::vector<std::string> notes;
};

struct WayMakerOptions {
  double path_tolerance = 1e-5;  ///< [m]
  bool with_advice = true;       ///< Tell what would do instead of what does not.
  Interruption interruption{};   ///< Asked while a way is made.
};

/// From moves to ways through the joints: reach, joint limits, branches, ways round obstacles.
class WayMaker {
 public:
  /// All must outlive it. `arms` is null without an arm.
  WayMaker(const RobotModel& model, ToolArms* arms, MoveSpace& space, const WayMakerOptions& options)
      : model_(model), arms_(arms), space_(space), options_(options) {}

  /// Move number `index` from the posture `from` of the moved joints.
  MadeWay make(std::size_t index, const Move& move, const JointVector& from);

 private:
  MadeWay make_joint(const Move& move, const JointVector& from);
  MadeWay make_tool(const Move& move, const JointVector& from);
  MadeWay make_joint_spline(const Move& move, const JointVector& from);
  Result<PosePath> tool_path_for(const Move& move, const JointVector& from, const ToolArm& arm) const;
  Pose pose_of(const MoveGoal& goal, const Move& move, const JointVector& from, const ToolArm& arm) const;
  JointVector joints_of(const MoveGoal& goal, const Move& move, const JointVector& from) const;
  std::optional<MoveRefusal> check_goals(const Move& move) const;
  std::optional<MoveRefusal> check_limits(const JointVector& q, const char* who) const;
  MadeWay follow(const PosePath& path, const Move& move, const JointVector& from, const ToolArm& arm);

  const RobotModel& model_;
  ToolArms* arms_;
  MoveSpace& space_;
  WayMakerOptions options_;
};

}  // namespace sinew
