// SPDX-License-Identifier: BSD-3-Clause
// The left hand of the MDS is driven at a table, at 12 speeds and from 12 directions: down upon it, up at it
// from below, and against its edge; then back by a planned way. Usage: hand_at_table FOLDER
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/model/positions.h"
#include "sinew/simulation/world_yaml.h"

#include "tests/scenarios/lockstep_recording.h"

namespace sinew {
namespace {

constexpr int kWays = 12;

/// From where to where the hand is sent, and where the middle of the table stands [m]; between the shoulders.
struct Drive {
  Vector3 from;
  Vector3 to;
  Vector3 table;
};

Drive drive_of(int way) {
  const double angle = 2.0 * std::numbers::pi * way / kWays;
  const Vector3 slant(0.05 * std::cos(angle), 0.05 * std::sin(angle), 0.0);
  const Vector3 place(0.36, 0.25, 0.0);
  if (way % 3 == 0)
    return {place + slant + Vector3(0, 0, -0.05), place - slant + Vector3(0, 0, -0.4), {0.5, 0.2, -0.25}};
  if (way % 3 == 1)
    return {place + slant + Vector3(0, 0, -0.3), place - slant + Vector3(0, 0, 0.1), {0.5, 0.2, -0.08}};
  return {{0.25, 0.25 + slant.y(), -0.15}, {0.48, 0.25 - slant.y(), -0.15}, {0.62, 0.2, -0.15}};
}

class Run {
 public:
  Run(int way, const std::string& path)
      : way_(way), drive_(drive_of(way)), lockstep_(make()), recording_(path, *lockstep_) {}

  void go() {
    for (int i = 0; i < 10; ++i) recording_.step();
    want(joints_at(drive_.from));
    for (int i = 0; i < 4000; ++i) recording_.step();
    set_up_table();
    for (int i = 0; i < 200; ++i) recording_.step();
    const JointArray from = lockstep_->controller().output().command.position;
    const JointArray goal = joints_at(drive_.to);
    // from one jump to a slow stream
    const int pieces = 1 + way_ * way_;
    for (int piece = 1; piece <= pieces; ++piece) {
      JointArray target{};
      for (std::size_t i = 0; i < target.size(); ++i)
        target[i] = from[i] + (goal[i] - from[i]) * piece / pieces;
      want(target);
      for (int i = 0; i < 2500 / pieces + 20; ++i) recording_.step();
    }
    go_back(from);
    recording_.close();
  }

 private:
  static std::unique_ptr<Lockstep> make() {
    Scene scene{.name = "table"};
    scene.robots.push_back(must(scene_robot("mds", "mds", "home", usual_world_places().robots)));
    auto lockstep = must(Lockstep::make(std::move(scene), "mds", {}));
    lockstep->controller().set_source(0, "program0", 0);
    must(lockstep->add_motion());
    return lockstep;
  }

  void set_up_table() {
    const Pose X_WS = lockstep_->simulation().X_WL(0, find_link(lockstep_->model(), "shoulders"));
    SceneObject table{.name = "table", .size = {0.4, 0.6, 0.04}};
    table.X_WO.position = X_WS * drive_.table;
    must(lockstep_->simulation().add_object(table));
    must(lockstep_->show_world());
    recording_.write("world", lockstep_->simulation().world());
  }

  void want(const JointArray& goal) {
    const RobotModel& model = lockstep_->model();
    JointReference reference{
        .stamp_ns = lockstep_->now_ns(),
        .joint_mask = arm_mask(model, model.arms[find_arm(model, "left")]) & enabled_mask(model)};
    reference.position = goal;
    recording_.put(0, reference);
  }

  // By a planned way: a blind one may well lead through the table.
  void go_back(const JointArray& goal) {
    const RobotModel& model = lockstep_->model();
    Request request{.verb = RequestVerb::MoveJoints,
                    .joint_mask = arm_mask(model, model.arms[find_arm(model, "left")]) & enabled_mask(model)};
    request.joints = goal;
    const std::uint64_t number = lockstep_->ask(request);
    for (int i = 0; i < 20'000 && !lockstep_->final_reply(number); ++i) recording_.step();
    const auto reply = lockstep_->final_reply(number);
    must_be(reply.has_value(), fmt::format("way {}: no answer", way_));
    must_be(reply->status == ReplyStatus::Done, fmt::format("way {}: {}", way_, text_of(reply->reason)));
    for (int i = 0; i < 200; ++i) recording_.step();
  }

  JointArray joints_at(const Vector3& p) {
    const RobotModel& model = lockstep_->model();
    const Arm& arm = model.arms[find_arm(model, "left")];
    const auto chain = must(SerialChain::make(model, arm.base_link, arm.tip_link));
    JointVector seed(static_cast<Eigen::Index>(chain.size()));
    for (std::size_t i = 0; i < chain.size(); ++i)
      seed[static_cast<Eigen::Index>(i)] = lockstep_->state().position[chain.position(i)];
    Pose X_BT;
    X_BT.position = p;
    const IkResult found = InverseKinematics(chain).solve(X_BT, {seed.data(), chain.size()},
                                                          {.task = must(pose_task_from_text("p_x p_y p_z"))});
    must_be(found.status == IkStatus::Solved, fmt::format("way {}: {}", way_, explain(found, model, chain)));
    JointArray goal = lockstep_->state().position;
    for (std::size_t i = 0; i < chain.size(); ++i)
      goal[chain.position(i)] = found.solutions[0].q[static_cast<Eigen::Index>(i)];
    return goal;
  }

  int way_;
  Drive drive_;
  std::unique_ptr<Lockstep> lockstep_;
  LockstepRecording recording_;
};

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  sinew::must_be(count == 2, "usage: hand_at_table FOLDER");
  for (int way = 0; way < sinew::kWays; ++way)
    sinew::Run(way, fmt::format("{}/{:02}.mcap", words[1], way)).go();
}
