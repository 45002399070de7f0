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
constexpr int kCorrections = 8;
constexpr double kLeastGap = 1e-7;  // of the path, between points of the grid
constexpr double kMuch = 0.05;      // of the highest acceleration, for a change of it
constexpr double kEnough = 1.002;   // what is left to stretch, when tightening ends
// windows that are tried, in units of the time in which the slowest joint builds up its acceleration: the
// first, and then shorter and longer ones while they are better
constexpr std::array<double, 3> kShorterWindows = {1.0, 0.75, 0.5};
constexpr std::array<double, 2> kLongerWindows = {1.5, 2.0};

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
  void set_interruption(const Interruption& interruption) { interruption_ = interruption; }
  bool is_put_off() const { return is_put_off_; }

  void set_speed_limits(const std::function<double(double)>& limit) {
    speed_limit_ = limit;
    speed_limits_.assign(s_.size(), kLargestValue);
    for (std::size_t i = 0; limit && i < s_.size(); ++i) speed_limits_[i] = limit(s_[i]);
    apply(speed_limits_);
  }

  // the shortest trajectory with one window
  Trajectory with_window(double window) {
    std::vector<double> limits = tightened(window);
    Trajectory best(path_.joint_count());
    for (int round = 0; round < kCorrections; ++round) {
      apply(limits);
      if (asks_to_end() || !timing_.solve()) break;
      const AveragedLaw law(timing_, window);
      Trajectory trajectory = follow_path(path_, moments(law, window));
      const double worst = correct(trajectory, law, window, limits);
      trajectory.stretch(worst);
      const bool is_better = best.piece_count() == 0 || trajectory.length() < best.length();
      if (is_better) best = std::move(trajectory);
      if (worst <= kEnough) break;
    }
    return best;
  }

 private:
  bool asks_to_end() {
    is_put_off_ = is_put_off_ || is_interrupted(interruption_);
    return is_put_off_;
  }

  void apply(const std::vector<double>& limits) {
    applied_ = limits;
    timing_.reset_speeds();
    for (std::size_t i = 0; i < limits.size(); ++i) timing_.limit_speed(i, limits[i]);
  }

  // what is too fast at a moment, by how much, and what speed would do, if that is known
  struct Excess {
    double factor = 0.0;
    double allowed = 0.0;
  };
  Excess speed_excess(double s, double speed) const {
    if (!speed_limit_) return {};
    const double allowed = speed_limit_(s);
    return {.factor = speed / allowed, .allowed = allowed};
  }

  // the speeds with which the averaged motion is the shortest, as far as it is looked at
  std::vector<double> tightened(double window) {
    std::vector<double> limits = speed_limits_;
    std::vector<double> best_limits = limits;
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kTightenings; ++round) {
      apply(limits);
      if (asks_to_end() || !timing_.solve()) break;
      const AveragedLaw law(timing_, window);
      const double worst = tighten(law, window, limits);
      if (law.duration() * worst < best) {
        best = law.duration() * worst;
        best_limits = applied_;
      }
      if (worst <= kEnough) break;
    }
    return best_limits;
  }

  // Notes that the averaged motion is too fast from `begin` to `end`: it is there by what the other does half
  // a window before, more or less.
  static void note(const Excess& excess, const AveragedLaw& law, double window, double begin, double end,
                   std::vector<double>& lowered) {
    if (!(excess.factor > 1.0)) return;
    const std::vector<PathMoment>& moments = law.moments();
    const auto first = std::lower_bound(moments.begin(), moments.end(), begin - 0.8 * window,
                                        [](const PathMoment& m, double t) { return m.time < t; });
    auto i = static_cast<std::size_t>(first - moments.begin());
    i = i > 0 ? i - 1 : 0;
    for (; i < moments.size() && (i == 0 || moments[i - 1].time <= end - 0.2 * window); ++i) {
      const double slower = std::max(moments[i].speed, 1e-6) / excess.factor;
      lowered[i] = std::min(lowered[i], std::max(slower, excess.allowed));
    }
  }

  // lowers `limits` where the averaged motion passes a limit; returns how much too fast it is at worst
  double tighten(const AveragedLaw& law, double window, std::vector<double>& limits) {
    std::vector<double> lowered = limits;
    double worst = 1.0;
    const auto look_at = [&](double time) {
      const CurvePoint s = law.at(time);
      path_.sample(s.value, std::span<CurvePoint>(points_));
      for (const Excess& excess :
           {Excess{.factor = needed_there(points_, s, limits_)}, speed_excess(s.value, s.first)}) {
        worst = std::max(worst, excess.factor);
        note(excess, law, window, time, time, lowered);
      }
    };
    for (const PathMoment& m : law.moments()) {
      for (const double share : {1e-9, 0.5, 1.0 - 1e-9}) look_at(m.time + share * window);
    }
    limits = std::move(lowered);
    return worst;
  }

  // the same for what came of it
  double correct(const Trajectory& trajectory, const AveragedLaw& law, double window,
                 std::vector<double>& limits) const {
    std::vector<double> lowered = limits;
    double worst = 1.0;
    for (std::size_t piece = 0; piece < trajectory.piece_count(); ++piece) {
      const double begin = trajectory.knots()[piece];
      const double end = trajectory.knots()[piece + 1];
      const CurvePoint s = law.at(end);
      for (const Excess& excess :
           {Excess{.factor = needed_stretch(trajectory, piece, limits_)}, speed_excess(s.value, s.first)}) {
        worst = std::max(worst, excess.factor);
        note(excess, law, window, begin, end, lowered);
      }
    }
    limits = std::move(lowered);
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
  Interruption interruption_;
  bool is_put_off_ = false;
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

std::vector<double> grid_of(const JointPath& path, std::size_t count, std::span<const double> further) {
  std::vector<double> grid = path_grid(path, count);
  if (further.empty()) return grid;
  for (const double s : further)
    if (s > 0.0 && s < path.length()) grid.push_back(s);
  std::sort(grid.begin(), grid.end());
  const double gap = kLeastGap * path.length();
  std::vector<double> apart{0.0};
  for (const double s : grid)
    if (s > apart.back() + gap) apart.push_back(s);
  apart.back() = path.length();
  return apart;
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
  std::vector<double> s = grid_of(path, count, options.further_points);
  auto timing = PathTiming::make({.points = s.size(), .joints = path.joint_count()}, limits);
  if (!timing) return timing.error();
  timing->sample(path, s);
  Search search(path, limits, std::move(s), std::move(*timing));
  search.set_speed_limits(options.speed_limit);
  search.set_interruption(options.interruption);
  const Status solved = timing_status(search.timing().solve());
  if (!solved) return solved.error();

  JerkLimitedMotion motion{.shortest = search.timing().duration()};
  const auto is_better_with = [&](double window) {
    Trajectory trajectory = search.with_window(window * ramp_time(limits));
    if (trajectory.piece_count() == 0) return false;
    const bool is_first = motion.trajectory.piece_count() == 0;
    if (!is_first && trajectory.length() >= motion.trajectory.length()) return false;
    motion.trajectory = std::move(trajectory);
    return true;
  };
  for (const std::span<const double> windows :
       {std::span<const double>(kShorterWindows), std::span<const double>(kLongerWindows)}) {
    for (std::size_t i = 0; i < windows.size() && is_better_with(windows[i]); ++i) {
    }
  }
  if (search.is_put_off()) return Error{ErrorCode::Interrupted, "it was put off, because others wait"};
  if (motion.trajectory.piece_count() == 0)
    return Error{ErrorCode::OutOfLimits,
                 "no timing along this path keeps the limits of jerk: round its corners more, or divide it"};
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
