// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/pace.h"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/channels/sinew_channel.h"
#include "sinew/control/controller.h"
#include "sinew/control/test/small_robots.h"
#include "sinew/drivers/external_driver.h"
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

/// A controller in step with a device that does as told, on real channels.
class InStepTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(driver_.connect());
    auto device = Writer<JointState>::open({.name = device_state_channel("row"), .space = space_});
    ASSERT_TRUE(device) << device.error().message;
    device_ = std::make_unique<Writer<JointState>>(*std::move(device));
    auto controller = Controller::make(model_, *shapes_);
    ASSERT_TRUE(controller) << controller.error().message;
    controller_ = *std::move(controller);
    controller_->set_source(0, "tester", 0);
  }
  void TearDown() override {
    driver_.disconnect();
    for (const auto& name :
         {device_state_channel("row"), device_command_channel("row"), device_request_channel("row")})
      remove(name);
    std::filesystem::remove_all("/dev/shm/sinew-" + space_);
  }

  void remove(const std::string& name) const {
    sinew_error error{};
    static_cast<void>(sinew_remove(space_.c_str(), name.c_str(), &error));
  }

  Beat cycle() {
    const Beat beat = pace_.wait();
    if (!beat.is_due) return beat;
    driver_.read(beat.now_ns, measured_);
    driver_.write(controller_->step(measured_, beat.now_ns).command);
    return beat;
  }

  void cycle_with_device() {
    JointState state{.stamp_ns = told_ns_ += kMillisecond_ns, .measured_mask = 15, .joint_count = 4};
    if (command().is_enabled != 0) state.position = command().position;
    ASSERT_EQ(device_->put(state), SINEW_OK);
    cycle();
  }

  const JointCommand& command() const { return controller_->output().command; }

  const std::string space_ = "pace-test-" + std::to_string(getpid());
  const RobotModel model_ = row_of_joints(4);
  const std::unique_ptr<RobotShapes> shapes_ = std::make_unique<RobotShapes>(*RobotShapes::make(model_));
  ExternalDriver driver_{model_, {.robot = "row", .space = space_}};
  StatePace pace_{driver_, RobotClock("row", space_), kMillisecond_ns};
  std::unique_ptr<Writer<JointState>> device_;
  std::unique_ptr<Controller> controller_;
  JointState measured_;
  std::int64_t told_ns_ = 5 * kSecond_ns;
};

TEST_F(InStepTest, WhenTheChannelIsRemovedTheCycleGoesOnWithoutSpinningAndTheRobotStops) {
  cycle_with_device();
  JointReference reference{.stamp_ns = told_ns_, .joint_mask = 1};
  reference.position[0] = 1.9;
  controller_->take_reference(0, reference, told_ns_);
  for (int i = 0; i < 500; ++i) ASSERT_NO_FATAL_FAILURE(cycle_with_device());
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

TEST_F(InStepTest, ADeviceThatFallsSilentIsWaitedForAndThenTheRobotStops) {
  for (int i = 0; i < 20; ++i) ASSERT_NO_FATAL_FAILURE(cycle_with_device());
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
