// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "sinew/control/test/controller_fixture.h"

namespace sinew {
namespace {

/// A device that looks for its references by itself when it is asked to.
class HomingTest : public ControllerTest {
 protected:
  /// The device turns its first joint until it has found them.
  void search(int count) {
    state_.fault_bits = kFaultNotHomed;
    for (int i = 0; i < count; ++i) {
      state_.position[0] -= 1e-3;
      cycle();
    }
  }
};

TEST_F(HomingTest, ARobotThatDoesNotKnowWhereItIsDoesNotRunUntilItDoes) {
  state_.fault_bits = kFaultNotHomed;
  cycles(50);
  EXPECT_EQ(controller_->state(), ControlState::Starting);
  EXPECT_EQ(safety().reason, StopReason::DeviceFault);
  EXPECT_EQ(last_.is_enabled, 0U);
  want(0, 0b1, 1.0);
  EXPECT_EQ(safety().last_refusal, Refusal::NotRunning);

  ask(ControlVerb::Home);
  EXPECT_TRUE(cycle().events.wants_homing);
  EXPECT_EQ(controller_->state(), ControlState::Homing);
  EXPECT_EQ(safety().reason, StopReason::None);
  EXPECT_EQ(text_of(safety().who), "tester");
  search(900);
  EXPECT_EQ(controller_->state(), ControlState::Homing) << "it moves by itself, and that is no fault";
  EXPECT_EQ(last_.is_enabled, 0U) << "its drives are left to it";
  want(0, 0b1, 1.0);
  EXPECT_EQ(safety().refusals, 2U);

  const double found = state_.position[0];
  state_.fault_bits = 0;
  cycles(100);
  EXPECT_EQ(controller_->state(), ControlState::Running);
  EXPECT_EQ(last_.position[0], found) << "from where it is: never a step";
  EXPECT_EQ(last_.is_enabled, 1U);
  want(0, 0b1, 0.5);
  cycles(4000);
  EXPECT_EQ(last_.position[0], 0.5);
}

TEST_F(HomingTest, WhoRunsBrakesFirst) {
  cycle();
  want(0, 0b1, 1.5);
  cycles(600);
  ASSERT_GT(last_.velocity[0], 0.5);
  ask(ControlVerb::Home);
  double before = last_.velocity[0];
  bool is_asked = false;
  for (int i = 0; i < 1000 && !is_asked; ++i) {
    is_asked = cycle().events.wants_homing;
    ASSERT_EQ(controller_->state(), ControlState::Homing);
    ASSERT_LE(std::abs(last_.velocity[0] - before), 4.0 * 1e-3 * 1.000001);
    before = last_.velocity[0];
  }
  EXPECT_TRUE(is_asked);
  EXPECT_EQ(last_.velocity[0], 0.0);
  EXPECT_EQ(last_.is_enabled, 0U);
  // it says so a little later
  cycles(50);
  search(900);
  state_.fault_bits = 0;
  const double found = state_.position[0];
  cycles(1000);
  EXPECT_EQ(controller_->state(), ControlState::Running);
  EXPECT_EQ(last_.position[0], found) << "what was wanted before is forgotten";
}

TEST_F(HomingTest, ADeviceWithNothingToLookForRunsOn) {
  state_.position[0] = 0.3;
  cycle();
  ask(ControlVerb::Home);
  cycles(10);
  EXPECT_EQ(controller_->state(), ControlState::Homing);
  cycles(500);
  EXPECT_EQ(controller_->state(), ControlState::Running);
  EXPECT_EQ(last_.position[0], 0.3);
}

TEST_F(HomingTest, AStopEndsIt) {
  cycle();
  ask(ControlVerb::Home);
  cycle();
  search(300);
  ask(ControlVerb::Stop);
  const double there = state_.position[0];
  cycles(100);
  EXPECT_EQ(controller_->state(), ControlState::Stopped);
  EXPECT_EQ(last_.is_enabled, 1U) << "the drives are taken back";
  EXPECT_EQ(last_.position[0], there);
  EXPECT_EQ(last_.velocity[0], 0.0);
  ask(ControlVerb::Home);
  cycles(10);
  EXPECT_EQ(safety().last_refusal, Refusal::NotRunning) << "a reset comes first";
  EXPECT_EQ(controller_->state(), ControlState::Stopped);
  ask(ControlVerb::Reset);
  cycles(10);
  EXPECT_EQ(controller_->state(), ControlState::Starting) << "it does not know where it is";
  ask(ControlVerb::Home);
  search(10);
  state_.fault_bits = 0;
  cycles(2);
  EXPECT_EQ(controller_->state(), ControlState::Running);
}

TEST_F(HomingTest, AFaultEndsIt) {
  cycle();
  ask(ControlVerb::Home);
  cycle();
  search(300);
  state_.fault_bits |= kFaultDrive;
  cycles(5);
  EXPECT_EQ(controller_->state(), ControlState::Faulted);
  EXPECT_EQ(safety().reason, StopReason::DeviceFault);
  state_.fault_bits = 0;
  cycles(500);
  EXPECT_EQ(controller_->state(), ControlState::Faulted) << "a fault does not end by itself";
  ask(ControlVerb::Reset);
  cycles(5);
  EXPECT_EQ(controller_->state(), ControlState::Running);
}

TEST_F(HomingTest, ADeviceThatFallsSilentMeanwhileIsAFault) {
  cycle();
  ask(ControlVerb::Home);
  cycle();
  search(300);
  has_device_ = false;
  cycles(300);
  EXPECT_EQ(controller_->state(), ControlState::Faulted);
  EXPECT_EQ(safety().reason, StopReason::StaleState);
}

TEST_F(HomingTest, WhoLosesItsReferencesInMotionStops) {
  cycle();
  want(0, 0b1, 1.5);
  cycles(600);
  state_.fault_bits = kFaultNotHomed;
  cycles(1000);
  EXPECT_EQ(controller_->state(), ControlState::Faulted);
  EXPECT_EQ(safety().reason, StopReason::DeviceFault);
  EXPECT_EQ(last_.velocity[0], 0.0);
}

}  // namespace
}  // namespace sinew
