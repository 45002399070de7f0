// SPDX-License-Identifier: BSD-3-Clause
// Who must not wait while something is planned, and pieces that come too late.
#include "sinew/language/parser.h"
#include "sinew/motion/program_runner.h"

#include "move_cell.h"
#include "perfect_robot.h"

namespace sinew {
namespace {

class InterruptionTest : public PerfectRobot {
 protected:
  void SetUp() override {
    PerfectRobot::SetUp();
    auto made = MotionService::make(model(), {.interruption = [this] {
                                      ++asked_;
                                      return asked_ >= urgent_from_ && asked_ < urgent_until_;
                                    }});
    ASSERT_TRUE(made) << made.error().message;
    service_ = *std::move(made);
    tell();
  }

  bool is_answered(std::uint64_t number) const {
    return std::ranges::any_of(replies_, [&](const Reply& reply) { return reply.request == number; });
  }
  int finals(std::uint64_t number) const {
    return static_cast<int>(std::ranges::count_if(replies_, [&](const Reply& reply) {
      return reply.request == number && reply.status != ReplyStatus::Accepted;
    }));
  }

  static constexpr int kNever = 1'000'000'000;
  int asked_ = 0;
  int urgent_from_ = kNever;
  int urgent_until_ = kNever;
};

TEST_F(InterruptionTest, AStopThatComesWhilePlanningIsActedUponBeforeThePlanIsMade) {
  urgent_from_ = 1;
  const std::uint64_t number = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  for (int i = 0; i < 5; ++i) step();
  EXPECT_FALSE(is_answered(number));
  EXPECT_TRUE(service_->is_busy());
  urgent_until_ = asked_;
  const std::uint64_t stop = ask({.verb = RequestVerb::Stop});
  EXPECT_EQ(wait_for(stop).status, ReplyStatus::Done);
  EXPECT_EQ(finals(number), 1);
  EXPECT_TRUE(segments_.empty());
  EXPECT_FALSE(service_->is_busy());
}

// wherever planning is interrupted: with what it finds then, nothing has changed
TEST_F(InterruptionTest, WhatWasPutOffIsPlannedAnewAndAnsweredOnce) {
  const Request request = hand_goal("left", {0.4, 0.45, 0.25});
  ASSERT_EQ(carry_out(request).status, ReplyStatus::Done);
  const auto there = state_.position;
  const int needed = asked_;
  ASSERT_GE(needed, 2);
  for (int from = 1; from <= needed; ++from) {
    SetUp();
    asked_ = 0;
    urgent_from_ = from;
    const std::uint64_t number = ask(request);
    for (int i = 0; i < 4; ++i) step();
    ASSERT_FALSE(is_answered(number)) << "interrupted at " << from;
    urgent_from_ = kNever;
    EXPECT_EQ(wait_for(number).status, ReplyStatus::Done);
    EXPECT_EQ(finals(number), 1);
    for (std::size_t i = 0; i < there.size(); ++i) EXPECT_NEAR(state_.position[i], there[i], 1e-6);
  }
}

/// A robot whose time passes while something is planned.
class LongPlanTest : public PerfectRobot {
 protected:
  void SetUp() override {
    PerfectRobot::SetUp();
    auto made = MotionService::make(model(), {.interruption = [this] {
                                      think();
                                      return false;
                                    }});
    ASSERT_TRUE(made) << made.error().message;
    service_ = *std::move(made);
    tell();
  }

  // Between one question and the next.
  void think() {
    for (const Segment& segment : service_->send_on(now_ns_)) {
      EXPECT_GT(segment.start_ns, now_ns_) << "too late to be of use";
      segments_.push_back(segment);
    }
    now_ns_ += kBetweenQuestions_ns;
    planning_ns_ += kBetweenQuestions_ns;
  }

  /// When what was sent of this motion ends, its pieces without a gap.
  std::int64_t end_of(std::uint64_t number) const {
    std::int64_t end_ns = 0;
    for (const Segment& segment : segments_) {
      if (segment.motion != number) continue;
      EXPECT_TRUE(end_ns == 0 || segment.start_ns <= end_ns) << "a gap";
      end_ns = segment.start_ns + segment.duration_ns;
    }
    return end_ns;
  }

  /// Asks for a long way of the left arm, and for one of the right arm when that is under way.
  void ask_for_both() {
    Request slow = hand_goal("left", {0.4, 0.45, 0.25});
    slow.speed = 0.05;
    under_way_ = ask(slow);
    for (int i = 0; i < 100; ++i) step();
    ASSERT_NE(state_.velocity, JointArray{});
    planning_ns_ = 0;
    planned_ = ask(hand_goal("right", {0.4, -0.45, 0.25}));
    step();
    ASSERT_GT(planning_ns_, kSecond_ns) << "planning asks too seldom for this test";
  }

  static constexpr std::int64_t kBetweenQuestions_ns = 700 * kMillisecond_ns;
  std::int64_t planning_ns_ = 0;
  std::uint64_t under_way_ = 0;
  std::uint64_t planned_ = 0;
};

TEST_F(LongPlanTest, WhatIsUnderWayGoesOnHoweverLongAnotherMotionIsPlanned) {
  ask_for_both();
  EXPECT_GT(end_of(under_way_), now_ns_);
  EXPECT_EQ(wait_for(planned_).status, ReplyStatus::Done);
  EXPECT_EQ(wait_for(under_way_, 30000).status, ReplyStatus::Done);
  EXPECT_LT((hand("left").position - Vector3(0.4, 0.45, 0.25)).norm(), 1e-5);
  EXPECT_LT((hand("right").position - Vector3(0.4, -0.45, 0.25)).norm(), 1e-5);
  end_of(under_way_);
}

TEST_F(LongPlanTest, AStopAfterItIsFeltAsSoonAsEver) {
  ask_for_both();
  ask({.verb = RequestVerb::Stop});
  segments_.clear();
  step();
  ASSERT_FALSE(segments_.empty());
  EXPECT_LT(segments_.front().start_ns, now_ns_ + 150 * kMillisecond_ns);
  for (int i = 0; i < 500; ++i) step();
  EXPECT_FALSE(service_->is_busy());
}

/// A planner that somebody interrupts.
class InterruptedPlanTest : public testing::Test {
 protected:
  InterruptedPlanTest()
      : cell_("yarc-industrial",
              {.with_measures = false, .interruption = [this] { return ++asked_ == at_; }}) {}

  // Interrupts the plan at some of the moments at which it asks.
  void expect_put_off_anywhere(const std::vector<Move>& chain, int least) {
    const MovePlan whole = cell_.planner->plan(chain, from_);
    const int needed = asked_;
    EXPECT_GE(needed, least) << "it asks often";
    for (int at = 1; at <= needed; at += 1 + needed / 8) {
      asked_ = 0;
      at_ = at;
      const MovePlan plan = cell_.planner->plan(chain, from_);
      ASSERT_FALSE(plan);
      EXPECT_EQ(plan.refusal->fault, MoveFault::Interrupted) << at << ": " << plan.refusal->words;
      EXPECT_LE(asked_, at + 12) << "it goes on for long";
    }
    at_ = -1;
    const MovePlan again = cell_.planner->plan(chain, from_);
    ASSERT_EQ(static_cast<bool>(again), static_cast<bool>(whole));
    if (!whole) return;
    const Trajectory& a = whole.planned.trajectory;
    const Trajectory& b = again.planned.trajectory;
    ASSERT_EQ(a.length(), b.length());
    for (double t = 0.0; t < a.length(); t += 0.01) ASSERT_EQ(a.at(0, t).value, b.at(0, t).value);
  }

  int asked_ = 0;
  int at_ = -1;
  MoveCell cell_;
  std::vector<double> from_{0.0, -0.1, -0.3, 0.0, -0.6, 0.0};
};

TEST_F(InterruptedPlanTest, AToolPathIsPutOffWhileItIsFollowedAndTimed) {
  const Pose begin = cell_.tool(from_, {});
  Move line{.kind = MoveKind::Line,
            .goals = {Pose{.rotation = begin.rotation, .position = begin.position + Vector3(0.2, 0.0, 0.1)}},
            .timing = {.tool_speed = 0.1}};
  expect_put_off_anywhere({line}, 10);
}

TEST_F(InterruptedPlanTest, ARefusalIsPutOffWhileItIsSoughtWhatWouldDo) {
  const Pose begin = cell_.tool(from_, {});
  Move far{.kind = MoveKind::Line,
           .goals = {Pose{.rotation = begin.rotation, .position = begin.position + Vector3(3.0, 0.0, 0.0)}}};
  expect_put_off_anywhere({far}, 50);
}

TEST_F(InterruptedPlanTest, AWayRoundSomethingIsPutOffWhileItIsSought) {
  Obstacles world;
  Obstacle post{.solid = make_box({0.05, 0.05, 1.0}), .X_LO = {.position = {0.0, 0.9, 1.0}}};
  set_text(post.name, "post");
  ASSERT_TRUE(world.add(post));
  cell_.set_world(world);
  from_ = {-0.9, -0.1, -0.3, 0.0, -0.6, 0.0};
  expect_put_off_anywhere({{.goals = {MoveJoints{0.9, -0.1, -0.3, 0.0, -0.6, 0.0}}}}, 1);
}

// the goal is free, but beyond a wall: of the search with much room only a part is done before the other
TEST_F(InterruptedPlanTest, AHopelessSearchIsNotDoneTwiceInFull) {
  MoveCell cell("yarc-industrial", {.most_iterations = 1600, .with_measures = false, .interruption = [this] {
                                      return ++asked_ == at_;
                                    }});
  Obstacles world;
  for (const double side : {-1.0, 1.0}) {
    Obstacle wall{.solid = make_box({0.02, 1.5, 3.0}), .X_LO = {.position = {0.0, side * 1.8, 1.5}}};
    set_text(wall.name, side > 0.0 ? "left wall" : "right wall");
    ASSERT_TRUE(world.add(wall));
  }
  cell.set_world(world);
  const std::vector<Move> chain{{.goals = {MoveJoints{0.9, -0.1, -0.3, 0.0, -0.6, 0.0}}}};
  const MovePlan plan = cell.planner->plan(chain, std::vector<double>{-0.9, -0.1, -0.3, 0.0, -0.6, 0.0});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.refusal->fault, MoveFault::Blocked) << plan.refusal->words;
  // once in sixteen iterations
  EXPECT_GE(asked_, 100);
  EXPECT_LE(asked_, 130);
}

TEST_F(InterruptionTest, AFirstPieceThatComesTooLateIsSentAgainWithMoreTime) {
  const std::uint64_t number = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  while (segments_.empty()) step();
  const std::int64_t lead_ns = segments_.front().start_ns - now_ns_;
  // nothing of it was taken
  segments_.clear();
  safety_.refused_motion = number;
  safety_.last_refusal = Refusal::Late;
  ++safety_.refusals;
  while (segments_.empty()) step();
  EXPECT_GT(segments_.front().start_ns - now_ns_, lead_ns);
  const Reply reply = wait_for(number);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_LT((hand("left").position - Vector3(0.4, 0.45, 0.25)).norm(), 1e-5);
  EXPECT_EQ(finals(number), 1);
}

TEST_F(InterruptionTest, WhatComesTooLateAgainAndAgainIsAborted) {
  const std::uint64_t number = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  int sent = 0;
  for (int i = 0; i < 400 && finals(number) == 0; ++i) {
    step();
    if (segments_.empty()) continue;
    ++sent;
    segments_.clear();
    safety_.refused_motion = number;
    safety_.last_refusal = Refusal::MotionOver;
    ++safety_.refusals;
  }
  ASSERT_EQ(finals(number), 1);
  EXPECT_EQ(replies_.back().status, ReplyStatus::Aborted);
  EXPECT_GE(sent, 4);
  EXPECT_LE(sent, 8);
}

// what a service that was killed has sent begins a little later
TEST_F(InterruptionTest, ASuccessorWaitsForWhatWasSentBeforeIt) {
  const std::uint64_t killed = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  while (segments_.empty()) step();
  const std::vector<Segment> sent = segments_;
  ASSERT_GT(sent.front().start_ns, now_ns_ + 40 * kMillisecond_ns);
  InterruptionTest::SetUp();
  service_->abort_open(killed, now_ns_);
  const Reply reply = carry_out(hand_goal("left", {0.4, -0.05, 0.25}));
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  const Segment& first = segments_[sent.size()];
  EXPECT_GE(first.start_ns, sent.back().start_ns + sent.back().duration_ns);
  const std::size_t i = joint("LSP");
  const double length = 1e-9 * static_cast<double>(sent.back().duration_ns);
  const Coefficients c{sent.back().c0[i], sent.back().c1[i], sent.back().c2[i],
                       sent.back().c3[i], sent.back().c4[i], sent.back().c5[i]};
  EXPECT_NEAR(first.c0[i], evaluate(c, length).value, 1e-9) << "it begins where that has led";
}

// a joint that has moved meanwhile is another matter
TEST_F(InterruptionTest, AMotionWhoseJointsAreElsewhereIsNotSentAgain) {
  const std::uint64_t number = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  while (segments_.empty()) step();
  segments_.clear();
  state_.position[joint("LSP")] += 0.01;
  safety_.refused_motion = number;
  safety_.last_refusal = Refusal::Late;
  ++safety_.refusals;
  EXPECT_EQ(wait_for(number).status, ReplyStatus::Aborted);
}

// also while what comes before a move that cannot be is planned on its own
TEST_F(InterruptedPlanTest, AProgramThatIsPutOffGoesOnAndDoesNotFail) {
  const auto run = [&](int at) {
    at_ = at;
    asked_ = 0;
    auto parsed = language::parse_program("MOVEJ 10 0 -20 0 -30 0 [r=20]\nMOVEL 0 9000 0 0 0 0\n", "x.prog");
    EXPECT_FALSE(parsed.findings.has_errors());
    auto robot = ProgramRobot::make(cell_.model(), "");
    robot->take_joints(from_);
    auto runner = ProgramRunner::make(std::move(parsed.program), *std::move(robot), *cell_.planner, {});
    EXPECT_TRUE(runner);
    for (int i = 1; i < 5; ++i) {
      const ProgramOrders& orders = (*runner)->step(i * 4'000'000, {});
      if (orders.motion) return std::string("moves");
      if ((*runner)->is_over()) return (*runner)->ending();
    }
    return std::string("neither");
  };
  ASSERT_EQ(run(-1), "moves");
  const int needed = asked_;
  for (int at = 1; at <= needed; at += 1 + needed / 12) EXPECT_EQ(run(at), "moves") << at;
  EXPECT_EQ(run(needed), "moves");
}

}  // namespace
}  // namespace sinew
