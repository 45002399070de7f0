// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/averaged_law.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int kMostTimeSteps = 60;
constexpr double kTimeAccuracy = 1e-13;  // of the duration

}  // namespace

void AveragedLaw::take(const PathTiming& timing, double window) {
  window_ = window;
  fill_moments(timing, moments_);
  integral_.resize(moments_.size());
  integral_[0] = 0.0;
  for (std::size_t i = 0; i + 1 < moments_.size(); ++i)
    integral_[i + 1] = integral_[i] + part(i, moments_[i + 1].time - moments_[i].time);
}

// the integral of s over the first `t` of stretch `i`
double AveragedLaw::part(std::size_t i, double t) const {
  const PathMoment& m = moments_[i];
  return t * (m.s + t * (m.speed / 2.0 + t * (m.acceleration_after / 6.0)));
}

AveragedLaw::Point AveragedLaw::raw(double time, std::size_t at) const {
  const PathMoment& last = moments_.back();
  if (time <= 0.0) return {.integral = time * moments_.front().s, .s = moments_.front().s};
  if (time >= last.time) return {.integral = integral_.back() + (time - last.time) * last.s, .s = last.s};
  const PathMoment& m = moments_[at];
  const double t = time - m.time;
  return {.integral = integral_[at] + part(at, t),
          .s = m.s + t * (m.speed + t * (m.acceleration_after / 2.0)),
          .speed = m.speed + t * m.acceleration_after,
          .acceleration = m.acceleration_after};
}

void AveragedLaw::move_to(double time, Cursor& cursor) const {
  const auto move = [&](double t, std::size_t& at) {
    while (at > 0 && moments_[at].time > t) --at;
    while (at + 1 < moments_.size() && moments_[at + 1].time <= t) ++at;
  };
  move(time, cursor.now);
  move(time - window_, cursor.then);
}

CurvePoint AveragedLaw::at(double time, Cursor& cursor) const {
  move_to(time, cursor);
  const Point now = raw(time, cursor.now);
  const Point then = raw(time - window_, cursor.then);
  return {.value = (now.integral - then.integral) / window_,
          .first = (now.s - then.s) / window_,
          .second = (now.speed - then.speed) / window_,
          .third = (now.acceleration - then.acceleration) / window_};
}

AveragedLaw::Cursor AveragedLaw::cursor_at(double time) const {
  const auto index = [&](double t) {
    const auto after = std::upper_bound(moments_.begin(), moments_.end(), t,
                                        [](double one, const PathMoment& m) { return one < m.time; });
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, after - moments_.begin())) - 1;
  };
  return {.now = index(time), .then = index(time - window_)};
}

CurvePoint AveragedLaw::at(double time) const {
  Cursor cursor = cursor_at(time);
  return at(time, cursor);
}

// Newton's steps within brackets. What is averaged is there half a window before, more or less.
double AveragedLaw::time_at(double s) const {
  double low = 0.0;
  double high = duration();
  const auto near = std::lower_bound(moments_.begin(), moments_.end(), s,
                                     [](const PathMoment& m, double one) { return m.s < one; });
  const double middle = near == moments_.end() ? high : near->time + window_ / 2.0;
  double time = std::clamp(middle, low, high);
  Cursor cursor = cursor_at(time);
  for (int i = 0; i < kMostTimeSteps && high - low > kTimeAccuracy * duration(); ++i) {
    const CurvePoint there = at(time, cursor);
    (there.value < s ? low : high) = time;
    double next = time + (s - there.value) / there.first;
    if (!(next > low && next < high)) next = low + (high - low) / 2.0;
    const double change = std::abs(next - time);
    time = next;
    if (change <= kTimeAccuracy * duration()) break;
  }
  return time;
}

}  // namespace sinew
