// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/jerk_limited.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <map>
#include <ostream>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

constexpr int kCases = 100000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// what is told of a case that fails
struct Case {
  AxisState from;
  AxisLimits limits;
  double target = 0.0;

  friend std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << std::setprecision(17) << "from " << c.from.position << " " << c.from.velocity << " "
               << c.from.acceleration << " to " << c.target << " limits [" << c.limits.lower << " "
               << c.limits.upper << "] " << c.limits.velocity << " " << c.limits.acceleration << " "
               << c.limits.jerk;
  }
};

// what holds for every profile: it begins at the state, each piece joins the next, and it ends at rest at its
// end
void expect_whole(const AxisProfile& profile, const AxisState& state, const AxisLimits& limits,
                  const Case& text) {
  const AxisState scale = rounding_scale(profile);
  ASSERT_TRUE(profile.duration() == 0.0 || profile.at(0.0) == state) << text;
  const AxisState end = end_of_pieces(profile);
  ASSERT_NEAR(end.position, profile.end_position(), 1e-14 * scale.position) << text;
  ASSERT_NEAR(end.velocity, 0.0, 1e-14 * scale.velocity) << text;
  ASSERT_NEAR(end.acceleration, 0.0, 1e-14 * scale.acceleration) << text;
  for (const ProfilePiece& piece : profile.pieces()) {
    ASSERT_LE(std::abs(piece.jerk), limits.jerk * (1.0 + 1e-15)) << text;
    ASSERT_TRUE(is_usable(piece.start.acceleration)) << text;
  }
}

// within the limits at every instant: acceleration at the ends of pieces, velocity also where acceleration
// vanishes
void expect_inside(const AxisProfile& profile, const AxisLimits& limits, const Case& text) {
  for (const ProfilePiece& piece : profile.pieces()) {
    const auto [p, v, a] = piece.start;
    ASSERT_LE(std::abs(a), limits.acceleration * (1.0 + 1e-12)) << text;
    ASSERT_LE(std::abs(v), limits.velocity * (1.0 + 1e-12)) << text;
    const double turn = piece.jerk != 0.0 ? -a / piece.jerk : 0.0;
    if (turn > 0.0 && profile.jerk_at(piece.start_time + turn) == piece.jerk) {
      ASSERT_LE(std::abs(profile.at(piece.start_time + turn).velocity), limits.velocity * (1.0 + 1e-12))
          << text;
    }
  }
}

TEST(JerkLimitedTest, ReachesEveryTargetWithinTheLimits) {
  RandomMotion random(1);
  for (int i = 0; i < kCases; ++i) {
    const AxisLimits limits = random.usual_limits();
    AxisLimits free = limits;
    free.lower = -kInfinity;
    free.upper = kInfinity;
    const AxisState state = random.state_inside(limits);
    const double target = random.chance(0.05) ? state.position : random.uniform(-3.0, 3.0);
    const AxisProfile profile = plan_to_rest_at(target, state, free);
    const Case text = Case{state, free, target};
    ASSERT_EQ(profile.end_position(), target);
    ASSERT_NO_FATAL_FAILURE(expect_whole(profile, state, free, text));
    ASSERT_NO_FATAL_FAILURE(expect_inside(profile, free, text));
  }
}

TEST(JerkLimitedTest, ReachesEveryTargetWithWildLimitsToo) {
  RandomMotion random(2);
  for (int i = 0; i < kCases; ++i) {
    const AxisLimits limits = random.wild_limits();
    const AxisState state = random.state_inside(limits);
    const double target = state.position + random.uniform(-1.0, 1.0) * random.scale(1e-12, 1e4);
    const AxisProfile profile = plan_to_rest_at(target, state, limits);
    const Case text = Case{state, limits, target};
    ASSERT_EQ(profile.end_position(), target);
    ASSERT_NO_FATAL_FAILURE(expect_whole(profile, state, limits, text));
    ASSERT_NO_FATAL_FAILURE(expect_inside(profile, limits, text));
  }
}

// after the limits were lowered: both come back as fast as the jerk limit allows, and stay
TEST(JerkLimitedTest, ComesBackFromBeyondTheLimits) {
  RandomMotion random(3);
  for (int i = 0; i < kCases; ++i) {
    const AxisLimits limits = random.chance(0.5) ? random.usual_limits() : random.wild_limits();
    const AxisState state = random.state(limits, random.scale(1.0, 30.0));
    const double target = random.uniform(-3.0, 3.0);
    const AxisProfile profile = plan_to_rest_at(target, state, limits);
    const Case text = Case{state, limits, target};
    ASSERT_NO_FATAL_FAILURE(expect_whole(profile, state, limits, text));
    const double a = std::abs(state.acceleration);
    const double over_a = std::max(0.0, a - limits.acceleration) / limits.jerk;
    // the most that the velocity becomes until the acceleration is zero, then brought down at full
    // deceleration
    const double peak = std::abs(state.velocity) + a * a / limits.jerk;
    const double back = over_a + a / limits.jerk + 2.0 * limits.acceleration / limits.jerk +
                        2.0 * std::sqrt(peak / limits.jerk) + peak / limits.acceleration;
    ASSERT_LE(std::abs(profile.at(over_a * (1.0 + 1e-12)).acceleration), limits.acceleration * (1.0 + 1e-9))
        << text;
    for (int k = 0; k < 20; ++k) {
      const AxisState later = profile.at(random.uniform(back, std::max(back, profile.duration())));
      ASSERT_LE(std::abs(later.velocity), limits.velocity * (1.0 + 1e-9)) << text;
      ASSERT_LE(std::abs(later.acceleration), limits.acceleration * (1.0 + 1e-9)) << text;
    }
  }
}

// the textbook's three kinds of motion from rest to rest
double textbook_duration(double distance, const AxisLimits& l) {
  const double to_acceleration = l.acceleration / l.jerk;
  if (l.velocity * l.jerk < l.acceleration * l.acceleration) {
    const double ramp = std::sqrt(l.velocity / l.jerk);
    if (distance >= 2.0 * l.velocity * ramp) return distance / l.velocity + 2.0 * ramp;
    return 4.0 * std::cbrt(distance / (2.0 * l.jerk));
  }
  if (distance >= l.velocity * (l.velocity / l.acceleration + to_acceleration)) {
    return distance / l.velocity + l.velocity / l.acceleration + to_acceleration;
  }
  if (distance < 2.0 * l.acceleration * to_acceleration * to_acceleration) {
    return 4.0 * std::cbrt(distance / (2.0 * l.jerk));
  }
  const double half = to_acceleration / 2.0;
  return to_acceleration + 2.0 * std::sqrt(half * half + distance / l.acceleration);
}

TEST(JerkLimitedTest, TakesTheTextbooksTimeFromRestToRest) {
  RandomMotion random(4);
  for (int i = 0; i < kCases; ++i) {
    const AxisLimits limits = random.wild_limits();
    const double distance = random.scale(1e-6, 1e6);
    const double direction = random.chance(0.5) ? 1.0 : -1.0;
    const double expected = textbook_duration(distance, limits);
    ASSERT_NEAR(plan_to_rest_at(direction * distance, {}, limits).duration(), expected, 1e-12 * expected)
        << Case{{}, limits, distance};
  }
}

// Independent of any theory: on the lattice of motions whose jerk is -1, 0 or 1 for whole seconds, the least
// number of seconds from each state to rest at zero, by going backwards from there. Nothing found that way
// may be faster.
class Lattice {
 public:
  static constexpr int kMostAcceleration = 3;
  static constexpr int kMostVelocity = 6;

  // positions in sixths, velocities in halves, so that all sums are whole
  using Node = std::tuple<int, int, int>;

  explicit Lattice(int seconds) {
    std::vector<Node> shell = {{0, 0, 0}};
    least_[{0, 0, 0}] = 0;
    for (int time = 1; time <= seconds; ++time) {
      std::vector<Node> next;
      for (const Node& node : shell) {
        for (const int jerk : {-1, 0, 1}) {
          const Node before = step_back(node, jerk);
          if (is_allowed(before) && least_.emplace(before, time).second) next.push_back(before);
        }
      }
      shell = next;
    }
  }
  const std::map<Node, int>& least() const { return least_; }

 private:
  static Node step_back(const Node& node, int jerk) {
    const auto [p, v, a_after] = node;
    const int a = a_after - jerk;
    const int v_before = v - 2 * a - jerk;
    return {p - 3 * v_before - 3 * a - jerk, v_before, a};
  }
  static bool is_allowed(const Node& node) {
    const auto [p, v, a] = node;
    return std::abs(a) <= kMostAcceleration && std::abs(v) <= 2 * kMostVelocity;
  }

  std::map<Node, int> least_;
};

TEST(JerkLimitedTest, IsNeverSlowerThanTheBestOfALattice) {
  const AxisLimits limits{
      .velocity = Lattice::kMostVelocity, .acceleration = Lattice::kMostAcceleration, .jerk = 1.0};
  const Lattice lattice(30);
  ASSERT_GT(lattice.least().size(), 20000U);
  std::size_t equal = 0;
  for (const auto& [node, least] : lattice.least()) {
    const auto [p, v, a] = node;
    const AxisState state{.position = p / 6.0, .velocity = v / 2.0, .acceleration = static_cast<double>(a)};
    const double duration = plan_to_rest_at(0.0, state, limits).duration();
    ASSERT_LE(duration, least + 3e-5) << Case{state, limits, 0.0};
    equal += duration > least - 3e-5 ? 1 : 0;
  }
  // where the best motion lies on the lattice, the two agree
  EXPECT_GT(equal, 80U);
}

// any motion within the limits, to its end at rest
struct Wandering {
  double duration = 0.0;
  double end = 0.0;
};

Wandering wander(RandomMotion& random, AxisState state, const AxisLimits& limits) {
  const double unit = limits.acceleration / limits.jerk;
  Wandering wandering;
  const int pieces = static_cast<int>(random.uniform(0.0, 5.0));
  for (int k = 0; k < pieces; ++k) {
    const double jerk = limits.jerk * std::floor(random.uniform(-1.0, 2.0));
    double time = random.scale(0.01, 3.0) * unit;
    // acceleration may go to its limit, not beyond
    if (jerk != 0.0)
      time = std::min(
          time,
          (limits.acceleration - std::copysign(state.acceleration, jerk * state.acceleration)) / limits.jerk);
    const AxisState next = advance(state, jerk, time);
    const double lift = next.velocity + next.acceleration * std::abs(next.acceleration) / (2.0 * limits.jerk);
    if (std::abs(lift) > limits.velocity || std::abs(next.velocity) > limits.velocity) continue;
    state = next;
    wandering.duration += time;
  }
  const AxisProfile stop = plan_stop(state, limits);
  return {.duration = wandering.duration + stop.duration(), .end = stop.end_position()};
}

// how long the rounding of a position takes to cross
double time_of_rounding(double position, const AxisLimits& limits) {
  const double rounding = 1e-15 * (1.0 + std::abs(position));
  return 4.0 * std::cbrt(rounding / limits.jerk) + 2.0 * std::sqrt(rounding / limits.acceleration) +
         rounding / limits.velocity;
}

TEST(JerkLimitedTest, IsNeverSlowerThanAnyMotionToTheSameRest) {
  RandomMotion random(5);
  for (int i = 0; i < kCases; ++i) {
    AxisLimits limits = random.usual_limits();
    limits.lower = -kInfinity;
    limits.upper = kInfinity;
    const AxisState state = random.state_inside(limits);
    const Wandering other = wander(random, state, limits);
    ASSERT_LE(plan_to_rest_at(other.end, state, limits).duration(),
              other.duration * (1.0 + 1e-9) + time_of_rounding(other.end, limits))
        << Case{state, limits, other.end};
  }
}

// where an axis with velocity > 0 turns under the strongest `jerk` that the acceleration limit leaves: at
// rest, nowhere, or at a place
AxisState first_turn(const AxisState& state, const AxisLimits& limits, double jerk) {
  const auto at = [&](double time) {
    const double ramp = (limits.acceleration + state.acceleration * (jerk > 0.0 ? -1.0 : 1.0)) / limits.jerk;
    return advance(advance(state, jerk, std::min(time, ramp)), 0.0, std::max(0.0, time - ramp));
  };
  double low = 0.0;
  double high = jerk < 0.0 ? 1e4 : -state.acceleration / jerk;
  if (!(state.velocity > 0.0)) return {.position = state.position};
  if (!(high > 0.0) || at(high).velocity > 0.0) return {.position = kInfinity};
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2.0;
    (at(middle).velocity > 0.0 ? low : high) = middle;
  }
  return at(high);
}

AxisState mirrored(const AxisState& s) {
  return {-s.position, -s.velocity, -s.acceleration};
}
AxisLimits mirrored(AxisLimits limits) {
  std::swap(limits.lower, limits.upper);
  limits.lower = -limits.lower;
  limits.upper = -limits.upper;
  return limits;
}

TEST(JerkLimitedTest, PassesNoPositionLimitBeforeWhichItCanTurn) {
  RandomMotion random(6);
  int eased_off = 0;
  int could_stop = 0;
  for (int i = 0; i < kCases; ++i) {
    AxisLimits limits = random.usual_limits();
    AxisState state = random.state_inside(limits);
    state.position = random.uniform(limits.lower, limits.upper);
    if (random.chance(0.5)) {
      const double reach = state.velocity * state.velocity / limits.acceleration;
      state.position =
          std::clamp(limits.upper - random.uniform(0.0, 1.0) * reach, limits.lower, limits.upper);
    }
    if (state.velocity < 0.0) {
      state = mirrored(state);
      limits = mirrored(limits);
    }
    const double target = random.chance(0.3) ? limits.upper : random.uniform(-4.0, 4.0);
    const bool stop = random.chance(0.3);
    const AxisProfile profile = stop ? plan_stop(state, limits) : plan_to_rest_at(target, state, limits);
    const Case text = Case{state, limits, target};
    ASSERT_NO_FATAL_FAILURE(expect_whole(profile, state, limits, text));
    ASSERT_NO_FATAL_FAILURE(expect_inside(profile, limits, text));
    const AxisState least_turn = first_turn(state, limits, -limits.jerk);
    // turning that hard would lead beyond the velocity limit
    if (least_turn.acceleration * least_turn.acceleration > 2.0 * limits.jerk * limits.velocity) continue;
    const double end = profile.end_position();
    AxisLimits free = limits;
    free.upper = kInfinity;
    if (least_turn.position <= limits.upper && stop_position(state, free) <= limits.upper) {
      ASSERT_LE(profile.range().highest, limits.upper + 1e-12) << text;
      ++could_stop;
    }
    if (!stop) {
      ASSERT_EQ(end, std::clamp(target, limits.lower, limits.upper)) << text;
    }
    const double free_turn = first_turn(state, limits, limits.jerk).position;
    eased_off += free_turn < kInfinity && free_turn > limits.upper ? 1 : 0;
  }
  EXPECT_GT(eased_off, 100);
  EXPECT_GT(could_stop, kCases / 4);
}

TEST(JerkLimitedTest, StopsAsFastAsItMayAndSaysWhere) {
  RandomMotion random(7);
  for (int i = 0; i < kCases; ++i) {
    const AxisLimits limits = random.chance(0.5) ? random.usual_limits() : random.wild_limits();
    AxisLimits free = limits;
    free.lower = -kInfinity;
    free.upper = kInfinity;
    const AxisState state = random.state(free, random.scale(0.1, 10.0));
    const AxisProfile stop = plan_stop(state, free);
    const Case text = Case{state, free, 0.0};
    ASSERT_NO_FATAL_FAILURE(expect_whole(stop, state, free, text));
    ASSERT_EQ(stop.end_position(), stop_position(state, free));
    // who would go to that very place is not there sooner
    if (!is_usable(stop.end_position())) continue;
    const AxisProfile direct = plan_to_rest_at(stop.end_position(), state, free);
    ASSERT_GE(direct.duration(), stop.duration() * (1.0 - 1e-9)) << text;
  }
}

TEST(JerkLimitedTest, StaysWhereItIs) {
  const AxisProfile profile = plan_to_rest_at(0.7, {.position = 0.7}, {});
  EXPECT_EQ(profile.duration(), 0.0);
  EXPECT_EQ(profile.at(0.0), AxisState{.position = 0.7});
  EXPECT_EQ(plan_stop({.position = 0.7}, {}).duration(), 0.0);
}

TEST(JerkLimitedTest, HoldsWhenTheInputIsNoNumber) {
  for (const double bad : {kNan, kInfinity, -kInfinity, 1e300}) {
    for (int place = 0; place < 9; ++place) {
      double target = 1.0;
      AxisState state{.position = 0.5, .velocity = 0.1};
      AxisLimits limits{.lower = -2.0, .upper = 2.0};
      double* const places[] = {&target,       &state.position, &state.velocity,  &state.acceleration,
                                &limits.lower, &limits.upper,   &limits.velocity, &limits.acceleration,
                                &limits.jerk};
      *places[place] = bad;
      if ((place == 4 && bad < 0.0) || (place == 5 && bad > 0.0)) continue;  // unlimited is allowed
      const AxisProfile profile = plan_to_rest_at(target, state, limits);
      EXPECT_EQ(profile.duration(), 0.0) << place << " " << bad;
      EXPECT_EQ(profile.end_position(), std::isfinite(state.position) ? state.position : 0.0);
    }
  }
}

TEST(JerkLimitedTest, NeverGivesWhatIsNoNumber) {
  RandomMotion random(8);
  const auto any = [&random] { return random.uniform(-1.0, 1.0) * random.scale(1e-12, kLargestValue); };
  for (int i = 0; i < kCases; ++i) {
    const AxisLimits limits{.lower = -random.scale(1e-9, 1e9),
                            .upper = random.scale(1e-9, 1e9),
                            .velocity = random.scale(kSmallestLimit, kLargestValue),
                            .acceleration = random.scale(kSmallestLimit, kLargestValue),
                            .jerk = random.scale(kSmallestLimit, kLargestValue)};
    const AxisState state{.position = any(), .velocity = any(), .acceleration = any()};
    for (const AxisProfile& profile : {plan_to_rest_at(any(), state, limits), plan_stop(state, limits)}) {
      ASSERT_TRUE(std::isfinite(profile.duration()));
      for (int k = 0; k <= 8; ++k) {
        const AxisState s = profile.at(profile.duration() * k / 8.0);
        ASSERT_TRUE(std::isfinite(s.position) && std::isfinite(s.velocity) && std::isfinite(s.acceleration));
      }
    }
  }
}

}  // namespace
}  // namespace sinew
