// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/pace.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/channels/sinew_channel.h"
#include "sinew/control/controller.h"
#include "sinew/control/test/small_robots.h"
#include "sinew/drivers/external_driver.h"
#include "sinew/drivers/robot_clock.h"
#include "sinew/messages/schemas.h"

namespace sinew {
namespace {

TEST(TimerPaceTest, RobotTimeIsWholePeriodsApartHoweverLateTheWakeUps) {
  TimerPace pace(kMillisecond_ns);
  const std::int64_t first_ns = pace.wait().now_ns;
  for (int i = 0; i < 50; ++i) {
    const Beat beat = pace.wait();
    EXPECT_EQ((beat.now_ns - first_ns) % kMillisecond_ns, 0);
    EXPECT_GE(beat.wake_latency_ns, 0);
    EXPECT_LE(beat.now_ns, monotonic_now_ns());
  }
}

// who wakes up early waits: no cycle begins before it is due, and none is moved by it
TEST(TimerPaceTest, NoBeatIsEarlyAndNoneDriftsHoweverEarlyItWakesUp) {
  for (const std::int64_t early_ns : {100 * kMicrosecond_ns, 10 * kMillisecond_ns}) {
    TimerPace pace(kMillisecond_ns, early_ns);
    const std::int64_t made_ns = monotonic_now_ns();
    const std::int64_t first_ns = pace.wait().now_ns;
    EXPECT_GE(first_ns, made_ns + kMillisecond_ns);
    std::int64_t beats = 0;
    std::int64_t last_ns = first_ns;
    for (int i = 0; i < 50; ++i) {
      const Beat beat = pace.wait();
      EXPECT_LE(beat.now_ns, monotonic_now_ns());
      EXPECT_GE(beat.wake_latency_ns, 0);
      beats += 1 + static_cast<std::int64_t>(beat.skipped);
      last_ns = beat.now_ns;
    }
    EXPECT_EQ(last_ns - first_ns, beats * kMillisecond_ns);
  }
}

// what must never happen: cycles that were missed, one upon the other, as fast as they go
TEST(TimerPaceTest, WhatWasMissedIsSkippedAndNotMadeUp) {
  TimerPace pace(kMillisecond_ns);
  for (int i = 0; i < 3; ++i) {
    const std::int64_t before_ns = pace.wait().now_ns;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::int64_t slept_until_ns = monotonic_now_ns();
    const Beat late = pace.wait();
    EXPECT_GE(late.skipped, 19U);
    EXPECT_EQ(late.now_ns - before_ns, (1 + static_cast<std::int64_t>(late.skipped)) * kMillisecond_ns);
    EXPECT_GT(late.now_ns, slept_until_ns - kMillisecond_ns) << "the newest that was due";
    const Beat next = pace.wait();
    EXPECT_EQ(next.now_ns - late.now_ns, (1 + static_cast<std::int64_t>(next.skipped)) * kMillisecond_ns);
    EXPECT_GT(next.now_ns, slept_until_ns) << "none of those that are over";
  }
}

/// How long the processor worked for this thread.
std::int64_t worked_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * kSecond_ns + time.tv_nsec;
}

// on a busy machine it may wake up late many times, but not every time
TEST(TimerPaceTest, WhoWakesUpEarlyWaitsAwake) {
  constexpr std::int64_t kEarly_ns = 2 * kMillisecond_ns;
  TimerPace pace(5 * kMillisecond_ns, kEarly_ns);
  std::int64_t longest_ns = 0;
  for (int i = 0; i < 400 && longest_ns < kEarly_ns / 2; ++i) {
    const std::int64_t before_ns = worked_ns();
    static_cast<void>(pace.wait());
    longest_ns = std::max(longest_ns, worked_ns() - before_ns);
  }
  EXPECT_GE(longest_ns, kEarly_ns / 2);
}

/// A controller in step with a device that does as told, on real channels.
class InStepTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(driver_.connect());
    auto device = Writer<JointState>::open({.name = device_state_channel("row"), .space = space_});
    ASSERT_TRUE(device) << device.error().message;
    device_ = std::make_unique<Writer<JointState>>(*std::move(device));
    run_at(kMillisecond_ns);
  }
  void run_at(std::int64_t period_ns) {
    pace_ = std::make_unique<StatePace>(driver_, RobotClock("row", space_), period_ns);
    auto controller = Controller::make(model_, *shapes_, {.period_ns = period_ns});
    ASSERT_TRUE(controller) << controller.error().message;
    controller_ = *std::move(controller);
    controller_->set_source(0, "tester", 0);
  }
  void TearDown() override {
    driver_.disconnect();
    for (const auto& name : {device_state_channel("row"), device_command_channel("row"),
                             device_request_channel("row"), clock_channel("row")})
      remove(name);
    std::filesystem::remove_all("/dev/shm/sinew-" + space_);
  }

  void remove(const std::string& name) const {
    sinew_error error{};
    static_cast<void>(sinew_remove(space_.c_str(), name.c_str(), &error));
  }

  Beat cycle() {
    const Beat beat = pace_->wait();
    if (!beat.is_due) return beat;
    driver_.read(beat.now_ns, measured_);
    driver_.write(controller_->step(measured_, beat.now_ns).command);
    return beat;
  }

  Beat cycle_with_device(std::int64_t step_ns = kMillisecond_ns) {
    JointState state{.stamp_ns = told_ns_ += step_ns, .measured_mask = 15, .joint_count = 4};
    if (command().is_enabled != 0) state.position = command().position;
    EXPECT_EQ(device_->put(state), SINEW_OK);
    return cycle();
  }

  void tell_clock(double rate) {
    if (!clock_) {
      auto clock = Writer<Clock>::open({.name = clock_channel("row"), .space = space_});
      ASSERT_TRUE(clock) << clock.error().message;
      clock_ = std::make_unique<Writer<Clock>>(*std::move(clock));
    }
    ASSERT_EQ(clock_->put({.stamp_ns = told_ns_, .monotonic_ns = monotonic_now_ns(), .rate = rate}),
              SINEW_OK);
  }

  void want_joint_at(double position) {
    JointReference reference{.stamp_ns = told_ns_, .joint_mask = 1};
    reference.position[0] = position;
    controller_->take_reference(0, reference, told_ns_);
  }

  /// The fastest that the first joint goes on its way to 1.0 [rad/s], in the device's time.
  double fastest(std::int64_t period_ns, std::int64_t step_ns, bool has_clock) {
    run_at(period_ns);
    cycle_with_device(step_ns);
    want_joint_at(1.0);
    double fastest = 0.0;
    JointCommand before = command();
    for (std::int64_t passed_ns = 0; passed_ns < 2 * kSecond_ns; passed_ns += step_ns) {
      if (has_clock) tell_clock(1.0);
      if (!cycle_with_device(step_ns).is_due) continue;
      const double seconds = seconds_from_nanoseconds(command().stamp_ns - before.stamp_ns);
      fastest = std::max(fastest, (command().position[0] - before.position[0]) / seconds);
      before = command();
    }
    EXPECT_NEAR(command().position[0], 1.0, 1e-6) << period_ns << " " << step_ns;
    return fastest;
  }

  const JointCommand& command() const { return controller_->output().command; }

  const std::string space_ = "pace-test-" + std::to_string(getpid());
  const RobotModel model_ = row_of_joints(4);
  const std::unique_ptr<RobotShapes> shapes_ = std::make_unique<RobotShapes>(*RobotShapes::make(model_));
  ExternalDriver driver_{model_, {.robot = "row", .space = space_}};
  std::unique_ptr<StatePace> pace_;
  std::unique_ptr<Writer<JointState>> device_;
  std::unique_ptr<Writer<Clock>> clock_;
  std::unique_ptr<Controller> controller_;
  JointState measured_;
  std::int64_t told_ns_ = 5 * kSecond_ns;
};

TEST_F(InStepTest, WhenTheChannelIsRemovedTheCycleGoesOnWithoutSpinningAndTheRobotStops) {
  cycle_with_device();
  want_joint_at(1.9);
  for (int i = 0; i < 500; ++i) cycle_with_device();
  ASSERT_GT(command().velocity[0], 0.5);

  remove(device_state_channel("row"));
  const std::int64_t removed_ns = monotonic_now_ns();
  double before = command().velocity[0];
  std::int64_t beats = 0;
  while (!(controller_->state() == ControlState::Faulted && command().velocity[0] == 0.0)) {
    ASSERT_LT(++beats, 20'000) << "it does not stop";
    cycle();
    ASSERT_LE(std::abs(command().velocity[0] - before), 4.0 * 1e-3 * 1.000001) << "within its limits";
    before = command().velocity[0];
  }
  EXPECT_EQ(controller_->output().safety.reason, StopReason::StaleState);
  EXPECT_LT(command().position[0], 1.9);
  // a cycle that spins makes thousands of beats in a millisecond
  EXPECT_GE(monotonic_now_ns() - removed_ns, beats * kMillisecond_ns * 9 / 10);
}

// each cycle moves the robot on by one period, however often the device tells
TEST_F(InStepTest, NoJointIsFasterThanItsLimitWhateverTheRates) {
  const double limit = model_.joints[model_.positions[0]].limits.velocity;
  for (const bool has_clock : {false, true})
    for (const std::int64_t period_ns : {5 * kMillisecond_ns, 2 * kMillisecond_ns, kMillisecond_ns})
      for (const std::int64_t step_ns : {kMillisecond_ns, kMillisecond_ns / 2, kMillisecond_ns / 4}) {
        const double speed = fastest(period_ns, step_ns, has_clock);
        EXPECT_LE(speed, limit * (1 + 1e-9)) << period_ns << " " << step_ns << " " << has_clock;
        EXPECT_GE(speed, 0.9 * limit) << "it has room to reach it";
      }
}

TEST_F(InStepTest, OneStateInAPeriodIsAnswered) {
  run_at(5 * kMillisecond_ns);
  cycle_with_device();
  tell_clock(1.0);
  std::int64_t due_ns = 0;
  for (int i = 0; i < 100; ++i) {
    const Beat beat = cycle_with_device();
    EXPECT_TRUE(beat.is_going);
    EXPECT_EQ(beat.skipped, 0U);
    if (!beat.is_due) continue;
    // the first one came before anybody told the time
    if (i > 5) {
      EXPECT_EQ(beat.now_ns - due_ns, 5 * kMillisecond_ns);
    }
    due_ns = beat.now_ns;
  }
}

// a device whose time is the wall's stamps its states as late as it woke: it is answered each time, and no
// joint is faster than its limit on the whole
TEST_F(InStepTest, StampsThatShakeCostNoCycles) {
  run_at(5 * kMillisecond_ns);
  cycle_with_device();
  constexpr std::array kLate_us{0, 400, 100, 900, 0, 700, 200, 600};
  const std::int64_t began_ns = told_ns_;
  int cycles = 0;
  for (int i = 1; i <= 800; ++i) {
    const std::int64_t stamp_ns =
        began_ns + i * 5 * kMillisecond_ns + kLate_us[static_cast<std::size_t>(i) % 8] * kMicrosecond_ns;
    if (cycle_with_device(stamp_ns - told_ns_).is_due) ++cycles;
  }
  EXPECT_LE(cycles, 801);
  EXPECT_GE(cycles, 795);
}

// in a world a hundred times slower than the wall's clock fifty milliseconds pass between two cycles
TEST_F(InStepTest, ASlowWorldIsWaitedFor) {
  cycle_with_device();
  for (int i = 0; i < 3; ++i) {
    tell_clock(0.01);
    EXPECT_TRUE(cycle_with_device().is_due);
    const Beat silent = cycle();
    EXPECT_FALSE(silent.is_due);
    EXPECT_TRUE(silent.is_going);
  }
  tell_clock(0.0);
  EXPECT_FALSE(cycle().is_going);
}

// no world that the machine keeps from its turn is a device that is gone
TEST_F(InStepTest, AWorldThatIsLateIsWaitedForAndNoTimePassesMeanwhile) {
  cycle_with_device();
  tell_clock(1.0);
  const std::int64_t before_ns = cycle_with_device().now_ns;
  for (int i = 0; i < 2; ++i) {
    const Beat silent = cycle();
    EXPECT_FALSE(silent.is_due);
    EXPECT_EQ(silent.now_ns, before_ns);
  }
  tell_clock(1.0);
  const Beat late = cycle_with_device();
  EXPECT_TRUE(late.is_due);
  EXPECT_EQ(late.skipped, 0U);
  EXPECT_EQ(controller_->state(), ControlState::Running);
  // and one that never comes again is
  for (int beats = 0; controller_->state() != ControlState::Faulted; ++beats) {
    ASSERT_LT(beats, 1000) << "it does not stop";
    cycle();
  }
  EXPECT_EQ(controller_->output().safety.reason, StopReason::StaleState);
}

TEST_F(InStepTest, ADeviceThatStartsAnewWithAnEarlierTimeIsAnswered) {
  for (int i = 0; i < 20; ++i) cycle_with_device();
  told_ns_ -= kSecond_ns;
  cycle_with_device();
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(cycle_with_device().is_due);
}

TEST_F(InStepTest, ADeviceThatFallsSilentIsWaitedForAndThenTheRobotStops) {
  for (int i = 0; i < 20; ++i) cycle_with_device();
  ASSERT_EQ(controller_->state(), ControlState::Running);
  int beats = 0;
  while (controller_->state() != ControlState::Faulted) {
    ASSERT_LT(++beats, 1000) << "it does not stop";
    cycle();
  }
  EXPECT_EQ(controller_->output().safety.reason, StopReason::StaleState);
}

}  // namespace
}  // namespace sinew
