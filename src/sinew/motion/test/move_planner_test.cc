// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/move_planner.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sinew
