// SPDX-License-Identifier: BSD-3-Clause
//
// The idea. Fix how long the motion takes, T. Where the axis can be then, with the wanted velocity and no
// acceleration, is an interval: from least(T) to most(T). A time is possible when the target is in it.
//
// most(T) has a closed form. In the axis' own units (jerk_limited.cc), the motion that gains most rises from
// the start to a peak velocity c and falls to the wanted one; a change of velocity by x takes
//   t(x) = 2·sqrt(x) for x <= 1, else x + 1,
// with the mean velocity of its ends, because it is symmetric. The start's acceleration a is accounted for by
// the place on the arc of jerk 1 through it where the acceleration is zero: (x_plus, v_plus), a time a before
// the start. So T = t(c - v_plus) + t(c - v_end) - a, and the axis comes to
//   x_plus + (v_plus + c)/2·t(c - v_plus) + (c + v_end)/2·t(c - v_end).
// Both are solved for c in closed form given T. The slope of most(T) is c + r·f/2, where r and f are the
// largest accelerations of the rise and the fall, min(1, sqrt(x)) each: while that is below zero, taking more
// time loses ground. When the limit holds c, it cruises.
//
// When the axis has to slow down and is doing so already (a < 0, "dent"), the family begins earlier: with
// b from -a to 0, the acceleration rises to -b only and falls again. There T = -a - 2b + t(d + b²), with
// d = v_plus - v_end, and the slope of most(T) is v_plus + b² - b·min(1, sqrt(d + b²))/2. Both slopes were
// found by differentiation; a test compares the results with motions made by no rule.
//
// least(T) is most(T) of the mirrored axis.
#include "sinew/trajectory/state_to_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/base/assert.h"
#include "sinew/base/fixed_vector.h"

namespace sinew {
namespace {

constexpr int kMostBracketSteps = 64;
constexpr int kMostAlternations = 8;
constexpr double kRounding = 1e-12;  // of velocities
// of positions: what is this close is reached. A moving axis that just misses its target takes a detour, and
// the rounding of velocities makes it miss by the more the less there is to change.
constexpr double kReached = 1e-10;
constexpr double kSumRounding = 1e-13;  // of the way that a motion takes
constexpr double kStill = 2.0;          // what was reached once, before time was rounded to seconds
constexpr double kAllowance = 1e-9;     // of a limit, for states that come from sums

double change_time(double x) noexcept {
  return x <= 1.0 ? 2.0 * std::sqrt(std::max(0.0, x)) : x + 1.0;
}

// one motion of the family
struct Gain {
  double time = 0.0;
  double distance = 0.0;
  double b = 0.0;      // where it has a dent
  double above = 0.0;  // the peak, where not
  double cruise = 0.0;
  bool is_dent = false;
};

// `slower` is the velocity at the start minus that at the target, exact where both are large
GainFamily family_of(const AxisState& start, double slower, double v_most) noexcept {
  const double a = start.acceleration;
  const double w_plus = slower - a * a / 2.0;
  const double v_end = start.velocity - slower;
  const double high = v_end + std::max(w_plus, 0.0);
  const double lifted = a >= 0.0 ? std::max(w_plus + a * a, 0.0) - std::max(w_plus, 0.0) : 0.0;
  return {.a = a,
          .x_plus = advance(start, 1.0, -a).position,
          .w_plus = w_plus,
          .v_end = v_end,
          .high = high,
          .gap = std::abs(w_plus),
          .least_above = lifted,
          .most_above = std::max(lifted, v_most - high),
          .has_dent = a < 0.0 && w_plus > 0.0};
}

Gain with_dent(const GainFamily& f, double b) noexcept {
  const double t = change_time(f.w_plus + b * b);
  return {.time = t - f.a - 2.0 * b,
          .distance = f.x_plus - b * (2.0 * f.high + b * b) + (f.v_end + (f.w_plus + b * b) / 2.0) * t,
          .b = b,
          .is_dent = true};
}

// a change by `above` and one by more, to and from the same peak
Gain with_peak(const GainFamily& f, double above, double cruise) noexcept {
  const double near = change_time(above);
  const double far = change_time(above + f.gap);
  const double peak = f.high + above;
  return {.time = near + cruise + far - f.a,
          .distance =
              f.x_plus + (peak - above / 2.0) * near + peak * cruise + (peak - (above + f.gap) / 2.0) * far,
          .above = above,
          .cruise = cruise};
}

Gain least_gain(const GainFamily& f) noexcept {
  return f.has_dent ? with_dent(f, -f.a) : with_peak(f, f.least_above, 0.0);
}

// the motion that takes `time`, which is not less than that of the least
Gain gain_in(const GainFamily& f, double time) noexcept {
  const double since = time + f.a;
  const double d = f.gap;
  if (f.has_dent && since < change_time(d)) {
    double b = d / since - since / 4.0;
    if (d + b * b > 1.0) b = 1.0 - std::sqrt(std::max(0.0, since - d));
    return with_dent(f, std::clamp(b, 0.0, -f.a));
  }
  double above = (since - d - 2.0) / 2.0;
  if (above < 1.0) {
    double root = since > 0.0 ? since / 4.0 - d / since : 0.0;
    if (root * root + d > 1.0) root = std::sqrt(std::max(0.0, since - d)) - 1.0;
    above = root > 0.0 ? root * root : 0.0;
  }
  Gain gain = with_peak(f, std::clamp(above, f.least_above, f.most_above), 0.0);
  if (gain.above < f.most_above) return gain;
  gain.cruise = std::max(0.0, time - gain.time);
  gain.distance += gain.cruise * (f.high + gain.above);
  gain.time += gain.cruise;
  return gain;
}

// the moments at which motions with a dent begin or cease to lose ground by taking longer, in the order of
// time, and the last of them
using Turns = FixedVector<double, 5>;

Turns turns_of(const GainFamily& f, double b_from) noexcept {
  Turns turns;
  const auto add = [&](double b) {
    if (!(b > 0.0 && b < b_from)) return;
    turns.push_back(b);
    for (std::size_t i = turns.size() - 1; i > 0 && turns[i] > turns[i - 1]; --i) {
      std::swap(turns[i], turns[i - 1]);
    }
  };
  // while the fall reaches full deceleration: b² - b/2 + v = 0, with v the velocity without acceleration
  const double d = f.gap;
  const double full = 0.25 - 4.0 * f.high;
  if (full >= 0.0) {
    const double root = std::sqrt(full);
    for (const double b : {(0.5 + root) / 2.0, (0.5 - root) / 2.0}) {
      if (d + b * b >= 1.0) add(b);
    }
  }
  // and while it does not: 2(b² + v) = b·sqrt(d + b²), squared a quadratic in b²
  const double p = 8.0 * f.high - d;
  const double part = p * p - 48.0 * f.high * f.high;
  if (part >= 0.0) {
    const double root = std::sqrt(part);
    for (const double square : {(-p + root) / 6.0, (-p - root) / 6.0}) {
      if (square > 0.0 && square + d < 1.0 && square + f.high >= 0.0) add(std::sqrt(square));
    }
  }
  turns.push_back(0.0);
  return turns;
}

// where a rising or falling function of a bracketed argument, given with its slope, is zero
template <class Function>
double bracketed_root(double low, double high, double guess, const Function& value_and_slope) noexcept {
  const double accuracy = 4e-16 * std::max(std::abs(low), std::abs(high));
  const bool rises = high > low;  // `high` is the end at which the value is positive
  double x = guess;
  double last_change = 0.0;  // of Newton's
  for (int i = 0; i < kMostBracketSteps; ++i) {
    const auto [value, slope] = value_and_slope(x);
    (value > 0.0 ? high : low) = x;
    double next = x - value / slope;
    const bool is_between = rises ? next > low && next < high : next < low && next > high;
    if (!is_between) next = value == 0.0 ? x : low + (high - low) / 2.0;
    const double change = std::abs(next - x);
    x = next;
    // near the root each of Newton's steps is a multiple of the last one's square: so will be the next
    const bool is_settled = change * change * change <= accuracy * last_change * last_change;
    if (change <= accuracy || (is_between && is_settled)) break;
    last_change = is_between ? change : 0.0;
  }
  return x;
}

struct ValueAndSlope {
  double value = 0.0;
  double slope = 0.0;
};

// the motion with a dent between two, one short of `distance` and one not, that comes to it
Gain solve_dent(const GainFamily& f, double b_short, double b_far, double distance) noexcept {
  const double b = bracketed_root(b_short, b_far, (b_short + b_far) / 2.0, [&](double at) -> ValueAndSlope {
    const double root = std::sqrt(f.gap + at * at);
    const double speed = f.high + at * at - at * std::min(1.0, root) / 2.0;
    const double hurry = root <= 1.0 ? 2.0 * at / root - 2.0 : 2.0 * at - 2.0;
    return {with_dent(f, at).distance - distance, speed * hurry};
  });
  return with_dent(f, b);
}

// how far above both velocities a peak must be for a higher one to gain ground
double turning_point(const GainFamily& f) noexcept {
  if (f.high >= 0.0) return 0.0;
  if (f.high <= -1.5) return -0.5 - f.high;
  // high + r² + r·sqrt(r² + d)/2 = 0, squared a quadratic in r²; or with 1 for the square root
  const double p = 8.0 * f.high - f.gap;
  const double square = 8.0 * f.high * f.high / (std::sqrt(p * p - 48.0 * f.high * f.high) - p);
  if (square + f.gap <= 1.0) return square;
  const double root = (std::sqrt(0.25 - 4.0 * f.high) - 0.5) / 2.0;
  return root * root;
}

// both changes reach full acceleration: the distance is peak² + peak + offset
Gain solve_high_peak(const GainFamily& f, double distance) noexcept {
  const double v_plus = f.v_end + f.w_plus;
  const double offset = f.x_plus + (v_plus * (1.0 - v_plus) + f.v_end * (1.0 - f.v_end)) / 2.0;
  const double reach = std::max(-0.25, distance - offset);
  const double peak = 2.0 * reach / (1.0 + std::sqrt(1.0 + 4.0 * reach));
  return with_peak(f, std::clamp(peak - f.high, 1.0, f.most_above), 0.0);
}

// at least one does not
Gain solve_low_peak(const GainFamily& f, double low, double high, double distance) noexcept {
  const double begin = with_peak(f, low, 0.0).distance;
  const double end = with_peak(f, high, 0.0).distance;
  const double least = std::sqrt(low);
  const double most = std::sqrt(high);
  const double share = std::clamp((distance - begin) / (end - begin), 0.0, 1.0);
  // from rest the distance is cubic in the root, at speed it is nearly straight
  const double guess = least + (most - least) * (f.high > 0.1 ? share : std::cbrt(share));
  const double root = bracketed_root(least, most, guess, [&](double at) -> ValueAndSlope {
    const double peak = f.high + at * at;
    const double far = at * at + f.gap;
    const double far_root = std::sqrt(far);
    const double far_time = far <= 1.0 ? 2.0 * far_root : far + 1.0;
    const double far_slope = far <= 1.0 ? (far_root > 0.0 ? 2.0 * at / far_root : 2.0) : 2.0 * at;
    return {f.x_plus + (f.high + peak) * at + (peak - far / 2.0) * far_time - distance,
            (peak + at * std::min(1.0, far_root) / 2.0) * (2.0 + far_slope)};
  });
  return with_peak(f, root * root, 0.0);
}

// the motion with a peak `least` above or higher that comes to `distance`, which that one does not
Gain solve_peak(const GainFamily& f, double least, double distance) noexcept {
  const double low = std::max(least, std::min(turning_point(f), f.most_above));
  const Gain fastest = with_peak(f, f.most_above, 0.0);
  if (fastest.distance <= distance) {
    return with_peak(f, f.most_above, (distance - fastest.distance) / (f.high + f.most_above));
  }
  const double knee = std::clamp(1.0, low, f.most_above);
  if (with_peak(f, knee, 0.0).distance < distance) return solve_high_peak(f, distance);
  return solve_low_peak(f, low, knee, distance);
}

// what rounding may do to the distance of a motion that goes far and comes back
double rounding_of(const GainFamily& f, const Gain& gain) noexcept {
  return kSumRounding * (std::abs(f.high) + gain.above) * gain.time;
}

// the earliest time not before `from` at which the family comes to `distance` or beyond
double first_time(const GainFamily& f, double from, double distance, double tolerance) noexcept {
  const Gain begin = gain_in(f, from);
  if (begin.distance >= distance - tolerance - rounding_of(f, begin)) return from;
  if (begin.is_dent) {
    double before = begin.b;
    for (const double b : turns_of(f, begin.b)) {
      if (with_dent(f, b).distance >= distance) {
        return std::max(from, solve_dent(f, before, b, distance).time);
      }
      before = b;
    }
  }
  return std::max(from, solve_peak(f, begin.is_dent ? f.least_above : begin.above, distance).time);
}

// a motion as times of constant jerk
struct JerkStep {
  double jerk = 0.0;
  double end = 0.0;
  double level = 0.0;  // the acceleration while the jerk is zero
};
constexpr JerkStep kNoStep{.end = std::numeric_limits<double>::infinity()};

// the steps of one motion, with one that never ends after them
struct JerkSteps {
  std::array<JerkStep, 8> steps;
  std::size_t count = 0;
};
constexpr JerkSteps kNoSteps{.steps = {kNoStep}};

JerkSteps steps_of(const GainFamily& f, const Gain& gain) noexcept {
  JerkSteps result;
  double end = 0.0;
  // which steps there are is as good as random: written without a branch, the last one is overwritten
  const auto add = [&](double jerk, double time, double level = 0.0) {
    const bool is_there = time > 0.0;
    end += is_there ? time : 0.0;
    result.steps[result.count] = {jerk, end, level};
    result.count += is_there ? 1 : 0;
  };
  if (gain.is_dent) {
    const double x = f.gap + gain.b * gain.b;
    const double lowest = std::min(1.0, std::sqrt(x));
    add(1.0, -f.a - gain.b);
    add(-1.0, lowest - gain.b);
    add(0.0, x - 1.0, -1.0);
    add(1.0, lowest);
    result.steps[result.count] = kNoStep;
    return result;
  }
  const double rise = gain.above + std::max(-f.w_plus, 0.0);
  const double fall = gain.above + std::max(f.w_plus, 0.0);
  const double highest = std::min(1.0, std::sqrt(std::max(0.0, rise)));
  const double lowest = std::min(1.0, std::sqrt(std::max(0.0, fall)));
  add(1.0, highest - f.a);
  add(0.0, rise - 1.0, 1.0);
  add(-1.0, highest);
  add(0.0, gain.cruise);
  add(-1.0, lowest);
  add(0.0, fall - 1.0, -1.0);
  add(1.0, lowest);
  result.steps[result.count] = kNoStep;
  return result;
}

// two motions at once, each with its share
struct Mixture {
  const JerkSteps& up;
  const JerkSteps& down;
  double up_jerk = 0.0;
  double down_jerk = 0.0;
  double time_unit = 1.0;
};

void append_mixture(AxisProfile& profile, AxisState state, const Mixture& mixture) noexcept {
  double now = 0.0;
  const std::size_t count = mixture.up.count + mixture.down.count;
  for (std::size_t i = 0, k = 0; i + k < count;) {
    const JerkStep& up = mixture.up.steps[i];
    const JerkStep& down = mixture.down.steps[k];
    const double end = std::min(up.end, down.end);
    // what rounding has left of the acceleration would add up over a long time
    if (up.jerk == 0.0 && down.jerk == 0.0) {
      state.acceleration = (up.level * mixture.up_jerk + down.level * mixture.down_jerk) * mixture.time_unit;
    }
    profile.append(state, up.jerk * mixture.up_jerk + down.jerk * mixture.down_jerk,
                   (end - now) * mixture.time_unit);
    now = end;
    i += up.end <= end ? 1 : 0;
    k += down.end <= end ? 1 : 0;
  }
}

TransitionFault fault_of(const AxisState& from, const AxisState& to, const AxisLimits& limits) noexcept {
  if (!is_usable(from) || !is_usable(to) || !is_usable(limits)) return TransitionFault::NotUsable;
  if (std::abs(to.velocity) > (1.0 + kAllowance) * limits.velocity) return TransitionFault::TargetVelocity;
  return to.acceleration == 0.0 ? TransitionFault::None : TransitionFault::TargetAcceleration;
}

}  // namespace

AxisTransition::AxisTransition(const AxisState& from, const AxisState& to, const AxisLimits& limits) noexcept
    : fault_(fault_of(from, to, limits)), from_(from), to_(to), jerk_(limits.jerk) {
  if (fault_ != TransitionFault::None) return;
  brake_ = brake_into_limits(from_, limits);
  const AxisState& begin = brake_.end;
  const double by_acceleration = 1.0 / limits.acceleration;
  const double by_time = limits.jerk * by_acceleration;
  const double by_velocity = by_time * by_acceleration;
  const double by_length = by_velocity * by_time;
  time_unit_ = limits.acceleration / limits.jerk;
  const double v = begin.velocity * by_velocity;
  const double a = std::clamp(begin.acceleration * by_acceleration, -1.0, 1.0);
  const double v_most = limits.velocity * by_velocity;
  double slower = (begin.velocity - to.velocity) * by_velocity;
  const double lift = a * std::abs(a) / 2.0;
  // a start on the last arc to the target stays there: a difference of rounding would take its square root of
  // time
  if (std::abs(slower + lift) <= kRounding * (2.0 * std::abs(v) + std::abs(slower) + a * a)) slower = -lift;
  distance_ = (to.position - begin.position) * by_length;
  up_ = family_of({.velocity = v, .acceleration = a}, slower, v_most);
  down_ = family_of({.velocity = -v, .acceleration = -a}, -slower, v_most);
  const Gain least = least_gain(up_);
  shortest_ = std::max(0.0, least.time);
  is_upward_ = distance_ >= least.distance;
  // times include that of the way back, and are rounded as it is
  const double brake_time = brake_.duration / time_unit_;
  const double way = std::abs(up_.x_plus) + (std::abs(v) + std::abs(slower)) * (shortest_ + brake_time);
  tolerance_ = kReached * (way + (std::abs(begin.position) + std::abs(to.position)) * by_length);
}

double AxisTransition::next_possible_units(double time) const noexcept {
  // at which times each of the families is known to come far enough
  double known_up = -1.0;
  double known_down = -1.0;
  for (int i = 0; i < kMostAlternations && (known_up != time || known_down != time); ++i) {
    if (known_up != time) {
      time = first_time(up_, time, distance_, tolerance_);
      known_up = time;
    }
    if (known_down != time) {
      time = first_time(down_, time, -distance_, tolerance_);
      known_down = time;
    }
  }
  return time;
}

double AxisTransition::fastest() const noexcept {
  SINEW_ASSERT(fault_ == TransitionFault::None);
  return brake_.duration + next_possible_units(shortest_) * time_unit_;
}

double AxisTransition::next_possible(double duration) const noexcept {
  SINEW_ASSERT(fault_ == TransitionFault::None);
  const double time = (duration - brake_.duration) / time_unit_;
  const double possible = next_possible_units(std::max(time, shortest_));
  return possible > time ? brake_.duration + possible * time_unit_ : duration;
}

// both changes of velocity are taken to reach full acceleration, and the peak to be above both velocities
double AxisTransition::estimated_fastest() const noexcept {
  const GainFamily& f = is_upward_ ? up_ : down_;
  const double distance = is_upward_ ? distance_ : -distance_;
  const double v_plus = f.v_end + f.w_plus;
  const double offset = f.x_plus + (v_plus * (1.0 - v_plus) + f.v_end * (1.0 - f.v_end)) / 2.0;
  const double reach = std::max(0.0, distance - offset);
  const double v_most = f.high + f.most_above;
  const double peak = std::min(v_most, std::sqrt(reach + 0.25) - 0.5);
  const double left = std::max(0.0, reach - peak * (peak + 1.0));
  const double ramps = 2.0 * (peak + 1.0) - v_plus - f.v_end - f.a;
  return brake_.duration + std::max(shortest_, ramps + (left > 0.0 ? left / v_most : 0.0)) * time_unit_;
}

bool AxisTransition::plan_motion(double duration, AxisProfile& profile) const noexcept {
  SINEW_ASSERT(fault_ == TransitionFault::None);
  const double time = (duration - brake_.duration) / time_unit_;
  if (time < shortest_ - kRounding * (shortest_ + brake_.duration / time_unit_)) return false;
  const Gain most = gain_in(up_, time);
  const Gain least = gain_in(down_, time);
  const double below_most = most.distance - distance_;
  const double above_least = distance_ + least.distance;
  const double up_slack = tolerance_ + rounding_of(up_, most);
  const double down_slack = tolerance_ + rounding_of(down_, least);
  if (below_most < -kStill * up_slack || above_least < -kStill * down_slack) return false;
  // where only one of the two comes there, it is alone
  const double up_share = below_most <= up_slack      ? 1.0
                          : above_least <= down_slack ? 0.0
                                                      : above_least / (below_most + above_least);
  const JerkSteps up = up_share > 0.0 ? steps_of(up_, most) : kNoSteps;
  const JerkSteps down = up_share < 1.0 ? steps_of(down_, least) : kNoSteps;
  profile.clear();
  AxisState state = from_;
  for (const LimitBrake::Step& step : brake_.steps) profile.append(state, step.jerk, step.time);
  append_mixture(profile, brake_.end,
                 {.up = up,
                  .down = down,
                  .up_jerk = up_share * jerk_,
                  .down_jerk = (up_share - 1.0) * jerk_,
                  .time_unit = time_unit_});
  profile.end_moving(to_, duration);
  return true;
}

}  // namespace sinew
