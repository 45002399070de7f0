// SPDX-License-Identifier: BSD-3-Clause
// What goes on only while a key is held, with the real controller behind it: on the simulated clock, so that
// the time a key may be silent is exact.
#include <algorithm>
#include <cmath>

#include "apps/lockstep/test/program_bench.h"

namespace sinew {
namespace {

constexpr double kBeat = 0.05;     // [s] between the beats of a key
constexpr double kSilence = 0.15;  // [s]
constexpr double kPause = 0.7;     // [s] from a change of mind to rest: what was sent, and the braking
constexpr double kNear = 1e-4;     // [rad]
constexpr double kSlow = 0.3;      // [rad/s] What is on its way is faster.

class HoldTest : public ProgramTest {
 protected:
  void SetUp() override { use("ur5e"); }

  void beat(std::uint64_t press, const char* who = "test") { say(press, false, who); }
  void release(std::uint64_t press) { say(press, true, "test"); }
  void say(std::uint64_t press, bool is_released, const char* who) {
    HoldBeat message{.stamp_ns = robot_->now_ns(), .press = press, .is_released = is_released ? 1U : 0U};
    set_text(message.who, who);
    robot_->put(message);
  }
  /// These keys are held for so long.
  void hold(const std::vector<std::uint64_t>& presses, double seconds) {
    for (double t = 0.0; t < seconds - 1e-9; t += kBeat) {
      for (const std::uint64_t press : presses) beat(press);
      pass(std::min(kBeat, seconds - t));
    }
  }
  std::uint64_t move(std::size_t joint, double by, std::uint64_t press) {
    Request request{.verb = RequestVerb::MoveJoints,
                    .speed = 0.5,
                    .hold = press,
                    .joint_mask = std::uint64_t{1} << joint};
    request.joints[joint] = sent(joint) + by;
    set_text(request.who, "test");
    return robot_->ask(request);
  }
  std::uint64_t resume(std::uint64_t number, std::uint64_t press) {
    Request request{.verb = RequestVerb::Resume, .number = number, .hold = press};
    set_text(request.who, "test");
    return robot_->ask(request);
  }
  std::uint64_t run_held(const std::string& text, std::uint64_t press) {
    Request request{.verb = RequestVerb::RunProgram, .hold = press};
    set_text(request.who, "test");
    set_text(request.text, file_of(text));
    return robot_->ask(request);
  }
  double sent(std::size_t joint) const { return robot_->controller().output().command.position[joint]; }
  double speed(std::size_t joint) const { return robot_->controller().output().command.velocity[joint]; }
  MotionPhase motion_phase() const { return robot_->motion_state().phase; }
  /// That it neither moves now nor later.
  void expect_stands(std::size_t joint, double seconds = 3.0) {
    const double at = sent(joint);
    EXPECT_EQ(speed(joint), 0.0);
    pass(seconds);
    EXPECT_EQ(sent(joint), at);
  }
};

TEST_F(HoldTest, GoesAsLongAsTheKeyIsHeldAndArrives) {
  beat(7);
  const double goal = sent(0) + 0.5;
  const std::uint64_t number = move(0, 0.5, 7);
  hold({7}, 6.0);
  const auto reply = robot_->final_reply(number);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, ReplyStatus::Done) << text_of(reply->reason);
  EXPECT_NEAR(sent(0), goal, kNear);
  EXPECT_EQ(robot_->controller().output().safety.refusals, 0U);
}

TEST_F(HoldTest, BeginsOnlyWithAKeyThatIsHeld) {
  const Reply never = wait(move(0, 0.5, 7));
  EXPECT_EQ(never.status, ReplyStatus::Refused);
  EXPECT_NE(text_of(never.reason).find("key is held"), std::string_view::npos) << text_of(never.reason);
  beat(7);
  pass(kSilence + 0.01);
  EXPECT_EQ(wait(move(0, 0.5, 7)).status, ReplyStatus::Refused) << "that was too long ago";
  beat(8);
  release(8);
  EXPECT_EQ(wait(move(0, 0.5, 8)).status, ReplyStatus::Refused);
  expect_stands(0);
}

TEST_F(HoldTest, StandsShortOfItsGoalWhenTheKeyIsLetGo) {
  beat(7);
  const double goal = sent(0) + 2.0;
  const std::uint64_t number = move(0, 2.0, 7);
  hold({7}, 1.0);
  ASSERT_GT(std::abs(speed(0)), kSlow) << "it is on its way";
  release(7);
  pass(kPause);
  expect_stands(0);
  EXPECT_LT(sent(0), goal - 0.5);
  EXPECT_EQ(motion_phase(), MotionPhase::Paused);
  EXPECT_FALSE(robot_->final_reply(number)) << "it may go on";
}

// Whoever spoke for the key has died: nobody is left to say that it was let go.
TEST_F(HoldTest, StandsShortOfItsGoalWhenTheBeatsStayAway) {
  beat(7);
  const double goal = sent(0) + 2.0;
  move(0, 2.0, 7);
  hold({7}, 1.0);
  ASSERT_GT(std::abs(speed(0)), kSlow);
  pass(kSilence + kPause);
  expect_stands(0);
  EXPECT_LT(sent(0), goal - 0.5);
  EXPECT_EQ(motion_phase(), MotionPhase::Paused);
}

TEST_F(HoldTest, AReleaseIsFeltSoonerThanSilence) {
  const auto travel = [this](bool is_released) {
    beat(7 + is_released);
    move(0, 2.0, 7 + is_released);
    hold({7U + is_released}, 1.0);
    const double from = sent(0);
    if (is_released) release(8);
    pass(2.0);
    const double way = sent(0) - from;
    use("ur5e");
    return way;
  };
  const double by_silence = travel(false);
  const double by_release = travel(true);
  EXPECT_LT(by_release, by_silence - 0.03);
}

TEST_F(HoldTest, AShortSilenceIsForgivenALongOneIsNot) {
  beat(7);
  move(0, 2.0, 7);
  hold({7}, 0.5);
  pass(0.6);
  EXPECT_LT(std::abs(speed(0)), kSlow) << "it brakes";
  hold({7}, 1.0);
  EXPECT_GT(std::abs(speed(0)), kSlow) << "the finger was on the key all the time";
  pass(1.1);
  hold({7}, 1.0);
  expect_stands(0);
}

TEST_F(HoldTest, NothingRevivesAPressThatIsOver) {
  beat(7);
  move(0, 2.0, 7);
  hold({7}, 1.0);
  release(7);
  hold({7}, 2.0);
  expect_stands(0);
  // also when so many were pressed since that nobody remembers it
  for (std::uint64_t press = 100; press < 100 + 2 * HoldBook::kMostPresses; ++press) beat(press);
  hold({7}, 2.0);
  expect_stands(0);
}

TEST_F(HoldTest, ANewPressLetsNothingGoOnByItself) {
  beat(7);
  move(0, 2.0, 7);
  hold({7}, 1.0);
  release(7);
  pass(kPause);
  const double at = sent(0);
  hold({8}, 2.0);
  EXPECT_EQ(sent(0), at);
}

TEST_F(HoldTest, WhatIsNamedGoesOnWithANewPress) {
  beat(7);
  const double goal = sent(0) + 1.0;
  const std::uint64_t number = move(0, 1.0, 7);
  hold({7}, 0.6);
  release(7);
  pass(kPause);
  ASSERT_LT(sent(0), goal - 0.1);
  beat(8);
  const std::uint64_t again = resume(number, 8);
  hold({8}, 5.0);
  ASSERT_TRUE(robot_->final_reply(again));
  EXPECT_EQ(robot_->final_reply(again)->status, ReplyStatus::Done);
  ASSERT_TRUE(robot_->final_reply(number));
  EXPECT_EQ(robot_->final_reply(number)->status, ReplyStatus::Done);
  EXPECT_NEAR(sent(0), goal, kNear);
}

TEST_F(HoldTest, ItDoesNotGoOnWithoutAKey) {
  beat(7);
  const std::uint64_t number = move(0, 2.0, 7);
  hold({7}, 1.0);
  release(7);
  pass(kPause);
  const Reply plain = wait(ask(RequestVerb::Resume));
  EXPECT_EQ(plain.status, ReplyStatus::Refused);
  EXPECT_NE(text_of(plain.reason).find("key is held"), std::string_view::npos) << text_of(plain.reason);
  EXPECT_EQ(wait(resume(number, 9)).status, ReplyStatus::Refused) << "nobody holds that one";
  beat(9);
  EXPECT_EQ(wait(resume(number + 1000, 9)).status, ReplyStatus::Refused) << "there is no such motion";
  expect_stands(0);
}

TEST_F(HoldTest, TwoHandsHoldTwoMotions) {
  beat(7);
  beat(8);
  const double goal = sent(3) + 2.0;
  const std::uint64_t first = move(0, 2.0, 7);
  const std::uint64_t second = move(3, 2.0, 8);
  hold({7, 8}, 1.0);
  ASSERT_GT(std::abs(speed(0)), kSlow);
  ASSERT_GT(std::abs(speed(3)), kSlow);
  release(7);
  hold({8}, kPause);
  EXPECT_EQ(speed(0), 0.0);
  const double at = sent(0);
  hold({8}, 8.0);
  EXPECT_EQ(sent(0), at) << "the one that was let go";
  EXPECT_NEAR(sent(3), goal, kNear) << "the other one";
  EXPECT_TRUE(robot_->final_reply(second));
  EXPECT_FALSE(robot_->final_reply(first));
}

TEST_F(HoldTest, WhatWaitsBehindItGoesOnWithTheSamePress) {
  beat(7);
  const std::uint64_t first = move(0, 0.5, 7);
  Request then{.verb = RequestVerb::MoveJoints, .hold = 7, .order = RequestOrder::After, .joint_mask = 2};
  then.joints[1] = sent(1) - 0.3;
  set_text(then.who, "test");
  const std::uint64_t second = robot_->ask(then);
  hold({7}, 0.4);
  release(7);
  pass(kPause);
  beat(8);
  resume(first, 8);
  hold({8}, 8.0);
  ASSERT_TRUE(robot_->final_reply(second));
  EXPECT_EQ(robot_->final_reply(second)->status, ReplyStatus::Done);
}

TEST_F(HoldTest, HandsOfOthersDoNotCountAndWhoTakesControlEndsIt) {
  ask(RequestVerb::TakeControl);
  pass(0.05);
  beat(9, "stranger");
  EXPECT_EQ(wait(move(0, 0.5, 9)).status, ReplyStatus::Refused);
  beat(7);
  const std::uint64_t number = move(0, 2.0, 7);
  hold({7}, 1.0);
  Request take{.verb = RequestVerb::TakeControl};
  set_text(take.who, "other");
  robot_->ask(take);
  hold({7}, kPause);
  ASSERT_TRUE(robot_->final_reply(number));
  EXPECT_EQ(robot_->final_reply(number)->status, ReplyStatus::Aborted);
  expect_stands(0);
}

TEST_F(HoldTest, WhoLeavesControlHasLetGo) {
  ask(RequestVerb::TakeControl);
  pass(0.05);
  beat(7);
  const std::uint64_t number = move(0, 2.0, 7);
  hold({7}, 1.0);
  ask(RequestVerb::LeaveControl);
  pass(0.01);
  hold({7}, kPause);
  expect_stands(0);
  EXPECT_FALSE(robot_->final_reply(number));
}

TEST_F(HoldTest, AProgramStandsWithItsKeyAndGoesOnWithAnother) {
  beat(7);
  const std::uint64_t number = run_held("MOVEJ 40 -90 90 -90 -90 0 [v=30]\nWAIT 0.5\nPRINT \"over\"\n", 7);
  hold({7}, 0.6);
  ASSERT_EQ(phase(), ProgramPhase::Running);
  ASSERT_NE(speed(0), 0.0);
  release(7);
  pass(kPause);
  EXPECT_EQ(phase(), ProgramPhase::Paused);
  expect_stands(0);
  const Reply plain = wait(ask(RequestVerb::Resume));
  EXPECT_EQ(plain.status, ReplyStatus::Refused) << text_of(plain.reason);
  EXPECT_EQ(wait(ask(RequestVerb::StepProgram)).status, ReplyStatus::Refused) << "nor a step";
  beat(8);
  const std::uint64_t again = resume(number, 8);
  hold({8}, 12.0);
  ASSERT_TRUE(robot_->final_reply(again));
  EXPECT_EQ(robot_->final_reply(again)->status, ReplyStatus::Done);
  ASSERT_TRUE(robot_->final_reply(number));
  EXPECT_EQ(robot_->final_reply(number)->status, ReplyStatus::Done)
      << text_of(robot_->final_reply(number)->reason);
  EXPECT_EQ(said(number), std::vector<std::string>{"over"});
}

TEST_F(HoldTest, AProgramThatWaitsStandsAsWell) {
  beat(7);
  const std::uint64_t number = run_held("WAIT 1\nPRINT \"over\"\n", 7);
  hold({7}, 0.5);
  pass(3.0);
  EXPECT_EQ(phase(), ProgramPhase::Paused);
  EXPECT_TRUE(said(number).empty()) << "the time does not pass";
  beat(8);
  Request pause_then{.verb = RequestVerb::Pause};
  set_text(pause_then.who, "test");
  robot_->ask(pause_then);
  resume(number, 8);
  hold({8}, 1.0);
  ASSERT_TRUE(robot_->final_reply(number));
  EXPECT_EQ(said(number), std::vector<std::string>{"over"});
}

TEST_F(HoldTest, AStepNeedsTheKeyOfAHeldProgram) {
  beat(7);
  Request request{.verb = RequestVerb::StepProgram, .hold = 7};
  set_text(request.who, "test");
  set_text(request.text, file_of("MOVEJ 40 -90 90 -90 -90 0 [v=30]\nPRINT \"over\"\n"));
  const std::uint64_t number = robot_->ask(request);
  hold({7}, 0.2);
  ASSERT_EQ(phase(), ProgramPhase::Stepped);
  Request step{.verb = RequestVerb::StepProgram, .hold = 7};
  set_text(step.who, "test");
  robot_->ask(step);
  hold({7}, 0.5);
  ASSERT_NE(speed(0), 0.0);
  pass(kSilence + kPause);
  expect_stands(0);
  beat(8);
  step.hold = 8;
  robot_->ask(step);
  hold({8}, 8.0);
  EXPECT_EQ(phase(), ProgramPhase::Stepped);
  EXPECT_TRUE(said(number).empty()) << "one statement";
}

// In the middle of planning for something else: it is put off, and what was let go stands.
TEST_F(HoldTest, PlanningDoesNotKeepWhatIsLetGoWaiting) {
  beat(7);
  move(0, 2.0, 7);
  hold({7}, 1.0);
  EXPECT_FALSE(robot_->motion().lets_go(robot_->now_ns()));
  release(7);
  EXPECT_TRUE(robot_->motion().lets_go(robot_->now_ns()));
  pass(0.01);
  EXPECT_FALSE(robot_->motion().lets_go(robot_->now_ns())) << "it was told";
}

}  // namespace
}  // namespace sinew
