// SPDX-License-Identifier: BSD-3-Clause
// Random lines: each is solved and measured, or refused for a reason that other means confirm.
#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/motion/deterministic.h"

#include "move_cell.h"

namespace sinew {
namespace {

constexpr int kSteps = 2000;  // of the independent walk

std::span<const double> as_span(const JointVector& q) {
  return {q.data(), static_cast<std::size_t>(q.size())};
}

struct RandomLine {
  std::vector<double> from;
  Pose begin;
  Pose goal;

  Pose at(double share) const { return interpolate(begin, goal, share); }
};

Vector3 random_direction(std::uint64_t& seed) {
  Vector3 v;
  do {
    for (int i = 0; i < 3; ++i) v[i] = 2.0 * next_unit(seed) - 1.0;
  } while (v.norm() > 1.0 || v.norm() < 0.1);
  return v.normalized();
}

/// 0.2 to 0.4 m with a turn of up to half a radian, of which 21 points can be reached, each by itself.
RandomLine draw_line(const MoveCell& cell, const InverseKinematics& ik, std::uint64_t& seed) {
  while (true) {
    RandomLine line;
    for (std::size_t j = 0; j < cell.chain.size(); ++j)
      line.from.push_back(between(cell.chain.limits(j), seed));
    line.begin = cell.chain.tool_pose(line.from);
    line.goal.position = line.begin.position + (0.2 + 0.2 * next_unit(seed)) * random_direction(seed);
    line.goal.rotation =
        line.begin.rotation * quaternion_from_rotation_vector(0.5 * next_unit(seed) * random_direction(seed));
    bool is_reachable = true;
    for (int k = 0; k <= 20 && is_reachable; ++k)
      is_reachable = ik.solve(line.at(k / 20.0), line.from).status == IkStatus::Solved;
    if (is_reachable) return line;
  }
}

/// Where a walk in small steps gets, each step to the nearest of all postures that a closed form lists: no
/// tangent, no Newton steps, no adaptive points.
struct Walk {
  double share = 0.0;
  bool is_done = false;
};

Walk walk(const RandomLine& line, const InverseKinematics& ik) {
  JointVector q =
      Eigen::Map<const Eigen::VectorXd>(line.from.data(), static_cast<Eigen::Index>(line.from.size()));
  Walk result;
  for (int k = 1; k <= kSteps; ++k) {
    const double share = static_cast<double>(k) / kSteps;
    const IkResult found = ik.solve(line.at(share), as_span(q));
    if (found.status != IkStatus::Solved) return result;
    double nearest = 1e9;
    JointVector best = q;
    for (const IkSolution& solution : found.solutions) {
      const double off = (solution.q - q).cwiseAbs().maxCoeff();
      if (off < nearest) {
        nearest = off;
        best = solution.q;
      }
    }
    // 0.2 mm of the tool: more than this in a joint is another posture, or so near to a singularity that
    // it makes no difference
    if (nearest > 0.3) return result;
    q = best;
    result.share = share;
  }
  result.is_done = true;
  return result;
}

TEST(MoveLinesTest, AThousandLinesAreStraightOrRefusedForAReasonThatHolds) {
  MoveCell cell("yarc-industrial", {.with_measures = false, .with_advice = false});
  const InverseKinematics ik(cell.chain);
  std::uint64_t seed = 5;
  std::map<MoveFault, int> refused;
  int done = 0;
  double worst = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const RandomLine line = draw_line(cell, ik, seed);
    const Move move{.kind = MoveKind::Line, .goals = {line.goal}};
    const MovePlan plan = cell.planner->plan(std::span(&move, 1), line.from);
    if (plan) {
      ++done;
      const Vector3 along = (line.goal.position - line.begin.position).normalized();
      for (double t = 0.0; t < plan.planned.trajectory.length(); t += 1e-3) {
        const Vector3 off =
            cell.chain.tool_pose(MoveCell::at(plan.planned, line.from, t)).position - line.begin.position;
        worst = std::max(worst, (off - off.dot(along) * along).norm());
      }
      ASSERT_LT(worst, 1e-5) << "line " << i;
      const PoseDistance missed = distance(cell.chain.tool_pose(plan.planned.postures.back()), line.goal);
      ASSERT_LT(missed.position, 1e-9);
      ASSERT_LT(missed.rotation, 1e-9);
      if (i % 10 == 0) cell.expect_sound(plan.planned, line.from);
      continue;
    }
    ++refused[plan.refusal->fault];
    if (plan.refusal->fault == MoveFault::Blocked) {
      EXPECT_TRUE(cell.is_blocked(line.from, [&](double share) { return line.at(share); }))
          << plan.refusal->words;
      continue;
    }
    EXPECT_FALSE(walk(line, ik).is_done) << "line " << i << " can be walked: " << plan.refusal->words;
  }
  RecordProperty("done", done);
  for (const auto& [fault, count] : refused) RecordProperty(move_fault_text(fault), count);
  EXPECT_GT(done, 600);
}

}  // namespace
}  // namespace sinew
