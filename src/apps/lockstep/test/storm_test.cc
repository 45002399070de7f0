// SPDX-License-Identifier: BSD-3-Clause
// Three people who ask for anything at any time. Whatever they ask:
// - every request gets exactly one answer for good, and nothing after it;
// - what is sent to the joints keeps the limits of velocity, acceleration and jerk in every cycle;
// - what was asked to follow others begins only when all moves before it are over;
// - the controller refuses nothing of what it is sent, and runs at the end;
// - when all is quiet, nothing is left in hand, and the robot does what it is told.
// How many of the moves in a storm come to their end is chance, and not judged.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"

#include "apps/lockstep/test/mds_with_motion.h"

namespace sinew {
namespace {

constexpr double kPeriod = 1e-3;  // [s]

bool is_move(const Request& request) {
  return request.verb == RequestVerb::MoveTool || request.verb == RequestVerb::MoveJoints;
}

class StormTest : public testing::Test {
 protected:
  void make(std::uint64_t seed) {
    random_.seed(seed);
    asked_.clear();
    finals_.clear();
    judged_ = 0;
    lockstep_ = mds_with_motion();
    sent_.fill(lockstep_->controller().output().command.position);
  }

  double draw(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  bool chance(int one_in) { return random_() % static_cast<std::uint64_t>(one_in) == 0; }

  // Each arm on its own side, so that the guard has nothing to hold.
  Request draw_move() {
    const bool is_left = chance(2);
    Request request{.verb = RequestVerb::MoveTool, .component_mask = 7};
    request.position = {draw(0.3, 0.45), (is_left ? 1.0 : -1.0) * draw(0.25, 0.45), draw(-0.2, 0.25)};
    set_text(request.arm, is_left ? "left" : "right");
    request.speed = draw(0.3, 1.0);
    request.order = chance(2) ? RequestOrder::After : RequestOrder::Now;
    if (chance(20)) request.position[0] = chance(2) ? 3.0 : std::numeric_limits<double>::quiet_NaN();
    if (chance(30)) request.order = static_cast<RequestOrder>(5);
    return request;
  }

  Request draw_request() {
    Request request = draw_move();
    switch (random_() % 16) {
      case 0:
        request = {.verb = RequestVerb::Pause};
        break;
      case 1:
      case 2:
        request = {.verb = RequestVerb::Resume};
        break;
      case 3:
      case 4:
        request = {.verb = RequestVerb::SetOverride, .speed = draw(-0.1, 1.2)};
        if (chance(5)) request.speed = std::numeric_limits<double>::quiet_NaN();
        break;
      case 5:
        if (chance(2)) request = {.verb = RequestVerb::Stop};
        break;
      case 6:
        if (chance(2)) request = {.verb = RequestVerb::TakeControl};
        break;
      case 7:
        request = {.verb = RequestVerb::LeaveControl};
        break;
      case 8:
        request = {.verb = chance(2) ? RequestVerb::AddObject : RequestVerb::RemoveObject};
        set_text(request.text, request.verb == RequestVerb::AddObject
                                   ? "{name: ball, sphere: 0.1, at: [3, 0, 1]}"
                                   : "ball");
        break;
      case 9:
        if (chance(4)) request.verb = static_cast<RequestVerb>(random_() % 1000 + 100);
        break;
      default:
        break;
    }
    set_text(request.who, std::array{"ann", "bob", "eve"}[random_() % 3]);
    return request;
  }

  void step() {
    const ControlOutput& output = lockstep_->step();
    std::rotate(sent_.begin(), sent_.begin() + 1, sent_.end());
    sent_.back() = output.command.position;
    judge_limits();
    judge_replies();
  }

  // What is sent to the joints: within limits, so without a step anywhere.
  void judge_limits() {
    const RobotModel& model = lockstep_->model();
    for (std::size_t i = 0; i < model.positions.size(); ++i) {
      const JointLimits& limits = model.joints[model.positions[i]].limits;
      const auto p = [&](std::size_t k) { return sent_[k][i]; };
      ASSERT_LE(std::abs(p(3) - p(2)) / kPeriod, limits.velocity * (1 + 1e-6) + 1e-9);
      ASSERT_LE(std::abs(p(3) - 2 * p(2) + p(1)) / (kPeriod * kPeriod),
                limits.acceleration * (1 + 1e-5) + 1e-6);
      ASSERT_LE(std::abs(p(3) - 3 * p(2) + 3 * p(1) - p(0)) / (kPeriod * kPeriod * kPeriod),
                limits.jerk * (1 + 1e-4) + 1e-3);
    }
  }

  void judge_replies() {
    for (; judged_ < lockstep_->replies().size(); ++judged_) {
      const Reply& reply = lockstep_->replies()[judged_];
      ASSERT_TRUE(asked_.contains(reply.request));
      ASSERT_EQ(finals_[reply.request], 0) << "answered after it was answered for good: " << reply.request;
      if (reply.status != ReplyStatus::Accepted) {
        ++finals_[reply.request];
        ASSERT_FALSE(text_of(reply.reason).empty());
        continue;
      }
      const bool begins = text_of(reply.reason).starts_with("on its way");
      if (begins && asked_[reply.request].order == RequestOrder::After) judge_turn(reply.request);
    }
  }

  // All that was asked for before it is over.
  void judge_turn(std::uint64_t number) {
    ++turns_;
    for (const auto& [before, request] : asked_) {
      if (before >= number) break;
      ASSERT_TRUE(!is_move(request) || finals_[before] == 1)
          << number << " begins before " << before << " is over";
    }
  }

  void storm(std::int64_t duration_ns) {
    std::int64_t next_ns = lockstep_->now_ns();
    const std::int64_t end_ns = next_ns + duration_ns;
    while (lockstep_->now_ns() < end_ns && !HasFatalFailure()) {
      if (lockstep_->now_ns() >= next_ns) {
        ask(draw_request());
        // at times a while of peace, so that motions are carried out to their end
        const double pause = std::exponential_distribution<double>(chance(10) ? 0.4 : 6.0)(random_);
        next_ns = lockstep_->now_ns() + nanoseconds_from_seconds(pause);
      }
      step();
    }
    Request take{.verb = RequestVerb::TakeControl};
    set_text(take.who, "judge");
    ask(take);
    rest();
    requests_ += asked_.size();
    judge_end();
    if (!HasFatalFailure()) judge_obedience();
  }

  void rest() {
    for (int i = 0; i < 30'000 && (i < 10 || lockstep_->motion().is_busy()) && !HasFatalFailure(); ++i)
      step();
  }

  // Both hands to a place of their own, at full speed.
  void judge_obedience() {
    Request all{.verb = RequestVerb::SetOverride, .speed = 1.0};
    set_text(all.who, "judge");
    ask(all);
    for (const char* arm : {"left", "right"}) {
      Request request{.verb = RequestVerb::MoveTool, .component_mask = 7};
      request.position = {0.38, arm == std::string("left") ? 0.35 : -0.35, 0.0};
      set_text(request.arm, arm);
      set_text(request.who, "judge");
      const std::uint64_t number = ask(request);
      rest();
      const auto reply = lockstep_->final_reply(number);
      ASSERT_TRUE(reply) << arm;
      EXPECT_EQ(reply->status, ReplyStatus::Done) << arm << ": " << text_of(reply->reason);
    }
    judge_end();
  }

  void judge_end() {
    EXPECT_FALSE(lockstep_->motion().is_busy());
    for (const auto& [number, request] : asked_)
      EXPECT_EQ(finals_[number], 1) << number << ", verb " << static_cast<int>(request.verb);
    const Safety& safety = lockstep_->controller().output().safety;
    EXPECT_EQ(safety.refusals, 0U) << "refusal " << static_cast<int>(safety.last_refusal) << " of joint "
                                   << safety.refused_joint << ": " << safety.refused_value << ", bound "
                                   << safety.refused_bound << ", motion " << safety.refused_motion;
    EXPECT_EQ(safety.state, ControlState::Running);
  }

  std::uint64_t ask(const Request& request) {
    const std::uint64_t number = lockstep_->ask(request);
    asked_[number] = request;
    return number;
  }

  std::mt19937_64 random_;
  std::unique_ptr<Lockstep> lockstep_;
  std::array<JointArray, 4> sent_{};
  std::map<std::uint64_t, Request> asked_;
  std::map<std::uint64_t, int> finals_;
  std::size_t judged_ = 0;
  std::size_t requests_ = 0;
  int turns_ = 0;
};

TEST_F(StormTest, EveryRequestIsAnsweredOnceAndNothingJumps) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    make(seed);
    storm(20 * kSecond_ns);
    if (HasFailure()) FAIL() << "with seed " << seed;
  }
  // the storms were some
  EXPECT_GT(requests_, 100U);
  EXPECT_GT(turns_, 5);
}

}  // namespace
}  // namespace sinew
