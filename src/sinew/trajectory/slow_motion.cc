// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/slow_motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/trajectory/jerk_limited.h"

namespace sinew {
namespace {

constexpr int kMostDoublings = 40;
constexpr int kMostRefinements = 60;
constexpr double kAccuracy = 1e-9;

// one motion of the family in which only the velocity limit differs. Its duration grows with the slowness
// 1/v, almost in proportion, which suits the method of false position.
struct Candidate {
  double slowness = 0.0;  // [s/rad, s/m]
  double lateness = 0.0;  // [s]
  AxisProfile profile;
};

Candidate at_slowness(double slowness, const TimedTarget& target, const AxisState& state,
                      AxisLimits limits) noexcept {
  limits.velocity = std::max(kSmallestLimit, 1.0 / slowness);
  Candidate candidate{.slowness = slowness, .profile = plan_to_rest_at(target.position, state, limits)};
  candidate.lateness = candidate.profile.duration() - target.duration;
  return candidate;
}

// between one that is early and one that is late, by false position after Illinois
AxisProfile refine(Candidate early, Candidate late, const TimedTarget& target, const AxisState& state,
                   const AxisLimits& limits) noexcept {
  double early_weight = early.lateness;
  double late_weight = late.lateness;
  for (int i = 0; i < kMostRefinements; ++i) {
    if (-early.lateness <= kAccuracy * target.duration) break;
    const double share = early_weight / (early_weight - late_weight);
    const double slowness = early.slowness + share * (late.slowness - early.slowness);
    const Candidate next = at_slowness(slowness, target, state, limits);
    if (next.lateness <= 0.0) {
      early = next;
      early_weight = next.lateness;
      late_weight /= 2.0;
    } else {
      late = next;
      late_weight = next.lateness;
      early_weight /= 2.0;
      if (late.lateness <= kAccuracy * target.duration) return late.profile;
    }
  }
  return early.profile;
}

}  // namespace

AxisProfile slowed_to(const TimedTarget& target, const AxisProfile& fastest, const AxisState& state,
                      const AxisLimits& limits) noexcept {
  if (!(fastest.duration() > 0.0) || !(target.duration > fastest.duration())) return fastest;
  if (state.velocity == 0.0 && state.acceleration == 0.0) {
    AxisProfile slower = fastest;
    slower.stretch(target.duration / fastest.duration());
    return slower;
  }
  Candidate early{.slowness = 1.0 / limits.velocity,
                  .lateness = fastest.duration() - target.duration,
                  .profile = fastest};
  for (int i = 0; i < kMostDoublings; ++i) {
    const Candidate slower = at_slowness(2.0 * early.slowness, target, state, limits);
    if (slower.lateness > 0.0) return refine(early, slower, target, state, limits);
    early = slower;
  }
  return fastest;
}

}  // namespace sinew
