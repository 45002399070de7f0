// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/lspb.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

bool is_positive(double value) {
  return value > 0.0 && is_usable(value);
}

}  // namespace

Result<LspbLaw> LspbLaw::make(double length, const Shape& shape) {
  if (!(length >= 0.0) || !is_usable(length) || !is_positive(shape.duration) ||
      !(shape.blend > 0.0 && shape.blend <= 0.5)) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format(
            "a length of {} in {} s with blends of {} of it: length and duration must be numbers above "
            "zero, the blend above 0 and at most 0.5",
            length, shape.duration, shape.blend)};
  }
  LspbLaw law;
  law.length_ = length;
  law.duration_ = shape.duration;
  law.blend_time_ = shape.blend * shape.duration;
  law.speed_ = length / (shape.duration - law.blend_time_);
  law.acceleration_ = law.speed_ / law.blend_time_;
  return law;
}

Result<LspbLaw> LspbLaw::fastest(double length, double speed, double acceleration) {
  if (!is_positive(length) || !is_positive(speed) || !is_positive(acceleration)) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format(
            "a length of {} at a speed of {} and an acceleration of {}: all must be numbers above zero",
            length, speed, acceleration)};
  }
  LspbLaw law;
  law.length_ = length;
  law.acceleration_ = acceleration;
  law.speed_ = std::min(speed, std::sqrt(length * acceleration));
  law.blend_time_ = law.speed_ / acceleration;
  law.duration_ = length / law.speed_ + law.blend_time_;
  return law;
}

PathMoment LspbLaw::at(double time) const noexcept {
  const double t = std::clamp(time, 0.0, duration_);
  const double left = duration_ - t;
  const double slack = 1e-12 * duration_;
  PathMoment moment{.time = t};
  if (t < blend_time_) {
    moment.s = acceleration_ * t * t / 2.0;
    moment.speed = acceleration_ * t;
  } else if (left < blend_time_) {
    moment.s = length_ - acceleration_ * left * left / 2.0;
    moment.speed = acceleration_ * left;
  } else {
    moment.s = speed_ * (t - blend_time_ / 2.0);
    moment.speed = speed_;
  }
  moment.acceleration_before = t <= blend_time_ + slack     ? acceleration_
                               : left < blend_time_ - slack ? -acceleration_
                                                            : 0.0;
  moment.acceleration_after = t < blend_time_ - slack       ? acceleration_
                              : left <= blend_time_ + slack ? -acceleration_
                                                            : 0.0;
  return moment;
}

double LspbLaw::time_at(double s) const noexcept {
  const double from_begin = std::clamp(s, 0.0, length_);
  const double from_end = length_ - from_begin;
  const double blend_length = speed_ * blend_time_ / 2.0;
  if (!(acceleration_ > 0.0)) return 0.0;
  if (from_begin < blend_length) return std::sqrt(2.0 * from_begin / acceleration_);
  if (from_end < blend_length) return duration_ - std::sqrt(2.0 * from_end / acceleration_);
  return blend_time_ / 2.0 + from_begin / speed_;
}

std::vector<PathMoment> LspbLaw::moments(std::span<const double> s) const {
  std::vector<double> times = {0.0, blend_time_, duration_ - blend_time_, duration_};
  for (const double each : s) times.push_back(time_at(each));
  std::sort(times.begin(), times.end());
  std::vector<PathMoment> moments;
  for (const double time : times) {
    if (moments.empty() || time - moments.back().time > 1e-9 * duration_) moments.push_back(at(time));
  }
  // exactly the end, whatever was closely before it
  moments.back() = at(duration_);
  return moments;
}

}  // namespace sinew
