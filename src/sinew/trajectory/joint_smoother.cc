// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/joint_smoother.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/slow_motion.h"

namespace sinew {
namespace {

std::uint64_t bit(std::size_t i) noexcept {
  return std::uint64_t{1} << i;
}

std::uint64_t first_bits(std::size_t count) noexcept {
  return count >= kMaxAxes ? ~std::uint64_t{0} : bit(count) - 1;
}

// calls `use` with the number of each bit that is set
template <class Use>
void for_each_bit(std::uint64_t mask, Use use) noexcept {
  for (; mask != 0; mask &= mask - 1) use(static_cast<std::size_t>(std::countr_zero(mask)));
}

// what rounding alone has carried past a limit is cut off, so that others may compare without tolerance
AxisState without_rounding(AxisState state, const AxisLimits& limits) noexcept {
  const double inside = std::clamp(state.position, limits.lower, limits.upper);
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(inside));
  if (std::abs(state.position - inside) <= rounding) state.position = inside;
  return state;
}

}  // namespace

Result<JointSmoother> JointSmoother::make(std::span<const AxisLimits> limits,
                                          const SmootherOptions& options) {
  if (limits.size() > kMaxAxes) {
    return Error{
        ErrorCode::OutOfLimits,
        fmt::format("a smoother for {} axes: at most {}; use one for each arm", limits.size(), kMaxAxes)};
  }
  JointSmoother smoother;
  smoother.axis_count_ = limits.size();
  smoother.options_ = options;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const AxisLimits& l = limits[i];
    if (!is_usable(l)) {
      return Error{
          ErrorCode::InvalidInput,
          fmt::format("axis {}: limits position {} to {}, velocity {}, acceleration {}, jerk {} bound no "
                      "motion: positions in order, the others between {} and {}; state them in robot.yaml",
                      i + 1, l.lower, l.upper, l.velocity, l.acceleration, l.jerk, kSmallestLimit,
                      kLargestValue)};
    }
    smoother.limits_[i] = l;
    smoother.states_[i].position = std::clamp(0.0, l.lower, l.upper);
    smoother.plan_stop_from(i, smoother.states_[i]);
  }
  smoother.previous_ = smoother.states_;
  return smoother;
}

bool JointSmoother::reset(std::span<const AxisState> states) noexcept {
  if (states.size() != axis_count_) return false;
  for (const AxisState& state : states) {
    if (!is_usable(state)) return false;
  }
  stopped_mask_ = 0;
  changed_mask_ = 0;
  wanted_mask_ = 0;
  led_mask_ = 0;
  last_dt_ = 0.0;
  for (std::size_t i = 0; i < axis_count_; ++i) {
    states_[i] = states[i];
    previous_[i] = states[i];
    plan_stop_from(i, states[i]);
  }
  return true;
}

SmootherReport JointSmoother::step(std::span<const double> targets, double dt) noexcept {
  SmootherReport report;
  take_targets(targets.first(std::min(targets.size(), axis_count_)), report);
  if (changed_mask_ != 0) plan_changed();
  last_dt_ = dt > 0.0 && is_usable(dt) ? dt : 0.0;
  for (std::size_t i = 0; i < axis_count_; ++i) {
    previous_[i] = states_[i];
    if ((led_mask_ & bit(i)) != 0) {
      go_as_led(i, report);
      continue;
    }
    elapsed_[i] += last_dt_;
    states_[i] = without_rounding(profiles_[i].at(elapsed_[i]), limits_[i]);
    if (elapsed_[i] < profiles_[i].duration()) report.moving_mask |= bit(i);
  }
  led_mask_ = 0;
  return report;
}

void JointSmoother::lead(std::size_t i, const AxisState& next) noexcept {
  if (i >= axis_count_ || (stopped_mask_ & bit(i)) != 0 || !is_usable(next)) return;
  led_mask_ |= bit(i);
  changed_mask_ &= ~bit(i);
  // the target that it had is none of its own any more
  wanted_mask_ &= ~bit(i);
  led_[i] = next;
}

void JointSmoother::go_as_led(std::size_t i, SmootherReport& report) noexcept {
  states_[i] = led_[i];
  plan_stop_from(i, led_[i]);
  if (profiles_[i].duration() > 0.0) report.moving_mask |= bit(i);
}

void JointSmoother::take_targets(std::span<const double> targets, SmootherReport& report) noexcept {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if ((led_mask_ & bit(i)) != 0) continue;
    if (!is_usable(targets[i])) {
      report.refused_mask |= bit(i);
      continue;
    }
    const double wanted = std::clamp(targets[i], limits_[i].lower, limits_[i].upper);
    if (wanted != targets[i]) report.clamped_mask |= bit(i);
    if (wanted == wanted_[i] && (wanted_mask_ & bit(i)) != 0) continue;
    wanted_[i] = wanted;
    wanted_mask_ |= bit(i);
    changed_mask_ |= bit(i);
  }
}

void JointSmoother::plan(std::size_t i) noexcept {
  profiles_[i] = plan_to_rest_at(wanted_[i], states_[i], limits_[i]);
  elapsed_[i] = 0.0;
}

void JointSmoother::plan_stop_from(std::size_t i, const AxisState& state) noexcept {
  profiles_[i] = plan_stop(state, limits_[i]);
  elapsed_[i] = 0.0;
}

void JointSmoother::plan_changed() noexcept {
  // what is stopped plans when it is released; without a target there is nothing to go to but rest
  const std::uint64_t due = options_.arrive_together ? first_bits(axis_count_) : changed_mask_;
  const std::uint64_t moved = due & wanted_mask_ & ~stopped_mask_;
  for_each_bit(moved, [this](std::size_t i) { plan(i); });
  for_each_bit(changed_mask_ & ~moved, [this](std::size_t i) { plan_stop_from(i, states_[i]); });
  changed_mask_ = 0;
  if (!options_.arrive_together) return;
  double slowest = 0.0;
  for_each_bit(moved, [&](std::size_t i) { slowest = std::max(slowest, profiles_[i].duration()); });
  for_each_bit(moved, [&](std::size_t i) {
    profiles_[i] =
        slowed_to({.position = wanted_[i], .duration = slowest}, profiles_[i], states_[i], limits_[i]);
  });
}

void JointSmoother::stop(std::uint64_t mask) noexcept {
  mask &= first_bits(axis_count_) & ~stopped_mask_;
  stopped_mask_ |= mask;
  led_mask_ &= ~mask;
  for_each_bit(mask, [this](std::size_t i) { plan_stop_from(i, states_[i]); });
}

void JointSmoother::brake_instead(std::uint64_t mask) noexcept {
  mask &= first_bits(axis_count_) & ~stopped_mask_;
  stopped_mask_ |= mask;
  for_each_bit(mask, [this](std::size_t i) {
    plan_stop_from(i, previous_[i]);
    elapsed_[i] = last_dt_;
    states_[i] = without_rounding(profiles_[i].at(last_dt_), limits_[i]);
  });
}

void JointSmoother::release(std::uint64_t mask) noexcept {
  mask &= stopped_mask_;
  stopped_mask_ &= ~mask;
  changed_mask_ |= mask & wanted_mask_;
}

bool JointSmoother::set_limits(std::size_t i, const AxisLimits& limits) noexcept {
  if (i >= axis_count_ || !is_usable(limits)) return false;
  limits_[i] = limits;
  wanted_[i] = std::clamp(wanted_[i], limits.lower, limits.upper);
  changed_mask_ |= bit(i);
  return true;
}

}  // namespace sinew
