// SPDX-License-Identifier: BSD-3-Clause
// A Python process as the device, through the suite of all drivers. Working directory: the clone. The
// environment says where the Python package and the libraries are.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "sinew/channels/channel.h"
#include "sinew/drivers/external_driver.h"
#include "sinew/drivers/test/driver_conformance.h"
#include "sinew/drivers/test/two_joints.h"
#include "sinew/messages/world.h"

namespace sinew {
namespace {

constexpr std::int64_t kPatience_ns = 60 * kSecond_ns;  // on whatever machine

/// Lets the device's time pass tick by tick, and waits for its state after each.
class PythonBench final : public DriverBench {
 public:
  PythonBench() : process_(begin()) {}
  ~PythonBench() override {
    driver_.disconnect();
    kill(process_, SIGTERM);
    int status = 0;
    waitpid(process_, &status, 0);
    EXPECT_EQ(status, 0) << "the device has failed";
    std::error_code ignored;
    std::filesystem::remove_all("/dev/shm/sinew-" + space_, ignored);
  }
  Driver& driver() override { return driver_; }
  const RobotModel& model() override { return model_; }
  std::int64_t now_ns() const override { return now_ns_; }

  void pass_period() override {
    now_ns_ += kMillisecond_ns;
    ASSERT_EQ(ticks_.put({.stamp_ns = now_ns_}), SINEW_OK);
    Frame<JointState> told;
    const std::int64_t deadline_ns = monotonic_now_ns() + kPatience_ns;
    while (states_.read_fresh(told) != SINEW_OK || told.message.stamp_ns < now_ns_)
      ASSERT_EQ(states_.wait(deadline_ns), SINEW_OK) << "the device is silent";
  }

 private:
  pid_t begin() const {
    const pid_t process = fork();
    if (process != 0) return process;
    execl("/usr/bin/python3", "python3", "-B", "tests/python_device/device.py", "--robot", "two", "--name",
          "two", "--space", space_.c_str(), nullptr);
    _exit(127);
  }

  ChannelPlace place(std::string name) const { return {.name = std::move(name), .space = space_}; }

  static std::string next_space() {
    static int count = 0;
    return fmt::format("python-device-{}-{}", getpid(), count++);
  }

  std::string space_ = next_space();
  RobotModel model_ = two_joints();
  ExternalDriver driver_{model_, {.robot = "two", .space = space_}};
  Writer<Clock> ticks_ = *Writer<Clock>::open(place("two/tick"));
  Reader<JointState> states_ = *Reader<JointState>::open(place(device_state_channel("two")));
  std::int64_t now_ns_ = kSecond_ns;
  pid_t process_;
};

std::unique_ptr<DriverBench> make_python_bench() {
  return std::make_unique<PythonBench>();
}

INSTANTIATE_TEST_SUITE_P(Python, DriverConformance, testing::Values(&make_python_bench));

}  // namespace
}  // namespace sinew
