// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/segment.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_vector.h"

namespace sinew {
namespace {

constexpr std::int64_t kLongestSegment_ns = 86'400'000'000'000;
constexpr int kMostRootSteps = 64;
constexpr double kRootAccuracy = 1e-10;

using UnitCoefficients = std::array<double, PolynomialSegment::kCoefficients>;
constexpr std::size_t kMostDegree = PolynomialSegment::kCoefficients - 1;

// the ends of stretches on which a polynomial is monotone: 0, at most four turns, 1
using Ends = FixedVector<double, 6>;

double seconds(std::int64_t time_ns) noexcept {
  return static_cast<double>(time_ns) * 1e-9;
}

// unsigned, because the difference of any two times fits there
std::uint64_t time_between(std::int64_t earlier_ns, std::int64_t later_ns) noexcept {
  return static_cast<std::uint64_t>(later_ns) - static_cast<std::uint64_t>(earlier_ns);
}

// a polynomial of known degree: the higher coefficients are zero
struct Polynomial {
  UnitCoefficients c{};
  std::size_t degree = 0;

  double at(double t) const noexcept {
    double sum = c[degree];
    for (std::size_t k = degree; k-- > 0;) sum = sum * t + c[k];
    return sum;
  }
};

Polynomial derivative(const Polynomial& p) noexcept {
  Polynomial d{.degree = p.degree > 0 ? p.degree - 1 : 0};
  for (std::size_t k = 1; k <= p.degree; ++k) d.c[k - 1] = p.c[k] * static_cast<double>(k);
  return d;
}

// where a polynomial that is monotone from `low` to `high`, and has different signs there, is zero. An
// extremum does not change to first order with its place, so that half the digits are enough.
double root_between(const Polynomial& p, const Polynomial& slope, double low, double high) noexcept {
  const bool rises = p.at(low) < 0.0;
  double t = low + (high - low) / 2.0;
  for (int i = 0; i < kMostRootSteps && high - low > kRootAccuracy; ++i) {
    const double value = p.at(t);
    if (value == 0.0) break;
    ((value < 0.0) == rises ? low : high) = t;
    const double newton = t - value / slope.at(t);
    const double next = newton > low && newton < high ? newton : low + (high - low) / 2.0;
    const double change = std::abs(next - t);
    t = next;
    if (change <= kRootAccuracy) break;
  }
  return t;
}

// the roots of a parabola, or of a line, inside of the unit interval
Ends turns_of_parabola(const Polynomial& p) noexcept {
  Ends ends = {0.0};
  const double discriminant = p.c[1] * p.c[1] - 4.0 * p.c[0] * p.c[2];
  if (discriminant > 0.0) {
    const double q = -(p.c[1] + std::copysign(std::sqrt(discriminant), p.c[1])) / 2.0;
    const double one = p.c[2] != 0.0 ? q / p.c[2] : -1.0;
    const double other = p.c[0] / q;
    for (const double root : {std::min(one, other), std::max(one, other)})
      if (root > 0.0 && root < 1.0) ends.push_back(root);
  }
  ends.push_back(1.0);
  return ends;
}

// between its roots, a derivative keeps its sign: there the polynomial is monotone
Ends turns_of(const Polynomial& slope, const Polynomial& bend, const Ends& ends_of_slope) noexcept {
  if (slope.degree <= 2) return turns_of_parabola(slope);
  Ends ends = {0.0};
  for (std::size_t i = 0; i + 1 < ends_of_slope.size(); ++i) {
    const double low = ends_of_slope[i];
    const double high = ends_of_slope[i + 1];
    if ((slope.at(low) < 0.0) == (slope.at(high) < 0.0)) continue;
    ends.push_back(root_between(slope, bend, low, high));
  }
  ends.push_back(1.0);
  return ends;
}

// what bounds one derivative
struct Bounds {
  SegmentFault fault = SegmentFault::None;
  double lower = 0.0;
  double upper = 0.0;
  double unit = 1.0;  // by which it is divided for going from the unit interval to seconds
};

double tolerance(double bound, bool is_position) noexcept {
  return kSegmentTolerance * (is_position ? std::max(1.0, std::abs(bound)) : std::abs(bound));
}

// A polynomial stays within the range of its Bernstein coefficients: where these keep the bounds, no extremum
// needs to be found.
bool is_surely_within(const Polynomial& p, const Bounds& bounds) noexcept {
  UnitCoefficients b = p.c;
  double choices = 1.0;  // degree over k
  for (std::size_t k = 1; k <= p.degree; ++k) {
    choices = choices * static_cast<double>(p.degree - k + 1) / static_cast<double>(k);
    b[k] /= choices;
  }
  for (std::size_t row = 1; row <= p.degree; ++row) {
    for (std::size_t i = p.degree; i >= row; --i) b[i] += b[i - 1];
  }
  const auto [least, most] =
      std::minmax_element(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(p.degree) + 1);
  const bool is_position = bounds.fault == SegmentFault::Position;
  return *least >= (bounds.lower - tolerance(bounds.lower, is_position)) * bounds.unit &&
         *most <= (bounds.upper + tolerance(bounds.upper, is_position)) * bounds.unit;
}

// the worst of the extrema, if it passes a bound
void judge(const Polynomial& p, const Ends& ends, const Bounds& bounds, SegmentCheck& check) noexcept {
  double worst = 0.0;
  for (const double t : ends) {
    const double value = p.at(t) / bounds.unit;
    const double bound = value > bounds.upper ? bounds.upper : bounds.lower;
    const double excess = std::max(value - bounds.upper, bounds.lower - value);
    if (!(excess > worst + tolerance(bound, bounds.fault == SegmentFault::Position))) continue;
    worst = excess;
    check = {.fault = bounds.fault, .value = value, .bound = bound, .time = t};
  }
}

// the same polynomial on the unit interval; false when a sum might overflow
bool to_unit_interval(const UnitCoefficients& coefficient, double duration, UnitCoefficients& c) noexcept {
  double power = 1.0;
  for (std::size_t k = 0; k < c.size(); ++k, power *= duration) {
    c[k] = coefficient[k] * power;
    if (!is_usable(c[k])) return false;
  }
  return true;
}

// a polynomial and its derivatives, on the unit interval
using Orders = std::array<Polynomial, kMostDegree + 1>;

void derive(Orders& order) noexcept {
  order[0].degree = kMostDegree;
  for (std::size_t k = 1; k < order.size(); ++k) order[k] = derivative(order[k - 1]);
}

}  // namespace

PolynomialSegment cubic_segment(const SegmentTime& time, const AxisState& from,
                                const AxisState& to) noexcept {
  const double t = seconds(time.duration_ns);
  const double distance = to.position - from.position;
  return {.time = time,
          .coefficient = {from.position, from.velocity,
                          (3.0 * distance / t - 2.0 * from.velocity - to.velocity) / t,
                          (from.velocity + to.velocity - 2.0 * distance / t) / (t * t), 0.0, 0.0}};
}

PolynomialSegment quintic_segment(const SegmentTime& time, const AxisState& from,
                                  const AxisState& to) noexcept {
  const double t = seconds(time.duration_ns);
  // on the unit interval
  const double distance = to.position - from.position;
  const double v0 = from.velocity * t;
  const double v1 = to.velocity * t;
  const double a0 = from.acceleration * t * t;
  const double a1 = to.acceleration * t * t;
  const double c3 = 10.0 * distance - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1;
  const double c4 = -15.0 * distance + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1;
  const double c5 = 6.0 * distance - 3.0 * (v0 + v1) + 0.5 * (a1 - a0);
  const double t3 = t * t * t;
  return {.time = time,
          .coefficient = {from.position, from.velocity, from.acceleration / 2.0, c3 / t3, c4 / (t3 * t),
                          c5 / (t3 * t * t)}};
}

bool contains(const PolynomialSegment& segment, std::int64_t now_ns) noexcept {
  if (now_ns < segment.time.start_ns || segment.time.duration_ns < 0) return false;
  return time_between(segment.time.start_ns, now_ns) <= static_cast<std::uint64_t>(segment.time.duration_ns);
}

AxisState evaluate(const PolynomialSegment& segment, std::int64_t now_ns) noexcept {
  std::int64_t since_ns = 0;
  if (contains(segment, now_ns)) {
    since_ns = static_cast<std::int64_t>(time_between(segment.time.start_ns, now_ns));
  } else if (now_ns > segment.time.start_ns) {
    since_ns = std::max<std::int64_t>(0, segment.time.duration_ns);
  }
  const double t = seconds(since_ns);
  const Polynomial position{.c = segment.coefficient, .degree = kMostDegree};
  const Polynomial velocity = derivative(position);
  return {.position = position.at(t), .velocity = velocity.at(t), .acceleration = derivative(velocity).at(t)};
}

SegmentCheck check_polynomial(const UnitCoefficients& coefficient, double duration,
                              const AxisLimits& limits) noexcept {
  Orders order;
  if (!(duration > 0.0) || !is_usable(limits) || !to_unit_interval(coefficient, duration, order[0].c)) {
    return {.fault = SegmentFault::NotUsable};
  }
  derive(order);

  const double t = duration;
  const std::array<Bounds, 4> bounds = {{
      {SegmentFault::Position, limits.lower, limits.upper, 1.0},
      {SegmentFault::Velocity, -limits.velocity, limits.velocity, t},
      {SegmentFault::Acceleration, -limits.acceleration, limits.acceleration, t * t},
      {SegmentFault::Jerk, -limits.jerk, limits.jerk, t * t * t},
  }};
  SegmentCheck check;
  Ends ends = {0.0, 1.0};  // the fourth derivative is a straight line
  std::size_t lowest = 0;  // the extrema of each order are needed for those below it
  while (lowest < bounds.size() && is_surely_within(order[lowest], bounds[lowest])) ++lowest;
  for (std::size_t k = bounds.size(); k-- > lowest;) {
    ends = turns_of(order[k + 1], order[k + 2], ends);
    judge(order[k], ends, bounds[k], check);
  }
  check.time *= t;
  return check;
}

PolynomialPeaks peak_bounds(const UnitCoefficients& coefficient, double duration) noexcept {
  // the Bernstein coefficients on the unit interval, and then their differences
  const double t = duration;
  const double c1 = coefficient[1] * t * 0.2;
  const double c2 = coefficient[2] * (t * t) * 0.1;
  const double c3 = coefficient[3] * (t * t * t) * 0.1;
  const double c4 = coefficient[4] * (t * t) * (t * t) * 0.2;
  const double c5 = coefficient[5] * (t * t) * (t * t * t);
  const std::array<double, 3> j = {c3, c3 + c4, c3 + 2.0 * c4 + c5};
  const std::array<double, 4> a = {c2, c2 + j[0], c2 + j[0] + j[1], c2 + j[0] + j[1] + j[2]};
  double velocity = c1;
  PolynomialPeaks most{.velocity = std::abs(c1)};
  for (const double each : a) {
    velocity += each;
    most.velocity = std::max(most.velocity, std::abs(velocity));
    most.acceleration = std::max(most.acceleration, std::abs(each));
  }
  most.jerk = std::max({std::abs(j[0]), std::abs(j[1]), std::abs(j[2])});
  return {.velocity = 5.0 * most.velocity / t,
          .acceleration = 20.0 * most.acceleration / (t * t),
          .jerk = 60.0 * most.jerk / (t * t * t)};
}

PolynomialPeaks polynomial_peaks(const UnitCoefficients& coefficient, double duration) noexcept {
  Orders order;
  if (!(duration > 0.0) || !to_unit_interval(coefficient, duration, order[0].c)) return {};
  derive(order);
  std::array<double, 4> peak{};
  Ends ends = {0.0, 1.0};
  for (std::size_t k = peak.size(); k-- > 1;) {
    ends = turns_of(order[k + 1], order[k + 2], ends);
    for (const double t : ends) peak[k] = std::max(peak[k], std::abs(order[k].at(t)));
  }
  const double t = duration;
  return {.velocity = peak[1] / t, .acceleration = peak[2] / (t * t), .jerk = peak[3] / (t * t * t)};
}

SegmentCheck check_segment(const PolynomialSegment& segment, const AxisLimits& limits) noexcept {
  const std::int64_t duration_ns = segment.time.duration_ns;
  if (duration_ns <= 0 || duration_ns > kLongestSegment_ns) {
    return {.fault = SegmentFault::NoDuration,
            .value = seconds(duration_ns),
            .bound = seconds(kLongestSegment_ns)};
  }
  return check_polynomial(segment.coefficient, seconds(duration_ns), limits);
}

Status segment_status(const SegmentCheck& check, std::string_view joint) {
  const auto beyond = [&](std::string_view what, std::string_view unit) {
    return Error{
        ErrorCode::OutOfLimits,
        fmt::format(
            "joint '{}': {} {:.6g} {} at {:.6g} s of the segment passes its limit {:.6g}; take more time or "
            "another way",
            joint, what, check.value, unit, check.time, check.bound)};
  };
  switch (check.fault) {
    case SegmentFault::None:
      return Done{};
    case SegmentFault::NotUsable:
      return Error{
          ErrorCode::InvalidInput,
          fmt::format(
              "joint '{}': the segment's coefficients or the joint's limits are no numbers to compute "
              "with (at most {:g} each); send finite ones",
              joint, kLargestValue)};
    case SegmentFault::NoDuration:
      return Error{
          ErrorCode::InvalidInput,
          fmt::format("joint '{}': a segment of {:.6g} s: it must last more than 0 and at most {:.6g} s",
                      joint, check.value, check.bound)};
    case SegmentFault::Position:
      return beyond("position", "rad or m");
    case SegmentFault::Velocity:
      return beyond("velocity", "rad/s or m/s");
    case SegmentFault::Acceleration:
      return beyond("acceleration", "rad/s² or m/s²");
    case SegmentFault::Jerk:
      return beyond("jerk", "rad/s³ or m/s³");
  }
  return Done{};
}

}  // namespace sinew
