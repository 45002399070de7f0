// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"

#include "apps/lockstep/lockstep.h"

namespace sinew {

/// A simulated robot whose motion service runs programs, as a user would have them run.
class ProgramTest : public testing::Test {
 protected:
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void use(const std::string& robot, std::vector<SceneObject> objects = {},
           const std::function<void(RobotModel&)>& change = {}, const MotionSettings& settings = {}) {
    auto loaded = load_robot(robot);
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto control = read_control(loaded->settings.control);
    ASSERT_TRUE(control) << control.error().message;
    if (change) change(loaded->model);
    Scene scene{.name = "test", .objects = std::move(objects)};
    scene.robots.push_back({.name = "robot", .model = std::move(loaded->model)});
    auto made = Lockstep::make(std::move(scene), "robot", *control);
    ASSERT_TRUE(made) << made.error().message;
    robot_ = *std::move(made);
    const Status added = robot_->add_motion(settings);
    ASSERT_TRUE(added) << added.error().message;
    for (int i = 0; i < 50; ++i) robot_->step();
  }

  std::string file_of(const std::string& text) {
    std::filesystem::create_directories(folder_);
    const std::string path = (folder_ / "test.prog").string();
    std::ofstream(path) << text;
    return path;
  }

  std::uint64_t ask(RequestVerb verb, const std::string& text = {}, std::uint64_t number = 0) {
    Request request{.verb = verb, .number = number};
    set_text(request.who, "test");
    set_text(request.text, text);
    return robot_->ask(request);
  }
  std::uint64_t run(const std::string& text) { return ask(RequestVerb::RunProgram, file_of(text)); }

  /// Steps until the condition holds; false when it does not for `seconds`.
  bool step_until(const std::function<bool()>& holds, double seconds = 60.0) {
    for (int i = 0; i < static_cast<int>(seconds * 1000.0); ++i) {
      if (holds()) return true;
      robot_->step();
    }
    return false;
  }
  void pass(double seconds) {
    step_until([] { return false; }, seconds);
  }
  Reply wait(std::uint64_t number, double seconds = 600.0) {
    const auto reply = robot_->wait_for(number, nanoseconds_from_seconds(seconds));
    EXPECT_TRUE(reply) << "no answer in " << seconds << " s";
    return reply.value_or(Reply{});
  }
  /// What was said by the program of request `number`, but "running".
  std::vector<std::string> said(std::uint64_t number) const {
    std::vector<std::string> lines;
    for (const Reply& reply : robot_->replies())
      if (reply.request == number && reply.status == ReplyStatus::Accepted)
        lines.emplace_back(text_of(reply.reason));
    if (!lines.empty()) lines.erase(lines.begin());
    return lines;
  }
  /// Where the flange, or a tool at X_FT on it, was sent to last.
  Pose tool_pose(const Pose& X_FT = {}) {
    const RobotModel& model = robot_->model();
    if (!chain_) chain_ = *SerialChain::make(model, model.arms[0].base_link, model.arms[0].tip_link);
    std::vector<double> q;
    for (std::size_t i = 0; i < chain_->size(); ++i)
      q.push_back(robot_->controller().output().command.position[chain_->position(i)]);
    return chain_->tool_pose(q) * X_FT;
  }
  double joint_deg(std::size_t i) const { return robot_->state().position[i] * 180.0 / std::numbers::pi; }
  void press(const std::string& input, bool is_on) {
    const IoPort* port = find_port(robot_->model().inputs, input, false);
    ASSERT_NE(port, nullptr) << input;
    ASSERT_TRUE(robot_->simulation().device(0).io().set_input(port->number, is_on));
  }
  bool is_on(const std::string& output) const {
    const IoPort* port = find_port(robot_->model().outputs, output, false);
    EXPECT_NE(port, nullptr) << output;
    return port != nullptr && (robot_->io().outputs >> port->number & 1) != 0;
  }
  ProgramPhase phase() const { return robot_->motion_state().program_phase; }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("sinew-program-{}", getpid());
  std::unique_ptr<Lockstep> robot_;
  std::optional<SerialChain> chain_;
};

}  // namespace sinew
