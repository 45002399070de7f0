// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/move_planner.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "sinew/base/split_mix.h"

#include "move_cell.h"

namespace sinew {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// The tool of yarc-industrial.
const Pose kTcp{.position = {0.0, 0.1, 0.0}};

Move line_to(const Pose& goal, const Pose& X_FT = kTcp) {
  return {.kind = MoveKind::Line, .goals = {goal}, .X_FT = X_FT};
}

std::string words_of(const MovePlan& plan) {
  return plan.refusal ? plan.refusal->words : "planned";
}

/// How far the tool is from the straight line between its first and last place at most, at 1 kHz [m].
double straightness(const MoveCell& cell, const PlannedMoves& planned, const Pose& X_FT,
                    const std::vector<double>& from) {
  const Vector3 a = cell.tool(from, X_FT).position;
  const Vector3 along = (cell.tool(planned.postures.back(), X_FT).position - a).normalized();
  double worst = 0.0;
  for (double t = 0.0; t < planned.trajectory.length(); t += 1e-3) {
    const Vector3 off = cell.tool(MoveCell::at(planned, from, t), X_FT).position - a;
    worst = std::max(worst, (off - off.dot(along) * along).norm());
  }
  return worst;
}

// the first line of listing 4, both as it is printed and as it must have been meant
TEST(MovePlannerTest, TheFirstLineOfListing4IsStraightBothWays) {
  MoveCell cell("yarc-industrial");
  for (const double z : {1.176, 1.764}) {
    Move move = line_to({.position = {0.0, 1.1744, z}});
    move.timing = {.duration = 20.0, .law = MoveLaw::Lspb};
    const MovePlan plan = cell.planner->plan(std::span(&move, 1), cell.home);
    ASSERT_TRUE(plan) << words_of(plan);
    cell.expect_sound(plan.planned, cell.home);
    if (z == 1.764) {
      EXPECT_EQ(plan.planned.trajectory.piece_count(), 0U) << "it is there already";
      continue;
    }
    EXPECT_NEAR(plan.planned.trajectory.length(), 20.0, 1e-9);
    EXPECT_LT(straightness(cell, plan.planned, kTcp, cell.home), 1e-5);
    const std::vector<double>& q = plan.planned.postures.back();
    EXPECT_NEAR(q[1], -6.158742 * kDegree, 1e-7);
    EXPECT_NEAR(q[2], -46.519197 * kDegree, 1e-7);
    EXPECT_NEAR(q[4], 52.677939 * kDegree, 1e-7);
  }
}

TEST(MovePlannerTest, AJointMoveGoesStraightInTheJoints) {
  MoveCell cell("yarc-industrial");
  const Move move{.goals = {MoveJoints{0.5, -0.2, 0.3, 0.1, -0.6, 0.2}}};
  const MovePlan plan = cell.planner->plan(std::span(&move, 1), cell.home);
  ASSERT_TRUE(plan) << words_of(plan);
  cell.expect_sound(plan.planned, cell.home);
  const std::vector<double> middle =
      MoveCell::at(plan.planned, cell.home, 0.5 * plan.planned.trajectory.length());
  for (std::size_t j = 0; j < 6; ++j)
    EXPECT_NEAR(middle[j], 0.5 * std::get<MoveJoints>(move.goals[0])[j], 1e-9);
}

/// Everything that is a pose or a number of a plan, one after the other.
std::vector<double> numbers_of(const PlannedMoves& planned) {
  std::vector<double> all(planned.trajectory.knots().begin(), planned.trajectory.knots().end());
  for (std::size_t i = 0; i < planned.trajectory.piece_count(); ++i)
    for (std::size_t j = 0; j < planned.trajectory.joint_count(); ++j)
      for (const double c : planned.trajectory.polynomial(i, j)) all.push_back(c);
  return all;
}

/// The speed of the tool at a time [m/s].
double tool_speed(const MoveCell& cell, const PlannedMoves& planned, const Pose& X_FT, double time) {
  const auto at = [&](double t) { return cell.tool(MoveCell::at(planned, cell.home, t), X_FT).position; };
  return (at(time + 5e-4) - at(time - 5e-4)).norm() / 1e-3;
}

const std::vector<double> kReady{0.0, -0.1, -0.3, 0.0, -0.6, 0.0};

Pose by(const Pose& X_BT, const Vector3& way) {
  return {.rotation = X_BT.rotation, .position = X_BT.position + way};
}

// in the plane of the arm the wrist passes its singularity, J5 = 0, without a stop of the joints
TEST(MovePlannerTest, LinesPassThroughTheWristSingularity) {
  MoveCell cell("yarc-industrial");
  for (const double height : {0.1, -0.1, 0.3}) {
    // the middle of the line is a posture with J5 = 0
    const std::vector<double> singular{0.2, -0.1, -0.2 + height, 0.0, 0.0, 0.0};
    const Pose middle = cell.tool(singular, kTcp);
    const Quaternion R = middle.rotation;
    const Vector3 way = R * Vector3(0.0, 0.02, 0.15);
    const InverseKinematics ik(cell.chain);
    const IkResult start = ik.solve(by(middle, -way) * inverse(kTcp), singular);
    ASSERT_EQ(start.status, IkStatus::Solved);
    const std::vector<double> from(start.solutions[0].q.data(), start.solutions[0].q.data() + 6);
    const Move move = line_to(by(middle, way));
    const MovePlan plan = cell.planner->plan(std::span(&move, 1), from);
    ASSERT_TRUE(plan) << words_of(plan);
    cell.expect_sound(plan.planned, from);
    EXPECT_LT(straightness(cell, plan.planned, kTcp, from), 1e-5);
    EXPECT_LT(from[4] * plan.planned.postures.back()[4], 0.0) << "the wrist is bent the other way now";
    EXPECT_LT(plan.planned.dexterity, 0.02);
  }
}

// with J5 = 0 the axes of J4 and J6 are in line, and what the tool needs of the wrist may lie across: then it
// turns in place first
TEST(MovePlannerTest, LinesBeginInSingularWristPosturesWithATurnInPlace) {
  MoveCell cell("yarc-industrial");
  SplitMix random(14);
  int turned = 0;
  int planned = 0;
  for (int trial = 0; trial < 40; ++trial) {
    // the first from the robot's zero posture
    std::vector<double> from(6, 0.0);
    if (trial >= 6)
      from = {random.between(-1.0, 1.0),
              random.between(-0.4, 0.2),
              random.between(-0.5, 0.1),
              random.between(-1.0, 1.0),
              0.0,
              random.between(-1.0, 1.0)};
    Vector3 way = 0.05 * Vector3::Unit(trial % 3) * (trial % 6 < 3 ? -1.0 : 1.0);
    if (trial >= 6)
      way += 0.03 * Vector3(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
    const Pose begin = cell.tool(from, kTcp);
    const Move move = line_to(by(begin, way));
    const InverseKinematics ik(cell.chain);
    // out of reach is another matter: the arm may be stretched out
    if (ik.solve(by(begin, way) * inverse(kTcp), from).status != IkStatus::Solved) continue;
    const MovePlan plan = cell.planner->plan(std::span(&move, 1), from);
    if (!plan) {
      EXPECT_NE(plan.refusal->fault, MoveFault::Singular) << "trial " << trial << ": " << words_of(plan);
      continue;
    }
    ++planned;
    cell.expect_sound(plan.planned, from);
    EXPECT_LT(straightness(cell, plan.planned, kTcp, from), 1e-5) << "trial " << trial;
    EXPECT_LT((cell.tool(plan.planned.postures.back(), kTcp).position - by(begin, way).position).norm(),
              1e-5);
    const double soon = 0.1 * plan.planned.trajectory.length();
    const std::vector<double> q = MoveCell::at(plan.planned, from, soon);
    turned += (cell.tool(q, kTcp).position - begin.position).norm() < 1e-6 ? 1 : 0;
  }
  EXPECT_GT(planned, 25);
  EXPECT_GT(turned, 5) << "the wrist had to turn first";
}

// what follows begins where it ends, and corners are rounded as ever
TEST(MovePlannerTest, ATurnInPlaceIsNoPartOfABlend) {
  MoveCell cell("yarc-industrial");
  const std::vector<double> from(6, 0.0);
  const Pose begin = cell.tool(from, kTcp);
  std::vector<Move> moves{line_to(by(begin, {0.05, 0.0, 0.0})), line_to(by(begin, {0.05, 0.0, -0.05}))};
  moves[0].blend_radius = 0.01;
  const MovePlan plan = cell.planner->plan(moves, from);
  ASSERT_TRUE(plan) << words_of(plan);
  cell.expect_sound(plan.planned, from);
  EXPECT_LT(plan.planned.spans[0].begin, plan.planned.spans[0].end);
  EXPECT_DOUBLE_EQ(plan.planned.spans[0].begin, 0.0);
  EXPECT_NEAR(plan.planned.spans[1].end, plan.planned.trajectory.length(), 1e-9);
}

TEST(MovePlannerTest, CirclesAreRound) {
  MoveCell cell("yarc-industrial");
  const Pose begin = cell.tool(kReady, kTcp);
  const Vector3 centre = begin.position + Vector3(0.0, -0.15, 0.0);
  for (const std::optional<double> arc :
       {std::optional<double>(), std::optional<double>(2.0 * std::numbers::pi)}) {
    const Move move{.kind = MoveKind::Circle,
                    .goals = {by(begin, {0.15, -0.15, 0.0}), by(begin, {0.0, -0.3, 0.0})},
                    .arc = arc,
                    .X_FT = kTcp,
                    .timing = {.tool_speed = 0.2}};
    const MovePlan plan = cell.planner->plan(std::span(&move, 1), kReady);
    ASSERT_TRUE(plan) << words_of(plan);
    cell.expect_sound(plan.planned, kReady);
    for (double t = 0.0; t < plan.planned.trajectory.length(); t += 1e-3) {
      const Vector3 p = cell.tool(MoveCell::at(plan.planned, kReady, t), kTcp).position;
      ASSERT_NEAR((p - centre).norm(), 0.15, 1e-5) << t;
      ASSERT_NEAR(p.z(), centre.z(), 1e-5);
    }
    const Vector3 end = cell.tool(plan.planned.postures.back(), kTcp).position;
    EXPECT_LT((end - (arc ? begin.position : begin.position + Vector3(0.0, -0.3, 0.0))).norm(), 1e-6);
    // constant speed but for the ends
    EXPECT_NEAR(tool_speed(cell, plan.planned, kTcp, 0.5 * plan.planned.trajectory.length()), 0.2, 1e-3);
  }
}

/// A square with blends at its corners.
std::vector<Move> square(const Pose& begin, double side, double radius) {
  std::vector<Move> chain;
  for (const Vector3& way :
       {Vector3(side, 0, 0), Vector3(side, 0, side), Vector3(0, 0, side), Vector3(0, 0, 0)}) {
    chain.push_back(line_to(by(begin, way)));
    chain.back().blend_radius = radius;
    chain.back().timing.tool_speed = 0.25;
  }
  return chain;
}

TEST(MovePlannerTest, BlendsCutCornersWithinTheirRadiusAndWithoutAStop) {
  MoveCell cell("yarc-industrial");
  const Pose begin = cell.tool(kReady, kTcp);
  for (const double radius : {0.01, 0.05, 0.4}) {
    const std::vector<Move> chain = square(begin, 0.2, radius);
    const MovePlan plan = cell.planner->plan(chain, kReady);
    ASSERT_TRUE(plan) << words_of(plan);
    cell.expect_sound(plan.planned, kReady);
    ASSERT_EQ(plan.planned.spans.size(), 4U);
    // half a side at most: the rule for overlaps
    const double allowed = std::min(radius, 0.1 * (1.0 + 1e-3));
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
      const Vector3 corner = std::get<Pose>(chain[i].goals[0]).position;
      const double time = plan.planned.spans[i].end;
      EXPECT_EQ(plan.planned.spans[i + 1].begin, time);
      EXPECT_GT(tool_speed(cell, plan.planned, kTcp, time), 0.01) << "it stops at corner " << i;
      EXPECT_LT((cell.tool(MoveCell::at(plan.planned, kReady, time), kTcp).position - corner).norm(),
                allowed);
    }
    // off the sides only near a corner
    for (double t = 0.0; t < plan.planned.trajectory.length(); t += 1e-3) {
      const Vector3 p = cell.tool(MoveCell::at(plan.planned, kReady, t), kTcp).position - begin.position;
      const double off = std::min(
          {Vector3(std::max(p.x() - 0.2, 0.0), p.y(), p.z()).norm(), Vector3(p.x() - 0.2, p.y(), 0.0).norm(),
           Vector3(0.0, p.y(), p.z() - 0.2).norm(), Vector3(p.x(), p.y(), 0.0).norm()});
      if (off < 1e-5) continue;
      double nearest = 1.0;
      for (const Vector3& corner : {Vector3(0.2, 0, 0), Vector3(0.2, 0, 0.2), Vector3(0, 0, 0.2)})
        nearest = std::min(nearest, (p - corner).norm());
      ASSERT_LE(nearest, allowed * (1.0 + 1e-6)) << "at " << t << " s, " << off << " m off";
      ASSERT_LT(tool_speed(cell, plan.planned, kTcp, t), 0.2505);
    }
  }
}

// Acceleration shares: a soft move, a hard one, a soft one. Each keeps its own to the middle of its blends.
TEST(MovePlannerTest, BlendedMovesKeepEachItsOwnAcceleration) {
  MoveCell cell("yarc-industrial");
  const Pose begin = cell.tool(kReady, kTcp);
  for (const MoveKind kind : {MoveKind::Line, MoveKind::Joint}) {
    std::vector<Move> chain = square(begin, 0.3, 0.05);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      chain[i].kind = kind;
      chain[i].timing.tool_speed.reset();
      chain[i].timing.acceleration = i == 1 ? 1.0 : 0.1;
    }
    const MovePlan plan = cell.planner->plan(chain, kReady);
    ASSERT_TRUE(plan) << words_of(plan);
    cell.expect_sound(plan.planned, kReady);
    const std::vector<AxisLimits> limits = limits_of(cell.model(), plan.planned.joint_mask);
    std::vector<double> most(chain.size(), 0.0);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const MoveSpan& span = plan.planned.spans[i];
      for (double t = span.begin + 1e-6; t < span.end - 1e-6; t += 1e-3)
        for (std::size_t j = 0; j < limits.size(); ++j)
          most[i] =
              std::max(most[i], std::abs(plan.planned.trajectory.at(j, t).second) / limits[j].acceleration);
      EXPECT_LE(most[i], *chain[i].timing.acceleration) << "move " << i + 1;
    }
    EXPECT_GT(most[1], 0.2) << "the hard one is as soft as the others, of kind " << static_cast<int>(kind);
    for (Move& move : chain) move.timing.acceleration = 0.1;
    const MovePlan soft = cell.planner->plan(chain, kReady);
    ASSERT_TRUE(soft) << words_of(soft);
    EXPECT_LT(plan.planned.trajectory.length(), soft.planned.trajectory.length());
  }
}

// as many as a program may look ahead, and more than any bound of before
TEST(MovePlannerTest, TwoHundredMovesRunIntoEachOther) {
  MoveCell cell("yarc-industrial");
  const Pose begin = cell.tool(kReady, kTcp);
  std::vector<Move> chain;
  for (int i = 0; i < 200; ++i) {
    // round and round a polygon of twenty corners
    const double angle = 2.0 * std::numbers::pi * (i + 1) / 20.0;
    chain.push_back(line_to(by(begin, {0.1 * std::sin(angle), 0.0, 0.1 * (1.0 - std::cos(angle))})));
    chain.back().blend_radius = 0.01;
    chain.back().timing.tool_speed = 0.2;
  }
  const MovePlan plan = cell.planner->plan(chain, kReady);
  ASSERT_TRUE(plan) << words_of(plan);
  cell.expect_sound(plan.planned, kReady);
  ASSERT_EQ(plan.planned.spans.size(), 200U);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    ASSERT_GT(tool_speed(cell, plan.planned, kTcp, plan.planned.spans[i].end), 0.02)
        << "it stops after move " << i + 1;
}

TEST(MovePlannerTest, ABlendIsFasterThanAStopAndTheSameEveryTime) {
  MoveCell cell("yarc-industrial");
  const Pose begin = cell.tool(kReady, kTcp);
  const MovePlan stops = cell.planner->plan(square(begin, 0.2, 0.0), kReady);
  const MovePlan blends = cell.planner->plan(square(begin, 0.2, 0.05), kReady);
  ASSERT_TRUE(stops && blends);
  EXPECT_LT(blends.planned.trajectory.length(), 0.9 * stops.planned.trajectory.length());
  EXPECT_NEAR(tool_speed(cell, stops.planned, kTcp, stops.planned.spans[0].end), 0.0, 1e-3);
  MoveCell other("yarc-industrial");
  const MovePlan again = other.planner->plan(square(begin, 0.2, 0.05), kReady);
  EXPECT_EQ(numbers_of(blends.planned), numbers_of(again.planned));
}

TEST(MovePlannerTest, JointMovesAndLinesBlendIntoEachOther) {
  MoveCell cell("yarc-industrial");
  const Pose place = cell.tool(kReady, kTcp);
  Move approach{.goals = {by(place, {0.2, 0.0, 0.2})}, .X_FT = kTcp, .blend_radius = 0.05};
  Move down = line_to(by(place, {0.2, 0.0, 0.0}));
  const std::vector<Move> chain{approach, down};
  const MovePlan plan = cell.planner->plan(chain, kReady);
  ASSERT_TRUE(plan) << words_of(plan);
  cell.expect_sound(plan.planned, kReady);
  EXPECT_GT(tool_speed(cell, plan.planned, kTcp, plan.planned.spans[0].end), 0.02);
}

TEST(MovePlannerTest, EveryLawKeepsItsDurationAndRefusesOneThatIsTooShort) {
  MoveCell cell("yarc-industrial");
  const Pose begin = cell.tool(kReady, kTcp);
  for (const MoveLaw law : {MoveLaw::JerkLimited, MoveLaw::Lspb, MoveLaw::Quintic}) {
    for (Move move : {line_to(by(begin, {0.1, 0.1, -0.2})),
                      Move{.goals = {MoveJoints{0.5, -0.2, 0.3, 0.1, -0.6, 0.2}}}}) {
      move.timing = {.duration = 4.0, .law = law};
      const MovePlan plan = cell.planner->plan(std::span(&move, 1), kReady);
      ASSERT_TRUE(plan) << words_of(plan);
      cell.expect_sound(plan.planned, kReady);
      EXPECT_NEAR(plan.planned.trajectory.length(), 4.0, 1e-9);
      move.timing.duration = 0.05;
      const MovePlan hasty = cell.planner->plan(std::span(&move, 1), kReady);
      ASSERT_FALSE(hasty);
      EXPECT_EQ(hasty.refusal->fault, MoveFault::TooFast);
      // the time that it says would do does
      const std::string& words = hasty.refusal->words;
      move.timing.duration = std::stod(words.substr(words.find("takes ") + 6));
      EXPECT_TRUE(cell.planner->plan(std::span(&move, 1), kReady)) << words;
      move.timing.duration = *move.timing.duration - 0.01;
      EXPECT_FALSE(cell.planner->plan(std::span(&move, 1), kReady)) << words;
    }
  }
}

// even acceleration for a third of the time, even speed, even deceleration
TEST(MovePlannerTest, LspbIsAsFastInTheMiddleThirdAsItsNameSays) {
  MoveCell cell("yarc-industrial");
  const Pose begin = cell.tool(kReady, kTcp);
  Move move = line_to(by(begin, {0.0, 0.0, -0.3}));
  move.timing = {.duration = 10.0, .law = MoveLaw::Lspb};
  const MovePlan plan = cell.planner->plan(std::span(&move, 1), kReady);
  ASSERT_TRUE(plan) << words_of(plan);
  for (const double t : {3.5, 5.0, 6.5}) {
    const auto at = [&](double time) {
      return cell.tool(MoveCell::at(plan.planned, kReady, time), kTcp).position.z();
    };
    EXPECT_NEAR((at(t - 0.01) - at(t + 0.01)) / 0.02, 1.5 * 0.3 / 10.0, 1e-4);
  }
}

TEST(MovePlannerTest, AShareOfTheSpeedTakesAsMuchLonger) {
  MoveCell cell("yarc-industrial");
  Move move{.goals = {MoveJoints{0.5, -0.2, 0.3, 0.1, -0.6, 0.2}}};
  const MovePlan fast = cell.planner->plan(std::span(&move, 1), kReady);
  move.timing.speed = 0.25;
  const MovePlan slow = cell.planner->plan(std::span(&move, 1), kReady);
  ASSERT_TRUE(fast && slow);
  EXPECT_NEAR(slow.planned.trajectory.length(), 4.0 * fast.planned.trajectory.length(), 1e-6);
}

// MOVEJ_SPLINE through poses: the joints go from one to the next, and none beyond its points
TEST(MovePlannerTest, AJointSplineThroughPosesStaysInTheJoints) {
  MoveCell cell("yarc-industrial");
  const std::vector<double> from{0.0, -0.1, -0.3, 0.0, -0.6, 0.0};
  const std::vector<std::vector<double>> points{{0.3, -0.2, -0.35, 0.1, -0.5, 0.2},
                                                {0.5, -0.1, -0.3, 0.2, -0.7, 0.1},
                                                {0.7, 0.0, -0.2, 0.0, -0.6, 0.0}};
  Move move{.kind = MoveKind::Spline, .is_monotone = true, .is_in_joints = true};
  for (const auto& q : points) move.goals.emplace_back(cell.tool(q, {}));
  const MovePlan plan = cell.planner->plan(std::vector{move}, from);
  ASSERT_TRUE(plan) << plan.refusal->words;
  cell.expect_sound(plan.planned, from);
  const Trajectory& trajectory = plan.planned.trajectory;
  for (const auto& q : points) {
    double nearest = 1.0;
    for (double t = 0.0; t <= trajectory.length(); t += 1e-3) {
      double off = 0.0;
      for (std::size_t j = 0; j < 6; ++j) off = std::max(off, std::abs(trajectory.at(j, t).value - q[j]));
      nearest = std::min(nearest, off);
    }
    EXPECT_LT(nearest, 2e-3) << "it passes through the posture next to the one before";
  }
  for (double t = 0.0; t <= trajectory.length(); t += 1e-3) {
    EXPECT_GE(trajectory.at(0, t).value, -1e-9);
    EXPECT_LE(trajectory.at(0, t).value, 0.7 + 1e-9);
    EXPECT_GE(trajectory.at(4, t).value, -0.7 - 1e-9);
    EXPECT_LE(trajectory.at(4, t).value, -0.5 + 1e-9);
  }
}

TEST(MovePlannerTest, SplinesPassThroughTheirPoints) {
  MoveCell cell("yarc-industrial");
  for (const bool is_monotone : {false, true}) {
    Move move{.kind = MoveKind::Spline,
              .goals = {MoveJoints{0.2, 0.0, 0.1, 0.0, -0.4, 0.0}, MoveJoints{0.4, 0.1, 0.1, 0.2, -0.5, 0.1},
                        MoveJoints{0.5, 0.1, -0.2, 0.2, -0.6, 0.3}},
              .is_monotone = is_monotone};
    const MovePlan plan = cell.planner->plan(std::span(&move, 1), kReady);
    ASSERT_TRUE(plan) << words_of(plan);
    cell.expect_sound(plan.planned, kReady);
    std::vector<double> nearest(3, 1.0);
    double least = 1.0;
    for (double t = 0.0; t < plan.planned.trajectory.length(); t += 1e-3) {
      const std::vector<double> q = MoveCell::at(plan.planned, kReady, t);
      for (std::size_t k = 0; k < 3; ++k) {
        double off = 0.0;
        for (std::size_t j = 0; j < 6; ++j)
          off = std::max(off, std::abs(q[j] - std::get<MoveJoints>(move.goals[k])[j]));
        nearest[k] = std::min(nearest[k], off);
      }
      least = std::min(least, q[1]);
    }
    for (const double off : nearest) EXPECT_LT(off, 3e-3);
    if (is_monotone) {
      EXPECT_GE(least, -0.1 - 1e-9) << "beyond its points";
    }
  }
  const Pose begin = cell.tool(kReady, kTcp);
  const Move curve{
      .kind = MoveKind::Spline,
      .goals = {by(begin, {0.1, 0.0, 0.05}), by(begin, {0.2, 0.0, -0.05}), by(begin, {0.3, 0.0, 0.0})},
      .X_FT = kTcp};
  const MovePlan plan = cell.planner->plan(std::span(&curve, 1), kReady);
  ASSERT_TRUE(plan) << words_of(plan);
  cell.expect_sound(plan.planned, kReady);
  EXPECT_LT(plan.planned.deviation, 1e-5);
}

TEST(MovePlannerTest, GoesRoundWhatIsInTheWayAndNamesItWhereItCannot) {
  MoveCell cell("yarc-industrial");
  Obstacle post{.solid = make_box({0.05, 0.05, 1.0}), .X_LO = {.position = {0.0, 0.9, 1.0}}};
  set_text(post.name, "post");
  Obstacles world;
  ASSERT_TRUE(world.add(post));
  cell.set_world(world);
  const std::vector<double> from{0.7, -0.1, -0.3, 0.0, -0.6, 0.0};
  Move move{.goals = {MoveJoints{-0.7, -0.1, -0.3, 0.0, -0.6, 0.0}}};
  const MovePlan plan = cell.planner->plan(std::span(&move, 1), from);
  ASSERT_TRUE(plan) << words_of(plan);
  cell.expect_sound(plan.planned, from);
  EXPECT_GE(plan.planned.clearance, 0.01);
  const Move line = line_to({.rotation = cell.tool(from, kTcp).rotation,
                             .position = cell.tool({-0.7, -0.1, -0.3, 0.0, -0.6, 0.0}, kTcp).position});
  const MovePlan blocked = cell.planner->plan(std::span(&line, 1), from);
  ASSERT_FALSE(blocked);
  EXPECT_EQ(blocked.refusal->fault, MoveFault::Blocked) << words_of(blocked);
  EXPECT_NE(words_of(blocked).find("'post'"), std::string::npos) << words_of(blocked);
}

TEST(MovePlannerTest, OtherArmsFollowLinesToo) {
  for (const char* robot : {"panda", "ur5e", "kr60"}) {
    MoveCell cell(robot);
    std::vector<double> from = cell.home;
    const Pose begin = cell.tool(from, {});
    const Move move = line_to(by(begin, {0.0, 0.0, -0.05}), {});
    const MovePlan plan = cell.planner->plan(std::span(&move, 1), from);
    ASSERT_TRUE(plan) << robot << ": " << words_of(plan);
    cell.expect_sound(plan.planned, from);
    EXPECT_LT(straightness(cell, plan.planned, {}, from), 1e-5) << robot;
  }
}

TEST(MovePlannerTest, WhatCannotBeIsRefusedWithTheMoveThatIsMeant) {
  MoveCell cell("yarc-industrial");
  const double none = std::nan("");
  const Pose begin = cell.tool(kReady, kTcp);
  const Move good = line_to(by(begin, {0.05, 0.0, 0.0}));
  const auto expect = [&](Move bad, MoveFault fault) {
    const std::vector<Move> chain{good, std::move(bad)};
    const MovePlan plan = cell.planner->plan(chain, kReady);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.refusal->move, 1U);
    EXPECT_EQ(plan.refusal->fault, fault) << words_of(plan);
    EXPECT_FALSE(plan.refusal->words.empty());
    EXPECT_EQ(plan.planned.trajectory.piece_count(), 0U);
  };
  expect({.goals = {MoveJoints{4.0, 0, 0, 0, 0, 0}}}, MoveFault::Limit);
  expect({.goals = {MoveJoints{none, 0, 0, 0, 0, 0}}}, MoveFault::Invalid);
  expect({.goals = {MoveJoints{0, 0}}}, MoveFault::Invalid);
  expect({.goals = {}}, MoveFault::Invalid);
  expect({.kind = MoveKind::Circle, .goals = {begin}}, MoveFault::Invalid);
  expect({.kind = MoveKind::Circle, .goals = {begin, begin}, .X_FT = kTcp}, MoveFault::Invalid);
  expect(line_to({.position = {none, 0, 0}}), MoveFault::Invalid);
  expect(line_to({.position = {0, 9.0, 0}}), MoveFault::Unreachable);
  expect({.goals = {Pose{.position = {0, 9.0, 0}}}}, MoveFault::Unreachable);
  for (const double bad : {0.0, -1.0, none, 2.0}) {
    Move move = good;
    move.timing.speed = bad;
    expect(move, MoveFault::Invalid);
  }
  Move endless = good;
  endless.timing.duration = std::numeric_limits<double>::infinity();
  expect(endless, MoveFault::Invalid);
  Move wide = good;
  wide.blend_radius = -0.1;
  expect(wide, MoveFault::Invalid);
  std::vector<double> outside = kReady;
  outside[0] = 10.0;
  EXPECT_EQ(cell.planner->plan(std::span(&good, 1), outside).refusal->fault, MoveFault::Limit);
  outside[0] = none;
  EXPECT_EQ(cell.planner->plan(std::span(&good, 1), outside).refusal->fault, MoveFault::Invalid);
  EXPECT_TRUE(cell.planner->plan({}, kReady)) << "nothing to do is no mistake";
}

}  // namespace
}  // namespace sinew
