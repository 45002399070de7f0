// SPDX-License-Identifier: BSD-3-Clause
// Chains of moves of any kind, law and speed, drawn at random: what is planned keeps what every motion must.
#include <array>
#include <string>

#include "move_cell.h"

namespace sinew {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  double uniform(double low, double high) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * static_cast<double>(state_ >> 11U) * 0x1.0p-53;
  }
  int below(int count) { return static_cast<int>(uniform(0.0, count)); }
  Vector3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }

 private:
  std::uint64_t state_;
};

Pose near(const Pose& X, Draw& draw, double distance) {
  return {.rotation = (X.rotation * quaternion_from_rotation_vector(draw.vector(0.3))).normalized(),
          .position = X.position + draw.vector(distance)};
}

MoveTiming any_timing(Draw& draw) {
  MoveTiming timing{.speed = draw.uniform(0.2, 1.0)};
  constexpr std::array kLaws{MoveLaw::JerkLimited, MoveLaw::Lspb, MoveLaw::Quintic};
  timing.law = kLaws[static_cast<std::size_t>(draw.below(3))];
  if (draw.below(3) == 0) timing.acceleration = draw.uniform(0.2, 1.0);
  if (draw.below(3) == 0) timing.tool_speed = draw.uniform(0.05, 0.5);
  if (draw.below(6) == 0) timing.joint_jerk = draw.uniform(5.0, 50.0);
  return timing;
}

// The tool is at X at first; it moves on with what is drawn.
Move any_move(Draw& draw, const std::vector<double>& home, const MoveCell& cell, Pose& X) {
  Move move{.timing = any_timing(draw)};
  if (draw.below(2) == 0) move.blend_radius = draw.uniform(0.005, 0.05);
  switch (draw.below(7)) {
    case 0: {
      MoveJoints q;
      for (const std::size_t position : cell.planner->planned())
        q.push_back(home[position] + draw.uniform(-0.5, 0.5));
      X = cell.tool(q, {});
      move.goals = {q};
      return move;
    }
    case 1:
      move.shift = ToolShift{.translation = draw.vector(0.1), .rotation = draw.vector(0.2)};
      move.kind = MoveKind::Line;
      X.position += move.shift->translation;
      return move;
    case 2:
      move.kind = MoveKind::Circle;
      move.goals = {near(X, draw, 0.1), near(X, draw, 0.1)};
      break;
    case 3:
      move.kind = MoveKind::Spline;
      move.is_in_joints = draw.below(2) == 0;
      move.is_monotone = move.is_in_joints && draw.below(2) == 0;
      for (int k = 0; k < 3; ++k) move.goals.emplace_back(near(X, draw, 0.1));
      break;
    case 4:
      move.goals = {near(X, draw, 0.2)};
      break;
    default:
      move.kind = MoveKind::Line;
      move.goals = {near(X, draw, 0.15)};
      break;
  }
  X = std::get<Pose>(move.goals.back());
  return move;
}

// limits, continuity and distances at one kilohertz, and the end to 1e-9: see MoveCell::expect_sound
TEST(AnyMovesTest, WhatIsPlannedKeepsEveryLimitAndEndsWhereItIsToEnd) {
  double seconds = 0.0;
  int planned = 0;
  int blended = 0;
  for (const char* robot : {"yarc-industrial", "ur5e", "panda"}) {
    MoveCell cell(robot, {.with_measures = false, .with_advice = false});
    Draw draw(7);
    for (int i = 0; i < 30; ++i) {
      Pose X = cell.tool(
          {cell.home.begin(), cell.home.begin() + static_cast<std::ptrdiff_t>(cell.chain.size())}, {});
      std::vector<Move> chain;
      for (int k = draw.below(4); k >= 0; --k) chain.push_back(any_move(draw, cell.home, cell, X));
      const MovePlan plan = cell.planner->plan(chain, cell.home);
      if (!plan) {
        EXPECT_FALSE(plan.refusal->words.empty());
        EXPECT_LT(plan.refusal->move, chain.size());
        continue;
      }
      ++planned;
      blended += chain.size() > 1 && chain.front().blend_radius > 0.0 ? 1 : 0;
      seconds += plan.planned.trajectory.length();
      cell.expect_sound(plan.planned, cell.home);
      ASSERT_FALSE(testing::Test::HasFailure()) << robot << ", chain " << i;
      EXPECT_LE(plan.planned.deviation, 1e-4);
    }
  }
  EXPECT_GT(planned, 30);
  EXPECT_GT(blended, 5);
  EXPECT_GT(seconds, 35.0) << "of a thousand samples each";
}

}  // namespace
}  // namespace sinew
