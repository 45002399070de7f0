// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/path_timing.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/assert.h"
#include "sinew/trajectory/timing_kernel.h"
#include "sinew/trajectory/timing_lanes.h"

namespace sinew {
namespace {

constexpr std::size_t kMostPoints = 100000;

bool are_numbers(const std::vector<double>& values) noexcept {
  return kernel::timing_kernels().are_within(values.data(), static_cast<int>(values.size()), kLargestValue);
}

}  // namespace

namespace kernel {

const TimingKernels& timing_kernels() {
  static const TimingKernels& best =
      avx2_timing_kernels() != nullptr ? *avx2_timing_kernels() : portable_timing_kernels();
  return best;
}

}  // namespace kernel

Result<PathTiming> PathTiming::make(const TimingSize& size, std::span<const AxisLimits> limits) {
  if (size.points < 2 || size.points > kMostPoints || size.joints < 1 || size.joints > kMaxAxes ||
      size.rows > kMaxAxes || limits.size() != size.joints) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("a timing of {} points, {} joints with {} limits, {} rows: 2 to {} points, 1 to {} "
                    "joints with one set of limits each, and at most {} rows are possible",
                    size.points, size.joints, limits.size(), size.rows, kMostPoints, kMaxAxes, kMaxAxes)};
  }
  for (std::size_t j = 0; j < limits.size(); ++j) {
    if (is_usable(limits[j])) continue;
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("limits of joint {} bound nothing: velocity {:g}, acceleration {:g}, jerk {:g} must be "
                    "between {:g} and {:g}, lower not above upper",
                    j + 1, limits[j].velocity, limits[j].acceleration, limits[j].jerk, kSmallestLimit,
                    kLargestValue)};
  }
  PathTiming timing;
  timing.joints_ = size.joints;
  timing.rows_ = size.rows;
  timing.stride_ = filled_lanes(size.joints + size.rows);
  const bool is_by_point = size.rows > 0 || size.has_bounds_by_point;
  timing.bounds_stride_ = is_by_point ? timing.stride_ : 0;
  const std::size_t values = size.points * timing.stride_;
  for (std::vector<double>* each : {&timing.s_, &timing.most_, &timing.x_, &timing.speed_, &timing.time_}) {
    each->assign(size.points, 0.0);
  }
  timing.limit_.assign(size.points, kernel::kUnbounded);
  for (std::vector<double>* each : {&timing.a_, &timing.b_}) each->assign(values, 0.0);
  for (std::vector<double>* each : {&timing.next_factor_, &timing.next_offset_})
    each->assign(2 * values, 0.0);
  timing.slowness_.assign(timing.stride_, 0.0);
  timing.lower_.assign(is_by_point ? values : timing.stride_, -kLargestValue);
  timing.upper_.assign(is_by_point ? values : timing.stride_, kLargestValue);
  for (std::size_t j = 0; j < size.joints; ++j) {
    timing.slowness_[j] = 1.0 / limits[j].velocity;
    for (std::size_t k = j; k < timing.upper_.size(); k += timing.stride_) {
      timing.lower_[k] = -limits[j].acceleration;
      timing.upper_[k] = limits[j].acceleration;
    }
  }
  return timing;
}

void PathTiming::set_row(std::size_t point, std::size_t row, const TimingRow& values) noexcept {
  SINEW_ASSERT(point < point_count() && row < rows_);
  const std::size_t at = point * stride_ + joints_ + row;
  a_[at] = values.a;
  b_[at] = values.b;
  lower_[at] = values.lower - values.c;
  upper_[at] = values.upper - values.c;
}

void PathTiming::limit_speed(std::size_t point, double speed) noexcept {
  SINEW_ASSERT(point < point_count());
  // what is no speed becomes one that check_input() finds
  const double most = speed >= 1e29 ? kernel::kUnbounded : speed >= 0.0 ? speed * speed : -1.0;
  limit_[point] = std::min(limit_[point], most);
}

void PathTiming::reset_speeds() noexcept {
  std::fill(limit_.begin(), limit_.end(), kernel::kUnbounded);
}

void PathTiming::limit_acceleration(std::size_t point, std::span<const AxisLimits> limits) noexcept {
  SINEW_ASSERT(point < point_count() && bounds_stride_ > 0 && limits.size() == joints_);
  for (std::size_t j = 0; j < joints_; ++j) {
    lower_[point * stride_ + j] = -limits[j].acceleration;
    upper_[point * stride_ + j] = limits[j].acceleration;
  }
}

void PathTiming::sample(const JointPath& path, std::span<const double> s) noexcept {
  SINEW_ASSERT(path.joint_count() == joints_ && s.size() == point_count() && path.piece_count() > 0);
  std::size_t piece = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    while (piece + 1 < path.piece_count() && path.knots()[piece + 1] <= s[i]) ++piece;
    s_[i] = s[i];
    const double t = std::clamp(s[i] - path.knots()[piece], 0.0, path.piece_length(piece));
    for (std::size_t j = 0; j < joints_; ++j) {
      const Coefficients& c = path.polynomial(piece, j);
      a_[i * stride_ + j] = c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * (4.0 * c[4] + t * (5.0 * c[5]))));
      b_[i * stride_ + j] = 2.0 * c[2] + t * (6.0 * c[3] + t * (12.0 * c[4] + t * (20.0 * c[5])));
    }
  }
}

TimingVerdict PathTiming::check_input(double start_speed, double end_speed) const noexcept {
  const bool are_usable =
      is_usable(start_speed) && is_usable(end_speed) && start_speed >= 0.0 && end_speed >= 0.0;
  if (!are_usable || !are_numbers(a_) || !are_numbers(b_)) {
    return {.fault = TimingFault::NotUsable};
  }
  for (std::size_t i = 0; i < point_count(); ++i) {
    const bool rises = is_usable(s_[i]) && (i == 0 || s_[i] > s_[i - 1]);
    if (!rises || !(limit_[i] >= 0.0)) return {.fault = TimingFault::NotUsable, .point = i, .value = s_[i]};
    for (std::size_t r = 0; r < rows_; ++r) {
      const std::size_t at = i * stride_ + joints_ + r;
      if (lower_[at] <= 0.0 && upper_[at] >= 0.0) continue;
      return {.fault = TimingFault::CannotRest, .point = i, .value = std::max(lower_[at], -upper_[at])};
    }
  }
  return {};
}

TimingVerdict PathTiming::solve(double start_speed, double end_speed) noexcept {
  const TimingVerdict input = check_input(start_speed, end_speed);
  if (!input) return input;
  std::copy(limit_.begin(), limit_.end(), most_.begin());
  most_.back() = std::min(most_.back(), end_speed * end_speed);
  const kernel::TimingProblem problem{.points = static_cast<int>(point_count()),
                                      .rows = static_cast<int>(stride_),
                                      .s = s_.data(),
                                      .a = a_.data(),
                                      .b = b_.data(),
                                      .lower = lower_.data(),
                                      .upper = upper_.data(),
                                      .bounds_stride = static_cast<int>(bounds_stride_),
                                      .slowness = slowness_.data()};
  const kernel::TimingScratch scratch{.most = most_.data(),
                                      .x = x_.data(),
                                      .speed = speed_.data(),
                                      .time = time_.data(),
                                      .next_factor = next_factor_.data(),
                                      .next_offset = next_offset_.data()};
  kernel::timing_kernels().backward(problem, scratch);
  const double start = start_speed * start_speed;
  if (start > most_[0] * (1.0 + 1e-9)) {
    return {.fault = TimingFault::TooFast, .value = start_speed, .bound = std::sqrt(most_[0])};
  }
  x_[0] = std::min(start, most_[0]);
  kernel::timing_kernels().forward(problem, scratch);
  if (is_usable(time_.back())) return {};
  std::size_t stuck = 1;
  while (stuck + 1 < point_count() && is_usable(time_[stuck])) ++stuck;
  return {.fault = TimingFault::Stuck, .point = stuck, .value = s_[stuck]};
}

std::vector<PathMoment> moments_of(const PathTiming& timing) {
  std::vector<PathMoment> moments;
  fill_moments(timing, moments);
  return moments;
}

void fill_moments(const PathTiming& timing, std::vector<PathMoment>& moments) {
  const auto s = timing.coordinates();
  moments.assign(timing.point_count(), {});
  for (std::size_t i = 0; i < moments.size(); ++i) {
    moments[i].time = timing.times()[i];
    moments[i].s = s[i];
    moments[i].speed = timing.speeds()[i];
    if (i == 0) continue;
    const double v = moments[i - 1].speed;
    const double w = moments[i].speed;
    const double acceleration = (w - v) * (w + v) / (2.0 * (s[i] - s[i - 1]));
    moments[i - 1].acceleration_after = acceleration;
    moments[i].acceleration_before = acceleration;
  }
}

Trajectory follow_path(const JointPath& path, std::span<const PathMoment> moments, double shortest) {
  const std::size_t joints = path.joint_count();
  Trajectory trajectory(joints);
  trajectory.reserve(moments.size());
  std::vector<Coefficients> piece(joints);
  // derivatives by time, from those by the path
  const auto timed = [](const CurvePoint& p, double speed, double acceleration) -> CurvePoint {
    return {.value = p.value,
            .first = p.first * speed,
            .second = p.second * speed * speed + p.first * acceleration};
  };
  std::size_t last = 0;
  for (std::size_t i = 1; i < moments.size(); ++i) {
    const PathMoment& from = moments[last];
    const PathMoment& to = moments[i];
    if (!(to.time - from.time > shortest)) continue;
    // both ends as seen from between them, where the path may bend suddenly
    const std::size_t on = path.piece_at(from.s + (to.s - from.s) / 2.0);
    const double begin = path.knots()[on];
    for (std::size_t j = 0; j < joints; ++j) {
      const Coefficients& c = path.polynomial(on, j);
      piece[j] = quintic_between(timed(evaluate(c, from.s - begin), from.speed, from.acceleration_after),
                                 timed(evaluate(c, to.s - begin), to.speed, to.acceleration_before),
                                 to.time - from.time);
    }
    trajectory.append(to.time - from.time, piece);
    last = i;
  }
  return trajectory;
}

Status timing_status(const TimingVerdict& verdict) {
  switch (verdict.fault) {
    case TimingFault::None:
      return Done{};
    case TimingFault::NotUsable:
      return Error{
          ErrorCode::InvalidInput,
          fmt::format(
              "point {} of the path: coordinates must rise, and all values be numbers of at most {:g}",
              verdict.point + 1, kLargestValue)};
    case TimingFault::CannotRest:
      return Error{
          ErrorCode::OutOfLimits,
          fmt::format("point {} of the path: a limit is passed by {:.6g} even at rest; carry less or choose "
                      "another way",
                      verdict.point + 1, verdict.value)};
    case TimingFault::TooFast:
      return Error{
          ErrorCode::OutOfLimits,
          fmt::format("the path begins with speed {:.6g}, but only from {:.6g} or less its end is reached "
                      "within the limits; slow down first",
                      verdict.value, verdict.bound)};
    case TimingFault::Stuck:
      return Error{
          ErrorCode::OutOfLimits,
          fmt::format("the path cannot be passed at point {}: the limits allow no speed there; raise them or "
                      "choose another way",
                      verdict.point + 1)};
  }
  return Done{};
}

}  // namespace sinew
