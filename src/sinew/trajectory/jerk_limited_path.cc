// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/jerk_limited_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "sinew/trajectory/path_timing.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

constexpr std::size_t kLeastPoints = 100;
constexpr std::size_t kPointsForAPiece = 10;
constexpr int kTightenings = 12;
constexpr double kMuch = 0.05;     // of the highest acceleration, for a change of it
constexpr double kEnough = 1.002;  // what is left to stretch, when tightening ends
// windows that are tried, in units of the time in which the slowest joint builds up its acceleration
constexpr std::array<double, 5> kWindows = {0.5, 0.75, 1.0, 1.5, 2.0};

// s(t) of a solved timing, its integral, and from these the same averaged over a window of time
class AveragedLaw {
 public:
  AveragedLaw(const PathTiming& timing, double window) : moments_(moments_of(timing)), window_(window) {
    integral_.push_back(0.0);
    for (std::size_t i = 0; i + 1 < moments_.size(); ++i) {
      const double t = moments_[i + 1].time - moments_[i].time;
      integral_.push_back(integral_[i] + part(i, t));
    }
  }

  double duration() const { return moments_.back().time + window_; }

  // where it is, with three derivatives
  CurvePoint at(double time) const {
    const Point now = raw(time);
    const Point then = raw(time - window_);
    return {.value = (now.integral - then.integral) / window_,
            .first = (now.s - then.s) / window_,
            .second = (now.speed - then.speed) / window_,
            .third = (now.acceleration - then.acceleration) / window_};
  }

  // when it is at `s`, by halving
  double time_at(double s) const {
    double low = 0.0;
    double high = duration();
    for (int i = 0; i < 60 && high - low > 1e-13 * duration(); ++i) {
      const double middle = low + (high - low) / 2.0;
      (at(middle).value < s ? low : high) = middle;
    }
    return low + (high - low) / 2.0;
  }

  const std::vector<PathMoment>& moments() const { return moments_; }

 private:
  struct Point {
    double integral = 0.0;
    double s = 0.0;
    double speed = 0.0;
    double acceleration = 0.0;
  };

  // the integral of s over the first `t` of stretch `i`
  double part(std::size_t i, double t) const {
    const PathMoment& m = moments_[i];
    return t * (m.s + t * (m.speed / 2.0 + t * (m.acceleration_after / 6.0)));
  }

  Point raw(double time) const {
    const PathMoment& last = moments_.back();
    if (time <= 0.0) return {.integral = time * moments_.front().s, .s = moments_.front().s};
    if (time >= last.time) return {.integral = integral_.back() + (time - last.time) * last.s, .s = last.s};
    const auto after = std::upper_bound(moments_.begin(), moments_.end(), time,
                                        [](double t, const PathMoment& m) { return t < m.time; });
    const auto i = static_cast<std::size_t>(after - moments_.begin()) - 1;
    const PathMoment& m = moments_[i];
    const double t = time - m.time;
    return {.integral = integral_[i] + part(i, t),
            .s = m.s + t * (m.speed + t * (m.acceleration_after / 2.0)),
            .speed = m.speed + t * m.acceleration_after,
            .acceleration = m.acceleration_after};
  }

  std::vector<PathMoment> moments_;
  std::vector<double> integral_;
  double window_;
};

// by how much the motion must be slower at a moment to keep all limits there
double needed_there(std::span<const CurvePoint> q, const CurvePoint& s, std::span<const AxisLimits> limits) {
  double velocity = 0.0;
  double acceleration = 0.0;
  double jerk = 0.0;
  for (std::size_t j = 0; j < q.size(); ++j) {
    const double v = q[j].first * s.first;
    const double a = q[j].second * s.first * s.first + q[j].first * s.second;
    const double c = q[j].third * s.first * s.first * s.first + 3.0 * q[j].second * s.first * s.second +
                     q[j].first * s.third;
    velocity = std::max(velocity, std::abs(v) / limits[j].velocity);
    acceleration = std::max(acceleration, std::abs(a) / limits[j].acceleration);
    jerk = std::max(jerk, std::abs(c) / limits[j].jerk);
  }
  return std::max({velocity, std::sqrt(acceleration), std::cbrt(jerk)});
}

// moments that may become the ends of polynomials, by importance
enum class Importance { Little, Much, Knot };
struct Mark {
  double time = 0.0;
  double s = 0.0;
  Importance importance = Importance::Little;
};

// of marks that are too close to each other, the more important
std::vector<Mark> without_neighbours(const std::vector<Mark>& marks, double window) {
  std::vector<Mark> kept;
  for (const Mark& mark : marks) {
    const auto too_close = [&] {
      const Importance less = std::min(kept.back().importance, mark.importance);
      const double gap = less == Importance::Little ? window / 16.0 : less == Importance::Much ? 1e-4 : 0.0;
      return mark.time - kept.back().time < gap;
    };
    bool is_kept = true;
    while (is_kept && !kept.empty() && too_close()) {
      is_kept = mark.importance > kept.back().importance;
      if (is_kept) kept.pop_back();
    }
    if (is_kept) kept.push_back(mark);
  }
  return kept;
}

// one path and all that is tried on it
class Search {
 public:
  Search(const JointPath& path, std::span<const AxisLimits> limits, std::vector<double> s, PathTiming timing)
      : path_(path),
        limits_(limits),
        s_(std::move(s)),
        timing_(std::move(timing)),
        points_(path.joint_count()) {}

  PathTiming& timing() { return timing_; }

  void set_speed_limits(const std::function<double(double)>& limit) {
    speed_limit_ = limit;
    speed_limits_.assign(s_.size(), kLargestValue);
    for (std::size_t i = 0; limit && i < s_.size(); ++i) speed_limits_[i] = limit(s_[i]);
    apply(speed_limits_);
  }

  // the shortest trajectory with one window
  Trajectory with_window(double window) {
    std::vector<double> limits = speed_limits_;
    std::vector<double> best_limits = limits;
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kTightenings; ++round) {
      apply(limits);
      if (!timing_.solve()) break;
      const AveragedLaw law(timing_, window);
      const double worst = tighten(law, window, limits);
      if (law.duration() * worst < best) {
        best = law.duration() * worst;
        best_limits = applied_;
      }
      if (worst <= kEnough) break;
    }
    apply(best_limits);
    if (!timing_.solve()) return Trajectory(path_.joint_count());
    const AveragedLaw law(timing_, window);
    const std::vector<PathMoment> marks = moments(law, window);
    Trajectory trajectory = follow_path(path_, marks);
    double excess = 1.0;
    for (const PathMoment& m : marks) excess = std::max(excess, speed_excess(m.s, m.speed));
    trajectory.stretch(excess);
    return trajectory;
  }

 private:
  void apply(const std::vector<double>& limits) {
    applied_ = limits;
    timing_.reset_speeds();
    for (std::size_t i = 0; i < limits.size(); ++i) timing_.limit_speed(i, limits[i]);
  }

  // how much too fast along the path
  double speed_excess(double s, double speed) const { return speed_limit_ ? speed / speed_limit_(s) : 0.0; }

  // lowers `limits` where the averaged motion passes a limit; returns how much too fast it is at worst
  double tighten(const AveragedLaw& law, double window, std::vector<double>& limits) {
    const std::vector<PathMoment>& moments = law.moments();
    std::vector<double> needed(s_.size(), 1.0);
    double worst = 1.0;
    const auto look_at = [&](double time) {
      const CurvePoint s = law.at(time);
      path_.sample(s.value, std::span<CurvePoint>(points_));
      const double there = std::max(needed_there(points_, s, limits_), speed_excess(s.value, s.first));
      worst = std::max(worst, there);
      if (there <= 1.0) return;
      // the averaged motion is here by what the other does half a window before, more or less
      const auto first = std::lower_bound(moments.begin(), moments.end(), time - 0.8 * window,
                                          [](const PathMoment& m, double t) { return m.time < t; });
      auto i = static_cast<std::size_t>(first - moments.begin());
      i = i > 0 ? i - 1 : 0;
      for (; i < moments.size() && (i == 0 || moments[i - 1].time <= time - 0.2 * window); ++i) {
        needed[i] = std::max(needed[i], there);
      }
    };
    for (const PathMoment& m : moments) {
      for (const double share : {1e-9, 0.25, 0.5, 0.75, 1.0 - 1e-9}) look_at(m.time + share * window);
    }
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (needed[i] > 1.0) limits[i] = std::min(limits[i], std::max(moments[i].speed, 1e-6) / needed[i]);
    }
    return worst;
  }

  // where the path's pieces meet, where the jerk changes much, and between these where it changes at all
  std::vector<PathMoment> moments(const AveragedLaw& law, double window) const {
    std::vector<Mark> marks = {{0.0, 0.0, Importance::Knot},
                               {law.duration(), path_.length(), Importance::Knot}};
    for (std::size_t i = 1; i < path_.piece_count(); ++i) {
      marks.push_back({law.time_at(path_.knots()[i]), path_.knots()[i], Importance::Knot});
    }
    double most = 0.0;
    for (const PathMoment& m : law.moments()) most = std::max(most, std::abs(m.acceleration_after));
    for (const PathMoment& m : law.moments()) {
      const bool is_much = std::abs(m.acceleration_after - m.acceleration_before) > kMuch * most;
      for (const double time : {m.time, m.time + window}) {
        marks.push_back({time, law.at(time).value, is_much ? Importance::Much : Importance::Little});
      }
    }
    std::sort(marks.begin(), marks.end(),
              [](const Mark& one, const Mark& other) { return one.time < other.time; });
    std::vector<PathMoment> result;
    for (const Mark& mark : without_neighbours(marks, window)) {
      const CurvePoint point = law.at(mark.time);
      result.push_back({mark.time, mark.s, point.first, point.second, point.second});
    }
    return result;
  }

  const JointPath& path_;
  std::span<const AxisLimits> limits_;
  std::vector<double> s_;
  PathTiming timing_;
  std::vector<CurvePoint> points_;
  std::function<double(double)> speed_limit_;
  std::vector<double> speed_limits_;
  std::vector<double> applied_;
};

Status check_second_derivative(const JointPath& path) {
  for (std::size_t i = 1; i < path.piece_count(); ++i) {
    for (std::size_t j = 0; j < path.joint_count(); ++j) {
      const CurvePoint before = evaluate(path.polynomial(i - 1, j), path.piece_length(i - 1));
      const CurvePoint after = evaluate(path.polynomial(i, j), 0.0);
      const double jump = after.second - before.second;
      if (std::abs(jump) <= 1e-6 * (1.0 + std::abs(after.second))) continue;
      return Error{
          ErrorCode::InvalidInput,
          fmt::format(
              "joint {}: the path's second derivative jumps by {:.6g} at {:.6g} of {:.6g}, so that no "
              "motion has a bounded jerk there; use a natural spline or quintic blends",
              j + 1, jump, path.knots()[i], path.length())};
    }
  }
  return Done{};
}

// the time in which the slowest joint builds up its acceleration
double ramp_time(std::span<const AxisLimits> limits) {
  double ramp = 0.0;
  for (const AxisLimits& each : limits) ramp = std::max(ramp, each.acceleration / each.jerk);
  return ramp;
}

}  // namespace

Result<JerkLimitedMotion> jerk_limited_along(const JointPath& path, std::span<const AxisLimits> limits,
                                             const JerkLimitedOptions& options) {
  if (path.piece_count() == 0)
    return Error{ErrorCode::InvalidInput, "the path has no length; give it two points"};
  if (const Status smooth = check_second_derivative(path); !smooth) return smooth.error();
  const std::size_t count =
      options.points > 0 ? options.points : std::max(kLeastPoints, kPointsForAPiece * path.piece_count());
  std::vector<double> s = path_grid(path, count);
  auto timing = PathTiming::make({.points = s.size(), .joints = path.joint_count()}, limits);
  if (!timing) return timing.error();
  timing->sample(path, s);
  Search search(path, limits, std::move(s), std::move(*timing));
  search.set_speed_limits(options.speed_limit);
  const Status solved = timing_status(search.timing().solve());
  if (!solved) return solved.error();

  JerkLimitedMotion motion{.shortest = search.timing().duration()};
  for (const double window : kWindows) {
    Trajectory trajectory = search.with_window(window * ramp_time(limits));
    if (trajectory.piece_count() == 0) continue;
    trajectory.stretch(needed_stretch(trajectory, limits));
    const bool is_better =
        motion.trajectory.piece_count() == 0 || trajectory.length() < motion.trajectory.length();
    if (is_better) motion.trajectory = std::move(trajectory);
  }
  const TrajectoryCheck check = check_trajectory(motion.trajectory, limits, {.tolerance = 1e-7});
  const Status accepted = trajectory_status(check, options.names);
  if (!accepted) return accepted.error();
  return motion;
}

Result<JerkLimitedMotion> jerk_limited_through(const Waypoints& points, std::span<const AxisLimits> limits,
                                               const JerkLimitedOptions& options) {
  const auto path = spline_path(points);
  if (!path) return path.error();
  return jerk_limited_along(*path, limits, options);
}

}  // namespace sinew
