// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/motion/motion_service.h"

namespace sinew {

/// The shipped MDS, its motion service, and a robot that is where the segments say, at each instant.
class PerfectRobot : public testing::Test {
 protected:
  static constexpr std::int64_t kStep_ns = 4 * kMillisecond_ns;

  static const RobotModel& model() {
    static const LoadedRobot robot = [] {
      auto loaded = load_robot("mds");
      EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
      return *std::move(loaded);
    }();
    return robot.model;
  }

  void SetUp() override {
    auto made = MotionService::make(model());
    ASSERT_TRUE(made) << made.error().message;
    service_ = *std::move(made);
    const std::vector<double> home = starting_positions(model());
    state_.joint_count = static_cast<std::uint32_t>(home.size());
    std::ranges::copy(home, state_.position.begin());
    safety_.state = ControlState::Running;
    tell();
  }

  /// The controller's side, once.
  void tell() {
    state_.stamp_ns = safety_.stamp_ns = now_ns_;
    JointCommand command{.stamp_ns = now_ns_, .joint_count = state_.joint_count, .position = state_.position};
    command.velocity = state_.velocity;
    service_->take_state(state_);
    service_->take_command(command);
    service_->take_safety(safety_, now_ns_);
  }

  /// One step of the service; its replies are kept, its segments are followed.
  void step() {
    now_ns_ += kStep_ns;
    if (is_obedient_) follow();
    tell();
    const MotionOutput& output = service_->step(now_ns_);
    for (const Reply& reply : output.replies) replies_.push_back(reply);
    if (output.reference) references_.push_back(*output.reference);
    for (const Segment& segment : output.segments) {
      EXPECT_GT(segment.start_ns, now_ns_) << "too late to be of use";
      segments_.push_back(segment);
    }
    if (state_.velocity != JointArray{}) sent_.push_back(state_);
  }

  /// The joints where the newest of their segments has them.
  void follow() {
    state_.velocity = {};
    for (const Segment& segment : segments_) {
      if (now_ns_ < segment.start_ns) continue;
      const double length = 1e-9 * static_cast<double>(segment.duration_ns);
      const double t = std::min(1e-9 * static_cast<double>(now_ns_ - segment.start_ns), length);
      for (std::size_t i = 0; i < state_.joint_count; ++i) {
        if ((segment.joint_mask >> i & 1) == 0) continue;
        const Coefficients c{segment.c0[i], segment.c1[i], segment.c2[i],
                             segment.c3[i], segment.c4[i], segment.c5[i]};
        const CurvePoint point = evaluate(c, t);
        state_.position[i] = point.value;
        state_.velocity[i] = t < length ? point.first : 0.0;
      }
    }
  }

  std::uint64_t ask(const Request& request) {
    service_->take_request(++number_, request, now_ns_);
    return number_;
  }

  /// Steps until the request is answered for good.
  Reply wait_for(std::uint64_t number, int most_steps = 5000) {
    for (int i = 0; i < most_steps; ++i) {
      step();
      for (const Reply& reply : replies_)
        if (reply.request == number && reply.status != ReplyStatus::Accepted) return reply;
    }
    ADD_FAILURE() << "request " << number << " is never answered";
    return {};
  }
  Reply carry_out(const Request& request) { return wait_for(ask(request)); }

  static Request hand_goal(const char* arm, std::array<double, 3> position, std::uint32_t mask = 7) {
    Request request{.verb = RequestVerb::MoveTool, .component_mask = mask, .position = position};
    set_text(request.arm, arm);
    set_text(request.who, "test");
    return request;
  }
  static Request object(RequestVerb verb, const char* text) {
    Request request{.verb = verb};
    set_text(request.text, text);
    return request;
  }
  static std::size_t joint(const char* name) { return model().joints[find_joint(model(), name)].position; }
  Pose hand(const char* arm) const {
    auto solver = ArmSolver::make(model(), arm, "");
    return (*solver)->tool_pose({state_.position.data(), state_.joint_count});
  }

  std::unique_ptr<MotionService> service_;
  JointState state_;
  Safety safety_;
  std::int64_t now_ns_ = kSecond_ns;
  std::uint64_t number_ = 0;
  bool is_obedient_ = true;
  std::vector<Reply> replies_;
  std::vector<Segment> segments_;
  std::vector<JointReference> references_;
  std::vector<JointState> sent_;  ///< While anything moved.
};

}  // namespace sinew
