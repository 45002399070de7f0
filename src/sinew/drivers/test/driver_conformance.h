// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What every driver must do, simulated, emulated or real. A driver's test gives a DriverBench and writes
//   INSTANTIATE_TEST_SUITE_P(Ideal, DriverConformance, testing::Values(&make_ideal_bench));

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "sinew/base/test/allocation_count.h"
#include "sinew/base/time.h"
#include "sinew/drivers/driver.h"
#include "sinew/model/positions.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// A driver with its device, and a way to let the device's time pass.
class DriverBench {
 public:
  virtual ~DriverBench() = default;
  virtual Driver& driver() = 0;
  virtual const RobotModel& model() = 0;
  virtual std::int64_t now_ns() const = 0;
  /// Lets one period of the device go by.
  virtual void pass_period() = 0;
  /// How near the device comes to a position it is sent to [rad, m].
  virtual double accuracy() const { return 1e-9; }
  /// Switches a digital input of the device, as a person would. False: the bench cannot.
  virtual bool press(std::uint32_t /*input*/, bool /*is_on*/) { return false; }
};

class DriverConformance : public testing::TestWithParam<std::unique_ptr<DriverBench> (*)()> {
 protected:
  void SetUp() override {
    const Status connected = driver().connect();
    ASSERT_TRUE(connected) << connected.error().message;
    ASSERT_TRUE(wait_for_state()) << "the device never says where its joints are";
    command_ = {
        .moved_mask = driver().facts().joint_mask, .joint_count = state_.joint_count, .is_enabled = 1};
    command_.position = state_.position;
  }
  void TearDown() override { driver().disconnect(); }

  Driver& driver() { return bench_->driver(); }

  void read() { driver().read(bench_->now_ns(), state_); }

  bool wait_for_state() {
    for (int i = 0; i < 1000; ++i) {
      read();
      if (state_.joint_count > 0 && state_.stamp_ns > 0) return true;
      bench_->pass_period();
    }
    return false;
  }

  /// Time goes by without a command.
  void be_silent(std::int64_t duration_ns) {
    const std::int64_t end_ns = bench_->now_ns() + duration_ns;
    while (bench_->now_ns() < end_ns) {
      bench_->pass_period();
      read();
    }
  }

  /// One cycle: the command goes out, time passes, the state comes back.
  void cycle() {
    command_.stamp_ns = bench_->now_ns();
    ++command_.cycle;
    driver().write(command_);
    bench_->pass_period();
    read();
  }

  /// Sends joint `i` slowly to `goal` and waits there.
  void go(std::size_t i, double goal, double speed) {
    const double period = 1e-9 * static_cast<double>(driver().facts().period_ns);
    while (std::abs(goal - command_.position[i]) > speed * period) {
      command_.velocity[i] = std::copysign(speed, goal - command_.position[i]);
      command_.position[i] += command_.velocity[i] * period;
      cycle();
    }
    command_.position[i] = goal;
    command_.velocity[i] = 0.0;
    for (int wait = 0; wait < 1000; ++wait) cycle();
  }

  std::size_t first_moved() const { return static_cast<std::size_t>(std::countr_zero(command_.moved_mask)); }

  /// A goal within the limits of joint `i`, a little away from where it is.
  double goal_near(std::size_t i) {
    const JointLimits& limits = bench_->model().joints[bench_->model().positions[i]].limits;
    const double step = 0.05;
    return state_.position[i] + step < limits.upper ? state_.position[i] + step : state_.position[i] - step;
  }
  double slow_speed(std::size_t i) {
    return std::min(0.2, 0.3 * bench_->model().joints[bench_->model().positions[i]].limits.velocity);
  }

  std::unique_ptr<DriverBench> bench_ = GetParam()();
  JointState state_;
  JointCommand command_;
};

TEST_P(DriverConformance, SaysWhereTheJointsAre) {
  EXPECT_EQ(state_.joint_count, bench_->model().positions.size());
  EXPECT_EQ(state_.fault_bits & ~kFaultNotHomed, 0U);
  EXPECT_NE(driver().facts().joint_mask, 0U);
  for (std::size_t i = 0; i < state_.joint_count; ++i) {
    EXPECT_TRUE(std::isfinite(state_.position[i])) << i;
    EXPECT_TRUE(std::isfinite(state_.velocity[i])) << i;
  }
}

TEST_P(DriverConformance, StaysUntilCommanded) {
  const JointState before = state_;
  be_silent(500 * kMillisecond_ns);
  EXPECT_GT(state_.stamp_ns, before.stamp_ns);
  for (std::size_t i = 0; i < state_.joint_count; ++i)
    EXPECT_NEAR(state_.position[i], before.position[i], bench_->accuracy()) << i;
}

TEST_P(DriverConformance, GoesWhereItIsSentAndMovesNothingElse) {
  const std::size_t joint = first_moved();
  const JointState before = state_;
  const double goal = goal_near(joint);
  go(joint, goal, slow_speed(joint));
  EXPECT_EQ(state_.fault_bits & ~kFaultNotHomed, 0U);
  for (std::size_t i = 0; i < state_.joint_count; ++i) {
    EXPECT_NEAR(state_.position[i], i == joint ? goal : before.position[i], bench_->accuracy()) << i;
  }
}

TEST_P(DriverConformance, LeavesJointsOutsideTheMaskAlone) {
  const std::size_t joint = first_moved();
  const double before = state_.position[joint];
  command_.moved_mask &= ~(std::uint64_t{1} << joint);
  command_.position[joint] = goal_near(joint);
  for (int i = 0; i < 300; ++i) cycle();
  EXPECT_NEAR(state_.position[joint], before, bench_->accuracy());
}

// what must never fail: a controller that dies leaves a device that stops
TEST_P(DriverConformance, StopsByItselfWhenCommandsStayAway) {
  const std::size_t joint = first_moved();
  const double speed = goal_near(joint) > state_.position[joint] ? slow_speed(joint) : -slow_speed(joint);
  const double period = 1e-9 * static_cast<double>(driver().facts().period_ns);
  for (int i = 0; i < 50; ++i) {
    command_.velocity[joint] = speed;
    command_.position[joint] += speed * period;
    cycle();
  }
  EXPECT_EQ(state_.fault_bits & kFaultWatchdog, 0U);
  be_silent(driver().facts().watchdog_ns + 50 * kMillisecond_ns);
  EXPECT_NE(state_.fault_bits & kFaultWatchdog, 0U);
  const double stopped = state_.position[joint];
  be_silent(kSecond_ns);
  EXPECT_NEAR(state_.position[joint], stopped, bench_->accuracy());

  // a command alone does not wake it: somebody has to say that all is well
  command_.position = state_.position;
  command_.velocity.fill(0.0);
  cycle();
  EXPECT_NE(state_.fault_bits & kFaultWatchdog, 0U);
  driver().reset();
  for (int i = 0; i < 20; ++i) cycle();
  EXPECT_EQ(state_.fault_bits & kFaultWatchdog, 0U);
}

TEST_P(DriverConformance, NeverSendsWhatIsNoNumber) {
  const std::size_t joint = first_moved();
  const double before = state_.position[joint];
  for (const double nonsense :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    command_.position[joint] = nonsense;
    for (int i = 0; i < 20; ++i) cycle();
    EXPECT_NEAR(state_.position[joint], before, bench_->accuracy());
  }
}

TEST_P(DriverConformance, NeitherReadNorWriteAllocates) {
  for (int i = 0; i < 10; ++i) cycle();
  ASSERT_GT(allocation_count, 0U) << "the counter does not count";
  std::uint64_t made = 0;
  IoState io;
  const IoCommand io_command{.output_mask = ~std::uint64_t{0}};
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t before = allocation_count;
    command_.stamp_ns = bench_->now_ns();
    driver().write(command_);
    driver().read(bench_->now_ns(), state_);
    driver().write_io(io_command);
    driver().read_io(io);
    made += allocation_count - before;
    bench_->pass_period();
  }
  EXPECT_EQ(made, 0U);
}

// ---- homing: a driver that has it says when it looks for its references and when it has found them ----

TEST_P(DriverConformance, HomingIsSeenWhileItLastsAndEnds) {
  if (!driver().facts().has_homing) GTEST_SKIP() << "it has no homing";
  command_.is_enabled = 0;
  for (int i = 0; i < 20; ++i) cycle();
  const auto lasts_until = [&](bool is_homed, std::int64_t most_ns) {
    const std::int64_t end_ns = bench_->now_ns() + most_ns;
    while (((state_.fault_bits & kFaultNotHomed) == 0) != is_homed && bench_->now_ns() < end_ns) {
      cycle();
      for (std::size_t i = 0; i < state_.joint_count; ++i) ASSERT_TRUE(std::isfinite(state_.position[i]));
    }
  };
  driver().home();
  lasts_until(false, 200 * kMillisecond_ns);
  // one that has nothing to look for says nothing
  lasts_until(true, 600 * kSecond_ns);
  EXPECT_EQ(state_.fault_bits, 0U);
  command_.is_enabled = 1;
  command_.position = state_.position;
  const double there = state_.position[first_moved()];
  for (int i = 0; i < 100; ++i) cycle();
  EXPECT_NEAR(state_.position[first_moved()], there, bench_->accuracy());
}

TEST_P(DriverConformance, AnEnabledCommandEndsHoming) {
  if (!driver().facts().has_homing) GTEST_SKIP() << "it has no homing";
  command_.is_enabled = 0;
  driver().home();
  for (int i = 0; i < 50; ++i) cycle();
  command_.is_enabled = 1;
  command_.position = state_.position;
  for (int i = 0; i < 50; ++i) cycle();
  const double there = state_.position[first_moved()];
  for (int i = 0; i < 300; ++i) cycle();
  EXPECT_NEAR(state_.position[first_moved()], there, bench_->accuracy()) << "it moves by itself still";
}

// ---- inputs and outputs: a driver without any says so, and leaves the masks empty ----

TEST_P(DriverConformance, OutputsStayAsTheyAreSet) {
  IoState io;
  driver().read_io(io);
  for (int i = 0; i < 200 && driver().facts().has_io; ++i) {
    cycle();
    driver().read_io(io);
  }
  const std::uint64_t some = io.output_mask & (~io.output_mask + 1);
  IoCommand command{.output_mask = ~std::uint64_t{0}, .outputs = some, .analog_output_mask = 0xffff};
  command.analog_outputs.fill(0.25);
  driver().write_io(command);
  for (int i = 0; i < 200; ++i) cycle();
  driver().read_io(io);
  EXPECT_EQ(io.outputs, some);
  for (std::size_t i = 0; i < kMaxAnalog; ++i)
    EXPECT_EQ(io.analog_outputs[i], (io.analog_output_mask >> i & 1) != 0 ? 0.25 : 0.0) << i;
  EXPECT_EQ(driver().facts().has_io || io.output_mask == 0, true);

  // an output that is not meant stays, and nonsense is not sent
  driver().write_io({.stamp_ns = bench_->now_ns()});
  command.outputs = 0;
  command.analog_outputs.fill(std::numeric_limits<double>::quiet_NaN());
  driver().write_io(command);
  for (int i = 0; i < 200; ++i) cycle();
  driver().read_io(io);
  EXPECT_EQ(io.outputs, some);
}

TEST_P(DriverConformance, WhenCommandsStayAwayOutputsFallAsTheLastOneSaid) {
  IoState io;
  for (int i = 0; i < 200; ++i) {
    cycle();
    driver().read_io(io);
  }
  const std::uint64_t first = io.output_mask & (~io.output_mask + 1);
  driver().write_io({.output_mask = io.output_mask, .outputs = io.output_mask, .fall_mask = first});
  for (int i = 0; i < 200; ++i) cycle();
  driver().read_io(io);
  EXPECT_EQ(io.outputs, io.output_mask);
  be_silent(driver().facts().watchdog_ns + 200 * kMillisecond_ns);
  driver().read_io(io);
  EXPECT_EQ(io.outputs, io.output_mask & ~first);
}

TEST_P(DriverConformance, AnInputIsReadAsItIs) {
  IoState io;
  for (const bool is_on : {true, false}) {
    if (!bench_->press(3, is_on)) return;
    for (int i = 0; i < 5; ++i) cycle();
    driver().read_io(io);
    EXPECT_EQ(io.input_mask >> 3 & 1, 1U);
    EXPECT_EQ(io.inputs, is_on ? std::uint64_t{1} << 3 : 0U);
  }
}

TEST_P(DriverConformance, ADisconnectedDeviceIsLostAndMayBeConnectedAgain) {
  driver().disconnect();
  driver().disconnect();
  driver().write(command_);
  read();
  EXPECT_NE(state_.fault_bits & kFaultLost, 0U);
  ASSERT_TRUE(driver().connect());
  state_ = {};
  EXPECT_TRUE(wait_for_state());
}

}  // namespace sinew
