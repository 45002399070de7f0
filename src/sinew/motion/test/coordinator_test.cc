// SPDX-License-Identifier: BSD-3-Clause
// Who is obeyed, who waits for whom, and how fast it all runs.
#include <cmath>
#include <limits>
#include <string>

#include "sinew/motion/motion_service.h"
#include "sinew/motion/motion_teller.h"
#include "sinew/motion/test/perfect_robot.h"

namespace sinew {
namespace {

class CoordinatorTest : public PerfectRobot {
 protected:
  static Request of(const char* who, Request request) {
    set_text(request.who, who);
    return request;
  }
  static Request verb(const char* who, RequestVerb verb) { return of(who, {.verb = verb}); }
  Request after(Request request) const {
    request.order = RequestOrder::After;
    request.stamp_ns = now_ns_;
    return request;
  }
  static Request share(double share) { return {.verb = RequestVerb::SetOverride, .speed = share}; }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  MotionState motion() const { return service_->motion_state(now_ns_); }
  static std::string words(const Reply& reply) { return std::string(text_of(reply.reason)); }
  /// Answers for good so far.
  int answers(std::uint64_t number) const {
    return static_cast<int>(std::ranges::count_if(replies_, [&](const Reply& reply) {
      return reply.request == number && reply.status != ReplyStatus::Accepted;
    }));
  }

  const Request up_ = hand_goal("left", {0.4, 0.45, 0.25});
  const Request down_ = hand_goal("left", {0.4, 0.45, -0.25});
  const Request slow_ = [] {
    Request request = hand_goal("left", {0.4, 0.45, -0.25});
    request.speed = 0.3;
    return request;
  }();
  const Request right_ = hand_goal("right", {0.4, -0.45, 0.25});
};

TEST_F(CoordinatorTest, OnlyTheOwnerIsObeyedAndOthersAreToldWhoItIs) {
  ASSERT_EQ(carry_out(verb("ann", RequestVerb::TakeControl)).status, ReplyStatus::Done);
  EXPECT_EQ(text_of(motion().owner), "ann");
  for (Request request : {up_, verb("", RequestVerb::Pause), verb("", RequestVerb::Resume), share(0.5),
                          verb("", RequestVerb::LeaveControl),
                          object(RequestVerb::AddObject, "{name: ball, sphere: 0.1, at: [3, 0, 0]}")}) {
    const Reply reply = carry_out(of("bob", request));
    EXPECT_EQ(reply.status, ReplyStatus::Refused);
    EXPECT_EQ(words(reply),
              "'ann' has control of the robot, and you are 'bob': wait until it is left, or take it over "
              "first ('take' at the console)");
  }
  EXPECT_TRUE(segments_.empty());
  EXPECT_EQ(service_->world().object_count, 0U);
  EXPECT_FALSE(service_->allows("bob"));
  EXPECT_TRUE(service_->allows("ann"));
  EXPECT_EQ(carry_out(of("ann", up_)).status, ReplyStatus::Done);
  ASSERT_EQ(carry_out(verb("ann", RequestVerb::LeaveControl)).status, ReplyStatus::Done);
  EXPECT_EQ(carry_out(of("bob", down_)).status, ReplyStatus::Done);
}

TEST_F(CoordinatorTest, AnybodyMayStopAndSolve) {
  ASSERT_EQ(carry_out(verb("ann", RequestVerb::TakeControl)).status, ReplyStatus::Done);
  const std::uint64_t move = ask(of("ann", up_));
  steps(50);
  Request solve = of("bob", up_);
  solve.verb = RequestVerb::Solve;
  EXPECT_EQ(carry_out(solve).status, ReplyStatus::Done);
  EXPECT_EQ(carry_out(verb("bob", RequestVerb::Stop)).status, ReplyStatus::Done);
  EXPECT_EQ(words(wait_for(move)), "stopped by request 4 of 'bob'");
  EXPECT_EQ(text_of(motion().owner), "ann");
}

TEST_F(CoordinatorTest, TakingOverEndsWhatTheOldOwnerHadAndSaysSo) {
  ASSERT_EQ(carry_out(verb("ann", RequestVerb::TakeControl)).status, ReplyStatus::Done);
  const std::uint64_t move = ask(of("ann", up_));
  const std::uint64_t waiting = ask(after(of("ann", right_)));
  steps(60);
  const Reply taken = carry_out(verb("bob", RequestVerb::TakeControl));
  EXPECT_EQ(taken.status, ReplyStatus::Done);
  EXPECT_EQ(words(taken), "you have control; 'ann' had it, and 2 motions of others end");
  for (const std::uint64_t number : {move, waiting}) {
    const Reply reply = wait_for(number);
    EXPECT_EQ(reply.status, ReplyStatus::Aborted);
    EXPECT_EQ(words(reply), "'bob' has taken control with request 4");
  }
  EXPECT_EQ(words(carry_out(verb("bob", RequestVerb::TakeControl))), "you have control already");
  steps(500);
  EXPECT_FALSE(service_->is_busy());
  EXPECT_EQ(state_.velocity, JointArray{});
  EXPECT_EQ(carry_out(of("bob", down_)).status, ReplyStatus::Done);
  EXPECT_EQ(carry_out(verb("", RequestVerb::TakeControl)).status, ReplyStatus::Refused);
}

TEST_F(CoordinatorTest, WhatWaitsBeginsWhenAllBeforeItIsDone) {
  const std::uint64_t first = ask(up_);
  const std::uint64_t other_arm = ask(after(right_));
  const std::uint64_t third = ask(after(down_));
  step();
  EXPECT_EQ(motion().queue_length, 2U);
  EXPECT_EQ(motion().request, first);
  EXPECT_EQ(wait_for(first).status, ReplyStatus::Done);
  EXPECT_EQ(answers(other_arm), 0);
  EXPECT_EQ(wait_for(other_arm).status, ReplyStatus::Done);
  EXPECT_EQ(wait_for(third).status, ReplyStatus::Done);
  // the one after the other: no piece of a motion begins before the one before has ended
  std::int64_t end_ns = 0;
  std::uint64_t motion_number = 0;
  for (const Segment& piece : segments_) {
    ASSERT_GE(piece.motion, motion_number);
    ASSERT_GE(piece.start_ns, end_ns);
    motion_number = piece.motion;
    end_ns = piece.start_ns + piece.duration_ns;
  }
}

TEST_F(CoordinatorTest, WhatWaitsFailsWithWhatItWaitsFor) {
  const std::uint64_t out_of_reach = ask(hand_goal("left", {3.0, 0.0, 0.0}));
  const std::uint64_t second = ask(after(up_));
  const std::uint64_t third = ask(after(right_));
  EXPECT_EQ(wait_for(out_of_reach).status, ReplyStatus::Unreachable);
  for (const std::uint64_t number : {second, third}) {
    const Reply reply = wait_for(number);
    EXPECT_EQ(reply.status, ReplyStatus::Aborted);
    EXPECT_TRUE(words(reply).starts_with("request 1, before it, failed: ")) << words(reply);
  }
  EXPECT_TRUE(segments_.empty());
}

// the sender cannot have known that the first was refused when it asked for the second
TEST_F(CoordinatorTest, WhatIsAskedToFollowARefusedRequestDoesNotBegin) {
  Request nonsense = up_;
  nonsense.speed = 7.0;
  const std::uint64_t first = ask(nonsense);
  const std::uint64_t second = ask(after(down_));
  EXPECT_EQ(wait_for(first).status, ReplyStatus::Refused);
  const Reply reply = wait_for(second);
  EXPECT_EQ(reply.status, ReplyStatus::Refused);
  EXPECT_TRUE(words(reply).starts_with("request 1, before it, failed: speed 7")) << words(reply);
  // somebody else's chain is not broken, and later everybody knows
  EXPECT_EQ(carry_out(after(of("another", up_))).status, ReplyStatus::Done);
  EXPECT_EQ(carry_out(after(down_)).status, ReplyStatus::Done);
}

TEST_F(CoordinatorTest, ANewGoalEndsWhatWaitsForTheSameJoints) {
  const std::uint64_t moving = ask(right_);
  const std::uint64_t waiting = ask(after(up_));
  steps(20);
  const std::uint64_t now = ask(down_);
  EXPECT_EQ(words(wait_for(waiting)), "replaced by request 3 of 'test'");
  EXPECT_EQ(wait_for(now).status, ReplyStatus::Done);
  EXPECT_EQ(wait_for(moving).status, ReplyStatus::Done);
}

TEST_F(CoordinatorTest, TheQueueIsBoundedAndSaysSo) {
  ask(up_);
  for (std::size_t i = 0; i < MotionQueue::kMostQueued; ++i) ask(after(down_));
  const Reply reply = carry_out(after(down_));
  EXPECT_EQ(reply.status, ReplyStatus::Refused);
  EXPECT_EQ(words(reply), "64 requests wait already, and no more can: ask again when one is done");
  ask({.verb = RequestVerb::Stop});
  steps(400);
  for (std::uint64_t number = 1; number <= number_; ++number) EXPECT_EQ(answers(number), 1) << number;
  EXPECT_FALSE(service_->is_busy());
}

TEST_F(CoordinatorTest, AnUnknownOrderIsRefused) {
  Request request = up_;
  request.order = static_cast<RequestOrder>(2);
  EXPECT_EQ(carry_out(request).status, ReplyStatus::Refused);
}

TEST_F(CoordinatorTest, PausesOnTheWayAndGoesOn) {
  const std::uint64_t move = ask(slow_);
  steps(200);
  EXPECT_EQ(motion().phase, MotionPhase::Moving);
  ASSERT_EQ(carry_out({.verb = RequestVerb::Pause}).status, ReplyStatus::Done);
  EXPECT_EQ(motion().phase, MotionPhase::Pausing);
  steps(400);
  EXPECT_EQ(motion().phase, MotionPhase::Paused);
  EXPECT_EQ(state_.velocity, JointArray{});
  const JointArray place = state_.position;
  const MotionState paused = motion();
  EXPECT_GT(paused.progress, 0.05);
  EXPECT_LT(paused.progress, 0.95);
  EXPECT_GT(paused.remaining, 0.1);
  steps(400);
  EXPECT_EQ(state_.position, place);
  EXPECT_EQ(motion().progress, paused.progress);
  EXPECT_EQ(answers(move), 0);
  ASSERT_EQ(carry_out({.verb = RequestVerb::Resume}).status, ReplyStatus::Done);
  EXPECT_EQ(wait_for(move).status, ReplyStatus::Done);
  EXPECT_LT((hand("left").position - Vector3(0.4, 0.45, -0.25)).norm(), 1e-5);
}

TEST_F(CoordinatorTest, AStopEndsAPause) {
  const std::uint64_t move = ask(slow_);
  steps(200);
  ask({.verb = RequestVerb::Pause});
  steps(300);
  const JointArray place = state_.position;
  EXPECT_EQ(carry_out({.verb = RequestVerb::Stop}).status, ReplyStatus::Done);
  EXPECT_EQ(wait_for(move).status, ReplyStatus::Aborted);
  steps(200);
  EXPECT_EQ(motion().phase, MotionPhase::Idle);
  EXPECT_EQ(state_.position, place);
  EXPECT_EQ(carry_out(up_).status, ReplyStatus::Done);
}

TEST_F(CoordinatorTest, InAPauseNothingBegins) {
  ask({.verb = RequestVerb::Pause});
  const JointArray place = state_.position;
  const std::uint64_t move = ask(up_);
  steps(400);
  EXPECT_EQ(state_.position, place);
  EXPECT_EQ(motion().phase, MotionPhase::Paused);
  EXPECT_NE(words(replies_.back()).find("once the pause is over: resume"), std::string::npos);
  ask({.verb = RequestVerb::Resume});
  EXPECT_EQ(wait_for(move).status, ReplyStatus::Done);
}

TEST_F(CoordinatorTest, TheOverrideHoldsUntilItIsChanged) {
  ASSERT_EQ(carry_out(up_).status, ReplyStatus::Done);
  sent_.clear();
  ASSERT_EQ(carry_out(down_).status, ReplyStatus::Done);
  const auto full = static_cast<double>(sent_.size());
  ASSERT_EQ(carry_out(share(0.5)).status, ReplyStatus::Done);
  EXPECT_EQ(motion().override_share, 0.5);
  for (const Request& request : {up_, down_}) {
    sent_.clear();
    ASSERT_EQ(carry_out(request).status, ReplyStatus::Done);
    EXPECT_NEAR(static_cast<double>(sent_.size()), 2.0 * full, 6.0);
  }
}

TEST_F(CoordinatorTest, RefusesAnOverrideThatCannotBe) {
  for (const double bad : {0.0, 0.009, 1.01, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(carry_out(share(bad)).status, ReplyStatus::Refused) << bad;
    EXPECT_EQ(motion().override_share, 1.0);
  }
  EXPECT_EQ(words(carry_out(share(2.0))),
            "an override of 200 % cannot be: it is 1 to 100 %; to stand still, pause");
}

TEST_F(CoordinatorTest, TellsHowFarItHasComeAndHowLongItTakes) {
  const std::uint64_t move = ask(down_);
  double progress = 0.0;
  double remaining = std::numeric_limits<double>::infinity();
  while (answers(move) == 0) {
    step();
    const MotionState state = motion();
    if (state.phase != MotionPhase::Moving) continue;
    EXPECT_EQ(state.request, move);
    EXPECT_GE(state.progress, progress);
    progress = state.progress;
    if (progress > 0.0 && progress < 1.0) {
      EXPECT_LE(state.remaining, remaining);
      remaining = state.remaining;
    }
  }
  EXPECT_GT(progress, 0.99);
  EXPECT_EQ(motion().phase, MotionPhase::Idle);
  EXPECT_EQ(motion().request, 0U);
}

// a plan may take long: what is under way must not wait for it
/// Motions that a program has planned.
class ProgramStepTest : public CoordinatorTest {
 protected:
  void run(int most_steps) {
    for (int i = 0; i < most_steps && answered_.size() < wanted_; ++i) {
      now_ns_ += kStep_ns;
      follow();
      tell();
      const MotionOutput& output = service_->step(now_ns_);
      EXPECT_TRUE(output.replies.empty());
      segments_.insert(segments_.end(), output.segments.begin(), output.segments.end());
      for (const StepReply& reply : output.step_replies)
        if (reply.reply.status != ReplyStatus::Accepted) answered_.push_back(reply);
    }
  }
  PlannedMotion shoulder_by(double angle) const {
    PlannedMotion motion{.joint_mask = std::uint64_t{1} << joint("LSP"), .trajectory = Trajectory(1)};
    motion.goal.assign(state_.position.begin(), state_.position.begin() + state_.joint_count);
    const Posture from = motion.goal;
    motion.goal[joint("LSP")] += angle;
    append_straight_way(model(), {.from = from, .to = motion.goal, .joint_mask = motion.joint_mask},
                        motion.trajectory);
    return motion;
  }

  std::size_t wanted_ = 1;
  std::vector<StepReply> answered_;
};

TEST_F(ProgramStepTest, StepsAreAnsweredToTheProgram) {
  wanted_ = 2;
  service_->take_step(7, 1, up_, now_ns_);
  service_->take_step(7, 2, after(down_), now_ns_);
  run(5000);
  ASSERT_EQ(answered_.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(answered_[i].step, i + 1);
    EXPECT_EQ(answered_[i].reply.request, 7U);
    EXPECT_EQ(answered_[i].reply.status, ReplyStatus::Done) << words(answered_[i].reply);
  }
}

TEST_F(ProgramStepTest, APlannedMotionIsCarriedOutAsItIs) {
  const PlannedMotion motion = shoulder_by(0.3);
  service_->take_step(7, 5, {}, motion, now_ns_);
  double time = 0.0;
  for (int i = 0; i < 5000 && answered_.empty(); ++i) {
    run(1);
    const double next = service_->step_time(5, now_ns_).value_or(time);
    EXPECT_GE(next, time);
    time = next;
  }
  ASSERT_EQ(answered_.size(), 1U);
  EXPECT_EQ(answered_[0].reply.status, ReplyStatus::Done) << words(answered_[0].reply);
  EXPECT_NEAR(time, motion.trajectory.length(), 0.01);
  EXPECT_NEAR(state_.position[joint("LSP")], motion.goal[joint("LSP")], 1e-9);
}

TEST_F(ProgramStepTest, AStepThatIsEndedComesToRestOnItsWay) {
  const PlannedMotion motion = shoulder_by(0.6);
  service_->take_step(7, 5, {}, motion, now_ns_);
  run(60);
  service_->end_step(5, "the condition has come true", now_ns_);
  run(1);
  ASSERT_EQ(answered_.size(), 1U);
  EXPECT_EQ(answered_[0].reply.status, ReplyStatus::Aborted);
  EXPECT_EQ(words(answered_[0].reply), "the condition has come true");
  wanted_ = 2;
  run(500);
  EXPECT_FALSE(service_->is_busy());
  EXPECT_EQ(state_.velocity, JointArray{});
  EXPECT_LT(state_.position[joint("LSP")], motion.goal[joint("LSP")] - 0.01);
}

TEST_F(ProgramStepTest, APlannedMotionThatDoesNotFitIsRefused) {
  PlannedMotion elsewhere = shoulder_by(0.3);
  state_.position[joint("LSP")] += 0.01;
  PlannedMotion too_few = shoulder_by(0.3);
  too_few.goal.pop_back();
  PlannedMotion unknown = shoulder_by(0.3);
  unknown.joint_mask = std::uint64_t{1} << 63;
  PlannedMotion too_fast = shoulder_by(0.3);
  too_fast.trajectory.stretch(0.5);
  std::uint64_t step_number = 0;
  for (const PlannedMotion& bad : {elsewhere, too_few, unknown, too_fast}) {
    answered_.clear();
    service_->take_step(7, ++step_number, {}, bad, now_ns_);
    run(100);
    ASSERT_EQ(answered_.size(), 1U) << step_number;
    EXPECT_EQ(answered_[0].reply.status, ReplyStatus::Refused) << step_number;
  }
  EXPECT_TRUE(segments_.empty());
}

TEST_F(CoordinatorTest, AGoalThatIsNotMetInTimeIsStrayed) {
  is_obedient_ = false;
  TimedPoints given{.joint_mask = std::uint64_t{1} << joint("LSP"), .goal_time_tolerance = 0.25};
  given.goal_tolerance[joint("LSP")] = 0.02;
  given.points = {{.time = 2.0, .position = {state_.position[joint("LSP")] + 0.1}}};
  for (const TrajectoryPart& part : parts_of(given, "test", 3)) service_->take_part(part);
  const Reply reply = carry_out(of("test", {.verb = RequestVerb::Trajectory, .number = 3}));
  EXPECT_EQ(reply.status, ReplyStatus::Strayed);
  EXPECT_EQ(words(reply),
            "joint 'LeftShoulderExt' is -0.1 from its goal 250.0 ms after the end; the goal tolerance is "
            "0.02");
}

// an encoder's step may be wider than a tolerance that nobody has asked for
TEST_F(CoordinatorTest, WithoutAToleranceATrajectoryEndsWhereOtherMotionsDo) {
  is_obedient_ = false;
  const std::size_t shoulder = joint("LSP");
  for (const double by : {0.005, 0.05}) {
    TimedPoints given{.joint_mask = std::uint64_t{1} << shoulder, .goal_time_tolerance = 0.25};
    given.points = {{.time = 2.0, .position = {state_.position[shoulder] + by}}};
    const std::uint64_t number = by < 0.01 ? 4 : 5;
    for (const TrajectoryPart& part : parts_of(given, "test", number)) service_->take_part(part);
    const Reply reply = carry_out(of("test", {.verb = RequestVerb::Trajectory, .number = number}));
    EXPECT_EQ(reply.status, by < 0.01 ? ReplyStatus::Done : ReplyStatus::Strayed) << words(reply);
    if (by < 0.01) {
      EXPECT_EQ(words(reply), "reached; joint 'LeftShoulderExt' rests 0.0050 from where it was sent");
    }
  }
}

TEST(MotionSettingsTest, ReadsTheSectionMotion) {
  MotionSettings settings;
  EXPECT_TRUE(read_motion({}, settings));
  EXPECT_EQ(settings.on_obstacle, OnObstacle::Stop);
  EXPECT_TRUE(read_motion({{"on_obstacle", "replan"}}, settings));
  EXPECT_EQ(settings.on_obstacle, OnObstacle::Replan);
  EXPECT_TRUE(read_motion({{"payload", "7.5"}}, settings));
  EXPECT_EQ(settings.payload, 7.5);
  EXPECT_FALSE(read_motion({{"payload", "-1"}}, settings));
  EXPECT_FALSE(read_motion({{"payload", "heavy"}}, settings));
  const Status bad_word = read_motion({{"on_obstacle", "slo"}}, settings);
  ASSERT_FALSE(bad_word);
  EXPECT_EQ(bad_word.error().message,
            "robot.yaml, motion.on_obstacle: 'slo' is none of stop, slow, replan (did you mean 'slow'?)");
  const Status bad_key = read_motion({{"on_obstacles", "stop"}}, settings);
  ASSERT_FALSE(bad_key);
  EXPECT_EQ(bad_key.error().message,
            "robot.yaml, motion.on_obstacles: there is no such setting (did you mean 'on_obstacle'?)");
}

TEST(MotionTellerTest, TellsOfEachChangeAndTenTimesASecond) {
  MotionTeller teller;
  MotionState state{.stamp_ns = kSecond_ns};
  EXPECT_TRUE(teller.is_due(state));
  state.stamp_ns += 50 * kMillisecond_ns;
  state.progress = 0.5;
  EXPECT_FALSE(teller.is_due(state));
  state.queue_length = 1;
  EXPECT_TRUE(teller.is_due(state));
  state.stamp_ns += 99 * kMillisecond_ns;
  EXPECT_FALSE(teller.is_due(state));
  state.stamp_ns += kMillisecond_ns;
  EXPECT_TRUE(teller.is_due(state));
  state.program_line = 3;
  EXPECT_TRUE(teller.is_due(state));
  state.stamp_ns = 0;
  EXPECT_TRUE(teller.is_due(state));
}

}  // namespace
}  // namespace sinew
