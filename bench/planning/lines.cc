// SPDX-License-Identifier: BSD-3-Clause
#include "lines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/planning/tool_path.h"

namespace sinew::bench {
namespace {

constexpr int kLooks = 20;         // whose poses must be reachable, one by one
constexpr double kMostTurn = 0.5;  // [rad] of the tool along a line

/// Numbers from a counter, the same everywhere (SplitMix64, Steele, Lea and Flood 2014).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : at_(seed) {}
  double between(double low, double high) {
    at_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = (at_ ^ (at_ >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return low + (high - low) * (static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1.0p-53);
  }
  Vector3 direction() {
    Vector3 v = Vector3::Zero();
    while (v.norm() < 0.1 || v.norm() > 1.0) v = {between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0)};
    return v.normalized();
  }

 private:
  std::uint64_t at_;
};

ToolPath draw_line(Draws& draws, const SerialChain& chain) {
  std::vector<double> q;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    q.push_back(draws.between(std::max(chain.limits(i).lower, -std::numbers::pi),
                              std::min(chain.limits(i).upper, std::numbers::pi)));
  }
  const Pose from = chain.tool_pose(q);
  const double length = draws.between(0.2, 0.4);
  const double turn = draws.between(0.0, kMostTurn);
  const Vector3 along = draws.direction();
  const Vector3 axis = draws.direction();
  return straight_tool_path(from, {.rotation = from.rotation * quaternion_from_rotation_vector(turn * axis),
                                   .position = from.position + length * along});
}

bool is_reachable_point_by_point(const SerialChain& chain, const InverseKinematics& ik,
                                 const ToolPath& path) {
  const JointVector middle = chain.middle();
  for (int k = 0; k <= kLooks; ++k) {
    const Pose X_BT = path.X_BT(static_cast<double>(k) / kLooks);
    if (ik.solve(X_BT, numbers(middle)).status != IkStatus::Solved) return false;
  }
  return true;
}

}  // namespace

LineRow measure_lines(const SerialChain& chain, const LineOptions& options) {
  const InverseKinematics ik(chain);
  const ToolPathFollower follower(chain, ik);
  const JointVector middle = chain.middle();
  Draws draws(options.seed);
  LineRow row;
  std::vector<double> times_us;
  while (row.count < options.count) {
    const ToolPath path = draw_line(draws, chain);
    if (!is_reachable_point_by_point(chain, ik, path)) continue;
    ++row.count;
    double best_us = std::numeric_limits<double>::infinity();
    bool is_done = false;
    for (std::size_t round = 0; round < std::max<std::size_t>(1, options.rounds); ++round) {
      const std::int64_t begun_ns = monotonic_now_ns();
      is_done = follower.follow_from_anywhere(path, numbers(middle)).status == FollowStatus::Done;
      best_us = std::min(best_us, 1e-3 * static_cast<double>(monotonic_now_ns() - begun_ns));
    }
    times_us.push_back(best_us);
    ++(is_done ? row.done : follower.is_shown_infeasible(path) ? row.infeasible : row.unexplained);
  }
  std::sort(times_us.begin(), times_us.end());
  const auto at_share = [&](double share) {
    return times_us[static_cast<std::size_t>(std::ceil(share * static_cast<double>(times_us.size() - 1)))];
  };
  row.median_us = at_share(0.5);
  row.p95_us = at_share(0.95);
  row.max_us = times_us.back();
  return row;
}

std::string line_row_text(const LineRow& row, bool is_json) {
  if (is_json) {
    return fmt::format(
        "{{\"rows\": [\n  {{\"planner\": \"sinew, lines\", \"count\": {}, \"done\": {}, \"infeasible\": {}, "
        "\"unexplained\": {}, \"median_us\": {:.3f}, \"p95_us\": {:.3f}, \"max_us\": {:.3f}}}]}}\n",
        row.count, row.done, row.infeasible, row.unexplained, row.median_us, row.p95_us, row.max_us);
  }
  return fmt::format(
      "{:14} {:>6} {:>6} {:>11} {:>12} {:>10} {:>10} {:>10}\n"
      "{:14} {:>6} {:>6} {:>11} {:>12} {:>10.1f} {:>10.1f} {:>10.1f}\n",
      "planner", "count", "done", "infeasible", "unexplained", "median us", "p95 us", "max us",
      "sinew, lines", row.count, row.done, row.infeasible, row.unexplained, row.median_us, row.p95_us,
      row.max_us);
}

}  // namespace sinew::bench
