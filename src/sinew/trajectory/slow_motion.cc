// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/slow_motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/trajectory/jerk_limited.h"

namespace sinew {
namespace {

constexpr int kMostGuesses = 40;
constexpr int kMostRefinements = 60;
constexpr double kAccuracy = 1e-9;

// one motion of the family in which only the velocity limit differs. Its duration grows with the slowness
// 1/v, almost in proportion, which suits the method of false position.
struct Candidate {
  double slowness = 0.0;  // [s/rad, s/m]
  double lateness = 0.0;  // [s]
  AxisProfile profile;
};

// what all of the family have in common
struct Search {
  const TimedTarget& target;
  const AxisState& state;
  const AxisLimits& limits;
};

Candidate at_slowness(double slowness, const Search& search) noexcept {
  AxisLimits slower = search.limits;
  slower.velocity = std::max(kSmallestLimit, 1.0 / slowness);
  Candidate candidate{.slowness = slowness,
                      .profile = plan_to_rest_at(search.target.position, search.state, slower)};
  candidate.lateness = candidate.profile.duration() - search.target.duration;
  return candidate;
}

// the share of the way from `a` to `b` at which to look next: by the parabola through three slownesses as a
// function of lateness where it is monotone, else the middle (Chandrupatla's rule)
double next_share(const Candidate& a, const Candidate& b, const Candidate& older) noexcept {
  const double xi = (a.slowness - b.slowness) / (older.slowness - b.slowness);
  const double phi = (a.lateness - b.lateness) / (older.lateness - b.lateness);
  if (!(phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi)) return 0.5;
  const double alpha = (older.slowness - a.slowness) / (b.slowness - a.slowness);
  return a.lateness / (b.lateness - a.lateness) * older.lateness / (b.lateness - older.lateness) +
         alpha * a.lateness / (older.lateness - a.lateness) * b.lateness / (older.lateness - b.lateness);
}

// the motion between an early and a late one that is in time
AxisProfile refine(Candidate a, Candidate b, const Search& search) noexcept {
  const double accuracy = kAccuracy * search.target.duration;
  // the first look is where the straight line between the two is in time
  double share = a.lateness / (a.lateness - b.lateness);
  for (int i = 0; i < kMostRefinements && std::abs(a.lateness) > accuracy; ++i) {
    const double slowness = a.slowness + std::clamp(share, 1e-6, 1.0 - 1e-6) * (b.slowness - a.slowness);
    const Candidate next = at_slowness(slowness, search);
    Candidate older = a;
    if ((next.lateness > 0.0) != (a.lateness > 0.0)) {
      older = b;
      b = a;
    }
    a = next;
    share = next_share(a, b, older);
  }
  return a.profile;
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
  const Search search{.target = target, .state = state, .limits = limits};
  // a longer cruise takes at most this much more for a given slowness, so the first guess is early, and close
  const double length = std::abs(fastest.end_position() - stop_position(state, limits));
  double guess = early.slowness + (target.duration - fastest.duration()) / length;
  for (int i = 0; i < kMostGuesses && guess <= 1.0 / kSmallestLimit; ++i) {
    const Candidate next = at_slowness(guess, search);
    if (next.lateness > 0.0) return refine(next, early, search);
    early = next;
    guess *= 1.0 + 0.25 * (i + 1);
  }
  return fastest;
}

}  // namespace sinew
