// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/planner.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/split_mix.h"
#include "sinew/kinematics/chain_choice.h"
#include "sinew/model/positions.h"
#include "sinew/planning/goals.h"
#include "sinew/planning/posture_family.h"
#include "sinew/planning/problem_generator.h"

namespace sinew {
namespace {

Obstacle thing(std::string_view name, const Solid& solid, const Vector3& p) {
  Obstacle object{.solid = solid, .X_LO = {.position = p}};
  set_text(object.name, name);
  return object;
}

std::vector<double> values(const JointVector& q) {
  return {q.data(), q.data() + q.size()};
}

/// A robot, its arm and a planner for it.
struct Cell {
  explicit Cell(const std::string& robot, double margin = 0.0)
      : chosen(*choose_chain({.robot = robot})),
        home(starting_positions(chosen.robot.model)),
        planner(
            *Planner::make(chosen.robot.model, {.clearance = {.margin = margin}, .chain = &chosen.chain})) {}

  ChosenChain chosen;
  std::vector<double> home;
  Planner planner;
};

/// A post beside the arm of panda that it must go around or over when it turns.
Obstacles post() {
  Obstacles world;
  (void)world.add(thing("post", make_box({0.04, 0.04, 0.35}), {0.25, 0.25, 0.35}));
  return world;
}

std::vector<double> turned(const Cell& cell, double by) {
  std::vector<double> q = cell.home;
  q[0] += by;
  return q;
}

// by a checker of its own, in steps of at most a millimetre or so
void expect_clear(const Cell& cell, const Obstacles& world, const std::vector<JointVector>& path) {
  const auto shapes = RobotShapes::make(cell.chosen.robot.model);
  CollisionChecker checker(*shapes);
  checker.set_world(world);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const int steps = 1 + static_cast<int>((path[i + 1] - path[i]).lpNorm<1>() / 1e-3);
    for (int k = 0; k <= steps; ++k) {
      const JointVector q = path[i] + (path[i + 1] - path[i]) * (static_cast<double>(k) / steps);
      ASSERT_TRUE(cell.chosen.chain.is_within_limits(values(q), 1e-9));
      ASSERT_EQ(checker.check(values(q)).verdict, Verdict::Clear) << "edge " << i << " step " << k;
    }
  }
}

TEST(PlannerTest, TheStraightWayIsTakenWhereNothingIsInTheWay) {
  Cell cell("panda");
  const std::vector<double> goal = turned(cell, 1.0);
  const PlanResult result = cell.planner.plan({.start = cell.home, .goal = JointGoal{goal}});
  ASSERT_EQ(result.status, PlanStatus::Solved) << result.reason;
  ASSERT_EQ(result.path.size(), 2U);
  EXPECT_EQ(values(result.path.front()), cell.home);
  EXPECT_EQ(values(result.path.back()), goal);
  EXPECT_EQ(result.iterations, 0U);
}

TEST(PlannerTest, GoesAroundAPostAndTouchesNothing) {
  Cell cell("panda");
  cell.planner.set_world(post());
  const std::vector<double> goal = turned(cell, 1.6);
  EXPECT_FALSE(cell.planner.is_way_clear(cell.home, goal));
  const PlanResult result = cell.planner.plan({.start = cell.home, .goal = JointGoal{goal}});
  ASSERT_EQ(result.status, PlanStatus::Solved) << result.reason;
  ASSERT_GT(result.path.size(), 2U);
  EXPECT_EQ(values(result.path.front()), cell.home);
  EXPECT_EQ(values(result.path.back()), goal);
  EXPECT_LE(result.length, result.first_length + 1e-9);
  expect_clear(cell, post(), result.path);
}

TEST(PlannerTest, TheSameSeedGivesTheSameBits) {
  Cell one("panda");
  Cell other("panda");
  one.planner.set_world(post());
  other.planner.set_world(post());
  PlanRequest request{.start = one.home, .goal = JointGoal{turned(one, 1.6)}};
  const PlanResult first = one.planner.plan(request);
  // what was planned in between does not matter
  request.seed = 7;
  const PlanResult different = one.planner.plan(request);
  request.seed = 1;
  for (Planner* planner : {&one.planner, &other.planner}) {
    const PlanResult again = planner->plan(request);
    ASSERT_EQ(again.path.size(), first.path.size());
    for (std::size_t i = 0; i < first.path.size(); ++i)
      EXPECT_EQ(values(again.path[i]), values(first.path[i]));
  }
  EXPECT_NE(different.length, first.length);
}

TEST(PlannerTest, StartAndGoalInCollisionAreNamedWithThePair) {
  Cell cell("panda");
  Obstacles world;
  (void)world.add(thing("ball", make_sphere(0.1), {0.307, 0.0, 0.55}));
  cell.planner.set_world(world);
  const PlanResult from = cell.planner.plan({.start = cell.home, .goal = JointGoal{turned(cell, 1.5)}});
  EXPECT_EQ(from.status, PlanStatus::StartInCollision);
  EXPECT_EQ(from.reason.find("the start is in collision: link 'panda_link"), 0U) << from.reason;
  EXPECT_NE(from.reason.find("and 'ball' are"), std::string::npos) << from.reason;
  EXPECT_LT(from.contact.distance, 0.0);
  const PlanResult to = cell.planner.plan({.start = turned(cell, 1.5), .goal = JointGoal{cell.home}});
  EXPECT_EQ(to.status, PlanStatus::GoalInCollision);
  EXPECT_NE(to.reason.find("inside each other"), std::string::npos) << to.reason;
}

TEST(PlannerTest, ATextAboutAContactSaysSomethingAlsoAtTheMargin) {
  const Cell cell("panda");
  const auto words = [&](double distance) {
    return planning::contact_text(cell.chosen.robot.model, {},
                                  {.link_a = 1, .link_b = 4, .distance = distance, .margin = 0.0135});
  };
  EXPECT_NE(words(0.002).find("are 2.0 mm apart, less than their margin of 13.5 mm"), std::string::npos);
  EXPECT_NE(words(-0.002).find("are 2.0 mm inside each other"), std::string::npos);
  EXPECT_NE(words(-1e-9).find("touch each other"), std::string::npos);
  for (const double distance : {0.01349, 0.0135, 0.02})
    EXPECT_NE(words(distance).find("might come nearer to each other than their margin of 13.5 mm"),
              std::string::npos);
}

TEST(PlannerTest, AGoalOutsideLimitsNamesJointValueAndBound) {
  Cell cell("panda");
  std::vector<double> goal = cell.home;
  goal[3] = 1.0;
  const PlanResult result = cell.planner.plan({.start = cell.home, .goal = JointGoal{goal}});
  EXPECT_EQ(result.status, PlanStatus::GoalOutsideLimits);
  EXPECT_EQ(result.reason,
            "the goal is outside the limits: joint 'panda_joint4' at 57.3 deg, its limits are -176.0 deg to "
            "-4.0 deg");
  goal[3] = std::nan("");
  EXPECT_EQ(cell.planner.plan({.start = cell.home, .goal = JointGoal{goal}}).status,
            PlanStatus::InvalidInput);
  EXPECT_EQ(cell.planner.plan({.start = goal, .goal = JointGoal{cell.home}}).status,
            PlanStatus::InvalidInput);
  EXPECT_EQ(cell.planner.plan({.start = {0.0}, .goal = JointGoal{cell.home}}).status,
            PlanStatus::InvalidInput);
  EXPECT_EQ(cell.planner.plan({.start = cell.home, .goal = JointGoal{{1.0}}}).status,
            PlanStatus::InvalidInput);
}

TEST(PlannerTest, APoseOutOfReachSaysByHowMuch) {
  Cell cell("ur5e");
  const PlanResult result =
      cell.planner.plan({.start = cell.home, .goal = PoseGoal{.X_BT = {.position = {2.0, 0.0, 0.5}}}});
  EXPECT_EQ(result.status, PlanStatus::GoalUnreachable);
  EXPECT_EQ(result.reason.find("the goal cannot be reached: out of reach: the nearest posture misses by"), 0U)
      << result.reason;
}

TEST(PlannerTest, APoseGoalTakesAnyPostureThatIsClear) {
  Cell cell("ur5e");
  Obstacles world;
  (void)world.add(thing("table", make_box({0.5, 0.8, 0.02}), {0.6, 0.0, -0.1}));
  (void)world.add(thing("post", make_cylinder(0.05, 1.2), {0.35, 0.35, 0.5}));
  cell.planner.set_world(world);
  const Pose X_BT{.rotation = Quaternion(0.0, 1.0, 0.0, 0.0), .position = {0.3, 0.55, 0.2}};
  const PlanResult result = cell.planner.plan({.start = cell.home, .goal = PoseGoal{.X_BT = X_BT}});
  ASSERT_EQ(result.status, PlanStatus::Solved) << result.reason;
  const PoseDistance off = distance(cell.chosen.chain.tool_pose(values(result.path.back())), X_BT);
  EXPECT_LT(off.position, 1e-5);
  EXPECT_LT(off.rotation, 1e-5);
  expect_clear(cell, world, result.path);
}

// of all postures for a pose that touch something, the one that nearly does not says what to move
TEST(PlannerTest, APoseWhoseEveryPostureTouchesNamesThePairThatIsNearestToClear) {
  Cell cell("ur5e");
  const Pose X_BT = cell.chosen.chain.tool_pose(cell.home);
  std::vector<double> start = cell.home;
  start[1] -= 0.9;
  const IkResult postures = InverseKinematics(cell.chosen.chain).solve(X_BT, start);
  ASSERT_GT(postures.solutions.size(), 4U);
  // a small thing where the tool goes, and a large one where the elbow is in the first posture
  const ChosenChain upper_arm = *choose_chain({.robot = "ur5e", .tip = "forearm_link"});
  const std::vector<double> first = values(postures.solutions[0].q);
  const Vector3 elbow = upper_arm.chain.tool_pose(std::span(first).first(3)).position;
  Obstacles world;
  (void)world.add(thing("ball", make_sphere(0.03), X_BT.position));
  (void)world.add(thing("block", make_sphere(0.1), elbow));
  cell.planner.set_world(world);
  const PlanResult result = cell.planner.plan({.start = start, .goal = PoseGoal{X_BT}});
  ASSERT_EQ(result.status, PlanStatus::GoalInCollision) << result.reason;

  double best = -1.0;
  double worst = 0.0;
  for (const auto& posture : postures.solutions) {
    const double distance = cell.planner.nearest(values(posture.q)).contact.distance;
    best = std::max(best, distance);
    worst = std::min(worst, distance);
  }
  ASSERT_LT(worst, best - 0.01) << "the postures are to differ";
  EXPECT_NEAR(result.contact.distance, best, 1e-6) << result.reason;
}

/// Balls around the elbow wherever it is in a posture for X_BT that is unlike `kept`.
Obstacles balls_at_other_elbows(const Cell& cell, const Pose& X_BT, const std::vector<double>& kept) {
  constexpr double kRadius = 0.05;
  // what may be nearer to the elbow that is kept is the arm itself
  constexpr double kApart = 0.14;
  const ChosenChain elbow = *choose_chain({.robot = "panda", .tip = "panda_link4"});
  const auto place = [&](std::span<const double> q) { return elbow.chain.tool_pose(q.first(4)).position; };
  const Vector3 kept_at = place(kept);
  const auto family = PostureFamily::find(cell.chosen.robot.model, cell.chosen.chain);
  PostureSweep sweep(*family, X_BT, kept, 3);
  Obstacles world;
  while (sweep.samples() < 500) {
    for (const IkSolution& posture : sweep.next()) {
      const Vector3 at = place(values(posture.q));
      const auto is_near = [&](const Obstacle& ball) { return (ball.X_LO.position - at).norm() < kRadius; };
      if ((at - kept_at).norm() < kApart || std::ranges::any_of(world.objects(), is_near)) continue;
      EXPECT_TRUE(world.add(thing("ball " + std::to_string(world.size()), make_sphere(kRadius), at)));
    }
  }
  return world;
}

// the elbow may be in one narrow place only
TEST(PlannerTest, APoseThatFewValuesOfTheSpareJointReachClearlyIsFound) {
  Cell cell("panda");
  SplitMix random(5);
  int made = 0;
  for (int i = 0; i < 60; ++i) {
    std::vector<double> kept = cell.home;
    for (double& value : kept) value += random.between(-0.35, 0.35);
    const Pose X_BT = cell.chosen.chain.tool_pose(kept);
    cell.planner.set_world(balls_at_other_elbows(cell, X_BT, kept));
    std::vector<double> start = kept;
    for (start[0] = -2.5; cell.planner.check(start).verdict != Verdict::Clear && start[0] < 2.5;)
      start[0] += 0.2;
    if (cell.planner.check(kept).verdict != Verdict::Clear || start[0] >= 2.5) continue;
    ++made;
    // whether there is a way as well is another question
    const PlanResult result = cell.planner.plan({.start = start,
                                                 .goal = PoseGoal{.X_BT = X_BT},
                                                 .time_limit = 600.0,
                                                 .most_iterations = 0,
                                                 .with_diagnosis = false});
    EXPECT_NE(result.status, PlanStatus::GoalInCollision) << "case " << i << ": " << result.reason;
  }
  EXPECT_GT(made, 10);
}

TEST(PlannerTest, APoseWithNoClearPostureSaysHowManyWereLookedAt) {
  Cell cell("panda");
  const Pose X_BT = cell.chosen.chain.tool_pose(turned(cell, 1.0));
  Obstacles world;
  (void)world.add(thing("ball", make_sphere(0.03), X_BT.position));
  cell.planner.set_world(world);
  const PlanResult result = cell.planner.plan(
      {.start = cell.home, .goal = PoseGoal{.X_BT = X_BT}, .time_limit = 600.0, .most_postures = 1000});
  ASSERT_EQ(result.status, PlanStatus::GoalInCollision) << result.reason;
  int looked_at = 0;
  ASSERT_EQ(
      std::sscanf(result.reason.c_str(),
                  "no clear posture for the goal was found; %d postures looked at, the nearest to clear: "
                  "link 'panda_link",
                  &looked_at),
      1)
      << result.reason;
  EXPECT_GE(looked_at, 1000);
  EXPECT_LT(looked_at, 1300);
  EXPECT_NE(result.reason.find(" and 'ball' are "), std::string::npos) << result.reason;
}

// the problems are made with a posture at the goal that is known to be clear
TEST(PlannerTest, TheToolsPoseAtAKnownGoalIsNeverSaidToBeInCollision) {
  Cell cell("panda");
  for (const char* kind : {"shelf", "table", "cage"}) {
    const auto made = generate_problems(
        cell.chosen.robot.model, cell.chosen.chain,
        {.kind = kind, .count = 8, .seed = 11, .witness_time = 600.0, .witness_iterations = 20'000});
    ASSERT_TRUE(made) << made.error().message;
    for (const PlanningProblem& problem : made->problems) {
      cell.planner.set_world(*world_of(problem));
      const PlanResult result =
          cell.planner.plan({.start = problem.start,
                             .goal = PoseGoal{.X_BT = cell.chosen.chain.tool_pose(problem.goal)},
                             .time_limit = 600.0});
      EXPECT_EQ(result.status, PlanStatus::Solved) << kind << ' ' << problem.index << ": " << result.reason;
    }
  }
}

TEST(PlannerTest, ARegionGoalEndsInsideTheRegion) {
  Cell cell("panda");
  const RegionGoal region{.X_BT = {.rotation = Quaternion(0.0, 1.0, 0.0, 0.0), .position = {0.4, 0.3, 0.4}},
                          .half_extents = {0.05, 0.1, 0.02},
                          .angle = 0.3};
  const PlanResult result = cell.planner.plan({.start = cell.home, .goal = region});
  ASSERT_EQ(result.status, PlanStatus::Solved) << result.reason;
  const Pose inside = inverse(region.X_BT) * cell.chosen.chain.tool_pose(values(result.path.back()));
  EXPECT_TRUE((inside.position.cwiseAbs() - region.half_extents).maxCoeff() < 1e-5)
      << inside.position.transpose();
  EXPECT_LT(rotation_vector(inside.rotation).norm(), 0.3 + 1e-5);
}

// the cup that the tool holds upright stays within eleven degrees of upright
TEST(PlannerTest, KeepsACupLevelAllTheWay) {
  Cell cell("panda");
  Obstacles world;
  (void)world.add(thing("wall", make_box({0.1, 0.02, 0.2}), {0.55, 0.0, 0.2}));
  cell.planner.set_world(world);
  const Quaternion down(0.0, 1.0, 0.0, 0.0);
  const InverseKinematics solver(cell.chosen.chain);
  const auto at = [&](double y) {
    const IkResult solved = solver.solve({.rotation = down, .position = {0.45, y, 0.35}}, cell.home);
    EXPECT_EQ(solved.status, IkStatus::Solved);
    return values(solved.solutions[0].q);
  };
  constexpr double kAngle = 0.2;
  const AxisCone cone{.tool_axis = Vector3::UnitZ(), .direction = -Vector3::UnitZ(), .angle = kAngle};
  const PlanResult result = cell.planner.plan(
      {.start = at(-0.35), .goal = JointGoal{at(0.35)}, .constraint = {.cone = cone}, .time_limit = 20.0});
  ASSERT_EQ(result.status, PlanStatus::Solved) << result.reason;
  expect_clear(cell, world, result.path);
  for (std::size_t i = 0; i + 1 < result.path.size(); ++i) {
    for (int k = 0; k <= 200; ++k) {
      const JointVector q = result.path[i] + (result.path[i + 1] - result.path[i]) * (k / 200.0);
      const Vector3 axis = cell.chosen.chain.tool_pose(values(q)).rotation * Vector3::UnitZ();
      ASSERT_LE(std::acos(std::clamp(-axis.z(), -1.0, 1.0)), kAngle + 1e-9);
    }
  }
  // a start that is not level is refused with the angle
  const PlanResult tilted =
      cell.planner.plan({.start = cell.home,
                         .goal = JointGoal{at(0.35)},
                         .constraint = {.cone = AxisCone{.direction = Vector3::UnitX()}}});
  EXPECT_EQ(tilted.status, PlanStatus::ConstraintBroken);
  EXPECT_EQ(tilted.reason, "the start breaks the constraint: the tool's axis is 84.3 deg outside its cone");
}

TEST(PlannerTest, TheToolStaysInItsBox) {
  Cell cell("panda");
  cell.planner.set_world({});
  const std::vector<double> goal = turned(cell, 1.2);
  const SerialChain& chain = cell.chosen.chain;
  const Vector3 begin = chain.tool_pose(cell.home).position;
  const Vector3 end = chain.tool_pose(goal).position;
  // on the circle of the straight way the tool would be further out
  const PositionBox box{.lowest = begin.cwiseMin(end) - Vector3::Constant(0.02),
                        .highest = begin.cwiseMax(end) + Vector3::Constant(0.02)};
  PlanRequest request{.start = cell.home, .goal = JointGoal{goal}, .time_limit = 600.0};
  const auto farthest_out = [&](const PlanResult& result) {
    double most = 0.0;
    for (std::size_t i = 0; i + 1 < result.path.size(); ++i) {
      for (int k = 0; k <= 200; ++k) {
        const JointVector q = result.path[i] + (result.path[i + 1] - result.path[i]) * (k / 200.0);
        const Vector3 p = chain.tool_pose(values(q)).position;
        most = std::max({most, (p - box.highest).maxCoeff(), (box.lowest - p).maxCoeff()});
      }
    }
    return most;
  };
  request.goal = JointGoal{turned(cell, -1.2)};
  const PlanResult outside = cell.planner.plan(request);
  ASSERT_EQ(outside.status, PlanStatus::Solved) << outside.reason;
  EXPECT_GT(farthest_out(outside), 0.1);
  request.goal = JointGoal{goal};
  request.constraint.box = box;
  const PlanResult kept = cell.planner.plan(request);
  ASSERT_EQ(kept.status, PlanStatus::Solved) << kept.reason;
  EXPECT_LT(farthest_out(kept), 1e-9);
  // a goal outside of it is refused with how far
  request.goal = JointGoal{turned(cell, -1.2)};
  const PlanResult refused = cell.planner.plan(request);
  EXPECT_EQ(refused.status, PlanStatus::ConstraintBroken);
  EXPECT_NE(refused.reason.find("the goal breaks the constraint: the tool is "), std::string::npos)
      << refused.reason;
}

TEST(PlannerTest, WhatTheGripperHoldsIsCarriedAround) {
  Cell cell("panda");
  Obstacles world;
  // by itself it turns past the post, with the plate it does not
  (void)world.add(thing("post", make_box({0.02, 0.02, 1.0}), {0.454, 0.311, 1.0}));
  cell.planner.set_world(world);
  const std::vector<double> goal = turned(cell, 1.2);
  ASSERT_EQ(cell.planner.plan({.start = cell.home, .goal = JointGoal{goal}}).path.size(), 2U);
  (void)world.add(thing("plate", make_cylinder(0.3, 0.02), Vector3::Zero()));
  std::bitset<kMaxCheckedLinks> may_touch;
  may_touch.set();
  ASSERT_TRUE(world.attach("plate", cell.chosen.tip_link, {.position = {0.0, 0.0, 0.05}}, may_touch));
  cell.planner.set_world(world);
  const PlanResult with_plate = cell.planner.plan({.start = cell.home, .goal = JointGoal{goal}});
  ASSERT_EQ(with_plate.status, PlanStatus::Solved) << with_plate.reason;
  EXPECT_GT(with_plate.path.size(), 2U);
  expect_clear(cell, world, with_plate.path);
}

// two walls from the column outwards: the only way is folded upright between them, not to be found so soon
Obstacles two_walls() {
  Obstacles world;
  for (const double side : {1.0, -1.0}) {
    const double middle = side * 0.85 * std::sqrt(0.5);
    Obstacle wall =
        thing(side > 0.0 ? "front wall" : "back wall", make_box({0.7, 0.01, 1.5}), {middle, middle, 0.5});
    wall.X_LO.rotation = quaternion_from({0.0, 0.0, std::numbers::pi / 4.0});
    EXPECT_TRUE(world.add(wall));
  }
  return world;
}

TEST(PlannerTest, SaysWhatIsInTheWayAndThatRoomAloneWouldNotDo) {
  Cell cell("panda");
  cell.planner.set_world(two_walls());
  const PlanResult result = cell.planner.plan(
      {.start = cell.home, .goal = JointGoal{turned(cell, 1.6)}, .time_limit = 30.0, .most_iterations = 60});
  ASSERT_EQ(result.status, PlanStatus::NoPath) << result.reason;
  EXPECT_EQ(result.reason.find("no path was found within the limit (60 iterations); most often in the way: "),
            0U)
      << result.reason;
  EXPECT_NE(result.reason.find(" and 'front wall' ("), std::string::npos) << result.reason;
  // a wall that is thinner is a wall
  EXPECT_EQ(result.lacking_clearance, 0.0);
  EXPECT_NE(result.reason.find("; nor was one found with 50.0 mm more clearance on every side"),
            std::string::npos)
      << result.reason;
  // the world is as it was
  EXPECT_FALSE(cell.planner.is_way_clear(cell.home, turned(cell, 1.6)));
}

TEST(PlannerTest, SaysHowMuchRoomIsLacking) {
  Cell cell("panda");
  const std::vector<double> goal = turned(cell, 1.2);
  const auto post_of = [](double half) {
    Obstacles world;
    EXPECT_TRUE(world.add(thing("post", make_box({half, half, 1.0}), {0.454, 0.311, 1.0})));
    return world;
  };
  // as thick as the arm just passes
  double passed = 0.01;
  double blocked = 0.2;
  while (blocked - passed > 1e-4) {
    const double half = 0.5 * (passed + blocked);
    cell.planner.set_world(post_of(half));
    (cell.planner.is_way_clear(cell.home, goal) ? passed : blocked) = half;
  }
  cell.planner.set_world(post_of(passed + 0.006));
  // nothing but the straight way
  const PlanResult result =
      cell.planner.plan({.start = cell.home, .goal = JointGoal{goal}, .most_iterations = 0});
  ASSERT_EQ(result.status, PlanStatus::NoPath) << result.reason;
  EXPECT_EQ(result.lacking_clearance, 0.01);
  EXPECT_NE(result.reason.find("; with 10.0 mm more clearance on every side there is a path"),
            std::string::npos)
      << result.reason;
}

TEST(PlannerTest, TheLookForRoomCanBeCancelled) {
  Cell cell("panda");
  cell.planner.set_world(two_walls());
  PlanRequest request{
      .start = cell.home, .goal = JointGoal{turned(cell, 1.6)}, .time_limit = 30.0, .most_iterations = 60};
  int begun = 0;
  request.progress = [&](const PlanProgress& progress) {
    begun += progress.iterations == 0 ? 1 : 0;
    return begun < 2;
  };
  const PlanResult result = cell.planner.plan(request);
  EXPECT_EQ(result.status, PlanStatus::NoPath) << result.reason;
  EXPECT_EQ(begun, 2);
  EXPECT_NE(result.reason.find("; how much clearance is lacking was not looked into any further"),
            std::string::npos)
      << result.reason;
}

TEST(PlannerTest, AJointWithOneLimitStaysOnItsSide) {
  Cell cell("panda");
  RobotModel model = cell.chosen.robot.model;
  JointLimits& limits = model.joints[model.positions[0]].limits;
  limits.lower = -std::numeric_limits<double>::infinity();
  limits.upper = cell.home[0] + 1.65;
  auto planner = *Planner::make(model, {.planned = {0, 1, 2, 3, 4, 5, 6}});
  planner.set_world(post());
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const PlanResult result = planner.plan(
        {.start = cell.home, .goal = JointGoal{turned(cell, 1.6)}, .seed = seed, .with_shortening = false});
    ASSERT_EQ(result.status, PlanStatus::Solved) << result.reason;
    for (const JointVector& q : result.path) EXPECT_LE(q[0], limits.upper) << "seed " << seed;
  }
}

TEST(PlannerTest, CanBeCancelledAndKeepsToItsIterations) {
  Cell cell("panda");
  cell.planner.set_world(post());
  PlanRequest request{.start = cell.home, .goal = JointGoal{turned(cell, 1.6)}};
  request.progress = [](const PlanProgress&) { return false; };
  const PlanResult result = cell.planner.plan(request);
  EXPECT_EQ(result.status, PlanStatus::Cancelled);
  EXPECT_EQ(result.reason, "planning was cancelled");
}

TEST(PlannerTest, MoreTimeMakesAPathNoLonger) {
  Cell cell("panda");
  cell.planner.set_world(post());
  PlanRequest request{.start = cell.home, .goal = JointGoal{turned(cell, 1.6)}};
  const double at_once = cell.planner.plan(request).length;
  request.improve_time = 0.1;
  const PlanResult improved = cell.planner.plan(request);
  EXPECT_LE(improved.length, at_once);
  expect_clear(cell, post(), improved.path);
}

TEST(PlannerTest, AMarginIsKeptAllTheWay) {
  Cell cell("panda", 0.02);
  cell.planner.set_world(post());
  const PlanResult result = cell.planner.plan({.start = cell.home, .goal = JointGoal{turned(cell, 1.6)}});
  ASSERT_EQ(result.status, PlanStatus::Solved) << result.reason;
  const auto shapes = RobotShapes::make(cell.chosen.robot.model);
  CollisionChecker checker(*shapes);
  checker.set_world(post());
  for (std::size_t i = 0; i + 1 < result.path.size(); ++i) {
    for (int k = 0; k <= 500; ++k) {
      const JointVector q = result.path[i] + (result.path[i + 1] - result.path[i]) * (k / 500.0);
      ASSERT_GT(checker.nearest(values(q)).contact.distance, 0.02 - 1e-5);
    }
  }
}

class GeneratedProblemsTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robots, GeneratedProblemsTest, testing::Values("panda", "ur5e", "yarc-industrial"));

TEST_P(GeneratedProblemsTest, AreSolvedWithPathsThatTouchNothing) {
  Cell cell(GetParam());
  for (const char* kind : {"shelf", "box", "table", "cage"}) {
    // by iterations and not by time, so that they are the same ones on every machine
    const auto made = generate_problems(
        cell.chosen.robot.model, cell.chosen.chain,
        {.kind = kind, .count = 3, .seed = 5, .witness_time = 600.0, .witness_iterations = 20'000});
    ASSERT_TRUE(made) << made.error().message;
    for (const PlanningProblem& problem : made->problems) {
      const Obstacles world = *world_of(problem);
      cell.planner.set_world(world);
      const PlanResult result =
          cell.planner.plan({.start = problem.start, .goal = JointGoal{problem.goal}, .time_limit = 600.0});
      ASSERT_EQ(result.status, PlanStatus::Solved) << kind << ' ' << problem.index << ": " << result.reason;
      expect_clear(cell, world, result.path);
    }
  }
}

TEST(ProblemGeneratorTest, RefusesAKindThatThereIsNot) {
  Cell cell("ur5e");
  const auto made = generate_problems(cell.chosen.robot.model, cell.chosen.chain, {.kind = "shelv"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "there are no problems of kind 'shelv' (did you mean 'shelf'?); known: shelf, box, table, cage");
}

}  // namespace
}  // namespace sinew
