// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/control/controller.h"
#include "sinew/control/test/small_robots.h"

namespace sinew {

/// A controller with a perfect device: what was commanded is measured one cycle later.
class ControllerTest : public testing::Test {
 protected:
  explicit ControllerTest(RobotModel model = row_of_joints(4)) : model_(std::move(model)) {
    state_.joint_count = static_cast<std::uint32_t>(model_.positions.size());
    state_.measured_mask = ~std::uint64_t{0};
  }

  void SetUp() override { make({}); }

  void make(const ControlSettings& settings) {
    auto made = Controller::make(model_, *shapes_, settings);
    ASSERT_TRUE(made) << made.error().message;
    controller_ = *std::move(made);
    for (std::size_t i = 0; i < 3; ++i)
      controller_->set_source(i, std::string(1, static_cast<char>('a' + i)), 0);
  }

  const ControlOutput& cycle() {
    now_ns_ += kMillisecond_ns;
    if (has_device_) {
      state_.stamp_ns = now_ns_;
      if (last_.is_enabled != 0) state_.position = last_.position;
    }
    const ControlOutput& output = controller_->step(state_, now_ns_);
    last_ = output.command;
    return output;
  }
  void cycles(int count) {
    for (int i = 0; i < count; ++i) cycle();
  }

  void want(std::size_t source, std::uint64_t mask, double position, std::int64_t lease_ns = 0) {
    JointReference reference{.stamp_ns = now_ns_, .lease_ns = lease_ns, .joint_mask = mask};
    reference.position.fill(position);
    controller_->take_reference(source, reference, now_ns_);
  }
  void ask(ControlVerb verb) {
    ControlRequest request{.stamp_ns = now_ns_, .verb = verb};
    set_text(request.who, "tester");
    controller_->take_request(request, now_ns_);
  }
  const Safety& safety() { return controller_->output().safety; }

  RobotModel model_;
  std::unique_ptr<RobotShapes> shapes_ =
      std::make_unique<RobotShapes>(*RobotShapes::make(model_, {.margin = kMargin}));
  std::unique_ptr<Controller> controller_;
  JointState state_;
  JointCommand last_;
  bool has_device_ = true;
  std::int64_t now_ns_ = 10 * kSecond_ns;

  static constexpr double kMargin = 0.02;
};

}  // namespace sinew
