// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/motion_service.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "sinew/control/safety_text.h"
#include "sinew/motion/test/perfect_robot.h"
#include "sinew/motion/test/shape_files.h"

namespace sinew {
namespace {

using MotionServiceTest = PerfectRobot;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_F(MotionServiceTest, BringsTheHandToAllCornersOfTheBox) {
  for (const auto& corner :
       {std::array{0.3, 0.2, 0.0}, std::array{0.4, 0.45, 0.25}, std::array{0.4, -0.05, 0.25},
        std::array{0.4, -0.05, -0.25}, std::array{0.4, 0.45, -0.25}}) {
    const Reply reply = carry_out(hand_goal("left", corner));
    ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
    EXPECT_LT((hand("left").position - Vector3(corner[0], corner[1], corner[2])).norm(), 1e-5);
    EXPECT_LT(reply.position_error, 1e-5);
  }
}

TEST_F(MotionServiceTest, WalksThePapersFortySteps) {
  Request request = hand_goal("left", {0.3, 0.2, 0.0});
  request.is_legacy = 1;
  const Reply reply = carry_out(request);
  ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_EQ(reply.steps, 40U);
  EXPECT_NEAR(reply.joints[joint("LEP")], -2.21719, 1e-5);
  EXPECT_LT((hand("left").position - Vector3(0.29986, 0.20049, 0.00014)).cwiseAbs().maxCoeff(), 1e-5);
}

TEST_F(MotionServiceTest, MeetsXAndPitchAlone) {
  Request request = hand_goal("left", {0.45, kNan, kNan}, 0b010001);
  request.rpy = {kNan, std::numbers::pi / 2, kNan};
  const Reply reply = carry_out(request);
  ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_NEAR(hand("left").position.x(), 0.45, 1e-4);
  EXPECT_NEAR(roll_pitch_yaw(hand("left").rotation).pitch, std::numbers::pi / 2, 1e-4);
}

TEST_F(MotionServiceTest, SendsPiecesThatFollowEachOtherWithinLimitsAndEndAtRest) {
  const std::uint64_t number = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  ASSERT_EQ(wait_for(number).status, ReplyStatus::Done);
  ASSERT_GT(segments_.size(), 10U);
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    EXPECT_EQ(segments_[k].motion, number);
    EXPECT_EQ(segments_[k].is_last == 1, k + 1 == segments_.size());
    const std::int64_t begin_ns =
        k == 0 ? segments_[0].start_ns : segments_[k - 1].start_ns + segments_[k - 1].duration_ns;
    EXPECT_EQ(segments_[k].start_ns, begin_ns);
  }
  ASSERT_GT(sent_.size(), 50U);
  for (const JointState& state : sent_) {
    for (std::size_t i = 0; i < state_.joint_count; ++i)
      EXPECT_LE(std::abs(state.velocity[i]), model().joints[model().positions[i]].limits.velocity + 1e-9);
  }
}

TEST_F(MotionServiceTest, JointsThatCreepAreHaltedFirst) {
  is_obedient_ = false;
  state_.velocity[joint("LSP")] = 1e-5;
  const std::uint64_t number = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  for (int i = 0; i < 20; ++i) step();
  EXPECT_TRUE(segments_.empty());
  ASSERT_EQ(references_.size(), 1U);
  EXPECT_NE(references_[0].joint_mask >> joint("LSP") & 1, 0U);
  EXPECT_EQ(references_[0].position[joint("LSP")], state_.position[joint("LSP")]);
  is_obedient_ = true;
  EXPECT_EQ(wait_for(number).status, ReplyStatus::Done);
}

// whatever the controller says, no more and no less
TEST_F(MotionServiceTest, TellsWhyTheControllerRefusedAMotion) {
  for (std::uint32_t i = 1; i <= static_cast<std::uint32_t>(Refusal::NotRunning); ++i) {
    SCOPED_TRACE(refusal_text(Refusal{i}));
    const std::uint64_t number = ask(hand_goal("left", {0.4, 0.45, 0.25 - 0.01 * (i % 2)}));
    // so late that it is not sent again
    for (int k = 0; k < 60; ++k) step();
    safety_.refused_motion = number;
    ++safety_.refusals;
    safety_.last_refusal = Refusal{i};
    safety_.refused_joint = static_cast<std::uint32_t>(joint("LEP"));
    safety_.refused_value = 0.25;
    safety_.refused_bound = 0.125;
    safety_.refused_quantity =
        i == static_cast<std::uint32_t>(Refusal::Late) ? Quantity::Time : Quantity::Velocity;
    set_text(safety_.refused_who, "segments");
    const Reply reply = wait_for(number);
    EXPECT_EQ(reply.status, ReplyStatus::Aborted);
    EXPECT_EQ(text_of(reply.reason), "the controller refused it: " + refusal_cause(safety_, &model()));
    EXPECT_EQ(refusal_sentence(safety_, &model()),
              fmt::format("segments: motion {}: {}", number, refusal_cause(safety_, &model())));
    for (int k = 0; k < 200; ++k) step();
  }
  safety_.last_refusal = Refusal::TooFast;
  EXPECT_EQ(refusal_cause(safety_, &model()),
            "velocity 0.25 rad/s of joint 'LeftElbowFlex' passes its limit 0.125 rad/s; take more time");
  safety_.last_refusal = Refusal::NoRoom;
  EXPECT_EQ(refusal_cause(safety_, &model()),
            "the queue of 128 pieces is full; send the rest when the robot has come further");
}

// a piece that was refused in mid-motion: the rest of the queue plays on, and only then the next may begin
TEST_F(MotionServiceTest, ARetryRightAfterARefusalWaitsForWhatIsLeftOfTheQueue) {
  const std::uint64_t number = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  for (int k = 0; k < 60; ++k) step();
  safety_.refused_motion = number;
  safety_.refusals = 1;
  safety_.last_refusal = Refusal::NoRoom;
  ASSERT_EQ(wait_for(number).status, ReplyStatus::Aborted);
  const std::int64_t end_ns = segments_.back().start_ns + segments_.back().duration_ns;
  const std::size_t sent = segments_.size();
  const std::uint64_t again = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  while (segments_.size() == sent) step();
  EXPECT_GE(segments_.back().start_ns, end_ns);
  EXPECT_EQ(segments_.back().motion, again);
  state_.velocity = {};
  EXPECT_EQ(wait_for(again).status, ReplyStatus::Done);
}

TEST_F(MotionServiceTest, TellsHowTheControllerEndedAMotion) {
  const std::vector<std::pair<MotionEnd, std::string>> ends{
      {MotionEnd::Taken, "a reference of another program took one of its joints"},
      {MotionEnd::Held, "a planned motion was ended: joint 'LeftElbowFlex' would only have stopped at "},
      {MotionEnd::Broken, "its next piece did not reach the controller in time; it has braked"},
      {MotionEnd::Stopped, "the robot was stopped"},
      {MotionEnd::Halted, "halted by run"}};
  double z = 0.25;
  for (const auto& [end, words] : ends) {
    const std::uint64_t number = ask(hand_goal("left", {0.4, 0.45, z -= 0.02}));
    for (int k = 0; k < 60; ++k) step();
    safety_.ended_motion = number;
    safety_.motion_end = end;
    safety_.reason = end == MotionEnd::Held ? StopReason::JointLimit : StopReason::None;
    safety_.joint = static_cast<std::uint32_t>(joint("LEP"));
    set_text(safety_.who, "run");
    const Reply reply = wait_for(number);
    EXPECT_EQ(reply.status, end == MotionEnd::Held ? ReplyStatus::Blocked : ReplyStatus::Aborted);
    EXPECT_TRUE(text_of(reply.reason).starts_with(words)) << text_of(reply.reason);
    for (int k = 0; k < 200; ++k) step();
  }
}

TEST_F(MotionServiceTest, HalfTheSpeedTakesTwiceAsLong) {
  Request request = hand_goal("left", {0.4, 0.45, 0.25});
  const std::vector<double> home(state_.position.begin(), state_.position.begin() + state_.joint_count);
  carry_out(request);
  const std::size_t fast = sent_.size();
  sent_.clear();
  segments_.clear();
  std::ranges::copy(home, state_.position.begin());
  request.speed = 0.5;
  carry_out(request);
  EXPECT_NEAR(static_cast<double>(sent_.size()), 2.0 * static_cast<double>(fast), 4.0);
}

TEST_F(MotionServiceTest, BothHandsToOnePlaceAreBlockedWithTheNamesOfTwoLinks) {
  ASSERT_EQ(carry_out(hand_goal("left", {0.3, 0.2, 0.0})).status, ReplyStatus::Done);
  const auto before = state_.position;
  const Reply reply = carry_out(hand_goal("right", {0.3, 0.18, 0.0}));
  EXPECT_EQ(reply.status, ReplyStatus::Blocked);
  const std::string words(text_of(reply.reason));
  EXPECT_NE(words.find("left_"), std::string::npos) << words;
  EXPECT_NE(words.find("right_"), std::string::npos) << words;
  EXPECT_EQ(state_.position, before);
}

TEST_F(MotionServiceTest, ArmsMoveAtTheSameTime) {
  const std::uint64_t left = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  const std::uint64_t right = ask(hand_goal("right", {0.4, -0.45, 0.25}));
  EXPECT_EQ(wait_for(left).status, ReplyStatus::Done);
  EXPECT_EQ(wait_for(right).status, ReplyStatus::Done);
  EXPECT_LT((hand("left").position - Vector3(0.4, 0.45, 0.25)).norm(), 1e-5);
  EXPECT_LT((hand("right").position - Vector3(0.4, -0.45, 0.25)).norm(), 1e-5);
}

TEST_F(MotionServiceTest, ATableInTheWayOfAHandIsNamed) {
  ASSERT_EQ(
      carry_out(object(RequestVerb::AddObject, "{name: table, box: [1, 3, 0.05], at: [0.7, 0, 0.9]}")).status,
      ReplyStatus::Done);
  const Reply reply = carry_out(hand_goal("left", {0.4, 0.3, -0.32}));
  EXPECT_EQ(reply.status, ReplyStatus::Blocked) << text_of(reply.reason);
  EXPECT_NE(std::string(text_of(reply.reason)).find("table"), std::string::npos) << text_of(reply.reason);
  ASSERT_EQ(carry_out(object(RequestVerb::RemoveObject, "table")).status, ReplyStatus::Done);
  EXPECT_EQ(carry_out(hand_goal("left", {0.4, 0.3, -0.32})).status, ReplyStatus::Done);
}

// a table of triangles with legs: the hand goes under its top, which is not filled, but not through it
TEST_F(MotionServiceTest, ATableOfTrianglesIsInTheWayWhereItIs) {
  const ShapeFiles files;
  draws::Triangles table;
  add_box(table, {0.0, 0.0, 0.0}, {0.5, 1.5, 0.025});
  add_box(table, {0.4, 1.4, -0.4}, {0.02, 0.02, 0.375});
  add_box(table, {0.4, -1.4, -0.4}, {0.02, 0.02, 0.375});
  const std::string line =
      fmt::format("{{name: table, mesh: {}, at: [0.7, 0, 0.9]}}", files.write_stl("table.stl", table));
  const Reply added = carry_out(object(RequestVerb::AddObject, line.c_str()));
  ASSERT_EQ(added.status, ReplyStatus::Done) << text_of(added.reason);
  EXPECT_EQ(text_of(added.reason), "table added as a surface of 36 triangles");
  const Reply blocked = carry_out(hand_goal("left", {0.4, 0.3, -0.32}));
  EXPECT_EQ(blocked.status, ReplyStatus::Blocked) << text_of(blocked.reason);
  EXPECT_NE(text_of(blocked.reason).find("table"), std::string_view::npos) << text_of(blocked.reason);
  // what cannot be read changes nothing
  const World before = service_->world();
  for (const char* bad : {"{name: table, mesh: /nowhere/table.stl}", "{name: table, mesh: table.stl}",
                          "{name: table, field: /dev/null, size: [1, 1, 1]}"}) {
    const Reply refused = carry_out(object(RequestVerb::AddObject, bad));
    EXPECT_EQ(refused.status, ReplyStatus::Refused) << bad;
    EXPECT_GT(text_of(refused.reason).size(), 20U);
    EXPECT_EQ(std::memcmp(&before, &service_->world(), sizeof(World)), 0);
  }
  EXPECT_EQ(carry_out(hand_goal("left", {0.4, 0.3, -0.32})).status, ReplyStatus::Blocked);
  // moved up it is no longer in the way of the hand, that goes below
  const std::string up = fmt::format("{{name: table, mesh: {}, at: [0.7, 0, 2.4]}}", files.path("table.stl"));
  ASSERT_EQ(carry_out(object(RequestVerb::AddObject, up.c_str())).status, ReplyStatus::Done);
  EXPECT_EQ(carry_out(hand_goal("left", {0.4, 0.3, -0.32})).status, ReplyStatus::Done);
}

TEST_F(MotionServiceTest, SaysWhatIsOutOfReach) {
  const Reply reply = carry_out(hand_goal("left", {3.0, 0.0, 0.0}));
  EXPECT_EQ(reply.status, ReplyStatus::Unreachable);
  EXPECT_NE(std::string(text_of(reply.reason)).find("reach"), std::string::npos) << text_of(reply.reason);
}

TEST_F(MotionServiceTest, SolvesWithoutMoving) {
  Request request = hand_goal("left", {0.3, 0.2, 0.0});
  request.verb = RequestVerb::Solve;
  const Reply reply = carry_out(request);
  EXPECT_EQ(reply.status, ReplyStatus::Done);
  EXPECT_NE(reply.joint_mask, 0U);
  EXPECT_TRUE(segments_.empty());
}

TEST_F(MotionServiceTest, AnswersWithTheNearestPostureWhereNoneWillDo) {
  Request request = hand_goal("right", {0.3, 0.2, 0.0});
  request.verb = RequestVerb::Solve;
  const Reply reply = carry_out(request);
  EXPECT_EQ(reply.status, ReplyStatus::Unreachable);
  EXPECT_GT(reply.position_error, 0.001);
  EXPECT_LT(reply.position_error, 0.006);
  for (std::size_t i = 0; i < state_.joint_count; ++i)
    if ((reply.joint_mask >> i & 1) != 0) state_.position[i] = reply.joints[i];
  EXPECT_NEAR((hand("right").position - Vector3(0.3, 0.2, 0.0)).norm(), reply.position_error, 1e-6);
}

TEST_F(MotionServiceTest, StopBrakesSmoothlyAndSaysSo) {
  const std::uint64_t move = ask(hand_goal("left", {0.4, -0.05, -0.25}));
  for (int i = 0; i < 100; ++i) step();
  Request stop{.verb = RequestVerb::Stop};
  EXPECT_EQ(carry_out(stop).status, ReplyStatus::Done);
  EXPECT_EQ(wait_for(move).status, ReplyStatus::Aborted);
  for (int i = 0; i < 500; ++i) step();
  EXPECT_FALSE(service_->is_busy());
  EXPECT_EQ(segments_.back().is_last, 1U);
  EXPECT_EQ(state_.velocity, JointArray{});
  for (std::size_t k = 1; k < sent_.size(); ++k)
    for (std::size_t i = 0; i < state_.joint_count; ++i)
      EXPECT_LT(std::abs(sent_[k].position[i] - sent_[k - 1].position[i]), 0.0064);
}

TEST_F(MotionServiceTest, ANewGoalReplacesTheOneOnItsWay) {
  const std::uint64_t first = ask(hand_goal("left", {0.4, -0.05, -0.25}));
  for (int i = 0; i < 100; ++i) step();
  const std::uint64_t second = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  EXPECT_EQ(wait_for(second).status, ReplyStatus::Done);
  EXPECT_EQ(wait_for(first).status, ReplyStatus::Aborted);
  EXPECT_LT((hand("left").position - Vector3(0.4, 0.45, 0.25)).norm(), 1e-5);
}

TEST_F(MotionServiceTest, TheGuardsHoldIsPassedOn) {
  const std::uint64_t move = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  for (int i = 0; i < 50; ++i) step();
  safety_.held_mask = std::uint64_t{1} << joint("LEP");
  set_text(safety_.link_a, "left_palm");
  set_text(safety_.link_b, "table");
  const Reply reply = wait_for(move);
  EXPECT_EQ(reply.status, ReplyStatus::Blocked);
  EXPECT_NE(std::string(text_of(reply.reason)).find("left_palm would touch table"), std::string::npos);
}

TEST_F(MotionServiceTest, AStoppedRobotAbortsAndRefuses) {
  const std::uint64_t move = ask(hand_goal("left", {0.4, 0.45, 0.25}));
  for (int i = 0; i < 50; ++i) step();
  safety_.state = ControlState::Stopped;
  EXPECT_EQ(wait_for(move).status, ReplyStatus::Aborted);
  const Reply refused = carry_out(hand_goal("left", {0.4, 0.45, 0.25}));
  EXPECT_EQ(refused.status, ReplyStatus::Refused);
  EXPECT_NE(std::string(text_of(refused.reason)).find("'reset' lets it run"), std::string::npos);
}

TEST_F(MotionServiceTest, ARobotThatDoesNotFollowIsNoSuccess) {
  is_obedient_ = false;
  const Reply reply = carry_out(hand_goal("left", {0.4, 0.45, 0.25}));
  EXPECT_EQ(reply.status, ReplyStatus::Aborted);
  EXPECT_NE(std::string(text_of(reply.reason)).find("from where it was sent"), std::string::npos);
}

TEST_F(MotionServiceTest, RefusesWhatCannotBeAndCountsIt) {
  std::vector<Request> bad(11, hand_goal("left", {0.3, 0.2, 0.0}));
  bad[0].position[1] = kNan;
  bad[1].component_mask = 0;
  bad[2].component_mask = 64;
  bad[3].speed = 0.0;
  bad[4].speed = kNan;
  set_text(bad[5].arm, "lefd");
  set_text(bad[6].tool, "hammer");
  bad[7].verb = static_cast<RequestVerb>(99);
  bad[8].frame = static_cast<RequestFrame>(9);
  bad[9] = {.verb = RequestVerb::MoveJoints, .joint_mask = std::uint64_t{1} << 63};
  bad[10] = {.verb = RequestVerb::MoveJoints, .joint_mask = 1};
  bad[10].joints[0] = 100.0;
  for (const Request& request : bad) {
    const Reply reply = carry_out(request);
    EXPECT_EQ(reply.status, ReplyStatus::Refused) << text_of(reply.reason);
    EXPECT_FALSE(text_of(reply.reason).empty());
  }
  EXPECT_EQ(service_->refusals(), bad.size());
  EXPECT_TRUE(segments_.empty());
}

TEST_F(MotionServiceTest, MovesJointsAndLeavesTheOthers) {
  Request request{.verb = RequestVerb::MoveJoints, .joint_mask = std::uint64_t{1} << joint("LSP")};
  request.joints[joint("LSP")] = -0.123;
  const auto before = state_.position;
  EXPECT_EQ(carry_out(request).status, ReplyStatus::Done);
  for (std::size_t i = 0; i < state_.joint_count; ++i)
    EXPECT_NEAR(state_.position[i], i == joint("LSP") ? -0.123 : before[i], 1e-12);
}

TEST_F(MotionServiceTest, ARelativeMoveGoesAlongTheToolsOwnAxes) {
  ASSERT_EQ(carry_out(hand_goal("left", {0.4, 0.3, 0.0})).status, ReplyStatus::Done);
  const Pose before = hand("left");
  Request request = hand_goal("left", {0.0, 0.0, 0.02}, 7);
  request.frame = RequestFrame::Tool;
  ASSERT_EQ(carry_out(request).status, ReplyStatus::Done);
  EXPECT_LT((hand("left").position - before * Vector3(0, 0, 0.02)).norm(), 1e-5);
}

TEST_F(MotionServiceTest, HomeIsClearByMoreThanTheMargin) {
  auto routes = RouteFinder::make(model(), 0.01);
  ASSERT_TRUE(routes);
  const CheckResult nearest = (*routes)->nearest(starting_positions(model()));
  EXPECT_EQ(nearest.verdict, Verdict::Clear)
      << (*routes)->name_of(nearest.contact.link_a, nearest.contact.object_a) << " and "
      << (*routes)->name_of(nearest.contact.link_b, nearest.contact.object_b) << " "
      << nearest.contact.distance;
}

}  // namespace
}  // namespace sinew
