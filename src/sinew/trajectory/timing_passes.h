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
[[gnu::always_inline]] inline double smallest_of(Lanes v) {
  double smallest = v[0];
  for (int i = 1; i < kWidth; ++i) smallest = least(smallest, v[i]);
  return smallest;
}
[[gnu::always_inline]] inline double largest_of(Lanes v) {
  double largest = v[0];
  for (int i = 1; i < kWidth; ++i) largest = greatest(largest, v[i]);
  return largest;
}

// what the strips of one interval say, until the next
struct Interval {
  double rise_factor[2 * kMostTimingRows];  // x is at most factor·y + offset
  double rise_offset[2 * kMostTimingRows];
  double below[2 * kMostTimingRows];  // y is at least next_factor·x - below
};

// where strips side by side go: all arrays have the same order
struct StripPlace {
  double* rise_factor;
  double* rise_offset;
  double* below;
  double* next_factor;
  double* next_offset;
};

// the highest y that some strips demand and the lowest that they allow, for one x; and the largest x by
// strips that do not depend on y
struct Room {
  Lanes floor, ceiling, most;
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

[[gnu::always_inline]] inline void add_strips(Lanes A, Lanes E, Lanes below, Lanes above, double x,
                                              const StripPlace& to, Room& room) {
  const Lanes zero = Lanes{};
  const Lanes one = zero + 1.0;
  const Lanes unbounded = zero + kUnbounded;
  const Masks flipped = A < zero;
  const Lanes a = flipped ? -A : A;
  const Lanes e = flipped ? -E : E;
  const Lanes lower = flipped ? above : below;
  const Lanes upper = flipped ? below : above;
  const Lanes negligible = larger(larger(e, -e), a) * kNegligible;
  // where the next speed does not matter, the strip bounds this one alone
  const Masks is_flat = a <= negligible;
  const Masks rises = e > negligible;
  const Lanes divisor_a = is_flat ? one : a;
  const Lanes divisor_e = rises ? e : one;
  const Lanes by_both = one / (divisor_a * divisor_e);
  const Lanes by_a = divisor_e * by_both;
  const Lanes by_e = divisor_a * by_both;
  const Lanes next_factor = is_flat ? zero : e * by_a;
  const Lanes next_offset = is_flat ? unbounded : upper * by_a;
  const Lanes next_below = is_flat ? unbounded : lower * by_a;
  store_lanes(rises ? a * by_e : zero, to.rise_factor);
  store_lanes(rises ? lower * by_e : unbounded, to.rise_offset);
  store_lanes(next_below, to.below);
  store_lanes(next_factor, to.next_factor);
  store_lanes(next_offset, to.next_offset);
  room.floor = larger(room.floor, next_factor * x - next_below);
  room.ceiling = smaller(room.ceiling, next_factor * x + next_offset);
  const Masks falls = is_flat & (e < zero);
  if (is_any(falls)) room.most = smaller(room.most, falls ? upper / (falls ? -e : one) : unbounded);
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

// whether the first x of interval `i` may be as large as its bound, which is lowered by strips that do not
// depend on the next; all strips are made ready for both passes
[[gnu::always_inline]] inline bool is_free(const TimingProblem& problem, const TimingScratch& scratch, int i,
                                           const StripPlace& all) {
  const int rows = problem.rows;
  const Lanes twice = Lanes{} + 2.0 * (problem.s[i + 1] - problem.s[i]);
  const double x = scratch.most[i];
  Room room{.floor = Lanes{}, .ceiling = Lanes{} + kUnbounded, .most = Lanes{} + x};
  for (int k = 0; k < rows; k += kWidth) {
    for (int end = 0; end < 2; ++end) {
      const int at = (i + end) * rows + k;
      const int bound = (i + end) * problem.bounds_stride + k;
      const int to = 2 * k + end * kWidth;
      const Lanes a = load_lanes(problem.a + at);
      const Lanes bend = twice * load_lanes(problem.b + at);
      const StripPlace place{all.rise_factor + to, all.rise_offset + to, all.below + to, all.next_factor + to,
                             all.next_offset + to};
      add_strips(end == 0 ? a : a + bend, end == 0 ? a - bend : a, -twice * load_lanes(problem.lower + bound),
                 twice * load_lanes(problem.upper + bound), x, place, room);
    }
  }
  scratch.most[i] = smallest_of(room.most);
  return largest_of(room.floor) <= smallest_of(room.ceiling);
}

inline void backward(const TimingProblem& problem, const TimingScratch& scratch) {
  bound_by_velocity(problem, scratch.most);
  const int strips = 2 * problem.rows;
  Interval interval;
  for (int i = problem.points - 2; i >= 0; --i) {
    const StripPlace all{.rise_factor = interval.rise_factor,
                         .rise_offset = interval.rise_offset,
                         .below = interval.below,
                         .next_factor = scratch.next_factor + i * strips,
                         .next_offset = scratch.next_offset + i * strips};
    const bool is_as_it_is = is_free(problem, scratch, i, all);
    const double reach = lowest_line(all.rise_factor, all.rise_offset, strips, scratch.most[i + 1]);
    const double x = least(scratch.most[i], reach);
    scratch.most[i] = is_as_it_is ? x : cut(all, strips, x);
  }
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
