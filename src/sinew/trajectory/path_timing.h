// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// Why there is no timing.
enum class TimingFault : std::uint8_t {
  None,
  NotUsable,   ///< A derivative or bound is no number, or the points do not rise.
  CannotRest,  ///< A row is out of its bounds even at rest.
  TooFast,     ///< From the speed at the start the end cannot be reached within the limits.
  Stuck,       ///< The speed is zero between the ends: the path cannot be passed.
};

/// The verdict on a path, with the point of which it speaks.
struct TimingVerdict {
  TimingFault fault = TimingFault::None;
  std::size_t point = 0;
  double value = 0.0;  ///< Of TooFast the speed; of CannotRest the row's offset.
  double bound = 0.0;

  explicit operator bool() const { return fault == TimingFault::None; }
};

/// The verdict in words.
Status timing_status(const TimingVerdict& verdict);

/// How many of each a PathTiming has.
struct TimingSize {
  std::size_t points = 0;  ///< At least two.
  std::size_t joints = 0;  ///< At least one, at most kMaxAxes.
  std::size_t rows = 0;    ///< Further limits, linear in acceleration and squared speed; at most kMaxAxes.
  bool has_bounds_by_point = false;  ///< limit_acceleration() may be used.
};

/// lower <= a·s̈ + b·ṡ² + c <= upper: a torque or a force along a path, for one.
struct TimingRow {
  double a = 0.0;
  double b = 0.0;
  double c = 0.0;
  double lower = 0.0;
  double upper = 0.0;
};

/// How fast along a path: the time-optimal speed at each of some points of it, within the velocity and
/// acceleration limits of each joint, further rows, and bounds of the speed itself. The squared speed is
/// straight between points, and the limits hold at both ends of each stretch: what happens in between is for
/// check_trajectory() to say.
///
/// Fill in the points, then solve(). One thread; nothing but make() allocates.
class PathTiming {
 public:
  /// Refuses limits that are not usable and sizes beyond what TimingSize says.
  static Result<PathTiming> make(const TimingSize& size, std::span<const AxisLimits> limits);

  std::size_t point_count() const SINEW_REALTIME { return s_.size(); }
  std::size_t joint_count() const SINEW_REALTIME { return joints_; }
  bool has_bounds_by_point() const SINEW_REALTIME { return bounds_stride_ > 0; }

  /// How far along the path each point is: to be filled in, rising.
  std::span<double> coordinates() SINEW_REALTIME { return s_; }
  std::span<const double> coordinates() const SINEW_REALTIME { return s_; }

  /// First and second derivative of each joint by the path's coordinate at a point: to be filled in.
  std::span<double> first(std::size_t point) SINEW_REALTIME { return {&a_[point * stride_], joints_}; }
  std::span<double> second(std::size_t point) SINEW_REALTIME { return {&b_[point * stride_], joints_}; }

  /// One of the further rows at a point.
  void set_row(std::size_t point, std::size_t row, const TimingRow& values) SINEW_REALTIME;

  /// No faster along the path than `speed` at a point, forgotten by the next reset_speeds(). The tool's
  /// limits are such: where a unit of the path moves the tool by m metres, its limit of v m/s is a speed of
  /// v/m.
  void limit_speed(std::size_t point, double speed) SINEW_REALTIME;
  void reset_speeds() SINEW_REALTIME;

  /// The accelerations that joints may have at a point, instead of those of make(): one entry for each.
  void limit_acceleration(std::size_t point, std::span<const AxisLimits> limits) SINEW_REALTIME;

  /// Fills in the points from a path: `s` says where; the path's knots should be among them.
  void sample(const JointPath& path, std::span<const double> s) SINEW_REALTIME;

  /// The fastest motion from `start_speed`, which must be possible, to at most `end_speed`.
  TimingVerdict solve(double start_speed = 0.0, double end_speed = 0.0) SINEW_REALTIME;

  /// What solve() found: the speed along the path, and the time since the begin [s], at each point.
  std::span<const double> speeds() const SINEW_REALTIME { return speed_; }
  std::span<const double> times() const SINEW_REALTIME { return time_; }
  double duration() const SINEW_REALTIME { return time_.back(); }

 private:
  PathTiming() = default;
  TimingVerdict check_input(double start_speed, double end_speed) const SINEW_REALTIME;

  std::size_t joints_ = 0;
  std::size_t rows_ = 0;
  std::size_t stride_ = 0;
  std::size_t bounds_stride_ = 0;
  std::vector<double> s_, a_, b_, lower_, upper_, slowness_, limit_;
  std::vector<double> most_, x_, speed_, time_;
  std::vector<double> next_factor_, next_offset_;
};

/// A moment on the way along a path.
struct PathMoment {
  double time = 0.0;                 ///< [s]
  double s = 0.0;                    ///< The path's coordinate.
  double speed = 0.0;                ///< ds/dt
  double acceleration_before = 0.0;  ///< d²s/dt² until then …
  double acceleration_after = 0.0;   ///< … and from then on.
};

/// The joints of `path` as a function of time: a quintic between any two of `moments`, with the positions,
/// velocities and accelerations that the path has there. Exact where the path is straight and the speed
/// changes evenly; else positions in between differ from the path's by what a quintic cannot follow. Moments
/// less than `shortest` [s] after the one before are left out. Allocates.
Trajectory follow_path(const JointPath& path, std::span<const PathMoment> moments, double shortest = 1e-9);

/// The moments of a timing that has been solved. Allocates.
std::vector<PathMoment> moments_of(const PathTiming& timing);
/// The same into `moments`, whose memory is kept.
void fill_moments(const PathTiming& timing, std::vector<PathMoment>& moments);

}  // namespace sinew
