// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/demo_robot.h"

#include <time.h>

#include <utility>

#include "sinew/base/time.h"

#include "apps/supervisor/leftovers.h"

namespace sinew::cli {
namespace {

constexpr std::int64_t kBeginsWithin_ns = 20 * kSecond_ns;

}  // namespace

DemoRobot::DemoRobot(const Options& options) : options_(options) {
  std::vector<std::string> world{"sinew-simulator", "--space", options.space};
  world.insert(world.end(), options.world.begin(), options.world.end());
  simulator_ = std::make_unique<DemoProcess>(std::move(world));
  const std::vector<std::string> of_robot{"--robot", options.robot, "--space", options.space};
  std::vector<std::string> controller{"sinew-controller"};
  controller.insert(controller.end(), of_robot.begin(), of_robot.end());
  controller_ = std::make_unique<DemoProcess>(std::move(controller));
  if (!options.has_motion) return;
  std::vector<std::string> motion{"sinew-motion"};
  motion.insert(motion.end(), of_robot.begin(), of_robot.end());
  motion_ = std::make_unique<DemoProcess>(std::move(motion));
  if (options.web.empty()) return;
  std::vector<std::string> web{"sinew-web", "--name",    options.robot, "--listen", options.web,
                               "--driver",  "simulator", "--accounts",  "off"};
  web.insert(web.end(), of_robot.begin(), of_robot.end());
  web_ = std::make_unique<DemoProcess>(std::move(web));
}

DemoRobot::~DemoRobot() {
  // the controller before its world: it brakes the robot, and the world must go on for that
  if (web_) web_->end();
  if (motion_) motion_->end();
  controller_->end();
  simulator_->end();
  supervisor::remove_unused_channels(options_.space, options_.robot + "/");
}

Status DemoRobot::check_processes() {
  const auto ended = [](const char* what, const DemoProcess& process) {
    return Error{ErrorCode::SystemFailure, std::string(what) + " did not start:\n" + process.log_text()};
  };
  if (simulator_->has_ended()) return ended("the simulator", *simulator_);
  if (controller_->has_ended()) return ended("the controller", *controller_);
  if (motion_ && motion_->has_ended()) return ended("the motion service", *motion_);
  return Done{};
}

Result<RobotLink> DemoRobot::link(const SignalWatch& signals) {
  const std::int64_t deadline_ns = monotonic_now_ns() + kBeginsWithin_ns;
  while (monotonic_now_ns() < deadline_ns && !signals.has_come()) {
    if (const Status lives = check_processes(); !lives) return lives.error();
    auto robot = RobotLink::open({.robot = options_.robot, .space = options_.space, .who = "demo"});
    const bool is_up = robot && robot->now().safety.state == ControlState::Running;
    if (is_up && (!motion_ || robot->has_motion_service())) return robot;
    const timespec pause{.tv_sec = 0, .tv_nsec = 50 * kMillisecond_ns};
    nanosleep(&pause, nullptr);
  }
  if (signals.has_come()) return Error{ErrorCode::Interrupted, "ended before the robot was up"};
  return Error{ErrorCode::TimedOut, "the robot does not come up:\n" + controller_->log_text()};
}

}  // namespace sinew::cli
