// SPDX-License-Identifier: BSD-3-Clause
// Southern Arm Control's targets and motors, on the simulated SCORBOT-ER III.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/lockstep/test/program_bench.h"

namespace sinew {
namespace {

constexpr double kDown = std::numbers::pi / 2.0;
constexpr std::size_t kBase = 0;
constexpr std::size_t kRoll = 4;
constexpr std::size_t kGripper = 5;

class TargetTest : public ProgramTest {
 protected:
  void SetUp() override { use("scorbot-er3"); }

  static Request target(std::array<double, 3> position, double pitch = kDown, double hand = -1.0) {
    Request request{
        .verb = RequestVerb::MoveTarget, .position = position, .rpy = {0.0, pitch, 0.0}, .value = hand};
    set_text(request.who, "test");
    return request;
  }
  Reply carry_out(const Request& request) { return wait(robot_->ask(request)); }
  std::string why(const Request& request) { return std::string(text_of(carry_out(request).reason)); }
  double hand_width() const { return 2.0 * robot_->state().position[kGripper]; }

  Reply motor(RequestVerb verb, std::uint64_t number = 0, double value = 0.0) {
    Request request{.verb = verb, .value = value, .number = number};
    set_text(request.who, "test");
    return carry_out(request);
  }
  double counts_of(std::uint64_t number) { return motor(RequestVerb::MotorPosition, number).value; }
};

// the three places of the tower and its height above them, as the thesis's program has them
TEST_F(TargetTest, TheThesisPlacesAreReachedWithTheHandDownAndOpen) {
  for (const auto& [x, y] : {std::pair(0.0, 0.336), std::pair(0.237558, 0.237558), std::pair(0.336, 0.0)}) {
    const Reply reply = carry_out(target({x, y, 0.2}, kDown, 0.065));
    ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
    EXPECT_LT(reply.position_error, 1e-3);
    const Pose X_BT = tool_pose();
    EXPECT_LT((X_BT.position - Vector3(x, y, 0.2)).norm(), 1e-5);
    EXPECT_LT((X_BT.rotation * Vector3::UnitX() + Vector3::UnitZ()).norm(), 1e-5) << "the hand points down";
    EXPECT_NEAR(robot_->state().position[kBase], std::atan2(y, x), 2e-3);
    EXPECT_NEAR(robot_->state().position[kRoll], 0.0, 2e-3);
    EXPECT_NEAR(hand_width(), 0.065, 1e-3);
  }
}

TEST_F(TargetTest, RollTurnsTheHandAlsoWhenItPointsDown) {
  Request request = target({0.336, 0.0, 0.2});
  request.rpy[0] = 0.5;
  ASSERT_EQ(carry_out(request).status, ReplyStatus::Done);
  EXPECT_NEAR(robot_->state().position[kRoll], 0.5, 2e-3);
}

TEST_F(TargetTest, TheArmArrivesBeforeTheHandMovesAndBelowZeroItStays) {
  const double before = hand_width();
  const std::uint64_t number = robot_->ask(target({0.336, 0.0, 0.2}, kDown, 0.04));
  // until the first piece of the hand is sent, the arm has come to where it is wanted
  ASSERT_TRUE(step_until([&] { return robot_->controller().output().command.velocity[kGripper] != 0.0; }));
  EXPECT_LT((tool_pose().position - Vector3(0.336, 0.0, 0.2)).norm(), 1e-5);
  EXPECT_NEAR(hand_width(), before, 1e-3);
  ASSERT_EQ(wait(number).status, ReplyStatus::Done);
  EXPECT_NEAR(hand_width(), 0.04, 1e-3);
  ASSERT_EQ(carry_out(target({0.336, 0.1, 0.2})).status, ReplyStatus::Done);
  EXPECT_NEAR(hand_width(), 0.04, 1e-3);
}

TEST_F(TargetTest, OverItsBackItReachesWhatIsBehindIt) {
  // base 0, shoulder 120, forearm 140, hand 160 degrees to the ground
  const double pitch = -160.0 * std::numbers::pi / 180.0;
  const double r = 0.016 + 0.221 * std::cos(2.0 * std::numbers::pi / 3.0) +
                   0.221 * std::cos(7.0 * std::numbers::pi / 9.0) + 0.143 * std::cos(pitch);
  const double z = 0.344 + 0.221 * std::sin(2.0 * std::numbers::pi / 3.0) +
                   0.221 * std::sin(7.0 * std::numbers::pi / 9.0) - 0.143 * std::sin(pitch);
  const Reply reply = carry_out(target({r, 0.0, z}, pitch));
  ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_LT((tool_pose().position - Vector3(r, 0.0, z)).norm(), 1e-5);
  EXPECT_NEAR(robot_->state().position[kBase], 0.0, 2e-3);
}

TEST_F(TargetTest, OutOfReachIsSaidAndNothingMoves) {
  const double before = hand_width();
  const Reply reply = carry_out(target({0.9, 0.0, 0.2}, kDown, 0.065));
  EXPECT_EQ(reply.status, ReplyStatus::Unreachable);
  EXPECT_FALSE(text_of(reply.reason).empty());
  EXPECT_EQ(robot_->state().joint_count, 6U);
  EXPECT_NEAR(hand_width(), before, 1e-3);
}

TEST_F(TargetTest, WhatCannotBeIsRefusedBeforeTheArmMoves) {
  const Vector3 before = tool_pose().position;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(why(target({0.336, 0.0, 0.2}, kDown, 0.2)).find("opens to 75.0 mm"), std::string::npos);
  EXPECT_NE(why(target({kNan, 0.0, 0.2})).find("no finite number"), std::string::npos);
  EXPECT_NE(why(target({0.336, 0.0, 0.2}, kNan)).find("no finite number"), std::string::npos);
  EXPECT_NE(why(target({0.336, 0.0, 0.2}, kDown, kNan)).find("no finite number"), std::string::npos);
  Request queued = target({0.336, 0.0, 0.2});
  queued.order = RequestOrder::After;
  EXPECT_NE(why(queued).find("carried out at once"), std::string::npos);
  Request hasty = target({0.336, 0.0, 0.2});
  hasty.duration = 0.01;
  EXPECT_NE(why(hasty).find("it cannot be done in 0.010 s"), std::string::npos);
  EXPECT_EQ((tool_pose().position - before).norm(), 0.0);
}

TEST_F(TargetTest, TheTimeAskedForIsTheTimeItTakes) {
  ASSERT_EQ(carry_out(target({0.336, 0.0, 0.2})).status, ReplyStatus::Done);
  Request request = target({0.336, 0.05, 0.2});
  request.duration = 6.0;
  const std::int64_t began_ns = robot_->now_ns();
  ASSERT_EQ(carry_out(request).status, ReplyStatus::Done);
  // and some for the joints to settle within what their encoders can tell
  EXPECT_NEAR(seconds_from_nanoseconds(robot_->now_ns() - began_ns), 7.25, 1.25);
}

TEST_F(TargetTest, AStopEndsItAtAnyMoment) {
  const double before = hand_width();
  for (const double after : {0.05, 1.0, 3.0}) {
    const std::uint64_t number = robot_->ask(target({0.2, after * 0.1, 0.35}, 0.0, 0.07));
    pass(after);
    if (robot_->final_reply(number)) continue;
    const std::uint64_t stop = ask(RequestVerb::Stop);
    EXPECT_EQ(wait(number).status, ReplyStatus::Aborted);
    EXPECT_EQ(wait(stop).status, ReplyStatus::Done);
    pass(1.0);
    EXPECT_NEAR(hand_width(), before, 1e-3) << "the hand moved after the stop";
  }
}

// the arm has answered and the hand is not asked yet: a few milliseconds in which nothing moves
TEST_F(TargetTest, AStopBetweenArmAndHandKeepsTheHandStill) {
  const Request request = target({0.3, 0.05, 0.25}, kDown, 0.07);
  const std::int64_t asked_ns = robot_->now_ns();
  robot_->ask(request);
  ASSERT_TRUE(step_until([&] { return (robot_->motion().moving_mask() >> kGripper & 1) != 0; }));
  const std::int64_t until_ns = robot_->now_ns() - asked_ns;
  for (std::int64_t before_ms = 0; before_ms < 14; before_ms += 2) {
    use("scorbot-er3");
    const double before = hand_width();
    const std::uint64_t number = robot_->ask(request);
    pass(seconds_from_nanoseconds(until_ns - before_ms * kMillisecond_ns));
    ask(RequestVerb::Stop);
    EXPECT_EQ(wait(number).status, ReplyStatus::Aborted) << before_ms;
    pass(0.5);
    EXPECT_NEAR(hand_width(), before, 1e-3) << before_ms << " ms before the hand is asked";
  }
}

TEST_F(TargetTest, ANewerTargetReplacesAnOlderOneWholly) {
  const std::uint64_t first = robot_->ask(target({0.336, 0.0, 0.2}, kDown, 0.07));
  pass(1.0);
  const Reply second = carry_out(target({0.3, 0.1, 0.25}, kDown, 0.03));
  EXPECT_EQ(second.status, ReplyStatus::Done) << text_of(second.reason);
  const Reply replaced = wait(first);
  EXPECT_EQ(replaced.status, ReplyStatus::Aborted);
  EXPECT_NE(text_of(replaced.reason).find("replaced by request"), std::string_view::npos);
  EXPECT_NEAR(hand_width(), 0.03, 1e-3);
}

TEST_F(TargetTest, WhoHasNoControlMovesNothing) {
  Request take{.verb = RequestVerb::TakeControl};
  set_text(take.who, "ann");
  ASSERT_EQ(carry_out(take).status, ReplyStatus::Done);
  EXPECT_NE(why(target({0.336, 0.0, 0.2})).find("ann"), std::string::npos);
}

TEST_F(TargetTest, AtHardHomeAllMotorsCountZeroAndPressTheirSwitches) {
  for (const std::uint64_t number : {1U, 2U, 3U, 4U, 5U}) {
    EXPECT_NEAR(counts_of(number), 0.0, 1.0) << number;
    EXPECT_EQ(motor(RequestVerb::MotorSwitch, number).value, 1.0) << number;
  }
  EXPECT_EQ(motor(RequestVerb::MotorsComplete).value, 1.0);
}

TEST_F(TargetTest, AMotorTurnsByItsCountsAndTheOthersKeepTheirs) {
  for (const auto& [number, counts] : {std::pair(2U, 200.0), std::pair(3U, 100.0), std::pair(4U, 50.0),
                                       std::pair(5U, -50.0), std::pair(1U, -300.0), std::pair(8U, 500.0)}) {
    std::array<double, 9> before{};
    for (const unsigned other : {1U, 2U, 3U, 4U, 5U, 8U}) before[other] = counts_of(other);
    const Reply reply = motor(RequestVerb::MotorMove, number, counts);
    ASSERT_EQ(reply.status, ReplyStatus::Done) << number << ": " << text_of(reply.reason);
    for (const unsigned other : {1U, 2U, 3U, 4U, 5U, 8U}) {
      // a count of the fingers is a thirtieth of a millimetre
      const double slack = other == 8 ? 30.0 : 2.0;
      EXPECT_NEAR(counts_of(other), before[other] + (other == number ? counts : 0.0), slack)
          << "motor " << other << " after motor " << number;
    }
  }
  EXPECT_EQ(motor(RequestVerb::MotorSwitch, 2).value, 0.0);
}

TEST_F(TargetTest, SpeedOneIsSlowAndNoughtIsFastest) {
  const auto seconds_for = [&](double counts) {
    const std::int64_t began_ns = robot_->now_ns();
    EXPECT_EQ(motor(RequestVerb::MotorMove, 1, counts).status, ReplyStatus::Done);
    return seconds_from_nanoseconds(robot_->now_ns() - began_ns);
  };
  const double fastest = seconds_for(300.0);
  ASSERT_EQ(motor(RequestVerb::MotorSpeed, 0, 2.0).status, ReplyStatus::Done);
  const double slow = seconds_for(-300.0);
  EXPECT_GT(slow, 3.0 * fastest);
  ASSERT_EQ(motor(RequestVerb::MotorSpeed, 1, 0.0).status, ReplyStatus::Done);
  EXPECT_LT(seconds_for(300.0), 1.2 * fastest);
}

TEST_F(TargetTest, WhileAMotorTurnsTheyAreNotComplete) {
  Request request{.verb = RequestVerb::MotorMove, .value = 500.0, .number = 1};
  set_text(request.who, "test");
  const std::uint64_t number = robot_->ask(request);
  pass(0.5);
  EXPECT_EQ(motor(RequestVerb::MotorsComplete).value, 0.0);
  EXPECT_EQ(wait(number).status, ReplyStatus::Done);
  EXPECT_EQ(motor(RequestVerb::MotorsComplete).value, 1.0);
}

TEST_F(TargetTest, AHomeOffsetShiftsWhatIsCountedAndNothingElse) {
  ASSERT_EQ(motor(RequestVerb::MotorOffset, 3, 120.0).status, ReplyStatus::Done);
  EXPECT_NEAR(counts_of(3), 120.0, 1.0);
  EXPECT_EQ(motor(RequestVerb::MotorSwitch, 3).value, 1.0);
  EXPECT_NEAR(counts_of(2), 0.0, 1.0);
}

TEST_F(TargetTest, MotorsThatCannotBeAreRefusedInWords) {
  const auto refusal = [&](RequestVerb verb, std::uint64_t number, double value) {
    const Reply reply = motor(verb, number, value);
    EXPECT_EQ(reply.status, ReplyStatus::Refused);
    return std::string(text_of(reply.reason));
  };
  EXPECT_NE(refusal(RequestVerb::MotorMove, 9, 1.0).find("there is no motor 9; there are motor_1"),
            std::string::npos);
  EXPECT_NE(refusal(RequestVerb::MotorMove, 1, 8001.0).find("-8000 to 8000"), std::string::npos);
  EXPECT_NE(refusal(RequestVerb::MotorMove, 1, 0.5).find("0.5 counts cannot be"), std::string::npos);
  EXPECT_NE(refusal(RequestVerb::MotorMove, 1, std::nan("")).find("cannot be"), std::string::npos);
  EXPECT_NE(refusal(RequestVerb::MotorMove, 1, 0.0).find("zero counts"), std::string::npos);
  EXPECT_NE(refusal(RequestVerb::MotorMove, 2, -500.0).find("joint 'shoulder' cannot go to"),
            std::string::npos);
  EXPECT_NE(refusal(RequestVerb::MotorSpeed, 1, 10.0).find("speed 10 cannot be"), std::string::npos);
  EXPECT_NE(refusal(RequestVerb::MotorSwitch, 8, 0.0).find("no home switch"), std::string::npos);
}

}  // namespace
}  // namespace sinew
