// SPDX-License-Identifier: BSD-3-Clause
// Motions of many short pieces: they are sent as the controller's queue has room for them.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/positions.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/motion/timed_points.h"
#include "sinew/spatial/pose.h"

#include "apps/lockstep/test/mds_with_motion.h"

namespace sinew {
namespace {

std::unique_ptr<Lockstep> robot_with_motion(const std::string& name) {
  auto robot = scene_robot(name, name, "home", usual_world_places().robots);
  EXPECT_TRUE(robot) << robot.error().message;
  Scene scene{.name = "test"};
  scene.robots.push_back(*std::move(robot));
  auto made = Lockstep::make(std::move(scene), name, {});
  EXPECT_TRUE(made) << made.error().message;
  EXPECT_TRUE((*made)->add_motion({}));
  for (int i = 0; i < 10; ++i) (*made)->step();
  return *std::move(made);
}

struct SmallCase {
  std::string robot;
  std::string arm;
};

class LinesOfEveryRobot : public testing::TestWithParam<SmallCase> {};

Request line_by(Lockstep& lockstep, const std::string& arm, const Vector3& by, double speed) {
  const auto solver = ArmSolver::make(lockstep.model(), arm, "");
  EXPECT_TRUE(solver);
  const JointCommand& command = lockstep.controller().output().command;
  const Pose X_BT = (*solver)->tool_pose({command.position.data(), command.joint_count});
  Request request{.verb = RequestVerb::MoveLine, .speed = speed};
  const Vector3 p = X_BT.position + by;
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  request.position = {p.x(), p.y(), p.z()};
  request.rpy = {rpy.roll, rpy.pitch, rpy.yaw};
  set_text(request.arm, arm);
  set_text(request.who, "test");
  return request;
}

TEST_P(LinesOfEveryRobot, ShortLinesAtFullSpeedAreCarriedOut) {
  const auto lockstep = robot_with_motion(GetParam().robot);
  for (const double speed : {1.0, 0.5, 0.1}) {
    for (const double z : {-0.05, 0.05}) {
      const Reply reply =
          answer_to(*lockstep, lockstep->ask(line_by(*lockstep, GetParam().arm, {0, 0, z}, speed)));
      EXPECT_EQ(reply.status, ReplyStatus::Done) << speed << ": " << text_of(reply.reason);
      const Safety& safety = lockstep->controller().output().safety;
      EXPECT_EQ(safety.refusals, 0U) << "the last one: " << static_cast<int>(safety.last_refusal);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, LinesOfEveryRobot,
                         testing::Values(SmallCase{"panda", ""}, SmallCase{"ur5e", ""},
                                         SmallCase{"kr60", ""}),
                         [](const auto& tested) {
                           std::string name = tested.param.robot;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// points so close that a quarter of a second of them is twice what the controller's queue holds, for two arms
TEST(SmallPiecesTest, TwoArmsFollowPointsAMillisecondApartAtTheSameTime) {
  const auto lockstep = robot_with_motion("mds");
  std::vector<std::uint64_t> numbers;
  for (const char* name : {"LEP", "REP"}) {
    const std::size_t joint = lockstep->model().joints[find_joint(lockstep->model(), name)].position;
    const double begin = lockstep->controller().output().command.position[joint];
    TimedPoints given{.joint_mask = std::uint64_t{1} << joint, .content = kHasVelocities | kHasAccelerations};
    for (int k = 0; k <= 2000; ++k) {
      const double u = 0.0005 * k;
      const double way = u * u * u * u * (35.0 - 84.0 * u + 70.0 * u * u - 20.0 * u * u * u);
      const double slope = 140.0 * u * u * u * (1.0 - u) * (1.0 - u) * (1.0 - u);
      const double bend = 420.0 * u * u * (1.0 - u) * (1.0 - u) * (1.0 - 2.0 * u);
      given.points.push_back({.time = 0.001 * k,
                              .position = {begin + 0.3 * way},
                              .velocity = {0.5 * 0.3 * slope},
                              .acceleration = {0.25 * 0.3 * bend}});
    }
    for (const TrajectoryPart& part : parts_of(given, "test", numbers.size() + 1)) lockstep->put(part);
    Request request{.verb = RequestVerb::Trajectory, .number = numbers.size() + 1};
    set_text(request.who, "test");
    numbers.push_back(lockstep->ask(request));
  }
  for (const std::uint64_t number : numbers) {
    const Reply reply = answer_to(*lockstep, number);
    EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  }
  EXPECT_EQ(lockstep->controller().output().safety.refusals, 0U);
}

}  // namespace
}  // namespace sinew
