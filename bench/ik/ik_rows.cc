// SPDX-License-Identifier: BSD-3-Clause
#include "ik_rows.h"

#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "sinew/base/time.h"
#include "sinew/kinematics/inverse_kinematics.h"

#include "rival.h"

namespace sinew::bench {
namespace {

/// Fills q with an answer; false when it claims none.
using Solve = std::function<bool(const Pose& X_BT, std::span<const double> seed, std::span<double> q)>;

struct Contestant {
  IkRow row;
  Solve solve;
};

Contestant ours(const std::string& robot, const InverseKinematics& ik) {
  const Solve solve = [&ik](const Pose& X_BT, std::span<const double> seed, std::span<double> q) {
    const IkResult result = ik.solve(X_BT, seed);
    if (result.status != IkStatus::Solved) return false;
    std::copy(result.solutions[0].q.begin(), result.solutions[0].q.end(), q.begin());
    return true;
  };
  return {.row = {.robot = robot, .solver = "sinew", .method = std::string(ik.description())},
          .solve = solve};
}

Contestant ours_numerical(const std::string& robot, const NumericalIk& ik) {
  const Solve solve = [&ik](const Pose& X_BT, std::span<const double> seed, std::span<double> q) {
    const NumericalIkResult result = ik.solve(X_BT, seed);
    std::copy(result.q.begin(), result.q.end(), q.begin());
    return result.status == IkStatus::Solved;
  };
  return {.row = {.robot = robot, .solver = "sinew", .method = "numerical"}, .solve = solve};
}

Contestant kdls(const std::string& robot, KdlSolver& kdl) {
  const Solve solve = [&kdl](const Pose& X_BT, std::span<const double> seed, std::span<double> q) {
    return kdl.solve(X_BT, seed, q);
  };
  return {.row = {.robot = robot, .solver = "kdl", .method = "LMA with restarts"}, .solve = solve};
}

/// What one solver made of some poses.
struct Turn {
  std::vector<double> times;  ///< [µs]
  std::vector<double> q;      ///< One row for each pose.
  std::vector<char> claims;   ///< Whether it says that it got there.
};

/// How often the system has taken the core away from this thread.
long interruptions() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

/// Solves pose `first` + i and notes the time if it is the shortest of that pose.
double solve_one(const Solve& solve, const PoseList& poses, std::size_t first, std::size_t i, Turn& turn) {
  const std::span<double> q(turn.q.data() + i * poses.joint_count, poses.joint_count);
  const std::int64_t begin_ns = monotonic_now_ns();
  turn.claims[i] = solve(poses.targets[first + i], poses.seed(first + i), q) ? 1 : 0;
  const double time = static_cast<double>(monotonic_now_ns() - begin_ns) * 1e-3;
  turn.times[i] = std::min(turn.times[i], time);
  return time;
}

/// Solves poses `first` to `last`. Those of the last tenth of a millisecond are solved once more when others
/// had the core meanwhile, and the shorter time counts: the solver is measured, not the scheduler.
Turn take_turn(const Solve& solve, const PoseList& poses, std::size_t first, std::size_t last) {
  constexpr int kMostPasses = 4;
  constexpr double kStretch = 100.0;  // [µs]
  const std::size_t count = last - first;
  Turn turn{.times = std::vector<double>(count, 1e30),
            .q = std::vector<double>(count * poses.joint_count, 0.0),
            .claims = std::vector<char>(count, 0)};
  // once untimed: the rival has had the caches
  solve(poses.targets[first], poses.seed(first), {turn.q.data(), poses.joint_count});
  int pass = 1;
  for (std::size_t begin = 0; begin < count;) {
    const long before = interruptions();
    std::size_t end = begin;
    for (double time = 0.0; end < count && time < kStretch; ++end)
      time += solve_one(solve, poses, first, end, turn);
    const bool is_disturbed = interruptions() != before && pass < kMostPasses;
    pass = is_disturbed ? pass + 1 : 1;
    if (!is_disturbed) begin = end;
  }
  return turn;
}

void judge(const SerialChain& chain, const Pose& X_BT, const Pose& X_BN, std::span<const double> q,
           IkRow& row) {
  const PoseDistance off = distance(X_BN, X_BT);
  const bool is_inside = chain.is_within_limits(q);
  if (!is_inside) ++row.limit_violations;
  row.max_position_error = std::max(row.max_position_error, off.position);
  row.max_rotation_error = std::max(row.max_rotation_error, off.rotation);
  if (is_inside && off.position <= kReached && off.rotation <= kReached) ++row.solved;
}

/// Nanoseconds per call, the best of several turns.
double best_ns(int calls, const std::function<double(int)>& call) {
  double best = 1e30;
  volatile double sink = 0.0;
  for (int turn = 0; turn < 20; ++turn) {
    double sum = 0.0;
    const std::int64_t begin_ns = monotonic_now_ns();
    for (int i = 0; i < calls; ++i) sum += call(i);
    best = std::min(best, static_cast<double>(monotonic_now_ns() - begin_ns) / calls);
    sink = sink + sum;
  }
  return best;
}

}  // namespace

TimeSummary summary_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t count = times.size();
  return {.mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(count),
          .median = times[(count - 1) / 2],
          // the smallest that 99 of 100 do not exceed
          .p99 = times[(count * 99 + 99) / 100 - 1],
          .worst = times.back()};
}

double success_of(const IkRow& row) {
  return 100.0 * static_cast<double>(row.solved) / static_cast<double>(row.times.size());
}

std::vector<IkRow> measure_ik(const std::string& robot, const ChosenChain& chosen, const PoseList& poses,
                              const IkMeasure& options) {
  const InverseKinematics ik(chosen.chain);
  const NumericalIk numerical(chosen.chain);
  const auto kdl = KdlSolver::make(chosen);
  std::vector<Contestant> contestants = {ours(robot, ik)};
  const bool is_numerical = ik.description() == "numerical";
  if (options.with_numerical && !is_numerical) contestants.push_back(ours_numerical(robot, numerical));
  if (options.with_kdl && kdl != nullptr) contestants.push_back(kdls(robot, *kdl));

  // a few dozen of each in turn: rivals meet the same weather
  constexpr std::size_t kTurnLength = 50;
  for (std::size_t first = 0; first < poses.targets.size(); first += kTurnLength) {
    const std::size_t last = std::min(first + kTurnLength, poses.targets.size());
    for (Contestant& one : contestants) {
      const Turn turn = take_turn(one.solve, poses, first, last);
      one.row.times.insert(one.row.times.end(), turn.times.begin(), turn.times.end());
      for (std::size_t i = first; i < last; ++i) {
        if (turn.claims[i - first] == 0) continue;
        const std::span<const double> q(turn.q.data() + (i - first) * poses.joint_count, poses.joint_count);
        const Pose X_BN = kdl != nullptr ? kdl->tool_pose(q) : chosen.chain.tool_pose(q);
        judge(chosen.chain, poses.targets[i], X_BN, q, one.row);
      }
    }
  }
  std::vector<IkRow> rows;
  for (Contestant& one : contestants) rows.push_back(std::move(one.row));
  return rows;
}

ForwardRow measure_forward(const std::string& robot, const ChosenChain& chosen, bool with_kdl) {
  constexpr std::size_t kPostures = 64;
  const SerialChain& chain = chosen.chain;
  const PoseList poses = draw_poses(chain, kPostures, 1);
  const auto posture = [&](int i) { return poses.joints_of(static_cast<std::size_t>(i) % kPostures); };
  ForwardRow row{.robot = robot};
  Jacobian jacobian;
  row.single_ns = best_ns(
      2000, [&](int i) { return chain.tool_pose(posture(i), jacobian).position.x() + jacobian(0, 0); });
  ChainBatch batch(chain);
  for (int lane = 0; lane < ChainBatch::kLanes; ++lane) {
    for (std::size_t i = 0; i < chain.size(); ++i) batch.q(i, lane) = static_cast<float>(posture(lane)[i]);
  }
  const auto evaluate = [&](int /*i*/) {
    batch.evaluate();
    return static_cast<double>(batch.position(0, 0));
  };
  row.batch_ns = best_ns(2000, evaluate) / ChainBatch::kLanes;
  const auto kdl = with_kdl ? KdlSolver::make(chosen) : nullptr;
  if (kdl != nullptr) row.kdl_ns = best_ns(500, [&](int i) { return kdl->evaluate(posture(i)); });
  return row;
}

}  // namespace sinew::bench
