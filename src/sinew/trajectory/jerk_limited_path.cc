// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/jerk_limited_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "sinew/trajectory/averaged_law.h"
#include "sinew/trajectory/path_rates.h"
#include "sinew/trajectory/path_timing.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

constexpr std::size_t kLeastPoints = 100;
constexpr std::size_t kPointsForAPiece = 10;
constexpr int kTightenings = 12;
constexpr int kCorrections = 8;
constexpr double kLeastGap = 1e-7;  // of the path, between points of the grid
constexpr double kNear = 0.55;      // of a window: averaging carries accelerations half of one on
constexpr double kMuch = 0.05;      // of the highest acceleration, for a change of it
constexpr double kEnough = 1.002;   // what is left to stretch, when tightening ends
// windows that are tried, in units of the time in which the slowest joint builds up its acceleration: the
// first, and then shorter and longer ones while they are better
constexpr std::array<double, 3> kShorterWindows = {1.0, 0.75, 0.5};
constexpr std::array<double, 2> kLongerWindows = {1.5, 2.0};

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

// what is too fast at a moment, by how much, and what speed would do, if that is known
struct Excess {
  double factor = 0.0;
  double allowed = 0.0;
};

// one path and all that is tried on it
class Search {
 public:
  Search(const JointPath& path, std::span<const LimitSection> sections, std::vector<double> s,
         PathTiming timing)
      : path_(path),
        sections_(sections),
        s_(std::move(s)),
        timing_(std::move(timing)),
        rates_(path, sections) {}

  PathTiming& timing() { return timing_; }
  void set_interruption(const Interruption& interruption) { interruption_ = interruption; }
  bool is_put_off() const { return is_put_off_; }

  void set_speed_limits(const std::function<double(double)>& limit) {
    speed_limit_ = limit;
    speed_limits_.assign(s_.size(), kLargestValue);
    for (std::size_t i = 0; limit && i < s_.size(); ++i) speed_limits_[i] = limit(s_[i]);
    apply(speed_limits_);
  }

  // The fastest motion without a jerk limit.
  Status solve_freely() {
    bound_accelerations(0.0);
    const Status solved = timing_status(timing_.solve());
    free_speeds_.assign(timing_.speeds().begin(), timing_.speeds().end());
    return solved;
  }

  // The shortest trajectory with one window; none where it cannot be shorter than `most`. Each change lowers
  // speeds, so that what is averaged takes longer from round to round, and the trajectory no less.
  Trajectory with_window(double window, double most) {
    Trajectory best(path_.joint_count());
    looked_at_.clear();
    bound_accelerations(window);
    std::vector<double> limits;
    if (!tighten_all(window, most, limits)) return best;
    for (int round = 0; round < kCorrections; ++round) {
      apply(limits);
      if (asks_to_end() || !timing_.solve()) break;
      law_.take(timing_, window);
      if (law_.duration() >= most) break;
      Trajectory trajectory = follow_path(path_, moments());
      const double worst = correct(trajectory, limits);
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

  // near to another section its limits hold too
  void bound_accelerations(double window) {
    if (!timing_.has_bounds_by_point()) return;
    std::vector<AxisLimits> limits(path_.joint_count());
    for (std::size_t i = 0; i < s_.size(); ++i) {
      const double near = window > 0.0 ? kNear * window * free_speeds_[i] : 0.0;
      least_limits(sections_, s_[i] - near, std::nextafter(s_[i] + near, path_.length()), limits);
      timing_.limit_acceleration(i, limits);
    }
  }

  // by how much a piece must be slower, which begins and ends within one section
  double needed_by(const Trajectory& trajectory, std::size_t piece, AveragedLaw::Cursor& cursor) const {
    std::size_t section = 0;
    if (sections_.size() > 1) {
      const double middle = (trajectory.knots()[piece] + trajectory.knots()[piece + 1]) / 2.0;
      section = section_at(sections_, law_.at(middle, cursor).value);
    }
    return needed_stretch(trajectory, piece, sections_[section].limits);
  }

  void apply(const std::vector<double>& limits) {
    applied_ = limits;
    timing_.reset_speeds();
    for (std::size_t i = 0; i < limits.size(); ++i) timing_.limit_speed(i, limits[i]);
  }

  Excess speed_excess(double s, double speed) const {
    if (!speed_limit_) return {};
    const double allowed = speed_limit_(s);
    return {.factor = speed / allowed, .allowed = allowed};
  }

  // The speeds with which the averaged motion is the shortest, as far as it is looked at; false where it
  // takes `most` or longer.
  bool tighten_all(double window, double most, std::vector<double>& best_limits) {
    std::vector<double> limits = speed_limits_;
    best_limits = limits;
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kTightenings; ++round) {
      apply(limits);
      if (asks_to_end() || !timing_.solve()) break;
      law_.take(timing_, window);
      // later rounds only take longer
      if (law_.duration() >= most) return best < most;
      const double worst = tighten(limits);
      if (law_.duration() * worst < best) {
        best = law_.duration() * worst;
        best_limits = applied_;
      }
      if (worst <= kEnough) break;
    }
    return true;
  }

  // Notes that the averaged motion is too fast from `begin` to `end`: it is there by what the other does half
  // a window before, more or less.
  void note(const Excess& excess, double begin, double end, std::vector<double>& lowered) const {
    if (!(excess.factor > 1.0)) return;
    const std::vector<PathMoment>& moments = law_.moments();
    const auto first = std::lower_bound(moments.begin(), moments.end(), begin - 0.8 * law_.window(),
                                        [](const PathMoment& m, double t) { return m.time < t; });
    auto i = static_cast<std::size_t>(first - moments.begin());
    i = i > 0 ? i - 1 : 0;
    for (; i < moments.size() && (i == 0 || moments[i - 1].time <= end - 0.2 * law_.window()); ++i) {
      const double slower = std::max(moments[i].speed, 1e-6) / excess.factor;
      lowered[i] = std::min(lowered[i], std::max(slower, excess.allowed));
    }
  }

  // Counts the points whose speed is another than when they were last looked at: changes_[i] before point i.
  void count_changes() {
    const auto speeds = timing_.speeds();
    const bool is_first = looked_at_.empty();
    looks_.resize(kLooks.size() * speeds.size());
    changes_.resize(speeds.size() + 1);
    changes_[0] = 0;
    for (std::size_t i = 0; i < speeds.size(); ++i)
      changes_[i + 1] = changes_[i] + (is_first || looked_at_[i] != speeds[i] ? 1 : 0);
    looked_at_.assign(speeds.begin(), speeds.end());
  }

  // Lowers `limits` where the averaged motion passes a limit; returns how much too fast it is at worst. A
  // lower speed changes the motion near to it only: what is as it was is not looked at again.
  double tighten(std::vector<double>& limits) {
    count_changes();
    std::vector<double> lowered = limits;
    double worst = 1.0;
    std::array<AveragedLaw::Cursor, kLooks.size()> cursors{};
    std::array<std::size_t, kLooks.size()> pieces{};
    const std::vector<PathMoment>& moments = law_.moments();
    for (std::size_t i = 0; i < moments.size(); ++i) {
      for (std::size_t k = 0; k < kLooks.size(); ++k) {
        const double time = moments[i].time + kLooks[k] * law_.window();
        std::array<Excess, 2>& look = looks_[i * kLooks.size() + k];
        law_.move_to(time, cursors[k]);
        const std::size_t after = std::min(cursors[k].now + 2, moments.size());
        if (changes_[after] != changes_[cursors[k].then]) {
          const CurvePoint s = law_.at(time, cursors[k]);
          look = {Excess{.factor = rates_.needed_at(s, pieces[k])}, speed_excess(s.value, s.first)};
        }
        for (const Excess& excess : look) {
          worst = std::max(worst, excess.factor);
          note(excess, time, time, lowered);
        }
      }
    }
    limits = std::move(lowered);
    return worst;
  }

  // the same for what came of it
  double correct(const Trajectory& trajectory, std::vector<double>& limits) const {
    std::vector<double> lowered = limits;
    double worst = 1.0;
    AveragedLaw::Cursor cursor;
    for (std::size_t piece = 0; piece < trajectory.piece_count(); ++piece) {
      const double begin = trajectory.knots()[piece];
      const double end = trajectory.knots()[piece + 1];
      const CurvePoint s = law_.at(end, cursor);
      for (const Excess& excess :
           {Excess{.factor = needed_by(trajectory, piece, cursor)}, speed_excess(s.value, s.first)}) {
        worst = std::max(worst, excess.factor);
        note(excess, begin, end, lowered);
      }
    }
    limits = std::move(lowered);
    return worst;
  }

  // where the path's pieces meet, where the jerk changes much, and between these where it changes at all
  std::vector<PathMoment> moments() const {
    const double window = law_.window();
    std::vector<Mark> marks = {{0.0, 0.0, Importance::Knot},
                               {law_.duration(), path_.length(), Importance::Knot}};
    for (std::size_t i = 1; i < path_.piece_count(); ++i) {
      marks.push_back({law_.time_at(path_.knots()[i]), path_.knots()[i], Importance::Knot});
    }
    for (std::size_t i = 0; i + 1 < sections_.size(); ++i) {
      const double end = sections_[i].end;
      if (end > 0.0 && end < path_.length()) marks.push_back({law_.time_at(end), end, Importance::Knot});
    }
    double most = 0.0;
    for (const PathMoment& m : law_.moments()) most = std::max(most, std::abs(m.acceleration_after));
    std::array<AveragedLaw::Cursor, 2> cursors{};
    for (const PathMoment& m : law_.moments()) {
      const bool is_much = std::abs(m.acceleration_after - m.acceleration_before) > kMuch * most;
      const Importance importance = is_much ? Importance::Much : Importance::Little;
      marks.push_back({m.time, law_.at(m.time, cursors[0]).value, importance});
      marks.push_back({m.time + window, law_.at(m.time + window, cursors[1]).value, importance});
    }
    std::sort(marks.begin(), marks.end(),
              [](const Mark& one, const Mark& other) { return one.time < other.time; });
    std::vector<PathMoment> result;
    AveragedLaw::Cursor cursor;
    for (const Mark& mark : without_neighbours(marks, window)) {
      const CurvePoint point = law_.at(mark.time, cursor);
      result.push_back({mark.time, mark.s, point.first, point.second, point.second});
    }
    return result;
  }

  // when the averaged motion is looked at, in windows after each moment: when the jerk changes, and between
  static constexpr std::array<double, 3> kLooks = {1e-9, 0.5, 1.0 - 1e-9};

  const JointPath& path_;
  std::span<const LimitSection> sections_;
  std::vector<double> s_;
  PathTiming timing_;
  PathRates rates_;
  AveragedLaw law_;
  std::function<double(double)> speed_limit_;
  std::vector<double> speed_limits_;
  std::vector<double> applied_;
  std::vector<double> free_speeds_;           // without a jerk limit
  std::vector<double> looked_at_;             // speeds, when looks_ was filled
  std::vector<std::array<Excess, 2>> looks_;  // by joints and by speed_limit_; kLooks for each moment
  std::vector<std::size_t> changes_;
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

std::vector<double> grid_of(const JointPath& path, std::size_t count, const JerkLimitedOptions& options) {
  std::vector<double> grid = path_grid(path, count);
  std::vector<double> further(options.further_points.begin(), options.further_points.end());
  for (const LimitSection& section : options.sections) further.push_back(section.end);
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
double ramp_time(std::span<const LimitSection> sections) {
  double ramp = 0.0;
  for (const LimitSection& section : sections)
    for (const AxisLimits& each : section.limits) ramp = std::max(ramp, each.acceleration / each.jerk);
  return ramp;
}

Status check_sections(const JointPath& path, std::span<const LimitSection> sections) {
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const bool rises = i == 0 || sections[i].end >= sections[i - 1].end;
    const bool is_right =
        rises && sections[i].limits.size() == path.joint_count() &&
        std::ranges::all_of(sections[i].limits, [](const auto& each) { return is_usable(each); });
    if (!is_right)
      return Error{ErrorCode::InvalidInput,
                   fmt::format("part {} of the path, to {:.6g}: its end must not be before that of the part "
                               "before, and it needs {} usable limits, one for each joint",
                               i + 1, sections[i].end, path.joint_count())};
  }
  return Done{};
}

}  // namespace

Result<JerkLimitedMotion> jerk_limited_along(const JointPath& path, std::span<const AxisLimits> limits,
                                             const JerkLimitedOptions& options) {
  if (path.piece_count() == 0)
    return Error{ErrorCode::InvalidInput, "the path has no length; give it two points"};
  if (const Status smooth = check_second_derivative(path); !smooth) return smooth.error();
  if (const Status right = check_sections(path, options.sections); !right) return right.error();
  const std::size_t count =
      options.points > 0 ? options.points : std::max(kLeastPoints, kPointsForAPiece * path.piece_count());
  std::vector<double> s = grid_of(path, count, options);
  auto timing = PathTiming::make(
      {.points = s.size(), .joints = path.joint_count(), .has_bounds_by_point = !options.sections.empty()},
      limits);
  if (!timing) return timing.error();
  timing->sample(path, s);
  const LimitSection all{.end = path.length(), .limits = limits};
  const auto sections = options.sections.empty() ? std::span(&all, 1) : options.sections;
  Search search(path, sections, std::move(s), std::move(*timing));
  search.set_speed_limits(options.speed_limit);
  search.set_interruption(options.interruption);
  const Status solved = search.solve_freely();
  if (!solved) return solved.error();

  JerkLimitedMotion motion{.shortest = search.timing().duration()};
  const auto is_better_with = [&](double window) {
    const bool is_first = motion.trajectory.piece_count() == 0;
    const double most = is_first ? std::numeric_limits<double>::infinity() : motion.trajectory.length();
    Trajectory trajectory = search.with_window(window * ramp_time(sections), most);
    if (trajectory.piece_count() == 0 || trajectory.length() >= most) return false;
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
