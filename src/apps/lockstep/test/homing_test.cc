// SPDX-License-Identifier: BSD-3-Clause
// An arm that is switched on somewhere and looks for its switches, with all that moves it otherwise.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/lockstep/lockstep.h"

namespace sinew {
namespace {

constexpr double kCount = 0.009;  // [rad] of the wrist, the coarsest

class HomingArmTest : public testing::Test {
 protected:
  void SetUp() override {
    const WorldPlaces places = usual_world_places();
    const auto loaded = load_robot("scorbot-er3:homing", places.robots);
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto control = read_control(loaded->settings.control);
    auto robot = scene_robot("scorbot-er3:homing", "arm", "ready", places.robots);
    ASSERT_TRUE(robot) << robot.error().message;
    Scene scene{.name = "test"};
    scene.robots.push_back(*std::move(robot));
    auto made = Lockstep::make(std::move(scene), "arm", *control);
    ASSERT_TRUE(made) << made.error().message;
    robot_ = *std::move(made);
    ASSERT_TRUE(robot_->add_motion());
    pass(0.5);
  }

  void pass(double seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 1000.0); ++i) robot_->step();
  }
  void ask(ControlVerb verb) { robot_->controller().take_request({.verb = verb}, robot_->now_ns()); }
  ControlState safety() { return robot_->controller().state(); }
  double off() const {
    double farthest = 0.0;
    for (std::size_t i = 0; i < 5; ++i)
      farthest = std::max(farthest,
                          std::abs(robot_->state().position[i] - robot_->simulation().joint_position(0, i)));
    return farthest;
  }
  ReplyStatus move(double base) {
    Request request{.verb = RequestVerb::MoveJoints, .joint_mask = 1};
    request.joints[0] = base;
    const auto reply = robot_->wait_for(robot_->ask(request));
    return reply ? reply->status : ReplyStatus::Accepted;
  }

  std::unique_ptr<Lockstep> robot_;
};

TEST_F(HomingArmTest, RunsOnlyAfterItHasFoundWhereItIs) {
  EXPECT_EQ(safety(), ControlState::Starting);
  EXPECT_EQ(robot_->state().fault_bits, kFaultNotHomed);
  EXPECT_GT(off(), 0.5) << "it takes itself to be at home, and stands elsewhere";
  EXPECT_NE(move(0.3), ReplyStatus::Done);

  ask(ControlVerb::Home);
  for (int i = 0; i < 300'000 && safety() != ControlState::Running; ++i) robot_->step();
  ASSERT_EQ(safety(), ControlState::Running);
  EXPECT_LT(off(), kCount);
  for (const HomeSwitch& home : robot_->model().homing)
    EXPECT_NEAR(robot_->simulation().joint_position(0, home.position), home.edge, kCount);
  EXPECT_EQ(move(0.3), ReplyStatus::Done);
  EXPECT_NEAR(robot_->simulation().joint_position(0, 0), 0.3, 0.002);
}

TEST_F(HomingArmTest, AStopEndsTheSearchAndItCanBeBegunAgain) {
  ask(ControlVerb::Home);
  pass(1.0);
  EXPECT_EQ(safety(), ControlState::Homing);
  ask(ControlVerb::Stop);
  pass(1.0);
  EXPECT_EQ(safety(), ControlState::Stopped);
  const double stopped = robot_->simulation().joint_position(0, 1);
  pass(2.0);
  EXPECT_NEAR(robot_->simulation().joint_position(0, 1), stopped, 1e-4);
  ask(ControlVerb::Reset);
  pass(0.5);
  EXPECT_EQ(safety(), ControlState::Starting);
  ask(ControlVerb::Home);
  for (int i = 0; i < 300'000 && safety() != ControlState::Running; ++i) robot_->step();
  EXPECT_EQ(safety(), ControlState::Running);
  EXPECT_LT(off(), kCount);
}

}  // namespace
}  // namespace sinew
