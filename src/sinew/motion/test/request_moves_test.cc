// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/request_moves.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "perfect_robot.h"

namespace sinew {
namespace {

/// Requests to an industrial arm that tell more than where its tool shall go.
class RequestMovesTest : public PerfectRobot {
 protected:
  static const RobotModel& industrial() {
    static const LoadedRobot robot = *load_robot("yarc-industrial");
    return robot.model;
  }

  void SetUp() override {
    auto made = MotionService::make(industrial());
    ASSERT_TRUE(made) << made.error().message;
    service_ = *std::move(made);
    state_.joint_count = 6;
    const std::array<double, 6> ready{0.0, -0.1, -0.3, 0.0, -0.6, 0.0};
    std::ranges::copy(ready, state_.position.begin());
    safety_.state = ControlState::Running;
    tell();
  }

  Pose tool() const { return tool_at(state_); }
  static Pose tool_at(const JointState& state) {
    static const auto solver = ArmSolver::make(industrial(), "", "");
    return (*solver)->tool_pose({state.position.data(), state.joint_count});
  }

  Request by(RequestVerb verb, const Vector3& way) const {
    Request request{.verb = verb};
    const PoseComponents goal =
        components_of({.rotation = tool().rotation, .position = tool().position + way});
    for (std::size_t i = 0; i < 3; ++i) {
      request.position[i] = goal[i];
      request.rpy[i] = goal[i + 3];
    }
    set_text(request.who, "test");
    return request;
  }

  /// Where the tool was while anything moved.
  std::vector<Vector3> places() const {
    std::vector<Vector3> all;
    for (const JointState& state : sent_) all.push_back(tool_at(state).position);
    return all;
  }

  double seconds() const {
    return 1e-9 * static_cast<double>(sent_.back().stamp_ns - sent_.front().stamp_ns);
  }
};

TEST_F(RequestMovesTest, ALineIsStraight) {
  const Vector3 from = tool().position;
  const Vector3 way(0.0, 0.05, 0.08);
  const Reply reply = carry_out(by(RequestVerb::MoveLine, way));
  ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_LT((tool().position - from - way).norm(), 1e-6);
  ASSERT_GT(places().size(), 20U);
  for (const Vector3& p : places())
    EXPECT_LT((p - from - (p - from).dot(way) / way.squaredNorm() * way).norm(), 1e-5);
}

TEST_F(RequestMovesTest, ACircleIsRound) {
  const Vector3 from = tool().position;
  Request request = by(RequestVerb::MoveCircle, {0.0, 0.0, 0.08});
  const Request via = by(RequestVerb::MoveCircle, {0.0, 0.04, 0.04});
  request.via_position = via.position;
  request.via_rpy = via.rpy;
  const Reply reply = carry_out(request);
  ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  for (const Vector3& p : places()) EXPECT_NEAR((p - from - Vector3(0.0, 0.0, 0.04)).norm(), 0.04, 1e-5);
}

TEST_F(RequestMovesTest, ADurationIsKeptByEveryKindOfMove) {
  for (const RequestVerb verb : {RequestVerb::MoveLine, RequestVerb::MoveTool, RequestVerb::MoveJoints}) {
    sent_.clear();
    Request request = by(verb, {0.0, 0.03, 0.03});
    request.duration = 3.0;
    if (verb == RequestVerb::MoveJoints) {
      request.joint_mask = 1;
      request.joints[0] = state_.position[0] + 0.2;
    }
    const Reply reply = carry_out(request);
    ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
    EXPECT_NEAR(seconds(), 3.0, 0.02);
  }
}

TEST_F(RequestMovesTest, ATimeThatIsTooShortIsRefusedWithOneThatWouldDo) {
  for (const RequestVerb verb : {RequestVerb::MoveLine, RequestVerb::MoveTool}) {
    Request request = by(verb, {0.0, 0.05, 0.05});
    request.duration = 0.01;
    const Reply reply = carry_out(request);
    EXPECT_EQ(reply.status, ReplyStatus::Refused);
    EXPECT_NE(text_of(reply.reason).find("it cannot be done in 0.010 s: within the limits it takes"),
              std::string_view::npos)
        << text_of(reply.reason);
  }
  EXPECT_TRUE(sent_.empty());
}

TEST_F(RequestMovesTest, TheToolIsNoFasterThanAskedForAndThatFastForMostOfALine) {
  for (const RequestVerb verb : {RequestVerb::MoveLine, RequestVerb::MoveTool}) {
    sent_.clear();
    Request request =
        by(verb, verb == RequestVerb::MoveLine ? Vector3(0, 0.05, 0.08) : Vector3(0, -0.05, -0.08));
    request.tool_speed = 0.02;
    const Reply reply = carry_out(request);
    ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
    const std::vector<Vector3> all = places();
    int even = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
      const double speed = (all[i] - all[i - 1]).norm() / (1e-9 * kStep_ns);
      EXPECT_LT(speed, 0.0201);
      if (speed > 0.0199) ++even;
    }
    if (verb == RequestVerb::MoveLine) {
      EXPECT_GT(even, static_cast<int>(0.8 * static_cast<double>(all.size())));
    }
  }
}

TEST_F(RequestMovesTest, AGoalInAFrameOfOnesOwnIsTheSamePlace) {
  const Vector3 from = tool().position;
  Request request = by(RequestVerb::MoveLine, Vector3::Zero());
  request.frame = RequestFrame::User;
  // a frame at the tool, turned with it
  request.frame_position = request.position;
  request.frame_rpy = request.rpy;
  request.position = {0.0, 0.03, 0.0};
  request.rpy = {};
  const Vector3 way = tool().rotation * Vector3(0.0, 0.03, 0.0);
  const Reply reply = carry_out(request);
  ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_LT((tool().position - from - way).norm(), 1e-6);
}

TEST_F(RequestMovesTest, WhatCannotBeIsRefusedBeforeAnythingMoves) {
  const Request good = by(RequestVerb::MoveLine, {0.0, 0.0, 0.02});
  std::vector<Request> bad(7, good);
  bad[0].component_mask = 7;
  bad[1].tool_speed = -1.0;
  bad[2].duration = std::nan("");
  bad[3].position[1] = std::nan("");
  bad[4].frame = RequestFrame::User;
  bad[4].frame_rpy[0] = std::nan("");
  bad[5].verb = RequestVerb::MoveTool;
  bad[5].tool_acceleration = 1.0;
  bad[6].blend_radius = -0.1;
  for (const Request& request : bad) {
    const Reply reply = carry_out(request);
    EXPECT_EQ(reply.status, ReplyStatus::Refused) << text_of(reply.reason);
    EXPECT_FALSE(text_of(reply.reason).empty());
  }
  const Reply far = carry_out(by(RequestVerb::MoveLine, {2.0, 0.0, 0.0}));
  EXPECT_EQ(far.status, ReplyStatus::Unreachable);
  EXPECT_NE(text_of(far.reason).find("of the way"), std::string_view::npos) << text_of(far.reason);
  EXPECT_TRUE(sent_.empty());
}

TEST_F(RequestMovesTest, ALineThroughAnObstacleIsBlockedByItsName) {
  const Vector3 p = tool().position + Vector3(0.12, -0.05, 0.0);
  const std::string lamp = fmt::format("{{name: lamp, sphere: 0.03, at: [{}, {}, {}]}}", p.x(), p.y(), p.z());
  ASSERT_EQ(carry_out(object(RequestVerb::AddObject, lamp.c_str())).status, ReplyStatus::Done);
  const Reply reply = carry_out(by(RequestVerb::MoveLine, {0.2, 0.0, 0.0}));
  EXPECT_EQ(reply.status, ReplyStatus::Blocked) << text_of(reply.reason);
  EXPECT_NE(text_of(reply.reason).find("lamp"), std::string_view::npos) << text_of(reply.reason);
}

/// Lines that are queued, one round each corner of a square.
class QueuedLinesTest : public RequestMovesTest {
 protected:
  std::vector<std::uint64_t> ask_square(double blend_radius) {
    const std::array<Vector3, 3> corners{Vector3(0.1, 0, 0), Vector3(0.1, 0.1, 0), Vector3(0, 0.1, 0)};
    std::vector<std::uint64_t> numbers;
    for (const Vector3& corner : corners) {
      Request line = by(RequestVerb::MoveLine, corner);
      line.tool_speed = 0.1;
      line.blend_radius = blend_radius;
      line.order = RequestOrder::After;
      numbers.push_back(ask(line));
    }
    return numbers;
  }
  double slowest_between_ends() const {
    const std::vector<Vector3> way = places();
    double slowest = 1.0;
    for (std::size_t i = 100; i + 100 < way.size(); ++i)
      slowest = std::min(slowest, (way[i] - way[i - 1]).norm() / 4e-3);
    return slowest;
  }
  int finals(std::uint64_t number) const {
    return static_cast<int>(std::ranges::count_if(replies_, [&](const Reply& reply) {
      return reply.request == number && reply.status != ReplyStatus::Accepted;
    }));
  }
};

TEST_F(QueuedLinesTest, RunIntoEachOtherByTheirBlendRadiiAndAreAnsweredOneByOne) {
  const Vector3 begin = tool().position;
  const std::vector<std::uint64_t> numbers = ask_square(0.02);
  Reply first = wait_for(numbers[0]);
  EXPECT_EQ(first.status, ReplyStatus::Done) << text_of(first.reason);
  EXPECT_LT((tool().position - begin - Vector3(0.1, 0, 0)).norm(), 0.02) << "answered when it is passed";
  EXPECT_EQ(finals(numbers[1]), 0);
  EXPECT_EQ(wait_for(numbers[2]).status, ReplyStatus::Done);
  for (const std::uint64_t number : numbers) EXPECT_EQ(finals(number), 1);
  EXPECT_GT(slowest_between_ends(), 0.05) << "no stop at the corners";
  EXPECT_LT((tool().position - begin - Vector3(0, 0.1, 0)).norm(), 1e-5);
  EXPECT_FALSE(service_->is_busy());
}

TEST_F(QueuedLinesTest, WithoutARadiusTheyStop) {
  const std::vector<std::uint64_t> numbers = ask_square(0.0);
  EXPECT_EQ(wait_for(numbers[2]).status, ReplyStatus::Done);
  EXPECT_LT(slowest_between_ends(), 0.01);
}

TEST_F(QueuedLinesTest, AStopEndsAllThatAreNotPassed) {
  const std::vector<std::uint64_t> numbers = ask_square(0.02);
  ASSERT_EQ(wait_for(numbers[0]).status, ReplyStatus::Done);
  ask({.verb = RequestVerb::Stop});
  EXPECT_EQ(wait_for(numbers[1]).status, ReplyStatus::Aborted);
  EXPECT_EQ(wait_for(numbers[2]).status, ReplyStatus::Aborted);
  for (const std::uint64_t number : numbers) EXPECT_EQ(finals(number), 1);
}

TEST_F(QueuedLinesTest, OneThatCannotBeIsRefusedAfterThoseBeforeIt) {
  const Vector3 begin = tool().position;
  Request line = by(RequestVerb::MoveLine, {0.1, 0, 0});
  line.blend_radius = 0.02;
  const std::uint64_t first = ask(line);
  Request far = by(RequestVerb::MoveLine, {0.1, 5.0, 0});
  far.order = RequestOrder::After;
  const std::uint64_t second = ask(far);
  EXPECT_EQ(wait_for(first).status, ReplyStatus::Done);
  EXPECT_LT((tool().position - begin - Vector3(0.1, 0, 0)).norm(), 1e-5);
  EXPECT_EQ(wait_for(second).status, ReplyStatus::Unreachable);
}

}  // namespace
}  // namespace sinew
