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

using D4 = double __attribute__((vector_size(32)));
using L4 = long long __attribute__((vector_size(32)));

constexpr int kMostCuts = 40;
constexpr double kNegligible = 1e-14;

[[gnu::always_inline]] inline D4 load4(const double* from) {
  D4 value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
[[gnu::always_inline]] inline void store4(D4 value, double* to) {
  __builtin_memcpy(to, &value, sizeof value);
}
[[gnu::always_inline]] inline D4 smaller4(D4 a, D4 b) {
#ifdef __AVX2__
  return __builtin_ia32_minpd256(a, b);
#else
  return a < b ? a : b;
#endif
}
[[gnu::always_inline]] inline D4 larger4(D4 a, D4 b) {
#ifdef __AVX2__
  return __builtin_ia32_maxpd256(a, b);
#else
  return a > b ? a : b;
#endif
}
[[gnu::always_inline]] inline double smaller1(double a, double b) {
  return a < b ? a : b;
}
[[gnu::always_inline]] inline double larger1(double a, double b) {
  return a > b ? a : b;
}
[[gnu::always_inline]] inline double smallest_of(D4 v) {
  return smaller1(smaller1(v[0], v[2]), smaller1(v[1], v[3]));
}
[[gnu::always_inline]] inline double largest_of(D4 v) {
  return larger1(larger1(v[0], v[2]), larger1(v[1], v[3]));
}

// what the strips of one interval say, until the next
struct Interval {
  double rise_factor[2 * kMostTimingRows];  // x is at most factor·y + offset
  double rise_offset[2 * kMostTimingRows];
  double below[2 * kMostTimingRows];  // y is at least next_factor·x - below
};

// where four strips go: all arrays have the same order
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
  D4 floor, ceiling, most;
};

[[gnu::always_inline]] inline bool is_any(L4 mask) {
#ifdef __AVX2__
  return __builtin_ia32_movmskpd256((D4)mask) != 0;
#else
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

[[gnu::always_inline]] inline void add_strips(D4 A, D4 E, D4 below, D4 above, double x, const StripPlace& to,
                                              Room& room) {
  const D4 zero = D4{};
  const D4 one = zero + 1.0;
  const D4 unbounded = zero + kUnbounded;
  const L4 flipped = A < zero;
  const D4 a = flipped ? -A : A;
  const D4 e = flipped ? -E : E;
  const D4 lower = flipped ? above : below;
  const D4 upper = flipped ? below : above;
  const D4 negligible = larger4(larger4(e, -e), a) * kNegligible;
  // where the next speed does not matter, the strip bounds this one alone
  const L4 is_flat = a <= negligible;
  const L4 rises = e > negligible;
  const D4 divisor_a = is_flat ? one : a;
  const D4 divisor_e = rises ? e : one;
  const D4 by_both = one / (divisor_a * divisor_e);
  const D4 by_a = divisor_e * by_both;
  const D4 by_e = divisor_a * by_both;
  const D4 next_factor = is_flat ? zero : e * by_a;
  const D4 next_offset = is_flat ? unbounded : upper * by_a;
  const D4 next_below = is_flat ? unbounded : lower * by_a;
  store4(rises ? a * by_e : zero, to.rise_factor);
  store4(rises ? lower * by_e : unbounded, to.rise_offset);
  store4(next_below, to.below);
  store4(next_factor, to.next_factor);
  store4(next_offset, to.next_offset);
  room.floor = larger4(room.floor, next_factor * x - next_below);
  room.ceiling = smaller4(room.ceiling, next_factor * x + next_offset);
  const L4 falls = is_flat & (e < zero);
  if (is_any(falls)) room.most = smaller4(room.most, falls ? upper / (falls ? -e : one) : unbounded);
}

// the largest x at or below `x` that is in all strips: where the highest floor crosses the lowest ceiling,
// again and again
inline double cut(const StripPlace& strips, int count, double x) {
  for (int i = 0; i < kMostCuts; ++i) {
    double floor = 0.0, floor_slope = 0.0, ceiling = kUnbounded, ceiling_slope = 0.0;
    for (int k = 0; k < count; ++k) {
      const double middle = strips.next_factor[k] * x;
      if (middle - strips.below[k] > floor) {
        floor = middle - strips.below[k];
        floor_slope = strips.next_factor[k];
      }
      if (middle + strips.next_offset[k] < ceiling) {
        ceiling = middle + strips.next_offset[k];
        ceiling_slope = strips.next_factor[k];
      }
    }
    const double excess = floor - ceiling;
    if (!(excess > 1e-13 * larger1(floor, 1e-30)) || !(floor_slope > ceiling_slope)) break;
    x = larger1(0.0, x - excess / (floor_slope - ceiling_slope));
  }
  return x;
}

inline void bound_by_velocity(const TimingProblem& problem, double* most) {
  for (int i = 0; i < problem.points; ++i) {
    D4 slowest = D4{};
    for (int k = 0; k < problem.rows; k += kTimingLanes) {
      const D4 a = load4(problem.a + i * problem.rows + k) * load4(problem.slowness + k);
      slowest = larger4(slowest, larger4(a, -a));
    }
    const double slowness = largest_of(slowest);
    if (slowness * slowness * most[i] > 1.0) most[i] = 1.0 / (slowness * slowness);
  }
}

// the smallest of factor·x + offset
[[gnu::always_inline]] inline double lowest_line(const double* factor, const double* offset, int count,
                                                 double x) {
  D4 least = load4(factor) * x + load4(offset);
  for (int k = kTimingLanes; k < count; k += kTimingLanes) {
    least = smaller4(least, load4(factor + k) * x + load4(offset + k));
  }
  return smallest_of(least);
}

// the largest first x of interval `i` in all of its strips, which are made ready for both passes
[[gnu::always_inline]] inline double most_in_strips(const TimingProblem& problem,
                                                    const TimingScratch& scratch, int i, Interval& interval) {
  const int rows = problem.rows;
  const D4 twice = D4{} + 2.0 * (problem.s[i + 1] - problem.s[i]);
  double x = scratch.most[i];
  Room room{.floor = D4{}, .ceiling = D4{} + kUnbounded, .most = D4{} + x};
  const StripPlace all{.rise_factor = interval.rise_factor,
                       .rise_offset = interval.rise_offset,
                       .below = interval.below,
                       .next_factor = scratch.next_factor + 2 * i * rows,
                       .next_offset = scratch.next_offset + 2 * i * rows};
  for (int k = 0; k < rows; k += kTimingLanes) {
    for (int end = 0; end < 2; ++end) {
      const int at = (i + end) * rows + k;
      const int bound = (i + end) * problem.bounds_stride + k;
      const int to = 2 * k + end * kTimingLanes;
      const D4 a = load4(problem.a + at);
      const D4 bend = twice * load4(problem.b + at);
      const StripPlace place{all.rise_factor + to, all.rise_offset + to, all.below + to, all.next_factor + to,
                             all.next_offset + to};
      add_strips(end == 0 ? a : a + bend, end == 0 ? a - bend : a, -twice * load4(problem.lower + bound),
                 twice * load4(problem.upper + bound), x, place, room);
    }
  }
  x = smallest_of(room.most);
  return largest_of(room.floor) > smallest_of(room.ceiling) ? cut(all, 2 * rows, x) : x;
}

inline void backward(const TimingProblem& problem, const TimingScratch& scratch) {
  bound_by_velocity(problem, scratch.most);
  Interval interval;
  for (int i = problem.points - 2; i >= 0; --i) {
    const double most = most_in_strips(problem, scratch, i, interval);
    const double reach =
        lowest_line(interval.rise_factor, interval.rise_offset, 2 * problem.rows, scratch.most[i + 1]);
    scratch.most[i] = smaller1(most, reach);
  }
}

inline void forward(const TimingProblem& problem, const TimingScratch& scratch) {
  const int strips = 2 * problem.rows;
  for (int i = 0; i + 1 < problem.points; ++i) {
    const double reach =
        lowest_line(scratch.next_factor + i * strips, scratch.next_offset + i * strips, strips, scratch.x[i]);
    scratch.x[i + 1] = larger1(0.0, smaller1(scratch.most[i + 1], reach));
  }
  for (int i = 0; i < problem.points; ++i) scratch.speed[i] = __builtin_sqrt(scratch.x[i]);
  for (int i = 1; i < problem.points; ++i) {
    scratch.time[i] = 2.0 * (problem.s[i] - problem.s[i - 1]) / (scratch.speed[i - 1] + scratch.speed[i]);
  }
  scratch.time[0] = 0.0;
  for (int i = 1; i < problem.points; ++i) scratch.time[i] += scratch.time[i - 1];
}

inline bool are_within(const double* values, int count, double most) {
  L4 is_bad = L4{};
  for (int k = 0; k < count; k += kTimingLanes) {
    const D4 value = load4(values + k);
    const D4 size = value < D4{} ? -value : value;
    is_bad |= ~(size <= D4{} + most);
  }
  return !is_any(is_bad);
}

}  // namespace
}  // namespace sinew::kernel
