// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/homing_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>

#include "sinew/drivers/test/two_joints.h"
#include "sinew/simulation/device.h"
#include "sinew/simulation/random.h"

namespace sinew {
namespace {

constexpr double kStep = 1e-3;  // [s]

RobotModel switched_joints(double edge = 0.4) {
  RobotModel model = two_joints();
  model.homing = {{.position = 1, .edge = edge, .width = 0.1, .speed = 0.3, .latch_speed = 0.05},
                  {.position = 0, .edge = -0.7, .width = 0.2, .speed = 0.5, .latch_speed = 0.02}};
  return model;
}

/// Joints that move as they are told, between their limits.
struct Joints {
  const RobotModel& model;
  std::array<double, 2> q;
  std::array<std::optional<double>, 2> found{};
  double seconds = 0.0;

  void search(HomingSearch& search) {
    search.begin();
    for (; search.is_searching() && seconds < 1000.0; seconds += kStep) {
      const HomingSearch::Order order = search.step(q);
      if (order.is_at_edge != kNone) found[order.is_at_edge] = q[order.is_at_edge];
      if (order.joint == kNone) continue;
      const JointLimits& limits = model.joints[model.positions[order.joint]].limits;
      q[order.joint] = std::clamp(q[order.joint] + kStep * order.velocity, limits.lower, limits.upper);
    }
  }
};

// from below, from above and from on the cam
TEST(HomingSearch, FindsTheEdgesFromWhereverTheJointsStand) {
  const RobotModel model = switched_joints();
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    Joints joints{.model = model, .q = {4.0 * random.uniform() - 2.0, 4.0 * random.uniform() - 2.0}};
    const std::array<double, 2> from = joints.q;
    HomingSearch search(model);
    EXPECT_FALSE(search.is_searching());
    joints.search(search);
    ASSERT_FALSE(search.is_lost()) << from[0] << " " << from[1];
    for (const HomeSwitch& home : model.homing) {
      ASSERT_TRUE(joints.found[home.position]);
      const double off = *joints.found[home.position] - home.edge;
      ASSERT_GE(off, 0.0);
      ASSERT_LE(off, kStep * home.latch_speed + 1e-12) << from[home.position];
    }
    // twice the range at the speed of the search is the longest way there is, and back up from below the cams
    ASSERT_LT(joints.seconds, 2.0 * 4.0 / 0.3 + 2.0 * 4.0 / 0.5 + 0.1 / 0.05 + 0.2 / 0.02 + 1.0);
  }
}

// where a joint stands when it is switched on nobody knows: at its switch it is looked for as anywhere else
TEST(HomingSearch, AJointAtItsSwitchIsLedOffItAndBack) {
  const RobotModel model = switched_joints();
  Joints joints{.model = model, .q = {-0.7, 0.4}};
  std::array<double, 2> lowest = joints.q;
  HomingSearch search(model);
  search.begin();
  while (search.is_searching()) {
    const HomingSearch::Order order = search.step(joints.q);
    if (order.is_at_edge != kNone) joints.found[order.is_at_edge] = joints.q[order.is_at_edge];
    if (order.joint == kNone) continue;
    joints.q[order.joint] += kStep * order.velocity;
    lowest[order.joint] = std::min(lowest[order.joint], joints.q[order.joint]);
  }
  for (const HomeSwitch& home : model.homing) {
    ASSERT_TRUE(joints.found[home.position]);
    EXPECT_NEAR(lowest[home.position], home.edge - home.width, 2e-3);
    EXPECT_NEAR(*joints.found[home.position], home.edge, 1e-4);
  }
}

TEST(HomingSearch, AJointThatTurnsWithoutEndFindsItsCamWithinATurn) {
  RobotModel model = switched_joints();
  Joint& endless = model.joints[0];
  endless.kind = JointKind::Continuous;
  endless.limits.lower = -std::numeric_limits<double>::infinity();
  endless.limits.upper = std::numeric_limits<double>::infinity();
  for (double from = -20.0; from < 20.0; from += 0.37) {
    Joints joints{.model = model, .q = {from, 0.45}};
    HomingSearch search(model);
    joints.search(search);
    ASSERT_TRUE(joints.found[0]) << from;
    const double off = std::remainder(*joints.found[0] + 0.7, 2.0 * std::numbers::pi);
    ASSERT_NEAR(off, 0.0, 1e-4) << from;
    ASSERT_LT(std::abs(*joints.found[0] - from), 2.0 * std::numbers::pi) << from;
  }
}

TEST(HomingSearch, ACamThatIsNowhereEndsIt) {
  for (const double edge : {-2.05, 2.5}) {  // one that reaches down to the end stop has no edge to come to
    const RobotModel model = switched_joints(edge);
    Joints joints{.model = model, .q = {0.1, 0.2}};
    HomingSearch search(model);
    joints.search(search);
    EXPECT_TRUE(search.is_lost()) << edge;
    EXPECT_FALSE(search.is_searching());
    EXPECT_FALSE(joints.found[0]) << "the next is not looked for";
    search.begin();
    EXPECT_FALSE(search.is_lost());
  }
}

// ---- the same, of a device ----

class HomingDeviceTest : public testing::Test {
 protected:
  /// Joints follow their references at once, unless one is kept where it is.
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      now_ns_ += kMillisecond_ns;
      command_.stamp_ns = now_ns_;
      if (is_commanded_) device_.take(command_);
      device_.advance(kMillisecond_ns);
      std::array<double, 2> q{};
      for (std::size_t k = 0; k < 2; ++k) q[k] = device_.references()[k].position;
      if (is_kept_) q[1] = kept_;
      q_ = q;
      device_.measure(now_ns_, q_, std::array<double, 2>{}, std::array<double, 2>{});
    }
  }
  std::uint32_t faults() const { return device_.state().fault_bits; }

  RobotModel model_ = switched_joints();
  std::array<double, 2> start_{0.9, -0.5};
  std::array<double, 2> q_ = start_;
  SimulatedDevice device_{model_, start_, {}};
  JointCommand command_{.moved_mask = 3, .joint_count = 2, .is_enabled = 0};
  std::int64_t now_ns_ = kSecond_ns;
  bool is_commanded_ = true;
  bool is_kept_ = false;
  double kept_ = 0.0;
};

TEST_F(HomingDeviceTest, SwitchedOnItDoesNotKnowWhereItIsAndAfterHomingItDoes) {
  EXPECT_EQ(faults(), kFaultNotHomed);
  run(10);
  EXPECT_EQ(faults(), kFaultNotHomed);
  EXPECT_EQ(device_.state().position[0], 0.0) << "it takes itself to be at home, and is at 0.9";
  device_.reset();
  EXPECT_EQ(faults(), kFaultNotHomed) << "that is no fault that a reset mends";
  device_.home();
  run(60'000);
  EXPECT_EQ(faults(), 0U);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(device_.state().position[k], q_[k], 6e-5);
  // and goes where it is sent
  command_.is_enabled = 1;
  command_.position = device_.state().position;
  command_.position[0] = 0.25;
  run(1);
  EXPECT_NEAR(q_[0], 0.25, 6e-5);
  // found once is not found for ever
  command_.is_enabled = 0;
  device_.home();
  EXPECT_EQ(faults(), kFaultNotHomed);
  run(60'000);
  EXPECT_EQ(faults(), 0U);
  device_.restart(start_);
  device_.reset();
  EXPECT_EQ(faults(), kFaultNotHomed);
}

TEST_F(HomingDeviceTest, AnEnabledCommandOrSilenceEndsTheSearch) {
  for (const bool is_silence : {false, true}) {
    device_.home();
    run(300);
    const double moved = q_[1];
    run(10);
    ASSERT_GT(q_[1], moved);
    is_commanded_ = !is_silence;
    command_.is_enabled = 1;
    command_.position = device_.state().position;
    run(300);
    const double stopped = q_[1];
    run(1000);
    EXPECT_EQ(q_[1], stopped);
    EXPECT_EQ(faults(), is_silence ? kFaultNotHomed | kFaultWatchdog : kFaultNotHomed);
    device_.home();
    command_.is_enabled = 0;
  }
  run(1000);
  EXPECT_EQ(faults(), kFaultNotHomed | kFaultWatchdog) << "one that has stopped by itself looks for nothing";
}

TEST_F(HomingDeviceTest, AJointThatIsKeptFromMovingIsAFault) {
  device_.home();
  run(100);
  is_kept_ = true;
  kept_ = q_[1];
  run(1000);
  EXPECT_EQ(faults(), kFaultNotHomed | kFaultDrive);
  const double stopped = device_.references()[1].position;
  run(1000);
  EXPECT_EQ(device_.references()[1].position, stopped);
}

}  // namespace
}  // namespace sinew
