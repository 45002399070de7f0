// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/safety_text.h"

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/control/test/small_robots.h"
#include "sinew/messages/joints.h"

namespace sinew {
namespace {

Safety held_apart() {
  Safety safety{.state = ControlState::Running, .reason = StopReason::SelfCollision, .held_mask = 3};
  safety.distance = 0.008;
  safety.margin = 0.010;
  set_text(safety.link_a, "left_hand");
  set_text(safety.link_b, "right_hand");
  return safety;
}

TEST(SafetyTextTest, SaysWhichPairComesTooNear) {
  EXPECT_EQ(safety_text(held_apart(), nullptr),
            "running; held: left_hand would come within 8.0 mm of right_hand; they must stay 10.0 mm apart");
  Safety touching = held_apart();
  touching.distance = -0.001;
  EXPECT_EQ(reason_sentence(touching, nullptr),
            "left_hand would touch right_hand; they must stay 10.0 mm apart");
  // refused for what lies between the places that were looked at
  Safety unsure = held_apart();
  unsure.distance = 0.0104;
  EXPECT_EQ(reason_sentence(unsure, nullptr),
            "left_hand might come nearer to right_hand than the 10.0 mm that they must stay apart");
  unsure.distance = 0.00999;
  EXPECT_EQ(reason_sentence(unsure, nullptr),
            "left_hand might come nearer to right_hand than the 10.0 mm that they must stay apart");
}

TEST(SafetyTextTest, SaysWhoStoppedAndWhatToDoNext) {
  Safety safety{.state = ControlState::Stopped, .reason = StopReason::Requested};
  set_text(safety.who, "console");
  EXPECT_EQ(safety_text(safety, nullptr), "stopped: console asked for it; 'reset' lets it run");
  set_text(safety.recording, "stop.mcap");
  EXPECT_EQ(safety_text(safety, nullptr),
            "stopped: console asked for it; 'reset' lets it run; recorded in stop.mcap");
}

TEST(SafetyTextTest, NamesTheJointThatDoesNotFollow) {
  const RobotModel model = row_of_joints(2);
  Safety safety{.state = ControlState::Faulted, .reason = StopReason::TrackingError, .joint = 1};
  safety.value = 1.0;
  safety.bound = 0.0;
  EXPECT_EQ(safety_text(safety, &model),
            "faulted: joint 'j2' is at 57.3 deg but was sent to 0.0 deg; mend it, then 'reset'");
  EXPECT_EQ(reason_sentence(safety, nullptr), "joint 2 is at 1 but was sent to 0");
  // a number that another process made up
  safety.joint = 4000;
  EXPECT_EQ(reason_sentence(safety, &model), "joint 4001 is at 1 but was sent to 0");
}

TEST(SafetyTextTest, SaysWhyAJointDoesNotFollowWhereThatIsKnown) {
  const RobotModel model = row_of_joints(2);
  Safety safety{.state = ControlState::Faulted, .reason = StopReason::TrackingError, .joint = 1};
  safety.bound = 0.5;
  set_text(safety.link_a, "arm2");
  set_text(safety.link_b, "floor");
  EXPECT_EQ(safety_text(safety, &model),
            "faulted: joint 'j2' is at 0.0 deg but was sent to 28.6 deg: arm2 touches floor; free it, then "
            "'reset'; a motion from there must lead away");
  safety.margin = 28.0;
  EXPECT_EQ(reason_sentence(safety, &model),
            "joint 'j2' is at 0.0 deg but was sent to 28.6 deg: arm2 touches floor, and its motor gives all "
            "it can, 28 N·m");
  set_text(safety.link_a, "");
  EXPECT_EQ(safety_text(safety, &model),
            "faulted: joint 'j2' is at 0.0 deg but was sent to 28.6 deg: its motor gives all it can, 28 N·m; "
            "less speed or less load, then 'reset'");
}

TEST(SafetyTextTest, NamesWhatTheDeviceComplainsOf) {
  const Safety safety{.state = ControlState::Faulted, .reason = StopReason::DeviceFault};
  EXPECT_EQ(reason_sentence(safety, nullptr, kFaultLost | kFaultEmergency),
            "the device reports: lost, emergency stop");
  EXPECT_EQ(reason_sentence(safety, nullptr), "the device reported a fault");
}

TEST(SafetyTextTest, SaysThatTheGuardIsOff) {
  Safety safety{.state = ControlState::Running, .is_overridden = 1};
  set_text(safety.overridden_by, "anna");
  EXPECT_EQ(safety_text(safety, nullptr), "running; the guard is overridden by anna");
}

TEST(SafetyTextTest, RefusalsCarryValueAndBounds) {
  const RobotModel model = row_of_joints(2);
  Safety safety{.last_refusal = Refusal::OutOfLimits, .refused_joint = 0};
  safety.refused_value = 3.0;
  safety.refused_bound = 2.0;
  set_text(safety.refused_who, "me");
  EXPECT_EQ(refusal_sentence(safety, &model),
            "me: joint 'j1' cannot go to 171.9 deg: its limits are -114.6 deg to 114.6 deg");
  EXPECT_EQ(refusal_sentence(safety, nullptr), "me: joint 1 cannot go to 3: its limit is 2");
  EXPECT_EQ(refusal_sentence(Safety{}, &model), "");
}

TEST(SafetyTextTest, RefusedSegmentsSayWhichMotionAndWhatOfWhichJoint) {
  const RobotModel model = row_of_joints(2);
  Safety safety{.last_refusal = Refusal::DoesNotJoin, .refused_joint = 1};
  safety.refused_motion = 7;
  safety.refused_value = 0.5;
  safety.refused_quantity = Quantity::Velocity;
  set_text(safety.refused_who, "segments");
  EXPECT_EQ(refusal_sentence(safety, &model),
            "segments: motion 7: velocity 0.5 rad/s of joint 'j2' where it should go on from 0 rad/s");
  EXPECT_EQ(refusal_sentence(safety, nullptr),
            "segments: motion 7: velocity 0.5 /s of joint 2 where it should go on from 0 /s");
  safety.last_refusal = Refusal::TooFast;
  safety.refused_quantity = Quantity::Jerk;
  safety.refused_value = 50.0;
  safety.refused_bound = 40.0;
  EXPECT_EQ(refusal_sentence(safety, &model),
            "segments: motion 7: jerk 50 rad/s³ of joint 'j2' passes its limit 40 rad/s³; take more time");
  safety.last_refusal = Refusal::Late;
  safety.refused_quantity = Quantity::Time;
  safety.refused_value = -0.25;
  EXPECT_EQ(refusal_sentence(safety, &model),
            "segments: motion 7: a piece came 0.25 s after its begin; send it ahead");
}

TEST(SafetyTextTest, EveryStateReasonAndRefusalHasWords) {
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_NE(state_text(ControlState{i}), "unknown") << i;
  for (std::uint32_t i = 0; i < 16; ++i) {
    EXPECT_NE(reason_text(StopReason{i}), "unknown") << i;
    const Safety safety{.state = ControlState::Stopped, .reason = StopReason{i}};
    EXPECT_EQ(reason_sentence(safety, nullptr).empty(), i == 0) << i;
  }
  for (std::uint32_t i = 0; i < 14; ++i) {
    EXPECT_NE(refusal_text(Refusal{i}), "unknown") << i;
    EXPECT_EQ(refusal_sentence({.last_refusal = Refusal{i}}, nullptr).empty(), i == 0) << i;
  }
  EXPECT_EQ(state_text(ControlState{6}), "unknown");
  EXPECT_EQ(reason_text(StopReason{16}), "unknown");
  EXPECT_EQ(refusal_text(Refusal{14}), "unknown");
}

TEST(SafetyTextTest, SaysWhatARobotWithoutReferencesWaitsFor) {
  const Safety safety{.state = ControlState::Starting, .reason = StopReason::DeviceFault};
  EXPECT_EQ(safety_text(safety, nullptr, kFaultNotHomed),
            "starting: the device reports: not homed; 'home' lets it look for its references");
}

TEST(SafetyTextTest, SaysWhyAReferenceToAStoppedRobotWasRefused) {
  Safety safety{.last_refusal = Refusal::NotRunning};
  set_text(safety.refused_who, "a");
  EXPECT_EQ(refusal_sentence(safety, nullptr), "a: the robot does not run; 'reset' lets it");
}

}  // namespace
}  // namespace sinew
