// SPDX-License-Identifier: BSD-3-Clause
// How evenly the tool goes along its ways, and what is said where it cannot.
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "sinew/motion/tool_length.h"

#include "move_cell.h"

namespace sinew {
namespace {

/// The tool of yarc-industrial.
const Pose kTcp{.position = {0.0, 0.1, 0.0}};
const std::vector<double> kReady{0.0, -0.1, -0.3, 0.0, -0.6, 0.0};

/// The tool's speed at 1 kHz, from where it is half a millisecond before and after.
std::vector<double> speeds_of(const MoveCell& cell, const PlannedMoves& planned) {
  std::vector<double> speeds;
  const auto place = [&](double t) { return cell.tool(MoveCell::at(planned, kReady, t), kTcp).position; };
  Vector3 before = place(0.0);
  for (double t = 1e-3; t < planned.trajectory.length(); t += 1e-3) {
    const Vector3 now = place(t);
    speeds.push_back((now - before).norm() / 1e-3);
    before = now;
  }
  return speeds;
}

/// Whether a joint is nearly at a limit at about `time`, so that the tool cannot be faster.
bool is_near_a_limit(const MoveCell& cell, const PlannedMoves& planned, double time) {
  const std::vector<AxisLimits> limits = limits_of(cell.model(), planned.joint_mask);
  for (double t = time - 0.2; t < time + 0.2; t += 1e-3) {
    for (std::size_t j = 0; j < limits.size(); ++j) {
      const CurvePoint point = planned.trajectory.at(j, t);
      if (std::abs(point.first) > 0.9 * limits[j].velocity ||
          std::abs(point.second) > 0.9 * limits[j].acceleration ||
          std::abs(point.third) > 0.9 * limits[j].jerk)
        return true;
    }
  }
  return false;
}

/// Lines, circles and splines one after the other, blended, all at one speed.
class Seam {
 public:
  explicit Seam(std::uint64_t seed) : random_(seed) {}

  double draw(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  std::vector<Move> chain(const Pose& begin, double speed, double radius) {
    std::vector<Move> moves;
    for (int i = 0; i < 4; ++i) {
      Move move{.X_FT = kTcp, .timing = {.tool_speed = speed}, .blend_radius = radius};
      const int kind = static_cast<int>(random_() % 3);
      move.kind = kind == 0 ? MoveKind::Line : kind == 1 ? MoveKind::Circle : MoveKind::Spline;
      const std::size_t goals = kind == 0 ? 1 : kind == 1 ? 2 : 3;
      for (std::size_t k = 0; k < goals; ++k) move.goals.emplace_back(next(begin));
      moves.push_back(move);
    }
    return moves;
  }

 private:
  // always on in one direction, so that no corner turns back
  Pose next(const Pose& begin) {
    way_ += Vector3(draw(0.02, 0.05), 0.0, draw(-0.03, 0.03));
    const Quaternion turn = quaternion_from_rotation_vector(Vector3(draw(-0.1, 0.1), draw(-0.1, 0.1), 0.0));
    return {.rotation = (begin.rotation * turn).normalized(), .position = begin.position + way_};
  }

  std::mt19937_64 random_;
  Vector3 way_ = Vector3::Zero();
};

TEST(ToolSpeedTest, TheToolGoesEvenlyAlongLinesCirclesSplinesAndTheirBlends) {
  MoveCell cell("yarc-industrial", {.with_measures = false});
  const Pose begin = cell.tool(kReady, kTcp);
  int planned = 0;
  int even = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Seam seam(seed);
    const double speed = seam.draw(0.01, 0.06);
    const std::vector<Move> chain = seam.chain(begin, speed, seam.draw(0.005, 0.015));
    const MovePlan plan = cell.planner->plan(chain, kReady);
    if (!plan) continue;
    ++planned;
    cell.expect_sound(plan.planned, kReady);
    EXPECT_LT(plan.planned.deviation, 1e-5);
    const std::vector<double> speeds = speeds_of(cell, plan.planned);
    const auto is_even = [&](double v) { return std::abs(v - speed) < 0.01 * speed; };
    const auto first = std::ranges::find_if(speeds, is_even);
    const auto last = std::find_if(speeds.rbegin(), speeds.rend(), is_even).base();
    bool is_even_throughout = true;
    for (auto v = first; v < last; ++v) {
      if (is_even(*v)) continue;
      is_even_throughout = false;
      ASSERT_TRUE(is_near_a_limit(cell, plan.planned, 1e-3 * static_cast<double>(v - speeds.begin())))
          << "seed " << seed << ": " << *v / speed << " of " << speed << " m/s";
    }
    even += is_even_throughout ? 1 : 0;
    if (is_even_throughout) {
      EXPECT_TRUE(plan.planned.notes.empty()) << plan.planned.notes.front().words;
    }
    EXPECT_LE(*std::ranges::max_element(speeds), 1.001 * speed);
    // speeding up and slowing down take what joints need for it, not more
    EXPECT_LT(first - speeds.begin(), 600) << "seed " << seed;
    EXPECT_LT(speeds.end() - last, 600) << "seed " << seed;
  }
  EXPECT_GE(planned, 9);
  EXPECT_GE(even, planned - 2) << "few of them are near a limit";
}

TEST(ToolSpeedTest, EachMoveHasItsOwnSpeedAndNoneIsPassed) {
  MoveCell cell("yarc-industrial", {.with_measures = false});
  const Pose begin = cell.tool(kReady, kTcp);
  const auto by = [&](double x, double z) {
    return Pose{.rotation = begin.rotation, .position = begin.position + Vector3(x, 0.0, z)};
  };
  std::vector<Move> chain;
  const std::vector<double> asked{0.05, 0.02, 0.08};
  for (const Pose& goal : {by(0.1, 0.0), by(0.1, 0.1), by(-0.1, 0.1)})
    chain.push_back({.kind = MoveKind::Line,
                     .goals = {goal},
                     .X_FT = kTcp,
                     .timing = {.tool_speed = asked[chain.size()]},
                     .blend_radius = 0.01});
  const MovePlan plan = cell.planner->plan(chain, kReady);
  ASSERT_TRUE(plan) << plan.refusal->words;
  cell.expect_sound(plan.planned, kReady);
  const std::vector<double> speeds = speeds_of(cell, plan.planned);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const MoveSpan& span = plan.planned.spans[i];
    std::size_t even = 0;
    std::size_t all = 0;
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      const double t = 1e-3 * (static_cast<double>(k) + 0.5);
      if (t < span.begin || t > span.end) continue;
      ++all;
      even += std::abs(speeds[k] - asked[i]) < 0.01 * asked[i] ? 1 : 0;
      ASSERT_LE(speeds[k], 1.002 * asked[i]) << "move " << i << " at " << t;
    }
    EXPECT_GT(static_cast<double>(even), 0.85 * static_cast<double>(all)) << "move " << i;
  }
}

TEST(ToolSpeedTest, SaysWhichJointForbidsTheSpeedAndNothingOfWaysThatAreTooShort) {
  MoveCell cell("yarc-industrial", {.with_measures = false});
  const Pose begin = cell.tool(kReady, kTcp);
  const auto notes = [&](double way, double speed, double joint_speed) {
    const Move move{
        .kind = MoveKind::Line,
        .goals = {Pose{.rotation = begin.rotation, .position = begin.position + Vector3(0.0, 0.0, way)}},
        .X_FT = kTcp,
        .timing = {.tool_speed = speed, .joint_speed = joint_speed}};
    const MovePlan plan = cell.planner->plan(std::span(&move, 1), kReady);
    EXPECT_TRUE(plan);
    return plan.planned.notes;
  };
  EXPECT_TRUE(notes(-0.3, 0.1, 10.0).empty());
  EXPECT_TRUE(notes(-0.002, 1.0, 10.0).empty());
  const std::vector<MoveNote> said = notes(-0.3, 0.1, 0.05);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].words.find("instead of 100.0 mm/s"), std::string::npos) << said[0].words;
  EXPECT_NE(said[0].words.find("of its speed"), std::string::npos) << said[0].words;
}

/// A run in the joints, and its tool.
TEST(ToolLengthTest, TheSameWayCountedByTheTool) {
  const MoveCell cell("yarc-industrial");
  const JointVector a = JointVector::Map(kReady.data(), 6);
  JointVector b = a;
  JointVector c = a;
  b[0] += 0.4;
  c[1] -= 0.3;
  c[4] += 0.5;
  const std::vector<JointVector> corners{a, b, c};
  WayRun run = whole_run(way_through(corners, 0.3));
  run.sections[0].end = 0.4 * run.path.length();
  const auto by_length = by_tool_length(run, cell.chain);
  ASSERT_TRUE(by_length);
  const auto posture = [&](const JointPath& path, double u) {
    std::vector<double> q;
    for (std::size_t j = 0; j < 6; ++j) q.push_back(path.at(j, u).value);
    return q;
  };
  const double length = by_length->path.length();
  double sum = 0.0;
  for (int k = 0; k < 2000; ++k) {
    const double step = length / 2000;
    const Vector3 way = cell.chain.tool_pose(posture(by_length->path, (k + 1) * step)).position -
                        cell.chain.tool_pose(posture(by_length->path, k * step)).position;
    const double expected = tool_rate_by_length(*by_length, (k + 0.5) * step);
    ASSERT_NEAR(way.norm() / step, expected, 2e-4) << k;
    sum += way.norm();
  }
  EXPECT_NEAR(sum, length, 0.01 * length) << "turning adds a little";
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(by_length->path.at(j, length).value, c[static_cast<Eigen::Index>(j)], 1e-12);
    const double before = run.path.at(j, run.sections[0].end).value;
    EXPECT_NEAR(by_length->path.at(j, by_length->sections[0].end).value, before, 1e-12);
  }
  for (std::size_t i = 1; i < by_length->path.piece_count(); ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const CurvePoint end =
          evaluate(by_length->path.polynomial(i - 1, j), by_length->path.piece_length(i - 1));
      const CurvePoint next = evaluate(by_length->path.polynomial(i, j), 0.0);
      ASSERT_NEAR(end.second, next.second, 1e-6 * (1.0 + std::abs(next.second)));
    }
  }
}

TEST(ToolLengthTest, AWayThatTurnsBackHasNoSuchCoordinate) {
  const MoveCell cell("yarc-industrial");
  const JointVector a = JointVector::Map(kReady.data(), 6);
  JointVector b = a;
  b[0] += 0.4;
  const auto way = way_along_spline(std::vector<JointVector>{a, b, a}, false);
  ASSERT_TRUE(way);
  EXPECT_FALSE(by_tool_length(whole_run(*way), cell.chain));
}

}  // namespace
}  // namespace sinew
