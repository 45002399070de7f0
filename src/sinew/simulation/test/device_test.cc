// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/device.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/drivers/test/two_joints.h"

namespace sinew {
namespace {

class SimulatedDeviceTest : public testing::Test {
 protected:
  void command_moving(double velocity) {
    command_.position[0] += velocity * 1e-3;
    command_.velocity[0] = velocity;
    device_.take(command_);
    device_.advance(kMillisecond_ns);
  }
  void be_silent(int milliseconds) {
    for (int i = 0; i < milliseconds; ++i) device_.advance(kMillisecond_ns);
  }
  double position() const { return device_.references()[0].position; }
  double velocity() const { return device_.references()[0].velocity; }
  std::uint32_t faults() const { return device_.state().fault_bits; }

  RobotModel model_ = two_joints();
  std::array<double, 2> start_{0.1, -0.1};
  SimulatedDevice device_{model_, start_, {}};
  JointCommand command_{
      .moved_mask = 3, .joint_count = 2, .is_enabled = 1, .position = {start_[0], start_[1]}};
};

TEST_F(SimulatedDeviceTest, BridgesOneMissingCommandAndBrakesAfterThat) {
  for (int i = 0; i < 10; ++i) command_moving(0.5);
  be_silent(1);
  EXPECT_NEAR(position(), 0.1 + 11 * 0.5e-3, 1e-12);
  EXPECT_EQ(velocity(), 0.5);
  be_silent(1);
  EXPECT_LT(velocity(), 0.5);
}

TEST_F(SimulatedDeviceTest, MissesACommandJustBeforeItWouldBrakeForWantOfIt) {
  const auto misses = [&] { return device_.misses_command(kMillisecond_ns); };
  const auto drive = [&](std::int64_t period_ns, int times) {
    for (int i = 0; i < times; ++i) {
      command_.stamp_ns += period_ns;
      command_moving(0.5);
    }
  };
  EXPECT_FALSE(misses()) << "nobody has commanded";
  drive(kMillisecond_ns, 1);
  be_silent(5);
  EXPECT_FALSE(misses()) << "nobody knows how often it commands";
  drive(kMillisecond_ns, 10);
  EXPECT_FALSE(misses());
  be_silent(1);
  EXPECT_TRUE(misses());
  EXPECT_EQ(velocity(), 0.5) << "it does not brake yet";
  be_silent(200);
  EXPECT_NE(faults() & kFaultWatchdog, 0U);
  EXPECT_FALSE(misses()) << "it would take none";
  device_.reset();
  drive(10 * kMillisecond_ns, 10);
  be_silent(10);
  EXPECT_FALSE(misses()) << "it commands less often";
  be_silent(10);
  EXPECT_TRUE(misses());
  command_.is_enabled = 0;
  drive(10 * kMillisecond_ns, 1);
  be_silent(50);
  EXPECT_FALSE(misses()) << "it has ended in order";
}

// at 200 commands a second four steps of five have none
TEST_F(SimulatedDeviceTest, FollowsASlowControllerWithoutBrakingBetweenItsCommands) {
  constexpr double kVelocity = 0.5;
  for (int i = 0; i < 100; ++i) {
    command_.stamp_ns += 5 * kMillisecond_ns;
    command_.position[0] += kVelocity * 5e-3;
    command_.velocity[0] = kVelocity;
    device_.take(command_);
    for (int step = 0; step < 5; ++step) {
      device_.advance(kMillisecond_ns);
      // how often it commands is known from the second command on
      if (i < 2) continue;
      ASSERT_EQ(velocity(), kVelocity) << i << " " << step;
      ASSERT_NEAR(position(), command_.position[0] + kVelocity * 1e-3 * step, 1e-12) << i;
    }
  }
  // and once it is silent the joint brakes: one command is bridged as ever
  be_silent(5);
  EXPECT_EQ(velocity(), kVelocity);
  be_silent(1);
  EXPECT_LT(velocity(), kVelocity);
  be_silent(100);
  EXPECT_EQ(velocity(), 0.0);
  EXPECT_EQ(faults(), kFaultWatchdog);
}

TEST(CommandRhythm, IsThatOfTheControllerThoughItLeavesSomeOut) {
  CommandRhythm rhythm;
  EXPECT_EQ(rhythm.period_ns(), 0);
  std::int64_t stamp_ns = kSecond_ns;
  rhythm.hear(stamp_ns);
  EXPECT_EQ(rhythm.period_ns(), 0);
  for (int i = 0; i < 100; ++i) rhythm.hear(stamp_ns += (i % 10 == 9 ? 40 : 5) * kMillisecond_ns);
  for (int i = 0; i < 2; ++i) rhythm.hear(stamp_ns += 5 * kMillisecond_ns);
  EXPECT_EQ(rhythm.period_ns(), 5 * kMillisecond_ns);
  // the same one again says nothing
  rhythm.hear(stamp_ns);
  EXPECT_EQ(rhythm.period_ns(), 5 * kMillisecond_ns);
  // one that came too early is forgotten by and by
  rhythm.hear(stamp_ns += kMillisecond_ns);
  for (int i = 0; i < 20; ++i) rhythm.hear(stamp_ns += 5 * kMillisecond_ns);
  EXPECT_EQ(rhythm.period_ns(), 5 * kMillisecond_ns);
  rhythm.forget();
  EXPECT_EQ(rhythm.period_ns(), 0);
}

TEST_F(SimulatedDeviceTest, BrakesAtItsRateAndIsAtFaultAfterTheWatchdogsTime) {
  for (int i = 0; i < 10; ++i) command_moving(0.5);
  const double begun = position();
  be_silent(100);
  EXPECT_EQ(faults(), 0U);
  EXPECT_EQ(velocity(), 0.0);
  const double deceleration = brake_deceleration(model_.joints[0].limits);
  EXPECT_NEAR(position() - begun, 0.5 * 0.5 / (2.0 * deceleration) + 0.5e-3, 0.5e-3);
  be_silent(1);
  EXPECT_EQ(faults(), kFaultWatchdog);
  const double stopped = position();
  command_moving(0.5);
  be_silent(10);
  EXPECT_EQ(position(), stopped);
  device_.reset();
  EXPECT_EQ(faults(), 0U);
  be_silent(500);
  EXPECT_EQ(faults(), 0U);
}

// so a controller that was ended in order finds it well when it is started anew
TEST_F(SimulatedDeviceTest, SilenceAfterTheDrivesWereSwitchedOffIsNoFault) {
  for (int i = 0; i < 10; ++i) command_moving(0.5);
  command_.is_enabled = 0;
  command_moving(0.0);
  be_silent(1000);
  EXPECT_EQ(faults(), 0U);
  EXPECT_EQ(velocity(), 0.0);
  command_.is_enabled = 1;
  command_.position[0] = position();
  command_moving(0.0);
  be_silent(200);
  EXPECT_EQ(faults(), kFaultWatchdog);
}

TEST_F(SimulatedDeviceTest, AGapShorterThanTheWatchdogIsNoFault) {
  command_moving(0.1);
  be_silent(99);
  command_moving(0.0);
  be_silent(99);
  EXPECT_EQ(faults(), 0U);
}

TEST_F(SimulatedDeviceTest, StaysWithinItsLimitsWhateverItIsTold) {
  command_.position[0] = 5.0;
  device_.take(command_);
  be_silent(1);
  EXPECT_EQ(position(), 2.0);
  command_.position[0] = 1.9999;
  command_.velocity[0] = 10.0;
  device_.take(command_);
  be_silent(50);
  EXPECT_LE(position(), 2.0);
  EXPECT_EQ(velocity(), 0.0);
}

TEST_F(SimulatedDeviceTest, DropsNonsenseAndSaysSo) {
  command_.position[1] = std::numeric_limits<double>::quiet_NaN();
  device_.take(command_);
  be_silent(3);
  EXPECT_EQ(faults(), kFaultNonsense);
  EXPECT_EQ(device_.references()[1].position, -0.1);
  command_.position[1] = 0.0;
  command_.joint_count = 3;
  device_.reset();
  device_.take(command_);
  EXPECT_EQ(faults(), kFaultNonsense);
}

TEST_F(SimulatedDeviceTest, DrivesOffMeansBrake) {
  for (int i = 0; i < 10; ++i) command_moving(0.5);
  command_.is_enabled = 0;
  for (int i = 0; i < 50; ++i) command_moving(0.5);
  EXPECT_EQ(velocity(), 0.0);
  EXPECT_EQ(faults(), 0U);
}

TEST_F(SimulatedDeviceTest, AMotorThatIsNotInUseHolds) {
  model_.joints[0].is_enabled = false;
  SimulatedDevice device(model_, start_, {});
  command_.position[0] = 1.0;
  device.take(command_);
  device.advance(kMillisecond_ns);
  EXPECT_EQ(device.references()[0].position, 0.1);
}

TEST_F(SimulatedDeviceTest, AfterBeingSwitchedOffAndOnItStandsAtItsStartUntilItIsReset) {
  for (int i = 0; i < 100; ++i) command_moving(0.5);
  device_.restart(start_);
  EXPECT_EQ(position(), start_[0]);
  EXPECT_EQ(faults(), kFaultLost);
  for (int i = 0; i < 10; ++i) command_moving(0.5);
  EXPECT_EQ(position(), start_[0]);
  EXPECT_EQ(faults(), kFaultLost);
  device_.reset();
  EXPECT_EQ(faults(), 0U);
  command_.position[0] = start_[0];
  command_moving(0.5);
  EXPECT_NEAR(position(), start_[0] + 0.5e-3, 1e-12);
}

TEST(Encoders, CountInWholeStepsAlsoWhereAxesAreCoupled) {
  RobotModel model = two_joints();
  Actuation actuation;
  actuation.scale = Eigen::Vector2d(1000, 2000);
  actuation.coupling = (Eigen::Matrix2d() << 1, 0, 1, 1).finished();
  actuation.inverse = actuation.coupling.inverse();
  actuation.offset = Eigen::Vector2d(0.25, 10);
  model.actuation = actuation;
  Encoders encoders(model, {}, 1);
  JointState state;
  const std::array<double, 2> q{0.12345678, 0.3456789};
  encoders.measure(q, q, state);
  const double a = 1000 * state.position[0] + 0.25;
  const double b = 2000 * (state.position[0] + state.position[1]) + 10;
  EXPECT_NEAR(a, std::round(a), 1e-9);
  EXPECT_NEAR(b, std::round(b), 1e-9);
  EXPECT_NEAR(state.position[0], q[0], 0.5e-3);
  EXPECT_NE(state.position[0], q[0]);
}

TEST(Encoders, NoiseHasTheSizeAskedForAndTheSameSeedTheSameNumbers) {
  const RobotModel model = two_joints();
  Encoders one(model, {.position = 1e-3}, 5);
  Encoders same(model, {.position = 1e-3}, 5);
  const std::array<double, 2> q{1.0, 2.0};
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kCount = 20'000;
  for (int i = 0; i < kCount; ++i) {
    JointState a;
    JointState b;
    one.measure(q, q, a);
    same.measure(q, q, b);
    ASSERT_EQ(a.position[0], b.position[0]);
    EXPECT_EQ(a.velocity[0], 1.0);
    sum += a.position[0] - 1.0;
    squares += (a.position[0] - 1.0) * (a.position[0] - 1.0);
  }
  EXPECT_NEAR(sum / kCount, 0.0, 5e-5);
  EXPECT_NEAR(std::sqrt(squares / kCount), 1e-3, 3e-5);
}

}  // namespace
}  // namespace sinew
