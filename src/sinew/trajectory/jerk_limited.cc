// SPDX-License-Identifier: BSD-3-Clause
//
// The idea. Let S be where the axis would rest if it stopped now, as fast as it may. To rest beyond S, the
// axis follows the motion that gains most, U: to full velocity as fast as it may, and cruise. At some moment
// it leaves U and stops. The later the moment, the farther the rest: along U the jerk is never below that of
// stopping, and S never falls with growing acceleration. So the moment is the root of a rising function, and
// the motion found is the only one of its kind; for a target before S everything is mirrored.
//
// All sums are in the axis' own units, in which acceleration limit and jerk limit are 1: time A/J, velocity
// A²/J, length A³/J². In these units, along an arc of jerk -1, v + a²/2 is constant: the velocity w that the
// arc has (or would have had) where its acceleration is zero. From (w, 0), stopping takes the distance
//   w·sqrt(w) for w <= 1 (the acceleration does not reach -1), else w·(w + 1)/2.
#include "sinew/trajectory/jerk_limited.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int kMostNewtonSteps = 64;
constexpr int kEaseOffSteps = 56;

// an axis in its own units, mirrored where that makes the case at hand one that rises
struct Units {
  double time = 1.0;
  double velocity = 1.0;  // of either sign: the mirror
  double length = 1.0;
};

Units own_units(const AxisLimits& limits, double direction) noexcept {
  const double time = limits.acceleration / limits.jerk;
  const double velocity = direction * limits.acceleration * time;
  return {.time = time, .velocity = velocity, .length = velocity * time};
}

// velocity and acceleration in own units
struct Phase {
  double v = 0.0;
  double a = 0.0;
};

// the velocity when the acceleration is led to zero at once
double lifted(const Phase& s) noexcept {
  return s.v + s.a * std::abs(s.a) / 2.0;
}

double rest_distance(double w, double root_of_w) noexcept {
  return root_of_w <= 1.0 ? w * root_of_w : w * (w + 1.0) / 2.0;
}

// how far until rest, from any state with |a| <= 1
double stop_distance(Phase s) noexcept {
  const double mirror = lifted(s) >= 0.0 ? 1.0 : -1.0;
  s.v *= mirror;
  s.a *= mirror;
  const double w = std::max(0.0, s.v + s.a * s.a / 2.0);
  return mirror * (s.a * (s.v + s.a * s.a / 3.0) + rest_distance(w, std::sqrt(w)));
}

// builds a profile from pieces in own units
class Builder {
 public:
  Builder(const AxisState& state, const AxisLimits& limits) noexcept
      : state_(state), limits_(limits), units_(own_units(limits, 1.0)) {}

  void mirror(double direction) noexcept {
    direction_ = direction;
    units_ = own_units(limits_, direction);
  }
  Phase phase() const noexcept {
    return {state_.velocity / units_.velocity, state_.acceleration / (direction_ * limits_.acceleration)};
  }
  double distance_to(double position) const noexcept { return (position - state_.position) / units_.length; }
  const AxisState& state() const noexcept { return state_; }

  void append(double jerk, double time) noexcept {
    profile_.append(state_, jerk * direction_ * limits_.jerk, time * units_.time);
  }
  AxisProfile end_at(double position) noexcept {
    profile_.end_at(position);
    return profile_;
  }

  // |a| > 1 is led back to 1 before anything else
  void bring_acceleration_back() noexcept {
    const double excess = std::abs(state_.acceleration) - limits_.acceleration;
    if (!(excess > 0.0)) return;
    profile_.append(state_, -std::copysign(limits_.jerk, state_.acceleration), excess / limits_.jerk);
    state_.acceleration = std::copysign(limits_.acceleration, state_.acceleration);
  }

  // rounding has left the state a little off `acceleration`, which would add up over a long time
  void settle(double acceleration) noexcept {
    state_.acceleration = acceleration * direction_ * limits_.acceleration;
  }

  // to acceleration `a` and on with it for `time`
  void rise_and_hold(double a, double time) noexcept {
    append(1.0, a - phase().a);
    settle(a);
    append(0.0, time);
  }

  // at full velocity until stopping ends at `target`
  void cruise(double target) noexcept {
    append(-1.0, phase().a);
    state_.velocity = direction_ * limits_.velocity;
    settle(0.0);
    const double v = phase().v;
    append(0.0, (distance_to(target) - rest_distance(v, std::sqrt(v))) / v);
  }

  // to rest, from a state whose stop begins with jerk -1
  void descend() noexcept {
    const Phase s = phase();
    const double w = std::max(0.0, s.v + s.a * s.a / 2.0);
    const double root_of_w = std::sqrt(w);
    const double lowest = std::min(1.0, root_of_w);
    append(-1.0, s.a + lowest);
    if (root_of_w > 1.0) {
      settle(-1.0);
      append(0.0, w - 1.0);
    }
    append(1.0, lowest);
  }

 private:
  AxisState state_;
  AxisLimits limits_;
  Units units_;
  double direction_ = 1.0;
  AxisProfile profile_;
};

// where a motion that rises with jerk 1 from `start` to acceleration `a`, and then stops, comes to rest; and
// how fast that grows with `a`. Convex in `a` from where it grows at all, so that Newton's steps end on one
// side of the root.
struct Rest {
  double distance = 0.0;
  double slope = 0.0;
};

Rest rest_after_rise(const Phase& start, double a) noexcept {
  const double time = a - start.a;
  const double v = start.v + (start.a + a) * time / 2.0;
  const double rise = time * (start.v + time * (start.a / 2.0 + time / 6.0));
  const double w = std::max(0.0, v + a * a / 2.0);
  const double root_of_w = std::sqrt(w);
  const double rest_slope = root_of_w <= 1.0 ? 1.5 * root_of_w : w + 0.5;
  return {.distance = rise + a * (v + a * a / 3.0) + rest_distance(w, root_of_w),
          .slope = 2.0 * w + a * a + 2.0 * a * rest_slope};
}

// the acceleration in [low, high] at which to leave the rise so that the rest is at `distance`
double solve_rise(const Phase& start, double distance, double low, double high) noexcept {
  const double least = rest_after_rise(start, low).distance;
  const double most = rest_after_rise(start, high).distance;
  const double share = most > least ? std::clamp((distance - least) / (most - least), 0.0, 1.0) : 0.0;
  // exact from rest, where the distance is cubic; on the far side of the root otherwise
  double a = low + (high - low) * std::cbrt(share);
  for (int i = 0; i < kMostNewtonSteps; ++i) {
    const Rest rest = rest_after_rise(start, a);
    const double excess = rest.distance - distance;
    (excess > 0.0 ? high : low) = a;
    double next = a - excess / rest.slope;
    if (!(next > low && next < high)) next = excess == 0.0 ? a : low + (high - low) / 2.0;
    if (std::abs(next - a) <= 4e-16 * std::abs(a)) break;
    a = next;
  }
  return a;
}

// faster than allowed: brakes, as stopping would, until only the release of the brake leads to the velocity
// limit
void brake_to_limit(Builder& builder, double velocity) noexcept {
  const Phase s = builder.phase();
  const double excess = std::max(0.0, s.v + s.a * s.a / 2.0 - velocity);
  const double brake = std::min(1.0, std::sqrt(excess));
  builder.append(-1.0, s.a + brake);
  builder.settle(-brake);
  builder.append(0.0, excess - 1.0);
}

// the rise has reached acceleration 1 and holds it: how long, so that the rest is at `distance`. Closed form:
// with r = sqrt(w), the rest is at offset + r²·(r + 1)²/2 for w <= 1, else at offset + w² + w.
double solve_hold(const Phase& top, double top_distance, double distance) noexcept {
  const double offset = top_distance - top.v * top.v / 2.0 - 1.0 / 24.0;
  const double reach = std::max(0.0, distance - offset);
  const double q = reach > 2.0 ? reach : std::sqrt(2.0 * reach);
  const double root = 2.0 * q / (1.0 + std::sqrt(1.0 + 4.0 * q));
  const double w = reach > 2.0 ? root : root * root;
  return w - 0.5 - top.v;
}

// from a state not faster than allowed to rest at `target`, which lies beyond where stopping would end
void climb(Builder& builder, double velocity, double target) noexcept {
  const Phase s = builder.phase();
  const double distance = builder.distance_to(target);
  const double bottom = s.v - s.a * s.a / 2.0;  // the velocity at which the rise has, or had, no acceleration
  const double high = std::max(s.a, std::sqrt(std::max(0.0, velocity - bottom)));
  const double top = std::min(1.0, high);
  // below the arc that leads to rest, stopping rises as well
  const double low = lifted(s) < 0.0 ? std::sqrt(std::max(0.0, -bottom)) : s.a;
  if (low < top && distance < rest_after_rise(s, top).distance) {
    builder.rise_and_hold(solve_rise(s, distance, low, top), 0.0);
    return builder.descend();
  }
  const double longest_hold = high > 1.0 ? velocity - bottom - 1.0 : 0.0;
  const double time = top - s.a;
  const Phase at_top{.v = s.v + (s.a + top) * time / 2.0, .a = top};
  const double top_distance = time * (s.v + time * (s.a / 2.0 + time / 6.0));
  const double farthest = top_distance + longest_hold * (at_top.v + longest_hold / 2.0) +
                          stop_distance({.v = at_top.v + longest_hold, .a = top});
  if (distance < farthest) {
    builder.rise_and_hold(top, std::min(longest_hold, solve_hold(at_top, top_distance, distance)));
    return builder.descend();
  }
  builder.rise_and_hold(top, longest_hold);
  builder.cruise(target);
  builder.descend();
}

// from a state faster than allowed
void fall_and_climb(Builder& builder, double velocity, double target) noexcept {
  brake_to_limit(builder, velocity);
  const Phase s = builder.phase();
  const double distance = builder.distance_to(target);
  if (distance < rest_after_rise(s, 0.0).distance) {
    builder.rise_and_hold(solve_rise(s, distance, s.a, 0.0), 0.0);
    return builder.descend();
  }
  builder.rise_and_hold(0.0, 0.0);
  builder.cruise(target);
  builder.descend();
}

// braking harder for `time` and then releasing the brake: whether the axis turns before `room`, has turned
// already, or would become too fast the other way
bool turns_within(const Phase& s, double time, double room, double velocity) noexcept {
  const double ramp = std::min(time, 1.0 + s.a);
  const AxisState ramped = advance({.velocity = s.v, .acceleration = s.a}, -1.0, ramp);
  const AxisState held = advance(ramped, 0.0, time - ramp);
  if (held.velocity <= 0.0 || lifted({held.velocity, held.acceleration}) <= -velocity) return true;
  const double discriminant = held.acceleration * held.acceleration - 2.0 * held.velocity;
  if (discriminant < 0.0) return false;
  const double turn = 2.0 * held.velocity / (std::sqrt(discriminant) - held.acceleration);
  return advance(held, 1.0, turn).position <= room;
}

// An axis that moves up while it is about to turn down, and is now to go up again or to stop: releasing the
// brake at once could carry it past a limit before which it can still turn. Brakes harder for as long as it
// takes.
void ease_off(Builder& builder, double limit, double velocity) noexcept {
  const Phase s = builder.phase();
  if (!(s.v > 0.0 && lifted(s) < 0.0)) return;
  const double room = builder.distance_to(limit);
  if (turns_within(s, 0.0, room, velocity)) return;
  double low = 0.0;
  double high = s.v / -s.a;
  for (int i = 0; i < kEaseOffSteps; ++i) {
    const double middle = low + (high - low) / 2.0;
    (turns_within(s, middle, room, velocity) ? high : low) = middle;
  }
  const double ramp = std::min(high, 1.0 + s.a);
  builder.append(-1.0, ramp);
  if (high > ramp) builder.settle(-1.0);
  builder.append(0.0, high - ramp);
}

// the velocity limit in own units
double own_velocity(const AxisLimits& limits) noexcept {
  return limits.velocity * limits.jerk / (limits.acceleration * limits.acceleration);
}

bool is_usable_motion(const AxisState& state, const AxisLimits& limits) noexcept {
  return is_usable(state) && is_usable(limits);
}

AxisProfile rest_at(double position) noexcept {
  return AxisProfile(std::isfinite(position) ? position : 0.0);
}

}  // namespace

AxisProfile plan_to_rest_at(double target, const AxisState& state, const AxisLimits& limits) noexcept {
  if (!is_usable_motion(state, limits) || !is_usable(target)) return rest_at(state.position);
  const double goal = std::clamp(target, limits.lower, limits.upper);
  if (state == AxisState{.position = goal}) return AxisProfile(goal);

  Builder builder(state, limits);
  builder.bring_acceleration_back();
  const double direction = builder.distance_to(goal) >= stop_distance(builder.phase()) ? 1.0 : -1.0;
  builder.mirror(direction);
  const double velocity = own_velocity(limits);
  ease_off(builder, direction > 0.0 ? limits.upper : limits.lower, velocity);
  if (lifted(builder.phase()) > velocity) {
    fall_and_climb(builder, velocity, goal);
  } else {
    climb(builder, velocity, goal);
  }
  return builder.end_at(goal);
}

AxisProfile plan_stop(const AxisState& state, const AxisLimits& limits) noexcept {
  if (!is_usable_motion(state, limits)) return rest_at(state.position);
  Builder builder(state, limits);
  builder.bring_acceleration_back();
  // stopping begins with jerk 1 where this is negative
  const double direction = lifted(builder.phase()) < 0.0 ? 1.0 : -1.0;
  builder.mirror(direction);
  ease_off(builder, direction > 0.0 ? limits.upper : limits.lower, own_velocity(limits));

  builder.mirror(-direction);
  builder.descend();
  return builder.end_at(builder.state().position);
}

double stop_position(const AxisState& state, const AxisLimits& limits) noexcept {
  return plan_stop(state, limits).end_position();
}

}  // namespace sinew
