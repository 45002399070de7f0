// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/joint_curve.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/assert.h"

namespace sinew {
CurvePoint evaluate(const Coefficients& c, double t) noexcept {
  return {
      .value = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5])))),
      .first = c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * (4.0 * c[4] + t * (5.0 * c[5])))),
      .second = 2.0 * c[2] + t * (6.0 * c[3] + t * (12.0 * c[4] + t * (20.0 * c[5]))),
      .third = 6.0 * c[3] + t * (24.0 * c[4] + t * (60.0 * c[5])),
  };
}

Coefficients quintic_between(const CurvePoint& from, const CurvePoint& to, double length) noexcept {
  const double t = length;
  // what is left when the start's parabola is taken away: small where the curve is smooth, so that little is
  // lost by cancellation
  const double p = to.value - from.value - t * (from.first + t * (from.second / 2.0));
  const double v = (to.first - from.first - t * from.second) * t;
  const double a = (to.second - from.second) * t * t;
  const double t3 = t * t * t;
  return {from.value,
          from.first,
          from.second / 2.0,
          (10.0 * p - 4.0 * v + 0.5 * a) / t3,
          (-15.0 * p + 7.0 * v - a) / (t3 * t),
          (6.0 * p - 3.0 * v + 0.5 * a) / (t3 * t * t)};
}

// by the Bernstein coefficients of the second derivative
double bend_bound(const Coefficients& c, double length) noexcept {
  const double a0 = 2.0 * c[2];
  const double a1 = 6.0 * c[3] * length;
  const double a2 = 12.0 * c[4] * length * length;
  const double a3 = 20.0 * c[5] * length * length * length;
  return std::max({std::abs(a0), std::abs(a0 + a1 / 3.0), std::abs(a0 + (2.0 * a1 + a2) / 3.0),
                   std::abs(a0 + a1 + a2 + a3)});
}

Coefficients shifted(Coefficients c, double shift) noexcept {
  // synthetic division, again and again
  for (std::size_t row = 0; row + 1 < c.size(); ++row) {
    for (std::size_t k = c.size() - 1; k-- > row;) c[k] += shift * c[k + 1];
  }
  return c;
}

void JointCurve::append(double length, std::span<const Coefficients> polynomials) {
  SINEW_ASSERT(polynomials.size() == joint_count_ && length > 0.0);
  if (knots_.empty()) knots_.push_back(0.0);
  knots_.push_back(knots_.back() + length);
  lengths_.push_back(length);
  coefficients_.insert(coefficients_.end(), polynomials.begin(), polynomials.end());
}

void JointCurve::reserve(std::size_t pieces) {
  knots_.reserve(pieces + 1);
  lengths_.reserve(pieces);
  coefficients_.reserve(pieces * joint_count_);
}

std::size_t JointCurve::piece_at(double t) const noexcept {
  if (piece_count() == 0) return 0;
  const auto inner_end = knots_.end() - 1;
  return static_cast<std::size_t>(std::upper_bound(knots_.begin() + 1, inner_end, t) - knots_.begin()) - 1;
}

CurvePoint JointCurve::at(std::size_t joint, double t) const noexcept {
  if (piece_count() == 0) return {};
  const std::size_t piece = piece_at(t);
  return evaluate(polynomial(piece, joint), std::clamp(t - knots_[piece], 0.0, lengths_[piece]));
}

void JointCurve::sample(double t, std::span<CurvePoint> points) const noexcept {
  SINEW_ASSERT(points.size() >= joint_count_);
  if (piece_count() == 0) return;
  const std::size_t piece = piece_at(t);
  const double local = std::clamp(t - knots_[piece], 0.0, lengths_[piece]);
  for (std::size_t j = 0; j < joint_count_; ++j) points[j] = evaluate(polynomial(piece, j), local);
}

void JointCurve::sample(double t, std::span<AxisState> states) const noexcept {
  SINEW_ASSERT(states.size() >= joint_count_);
  if (piece_count() == 0) return;
  const std::size_t piece = piece_at(t);
  const double local = std::clamp(t - knots_[piece], 0.0, lengths_[piece]);
  for (std::size_t j = 0; j < joint_count_; ++j) {
    const CurvePoint point = evaluate(polynomial(piece, j), local);
    states[j] = {.position = point.value, .velocity = point.first, .acceleration = point.second};
  }
}

void JointCurve::stretch(double factor) noexcept {
  SINEW_ASSERT(factor > 0.0);
  for (double& knot : knots_) knot *= factor;
  for (double& length : lengths_) length *= factor;
  for (Coefficients& c : coefficients_) {
    double power = factor;
    for (std::size_t k = 1; k < c.size(); ++k, power *= factor) c[k] /= power;
  }
}

PolynomialSegment JointCurve::segment(std::size_t piece, std::size_t joint) const noexcept {
  const std::int64_t start_ns = std::llround(knots_[piece] * 1e9);
  const std::int64_t end_ns = std::llround(knots_[piece + 1] * 1e9);
  const double shift = static_cast<double>(start_ns) * 1e-9 - knots_[piece];
  return {.time = {.start_ns = start_ns, .duration_ns = end_ns - start_ns},
          .coefficient = shifted(polynomial(piece, joint), shift)};
}

}  // namespace sinew
