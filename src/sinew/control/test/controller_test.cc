// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/controller.h"

#include <cmath>
#include <limits>
#include <random>

#include "sinew/base/test/allocation_count.h"
#include "sinew/control/safety_text.h"
#include "sinew/control/test/controller_fixture.h"

namespace sinew {
namespace {

TEST_F(ControllerTest, BeginsWhereTheRobotIsAndStaysThere) {
  state_.position[0] = 0.7;
  state_.position[2] = -0.3;
  cycles(100);
  EXPECT_EQ(controller_->state(), ControlState::Running);
  EXPECT_EQ(last_.position[0], 0.7);
  EXPECT_EQ(last_.position[2], -0.3);
  EXPECT_EQ(last_.velocity[0], 0.0);
}

TEST_F(ControllerTest, SendsNothingBeforeTheDeviceHasSpoken) {
  has_device_ = false;
  want(0, 1, 0.5);
  cycles(50);
  EXPECT_EQ(last_.is_enabled, 0U);
  EXPECT_EQ(controller_->state(), ControlState::Starting);
  EXPECT_EQ(safety().reason, StopReason::StaleState);
}

TEST_F(ControllerTest, ATargetIsReachedAlsoWhenItsSenderIsGone) {
  cycle();
  want(0, 0b10, 1.0);
  cycles(3000);
  EXPECT_EQ(last_.position[1], 1.0);
  EXPECT_EQ(last_.velocity[1], 0.0);
  EXPECT_EQ(last_.position[0], 0.0);
}

TEST_F(ControllerTest, AStreamThatFallsSilentEndsInASmoothStop) {
  cycle();
  for (int i = 0; i < 500; ++i) {
    want(0, 0b10, 1.9, 50 * kMillisecond_ns);
    cycle();
  }
  EXPECT_GT(last_.velocity[1], 0.5);
  double before = last_.acceleration[1];
  for (int i = 0; i < 1000; ++i) {
    cycle();
    ASSERT_LE(std::abs(last_.acceleration[1] - before), 40.0 * 1e-3 * 1.000001);
    before = last_.acceleration[1];
  }
  EXPECT_EQ(last_.velocity[1], 0.0);
  EXPECT_LT(last_.position[1], 1.5);
  EXPECT_EQ(safety().reason, StopReason::LeaseExpired);
  EXPECT_EQ(text_of(safety().who), "a");
  want(1, 0b10, 0.0);
  cycles(3000);
  EXPECT_EQ(last_.position[1], 0.0) << "the next wish is carried out";
}

TEST_F(ControllerTest, StopsForEverybodyAndRunsAgainAfterAReset) {
  cycle();
  want(0, 0b1, 1.5);
  cycles(400);
  ask(ControlVerb::Stop);
  EXPECT_TRUE(cycle().events.has_stopped);
  cycles(1000);
  EXPECT_EQ(controller_->state(), ControlState::Stopped);
  EXPECT_EQ(text_of(safety().who), "tester");
  EXPECT_EQ(last_.velocity[0], 0.0);
  const double stopped = last_.position[0];
  EXPECT_LT(stopped, 1.0);
  want(0, 0b1, 1.5);
  cycles(1000);
  EXPECT_EQ(last_.position[0], stopped) << "what is wanted of a stopped robot is not done";

  ask(ControlVerb::Reset);
  cycles(1000);
  EXPECT_EQ(controller_->state(), ControlState::Running);
  EXPECT_EQ(last_.position[0], stopped) << "and not done after the reset either, unless wanted again";
  EXPECT_EQ(last_.wanted[0], stopped) << "nobody wants anything of it";
  want(0, 0b1, 1.5);
  cycles(3000);
  EXPECT_EQ(last_.position[0], 1.5);
}

TEST_F(ControllerTest, AResetInFullBrakingWaitsForTheEndOfIt) {
  cycle();
  want(0, 0b1, 1.5);
  cycles(600);
  ask(ControlVerb::Stop);
  cycle();
  ask(ControlVerb::Reset);
  double before = last_.velocity[0];
  for (int i = 0; i < 1000; ++i) {
    cycle();
    ASSERT_LE(std::abs(last_.velocity[0] - before), 4.0 * 1e-3 * 1.000001) << i;
    before = last_.velocity[0];
  }
  EXPECT_EQ(controller_->state(), ControlState::Running);
}

// what must never break: whoever presses stop last has the last word
TEST_F(ControllerTest, AStopAfterAResetInFullBrakingIsTheLastWord) {
  cycle();
  want(0, 0b1, 1.5);
  cycles(600);
  ask(ControlVerb::Stop);
  cycle();
  ask(ControlVerb::Reset);
  cycles(2);
  ASSERT_GT(last_.velocity[0], 0.1) << "still braking";
  ask(ControlVerb::Stop);
  cycles(2000);
  EXPECT_EQ(controller_->state(), ControlState::Stopped);
  EXPECT_EQ(safety().reason, StopReason::Requested);
  want(0, 0b1, -1.0);
  cycles(100);
  EXPECT_EQ(last_.velocity[0], 0.0);
  ask(ControlVerb::Reset);
  cycles(5);
  EXPECT_EQ(controller_->state(), ControlState::Running) << "the next reset counts";
}

TEST_F(ControllerTest, AStopWhileItStartsKeepsItStopped) {
  has_device_ = false;
  cycles(5);
  ASSERT_EQ(controller_->state(), ControlState::Starting);
  ask(ControlVerb::Stop);
  cycles(5);
  EXPECT_EQ(controller_->state(), ControlState::Stopped);
  EXPECT_EQ(safety().reason, StopReason::Requested) << "and not what it waits for";
  has_device_ = true;
  cycles(50);
  EXPECT_EQ(controller_->state(), ControlState::Stopped);
  EXPECT_EQ(text_of(safety().who), "tester");
  ask(ControlVerb::Reset);
  cycles(5);
  EXPECT_EQ(controller_->state(), ControlState::Running);
}

TEST_F(ControllerTest, AStopInTheCycleOfAResetsStartKeepsItStopped) {
  make({.starts_held = true});
  cycle();
  ask(ControlVerb::Reset);
  cycle();
  ASSERT_EQ(controller_->state(), ControlState::Starting);
  ask(ControlVerb::Stop);
  cycles(50);
  EXPECT_EQ(controller_->state(), ControlState::Stopped);
}

TEST_F(ControllerTest, AStopOfAFaultedRobotCallsItsResetOff) {
  cycle();
  want(0, 0b1, 1.5);
  cycles(600);
  state_.fault_bits = kFaultDrive;
  cycle();
  ASSERT_EQ(controller_->state(), ControlState::Faulted);
  state_.fault_bits = 0;
  ask(ControlVerb::Reset);
  cycle();
  ASSERT_GT(last_.velocity[0], 0.1) << "still braking";
  ask(ControlVerb::Stop);
  cycles(2000);
  EXPECT_EQ(controller_->state(), ControlState::Faulted);
  EXPECT_EQ(safety().reason, StopReason::DeviceFault);
  ask(ControlVerb::Reset);
  cycles(5);
  EXPECT_EQ(controller_->state(), ControlState::Running);
}

TEST_F(ControllerTest, ComesUpHeldWhenToldSo) {
  make({.starts_held = true});
  cycle();
  EXPECT_EQ(controller_->state(), ControlState::Held);
  want(0, 0b1, 1.0);
  cycles(500);
  EXPECT_EQ(last_.position[0], 0.0);
  ask(ControlVerb::Reset);
  cycles(2);
  want(0, 0b1, 1.0);
  cycles(3000);
  EXPECT_EQ(last_.position[0], 1.0);
}

// after the death of a controller its device had no commands, and waits for the same reset
TEST_F(ControllerTest, ComesUpHeldAlsoWhileItsDeviceReportsItsWatchdog) {
  make({.starts_held = true});
  state_.fault_bits = kFaultWatchdog;
  cycles(3);
  EXPECT_EQ(controller_->state(), ControlState::Held);
  EXPECT_EQ(safety().reason, StopReason::Restarted);
  EXPECT_EQ(last_.is_enabled, 0U) << "the drives stay off";
  EXPECT_EQ(safety_text(safety(), nullptr, state_.fault_bits),
            "held: the controller had died and was started anew; 'reset' lets it run");
  state_.fault_bits = 0;
  cycles(20);
  EXPECT_EQ(controller_->state(), ControlState::Held) << "nobody has asked for it";
  state_.fault_bits = kFaultWatchdog;
  make({.starts_held = true});
  cycles(3);
  ask(ControlVerb::Reset);
  now_ns_ += kMillisecond_ns;
  state_.stamp_ns = now_ns_;
  EXPECT_TRUE(controller_->step(state_, now_ns_).events.wants_reset);
  state_.fault_bits = 0;
  cycles(3);
  EXPECT_EQ(controller_->state(), ControlState::Running);
}

TEST_F(ControllerTest, SaysWhoHadItStartedAnew) {
  make({.starts_held = true, .restarted_by = "the supervisor"});
  cycle();
  EXPECT_EQ(safety_text(safety(), nullptr, 0),
            "held: the controller was started anew by the supervisor; 'reset' lets it run");
}

struct DeviceTrouble {
  const char* name;
  void (*cause)(JointState& state);
  StopReason reason;
};

class TroubleTest : public ControllerTest, public testing::WithParamInterface<DeviceTrouble> {};

TEST_P(TroubleTest, BrakesWithinLimitsSaysWhyAndRecovers) {
  cycle();
  want(0, 0b1, 1.5);
  cycles(600);
  ASSERT_GT(last_.velocity[0], 0.5);
  double before = last_.velocity[0];
  for (int i = 0; i < 1000; ++i) {
    now_ns_ += kMillisecond_ns;
    state_.stamp_ns = now_ns_;
    state_.position = last_.position;
    GetParam().cause(state_);
    last_ = controller_->step(state_, now_ns_).command;
    ASSERT_LE(std::abs(last_.velocity[0] - before), 4.0 * 1e-3 * 1.000001);
    before = last_.velocity[0];
  }
  EXPECT_EQ(controller_->state(), ControlState::Faulted);
  EXPECT_EQ(safety().reason, GetParam().reason);
  EXPECT_EQ(last_.velocity[0], 0.0);

  state_ = {.measured_mask = ~std::uint64_t{0}, .joint_count = 4};
  state_.position = last_.position;
  cycles(50);
  EXPECT_EQ(controller_->state(), ControlState::Faulted) << "a fault does not end by itself";
  ask(ControlVerb::Reset);
  EXPECT_TRUE(cycle().events.wants_reset);
  cycles(5);
  EXPECT_EQ(controller_->state(), ControlState::Running);
}

INSTANTIATE_TEST_SUITE_P(
    Device, TroubleTest,
    testing::Values(
        DeviceTrouble{"Fault", [](JointState& s) { s.fault_bits = kFaultDrive; }, StopReason::DeviceFault},
        DeviceTrouble{"Watchdog", [](JointState& s) { s.fault_bits = kFaultWatchdog; },
                      StopReason::DeviceFault},
        DeviceTrouble{"Stale", [](JointState& s) { s.stamp_ns = kSecond_ns; }, StopReason::StaleState},
        DeviceTrouble{"OfTheFuture", [](JointState& s) { s.stamp_ns += 60 * kSecond_ns; },
                      StopReason::StaleState},
        DeviceTrouble{"NotANumber",
                      [](JointState& s) { s.position[2] = std::numeric_limits<double>::quiet_NaN(); },
                      StopReason::NotANumber},
        DeviceTrouble{"Infinite",
                      [](JointState& s) { s.velocity[1] = std::numeric_limits<double>::infinity(); },
                      StopReason::NotANumber},
        DeviceTrouble{"DoesNotFollow", [](JointState& s) { s.position[0] = -1.0; },
                      StopReason::TrackingError}),
    [](const auto& trouble) { return trouble.param.name; });

// a joint that lags behind: what its own links touch, and what its motor gives
TEST_F(ControllerTest, SaysWhatAJointThatDoesNotFollowTouches) {
  model_.joints[1].limits.effort = 28.0;
  cycle();
  controller_->take_contact(1, "elsewhere", true);  // carried by the first joint alone
  controller_->take_contact(4, "pen", true);
  controller_->take_contact(3, "floor", true);
  controller_->take_contact(4, "cup", true);
  controller_->take_contact(4, "cup", false);
  state_.load[1] = -27.9;
  state_.load_mask = 0b1111;
  last_.position[1] = -1.0;
  cycle();
  EXPECT_EQ(safety().reason, StopReason::TrackingError);
  EXPECT_EQ(safety().joint, 1U);
  EXPECT_EQ(text_of(safety().link_a), "link3");
  EXPECT_EQ(text_of(safety().link_b), "floor");
  EXPECT_EQ(safety().margin, 0.0) << "a device's load may be a current";

  // the next fault is told without the cause of this one
  controller_->take_contact(3, "floor", false);
  controller_->take_contact(4, "pen", false);
  controller_->take_loads_as_efforts();
  last_.position[1] = 0.0;
  ask(ControlVerb::Reset);
  cycles(10);
  ASSERT_EQ(controller_->state(), ControlState::Running);
  last_.position[1] = -1.0;
  cycle();
  EXPECT_EQ(safety().reason, StopReason::TrackingError);
  EXPECT_EQ(text_of(safety().link_a), "");
  EXPECT_EQ(safety().margin, 28.0);
}

TEST_F(ControllerTest, BadInputIsCountedAndDisturbsNothing) {
  cycle();
  want(0, 0b1, 1.0);
  cycles(100);
  JointCommand undisturbed = last_;
  for (int i = 0; i < 1000; ++i) want(1, 0b1, std::numeric_limits<double>::quiet_NaN());
  want(1, 0b1, 99.0);
  cycle();
  EXPECT_EQ(safety().refusals, 1001U);
  EXPECT_EQ(safety().last_refusal, Refusal::OutOfLimits);
  EXPECT_EQ(safety().refused_bound, 2.0);
  EXPECT_EQ(text_of(safety().refused_who), "b");
  EXPECT_NEAR(last_.position[0], undisturbed.position[0] + 1e-3 * undisturbed.velocity[0], 1e-5);
  cycles(3000);
  EXPECT_EQ(last_.position[0], 1.0);
}

// a device that stamps by another clock and dies
TEST_F(ControllerTest, DoesNotBeginWithAStateOfTheFuture) {
  has_device_ = false;
  state_.stamp_ns = now_ns_ + 1'700'000'000 * kSecond_ns;
  cycles(500);
  EXPECT_EQ(controller_->state(), ControlState::Starting);
  EXPECT_EQ(last_.is_enabled, 0U);
}

TEST_F(ControllerTest, WhatIsWantedOfARobotThatDoesNotRunIsRefusedAndCounted) {
  want(0, 0b1, 1.0);
  EXPECT_EQ(safety().refusals, 1U);
  EXPECT_EQ(safety().last_refusal, Refusal::NotRunning);
  EXPECT_EQ(text_of(safety().refused_who), "a");
  cycles(10);
  ask(ControlVerb::Stop);
  cycle();
  want(1, 0b1, 1.0);
  EXPECT_EQ(safety().refusals, 2U);
  EXPECT_EQ(text_of(safety().refused_who), "b");
  ask(ControlVerb::Reset);
  cycles(5);
  want(1, 0b1, 1.0);
  EXPECT_EQ(safety().refusals, 2U);
}

TEST_F(ControllerTest, OnlyTheOverrideChannelOverrides) {
  cycle();
  ask(ControlVerb::Override);
  cycle();
  EXPECT_EQ(safety().is_overridden, 0U);
  EXPECT_EQ(safety().last_refusal, Refusal::NotAllowed);
  ControlRequest request{
      .stamp_ns = now_ns_, .lease_ns = 100 * kMillisecond_ns, .verb = ControlVerb::Override};
  set_text(request.who, "expert");
  controller_->take_override(request, now_ns_);
  cycle();
  EXPECT_EQ(safety().is_overridden, 1U);
  EXPECT_EQ(text_of(safety().overridden_by), "expert");
  EXPECT_EQ(safety().overrides, 1U);
  cycles(100);
  EXPECT_EQ(safety().is_overridden, 0U) << "it ends by itself";
}

TEST_F(ControllerTest, ACycleAllocatesNothing) {
  cycles(10);
  const std::uint64_t before = allocation_count;
  ASSERT_GT(before, 0U) << "the counter does not count";
  for (int i = 0; i < 2000; ++i) {
    if (i % 100 == 0) want(static_cast<std::size_t>(i / 100 % 3), 0b1111, i % 200 == 0 ? 1.9 : -1.9);
    if (i % 250 == 0) ask(i % 500 == 0 ? ControlVerb::Stop : ControlVerb::Reset);
    cycle();
  }
  EXPECT_EQ(allocation_count, before);
}

// what must never break: three programs want anything of any joint at any time in any way, and no limit is
// ever exceeded in what is sent, measured as anyone would from a recording
class LimitsTest : public ControllerTest, public testing::WithParamInterface<Smoothing> {};

TEST_P(LimitsTest, NoBoundIsEverExceededWhateverIsWanted) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> position(-2.0, 2.0);
  cycle();
  std::array<JointCommand, 4> past;
  past.fill(last_);
  for (int i = 0; i < 30'000; ++i) {
    if (random() % 20 == 0) {
      JointReference reference{.stamp_ns = now_ns_, .joint_mask = random() % 15 + 1};
      reference.lease_ns = random() % 3 == 0 ? 30 * kMillisecond_ns : 0;
      reference.smoothing = GetParam();
      for (double& p : reference.position) p = position(random);
      controller_->take_reference(random() % 3, reference, now_ns_);
    }
    if (random() % 5000 == 0) ask(ControlVerb::Stop);
    if (controller_->state() != ControlState::Running && random() % 300 == 0) ask(ControlVerb::Reset);
    cycle();
    std::rotate(past.begin(), past.begin() + 1, past.end());
    past[3] = last_;
    for (std::size_t joint = 0; joint < 4; ++joint) {
      const auto p = [&](std::size_t k) { return past[k].position[joint]; };
      const double velocity = (p(3) - p(2)) / 1e-3;
      const double acceleration = (p(3) - 2 * p(2) + p(1)) / 1e-6;
      const double jerk = (p(3) - 3 * p(2) + 3 * p(1) - p(0)) / 1e-9;
      ASSERT_LE(std::abs(p(3)), 2.0 + 1e-12) << i;
      ASSERT_LE(std::abs(velocity), 1.0 * (1 + 1e-9)) << i;
      ASSERT_LE(std::abs(acceleration), 4.0 * (1 + 1e-6) + 1e-8) << i;
      ASSERT_LE(std::abs(jerk), 40.0 * (1 + 1e-6) + 8e-5) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LimitsTest,
                         testing::Values(Smoothing::JerkLimited, Smoothing::FirstOrder, Smoothing::Direct,
                                         Smoothing::Compliant));

}  // namespace
}  // namespace sinew
