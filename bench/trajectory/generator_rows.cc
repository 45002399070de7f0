// SPDX-License-Identifier: BSD-3-Clause
#include "generator_rows.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>

#include "sinew/base/time.h"
#include "sinew/trajectory/jerk_limited_path.h"
#include "sinew/trajectory/joint_motion.h"
#include "sinew/trajectory/path_timing.h"
#include "sinew/trajectory/test/random_motion.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew::bench {
namespace {

constexpr std::size_t kJoints = 7;
constexpr std::size_t kGridPoints = 100;

TrajectoryRow timed(const std::string& name, int count, const std::function<void()>& prepare,
                    const std::function<double()>& call) {
  TrajectoryRow row{.name = name, .axes = kJoints};
  volatile double sink = 0.0;
  for (int i = 0; i < count; ++i) {
    prepare();
    const std::int64_t begin_ns = monotonic_now_ns();
    sink = sink + call();
    row.times.push_back(static_cast<double>(monotonic_now_ns() - begin_ns) * 1e-3);
  }
  return row;
}

// limits, states and points as an arm may have them
class Arm {
 public:
  explicit Arm(std::uint64_t seed) : random_(seed), limits_(kJoints), from_(kJoints), to_(kJoints) {
    for (AxisLimits& each : limits_) {
      each = {.velocity = random_.uniform(1.0, 3.0), .acceleration = random_.uniform(5.0, 20.0)};
      each.jerk = 30.0 * each.acceleration;
    }
  }

  void draw_states(bool is_at_rest) {
    for (std::size_t j = 0; j < kJoints; ++j) {
      from_[j] = random_.state_inside(limits_[j]);
      to_[j] = random_.state(limits_[j], 1.0);
      to_[j].acceleration = 0.0;
      if (!is_at_rest) continue;
      from_[j] = {.position = from_[j].position};
      to_[j] = {.position = to_[j].position};
    }
  }
  const std::vector<double>& draw_points(std::size_t count) {
    points_.resize(count * kJoints);
    for (double& each : points_) each = random_.uniform(-2.0, 2.0);
    return points_;
  }

  std::span<const AxisLimits> limits() const { return limits_; }
  MotionRequest request() const { return {.from = from_, .to = to_, .limits = limits_}; }

 private:
  RandomMotion random_;
  std::vector<AxisLimits> limits_;
  std::vector<AxisState> from_;
  std::vector<AxisState> to_;
  std::vector<double> points_;
};

void measure_motions(int count, std::uint64_t seed, std::vector<TrajectoryRow>& rows) {
  Arm arm(seed);
  const auto motion = std::make_unique<JointMotion>();
  const auto call = [&] {
    if (!motion->plan(arm.request())) std::abort();
    return motion->duration();
  };
  rows.push_back(timed(
      "any state to any state, together", count, [&] { arm.draw_states(false); }, call));
  rows.push_back(timed(
      "rest to rest, together", count, [&] { arm.draw_states(true); }, call));
  Trajectory trajectory;
  const auto prepare = [&] {
    arm.draw_states(false);
    if (!motion->plan(arm.request())) std::abort();
    trajectory = motion->trajectory();
  };
  rows.push_back(timed("check a whole trajectory", count, prepare, [&] {
    return check_trajectory(trajectory, arm.limits(), {.tolerance = 1e-6}).value;
  }));
}

void measure_timing(int count, std::uint64_t seed, std::vector<TrajectoryRow>& rows) {
  Arm arm(seed);
  JointPath path;
  std::vector<double> s;
  std::unique_ptr<PathTiming> timing;
  const auto draw = [&] {
    path = spline_path({.joint_count = kJoints, .positions = arm.draw_points(5)}).value();
    s = path_grid(path, kGridPoints);
    timing = std::make_unique<PathTiming>(
        PathTiming::make({.points = s.size(), .joints = kJoints}, arm.limits()).value());
    timing->sample(path, s);
  };
  const auto solve = [&] {
    if (!timing->solve()) std::abort();
    return timing->duration();
  };
  rows.push_back(timed("time-optimal, 100 points", count, draw, solve));
  rows.push_back(timed("time-optimal, 100 points, sampling too", count, draw, [&] {
    timing->sample(path, s);
    return solve();
  }));
}

void measure_waypoints(int count, std::uint64_t seed, std::vector<TrajectoryRow>& rows) {
  Arm arm(seed);
  std::vector<double> points;
  const auto call = [&] {
    const auto motion = jerk_limited_through({.joint_count = kJoints, .positions = points}, arm.limits());
    if (!motion) std::abort();
    return motion->trajectory.length();
  };
  rows.push_back(timed(
      "jerk-limited through 20 points, checked", std::max(1, count / 1000),
      [&] { points = arm.draw_points(20); }, call));
}

}  // namespace

std::vector<TrajectoryRow> measure_generators(int count, std::uint64_t seed) {
  std::vector<TrajectoryRow> rows;
  measure_motions(count, seed, rows);
  measure_timing(count, seed, rows);
  measure_waypoints(count, seed, rows);
  return rows;
}

}  // namespace sinew::bench
