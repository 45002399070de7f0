// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/first_order.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// the nearest to `wanted` that limits allow `dt` after `last`. An axis outside its range comes back at
// limited velocity.
double within_limits(double wanted, double last, double dt, const AxisLimits& limits) noexcept {
  const double furthest = limits.velocity * dt;
  const double inside = std::clamp(wanted, limits.lower, limits.upper);
  return std::clamp(inside, last - furthest, last + furthest);
}

bool is_usable_time(double dt) noexcept {
  return dt > 0.0 && is_usable(dt);
}

}  // namespace

FirstOrderFilter::FirstOrderFilter(double time_constant, double position) noexcept
    : time_constant_(time_constant > 0.0 ? time_constant : 0.0),
      position_(is_usable(position) ? position : 0.0) {}

double FirstOrderFilter::time_constant_of(double length, double period) noexcept {
  if (!(length > 1.0) || !is_usable_time(period)) return 0.0;
  return -period / std::log1p(-1.0 / length);
}

bool FirstOrderFilter::reset(double position) noexcept {
  if (!is_usable(position)) return false;
  position_ = position;
  return true;
}

double FirstOrderFilter::step(double wanted, double dt, const AxisLimits& limits) noexcept {
  if (!is_usable(wanted) || !is_usable_time(dt) || !is_usable(limits)) return position_;
  // 1 - exp(-dt/τ), without the cancellation at small dt
  const double share = time_constant_ > 0.0 ? -std::expm1(-dt / time_constant_) : 1.0;
  const double next = share < 1.0 ? position_ + share * (wanted - position_) : wanted;
  position_ = within_limits(next, position_, dt, limits);
  return position_;
}

CompliantFilter::CompliantFilter(double stiffness_ratio, double position) noexcept
    : stiffness_ratio_(stiffness_ratio > 0.0 ? std::min(1.0, stiffness_ratio) : 0.0),
      position_(is_usable(position) ? position : 0.0) {}

bool CompliantFilter::reset(double position) noexcept {
  if (!is_usable(position)) return false;
  position_ = position;
  return true;
}

double CompliantFilter::step(double measured, double wanted, double dt, const AxisLimits& limits) noexcept {
  if (!is_usable(measured) || !is_usable(wanted) || !is_usable_time(dt) || !is_usable(limits))
    return position_;
  const double next = measured + stiffness_ratio_ * (wanted - measured);
  position_ = within_limits(next, position_, dt, limits);
  return position_;
}

}  // namespace sinew
