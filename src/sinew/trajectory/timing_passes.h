// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Between two points of a path, with x the squared speed at the first and y at the next, the acceleration is
// (y - x)/(2·step), and every row at either end is a strip -below <= A·y - E·x <= above in the plane (x, y),
// with below and above not negative, and A not negative by choice of sign. All strips contain (0, 0), so what
// they have in common is convex and the x from which a given y can be reached or undercut begin at 0. The
// largest of them is
//   the smaller of  min over strips with E > 0 of (A·y + below)/E   and  the largest x in all strips:
// the largest x for a given y is a concave function of y that rises, if at all, along the former, and y may
// be smaller. Forward, the largest y from x is min of (E·x + above)/A. So each pass is a multiplication, an
// addition and a minimum per strip; TOPP-RA's linear programs, solved once and for all.
#include "sinew/trajectory/timing_kernel.h"

namespace sinew::kernel {
namespace {

// as many numbers side by side as the processor has registers for
#ifdef __AVX2__
constexpr int kWidth = 4;
#else
constexpr int kWidth = 2;
#endif
static_assert(kTimingLanes % kWidth == 0);
using Lanes = double __attribute__((vector_size(8 * kWidth)));
using Masks = long long __attribute__((vector_size(8 * kWidth)));

constexpr int kMostCuts = 40;
constexpr double kNegligible = 1e-14;
constexpr double kTiny = 1e-100;  // instead of zero, where it is divided by

[[gnu::always_inline]] inline Lanes load_lanes(const double* from) {
  Lanes value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
[[gnu::always_inline]] inline void store_lanes(Lanes value, double* to) {
  __builtin_memcpy(to, &value, sizeof value);
}
[[gnu::always_inline]] inline Lanes smaller(Lanes a, Lanes b) {
#ifdef __AVX2__
  return __builtin_ia32_minpd256(a, b);
#else
  return a < b ? a : b;
#endif
}
[[gnu::always_inline]] inline Lanes larger(Lanes a, Lanes b) {
#ifdef __AVX2__
  return __builtin_ia32_maxpd256(a, b);
#else
  return a > b ? a : b;
#endif
}
[[gnu::always_inline]] inline double least(double a, double b) {
  return a < b ? a : b;
}
[[gnu::always_inline]] inline double greatest(double a, double b) {
  return a > b ? a : b;
}
// the halves against each other, until one number is left
[[gnu::always_inline]] inline double smallest_of(Lanes v) {
#ifdef __AVX2__
  v = smaller(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
#endif
  return least(v[0], v[1]);
}
[[gnu::always_inline]] inline double largest_of(Lanes v) {
#ifdef __AVX2__
  v = larger(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
#endif
  return greatest(v[0], v[1]);
}

// the strips of one interval, as lines in the plane: y from factor·x - below to factor·x + offset
struct StripPlace {
  double* below;
  double* next_factor;
  double* next_offset;
};

// what is known of one interval: for the largest x asked about, the highest y that some strips demand and the
// lowest that they allow; and the largest x from which the next point's y is reached
struct Room {
  Lanes floor, ceiling, reach;
};

[[gnu::always_inline]] inline bool is_any(Masks mask) {
#ifdef __AVX2__
  return __builtin_ia32_movmskpd256((Lanes)mask) != 0;
#else
  long long any = 0;
  for (int i = 0; i < kWidth; ++i) any |= mask[i];
  return any != 0;
#endif
}

// |v|, and e with the sign of v multiplied in
[[gnu::always_inline]] inline Masks sign_of(Lanes v) {
  return (Masks)v & (Masks)(-Lanes{});
}
[[gnu::always_inline]] inline Lanes flipped_by(Lanes v, Masks sign) {
  return (Lanes)((Masks)v ^ sign);
}

// One strip of each row. A strip that does not depend on y bounds x alone: it is taken to depend on it by
// very little, which makes it steep instead of flat and needs no case of its own.
template <bool kIsEven>
[[gnu::always_inline]] inline void add_strips(Lanes A, Lanes E, Lanes below, Lanes above, double x, double y,
                                              const StripPlace& to, Room& room) {
  const Lanes one = Lanes{} + 1.0;
  const Masks sign = sign_of(A);
  const Lanes e = flipped_by(E, sign);
  const Lanes a =
      larger(larger(flipped_by(A, sign), flipped_by(e, sign_of(e)) * kNegligible), Lanes{} + kTiny);
  const Masks flipped = A < Lanes{};
  const Lanes lower = kIsEven ? above : flipped ? above : below;
  const Lanes upper = kIsEven ? above : flipped ? below : above;
  const Masks rises = e > a * kNegligible;
  const Lanes divisor = rises ? e : one;
  const Lanes by_both = one / (a * divisor);
  const Lanes by_a = divisor * by_both;
  const Lanes by_e = a * by_both;
  const Lanes factor = e * by_a;
  const Lanes offset = upper * by_a;
  const Lanes under = kIsEven ? offset : lower * by_a;
  store_lanes(factor, to.next_factor);
  store_lanes(offset, to.next_offset);
  if (!kIsEven) store_lanes(under, to.below);
  room.floor = larger(room.floor, factor * x - under);
  room.ceiling = smaller(room.ceiling, factor * x + offset);
  const Lanes rise_factor = rises ? a * by_e : Lanes{};
  const Lanes rise_offset = rises ? lower * by_e : Lanes{} + kUnbounded;
  room.reach = smaller(room.reach, rise_factor * y + rise_offset);
}

// the largest x at or below `x` that is in all strips: where the highest floor crosses the lowest ceiling,
// again and again
inline double cut(const StripPlace& strips, int count, double x) {
  for (int i = 0; i < kMostCuts; ++i) {
    Lanes floor = Lanes{}, floor_slope = Lanes{}, ceiling = Lanes{} + kUnbounded, ceiling_slope = Lanes{};
    for (int k = 0; k < count; k += kWidth) {
      const Lanes factor = load_lanes(strips.next_factor + k);
      const Lanes low = factor * x - load_lanes(strips.below + k);
      const Lanes high = factor * x + load_lanes(strips.next_offset + k);
      floor_slope = low > floor ? factor : floor_slope;
      floor = larger(low, floor);
      ceiling_slope = high < ceiling ? factor : ceiling_slope;
      ceiling = smaller(high, ceiling);
    }
    const double highest = largest_of(floor);
    const double lowest = smallest_of(ceiling);
    const double excess = highest - lowest;
    if (!(excess > 1e-13 * greatest(highest, 1e-30))) break;
    // of equals any will do: the next round goes on with the other
    const Lanes up = floor == Lanes{} + highest ? floor_slope : Lanes{} - kUnbounded;
    const Lanes down = ceiling == Lanes{} + lowest ? ceiling_slope : Lanes{} + kUnbounded;
    const double closing = largest_of(up) - smallest_of(down);
    if (!(closing > 0.0)) break;
    x = greatest(0.0, x - excess / closing);
  }
  return x;
}

inline void bound_by_velocity(const TimingProblem& problem, double* most) {
  for (int i = 0; i < problem.points; ++i) {
    Lanes slowest = Lanes{};
    for (int k = 0; k < problem.rows; k += kWidth) {
      const Lanes a = load_lanes(problem.a + i * problem.rows + k) * load_lanes(problem.slowness + k);
      slowest = larger(slowest, larger(a, -a));
    }
    const double slowness = largest_of(slowest);
    if (slowness * slowness * most[i] > 1.0) most[i] = 1.0 / (slowness * slowness);
  }
}

// the smallest of factor·x + offset
[[gnu::always_inline]] inline double lowest_line(const double* factor, const double* offset, int count,
                                                 double x) {
  Lanes lowest = load_lanes(factor) * x + load_lanes(offset);
  for (int k = kWidth; k < count; k += kWidth) {
    lowest = smaller(lowest, load_lanes(factor + k) * x + load_lanes(offset + k));
  }
  return smallest_of(lowest);
}

// what interval `i` says; its strips are made ready for the pass forwards
template <bool kIsEven>
[[gnu::always_inline]] inline Room room_of(const TimingProblem& problem, const TimingScratch& scratch, int i,
                                           const StripPlace& all) {
  const int rows = problem.rows;
  const Lanes twice = Lanes{} + 2.0 * (problem.s[i + 1] - problem.s[i]);
  const double x = scratch.most[i];
  const double y = scratch.most[i + 1];
  Room room{.floor = Lanes{}, .ceiling = Lanes{} + kUnbounded, .reach = Lanes{} + x};
  for (int k = 0; k < rows; k += kWidth) {
    for (int end = 0; end < 2; ++end) {
      const int at = (i + end) * rows + k;
      const int bound = (i + end) * problem.bounds_stride + k;
      const int to = 2 * k + end * kWidth;
      const Lanes a = load_lanes(problem.a + at);
      const Lanes bend = twice * load_lanes(problem.b + at);
      add_strips<kIsEven>(end == 0 ? a : a + bend, end == 0 ? a - bend : a,
                          -twice * load_lanes(problem.lower + bound),
                          twice * load_lanes(problem.upper + bound), x, y,
                          {all.below + to, all.next_factor + to, all.next_offset + to}, room);
    }
  }
  return room;
}

// kIsEven: the bounds are the same in both directions
template <bool kIsEven>
inline void backward_pass(const TimingProblem& problem, const TimingScratch& scratch) {
  const int strips = 2 * problem.rows;
  double below[2 * kMostTimingRows];
  for (int i = problem.points - 2; i >= 0; --i) {
    double* const offset = scratch.next_offset + i * strips;
    const StripPlace all{.below = kIsEven ? offset : below,
                         .next_factor = scratch.next_factor + i * strips,
                         .next_offset = offset};
    const Room room = room_of<kIsEven>(problem, scratch, i, all);
    const double x = smallest_of(room.reach);
    const bool is_as_it_is = !is_any(room.floor > Lanes{} + smallest_of(room.ceiling));
    scratch.most[i] = is_as_it_is ? x : cut(all, strips, x);
  }
}

inline void backward(const TimingProblem& problem, const TimingScratch& scratch) {
  bound_by_velocity(problem, scratch.most);
  bool is_even = problem.bounds_stride == 0;
  for (int k = 0; is_even && k < problem.rows; ++k) is_even = problem.lower[k] == -problem.upper[k];
  is_even ? backward_pass<true>(problem, scratch) : backward_pass<false>(problem, scratch);
}

inline void forward(const TimingProblem& problem, const TimingScratch& scratch) {
  const int strips = 2 * problem.rows;
  for (int i = 0; i + 1 < problem.points; ++i) {
    const double reach =
        lowest_line(scratch.next_factor + i * strips, scratch.next_offset + i * strips, strips, scratch.x[i]);
    scratch.x[i + 1] = greatest(0.0, least(scratch.most[i + 1], reach));
  }
  for (int i = 0; i < problem.points; ++i) scratch.speed[i] = __builtin_sqrt(scratch.x[i]);
  for (int i = 1; i < problem.points; ++i) {
    scratch.time[i] = 2.0 * (problem.s[i] - problem.s[i - 1]) / (scratch.speed[i - 1] + scratch.speed[i]);
  }
  scratch.time[0] = 0.0;
  for (int i = 1; i < problem.points; ++i) scratch.time[i] += scratch.time[i - 1];
}

inline RateShares rates(const RateProblem& problem) {
  const int rows = problem.rows;
  const double v = problem.speed;
  Lanes velocity = Lanes{}, acceleration = Lanes{}, jerk = Lanes{};
  for (int k = 0; k < rows; k += kWidth) {
    const Lanes c0 = load_lanes(problem.slope + k);
    const Lanes c1 = load_lanes(problem.slope + rows + k);
    const Lanes c2 = load_lanes(problem.slope + 2 * rows + k);
    const Lanes c3 = load_lanes(problem.slope + 3 * rows + k);
    const Lanes c4 = load_lanes(problem.slope + 4 * rows + k);
    const double t = problem.t;
    const Lanes first = c0 + t * (c1 + t * (c2 + t * (c3 + t * c4)));
    const Lanes second = c1 + t * (2.0 * c2 + t * (3.0 * c3 + t * (4.0 * c4)));
    const Lanes third = 2.0 * c2 + t * (6.0 * c3 + t * (12.0 * c4));
    const Lanes of_velocity = first * v * load_lanes(problem.slowness + k);
    const Lanes of_acceleration =
        (second * (v * v) + first * problem.acceleration) * load_lanes(problem.softness + k);
    const Lanes of_jerk =
        (third * (v * v * v) + second * (3.0 * v * problem.acceleration) + first * problem.jerk) *
        load_lanes(problem.roundness + k);
    velocity = larger(velocity, larger(of_velocity, -of_velocity));
    acceleration = larger(acceleration, larger(of_acceleration, -of_acceleration));
    jerk = larger(jerk, larger(of_jerk, -of_jerk));
  }
  return {
      .velocity = largest_of(velocity), .acceleration = largest_of(acceleration), .jerk = largest_of(jerk)};
}

inline bool are_within(const double* values, int count, double most) {
  Masks is_bad = Masks{};
  for (int k = 0; k < count; k += kWidth) {
    const Lanes value = load_lanes(values + k);
    const Lanes size = value < Lanes{} ? -value : value;
    is_bad |= ~(size <= Lanes{} + most);
  }
  return !is_any(is_bad);
}

}  // namespace
}  // namespace sinew::kernel
