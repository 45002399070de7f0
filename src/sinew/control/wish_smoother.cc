// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/wish_smoother.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/trajectory/jerk_limited.h"

namespace sinew {
namespace {

constexpr double kTimeToFullSpeed = 0.5;  // [s]
constexpr double kTimeToFullAcceleration = 0.1;

/// References further apart than this are targets, not a stream [s].
constexpr double kSlowestStream = 0.25;

double stated_or(double limit, double fallback) {
  return std::isfinite(limit) ? limit : fallback;
}

}  // namespace

Result<std::vector<AxisLimits>> axis_limits(const RobotModel& model) {
  std::vector<AxisLimits> limits;
  for (const std::size_t index : model.positions) {
    const Joint& joint = model.joints[index];
    if (!std::isfinite(joint.limits.velocity)) {
      return Error{
          ErrorCode::InvalidInput,
          fmt::format("joint '{}' has no velocity limit; state one in robot.yaml, as in 'limits: {{{}: "
                      "{{velocity: 1.0}}}}'",
                      joint.name, joint.name)};
    }
    const double acceleration =
        stated_or(joint.limits.acceleration, joint.limits.velocity / kTimeToFullSpeed);
    limits.push_back({.lower = joint.limits.lower,
                      .upper = joint.limits.upper,
                      .velocity = joint.limits.velocity,
                      .acceleration = acceleration,
                      .jerk = stated_or(joint.limits.jerk, acceleration / kTimeToFullAcceleration)});
  }
  return limits;
}

Result<WishSmoother> WishSmoother::make(std::span<const AxisLimits> limits,
                                        const WishSmootherOptions& options) {
  auto axes = JointSmoother::make(limits);
  if (!axes) return axes.error();
  return WishSmoother(*axes, options);
}

WishSmoother::WishSmoother(const JointSmoother& axes, const WishSmootherOptions& options)
    : options_(options),
      axes_(axes),
      filters_(axes_.axis_count(), FirstOrderFilter(options.time_constant)),
      compliant_(axes_.axis_count(), CompliantFilter(options.stiffness)) {}

bool WishSmoother::reset(std::span<const double> positions) SINEW_REALTIME {
  std::array<AxisState, kMaxJoints> states;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    states[i] = {.position = positions[i]};
    streams_[i] = {.position = positions[i], .interval = kSlowestStream};
    last_smoothing_[i] = Smoothing::JerkLimited;
  }
  return axes_.reset({states.data(), positions.size()});
}

SmootherReport WishSmoother::step(const Wish& wish, std::span<const double> measured) SINEW_REALTIME {
  std::array<double, kMaxJoints> targets;
  for (std::size_t i = 0; i < measured.size(); ++i) targets[i] = target_of(i, wish, measured[i]);
  return axes_.step({targets.data(), measured.size()}, options_.period);
}

double WishSmoother::target_of(std::size_t i, const Wish& wish, double measured) SINEW_REALTIME {
  const double here = axes_.states()[i].position;
  // nobody wants anything: it rests where its motion ends
  if (wish.source[i] == kNoSource) return axes_.profile(i).end_position();
  const Smoothing smoothing = wish.smoothing[i];
  if (std::exchange(last_smoothing_[i], smoothing) != smoothing) {
    static_cast<void>(filters_[i].reset(here) && compliant_[i].reset(here));
  }
  const double target = wish.position[i];
  switch (smoothing) {
    case Smoothing::FirstOrder:
      return filters_[i].step(target, options_.period, axes_.limits(i));
    case Smoothing::Compliant:
      return compliant_[i].step(measured, target, options_.period, axes_.limits(i));
    case Smoothing::Direct:
      return follow(i, wish);
    case Smoothing::JerkLimited:
      return target;
  }
  return here;
}

// To follow a moving reference without lag, aim at where it would come to rest if it braked now: whoever is
// on the way there is as near to the reference as one cycle allows.
double WishSmoother::follow(std::size_t i, const Wish& wish) SINEW_REALTIME {
  Stream& stream = streams_[i];
  stream.age += options_.period;
  if ((wish.new_mask >> i & 1) != 0) {
    const bool is_stream = stream.age < kSlowestStream;
    stream.velocity = is_stream ? (wish.position[i] - stream.position) / stream.age : 0.0;
    stream.interval = stream.age;
    stream.position = wish.position[i];
    stream.age = 0.0;
  }
  // a reference that stays away for twice as long as the last one took has come to its end
  if (stream.age > 2.0 * stream.interval) stream.velocity = 0.0;
  const AxisLimits& limits = axes_.limits(i);
  const double velocity = std::clamp(stream.velocity, -limits.velocity, limits.velocity);
  const AxisState reference{.position = stream.position + velocity * std::min(stream.age, stream.interval),
                            .velocity = velocity};
  return std::clamp(stop_position(reference, limits), limits.lower, limits.upper);
}

}  // namespace sinew
