// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/trajectory/axis.h"
#include "sinew/trajectory/segment.h"

namespace sinew {

/// The coefficients of a polynomial of degree five at most: Σ c[k]·t^k, t from the begin of its piece.
using Coefficients = std::array<double, PolynomialSegment::kCoefficients>;

/// Value and first three derivatives of one joint.
struct CurvePoint {
  double value = 0.0;
  double first = 0.0;
  double second = 0.0;
  double third = 0.0;
};

/// Value and derivatives of a polynomial, `t` after its begin.
CurvePoint evaluate(const Coefficients& c, double t) SINEW_REALTIME;

/// A bound of the magnitude of the second derivative in the first `length` of a polynomial: never below the
/// largest there is, and close to it for smooth pieces.
double bend_bound(const Coefficients& c, double length) SINEW_REALTIME;

/// p(t + shift) as a polynomial of t.
Coefficients shifted(Coefficients c, double shift) SINEW_REALTIME;

/// The quintic with the value and two derivatives of `from` and, `length` later, of `to`.
Coefficients quintic_between(const CurvePoint& from, const CurvePoint& to, double length) SINEW_REALTIME;

/// N joints as functions of one parameter: pieces of polynomials, one after the other. The parameter of a
/// Trajectory is time, that of a JointPath how far along the path. A value. Who appends allocates; nothing
/// else does.
class JointCurve {
 public:
  JointCurve() = default;
  explicit JointCurve(std::size_t joint_count) : joint_count_(joint_count) {}

  /// Appends a piece of `length`, which must be positive, with one polynomial for each joint.
  void append(double length, std::span<const Coefficients> polynomials);
  void reserve(std::size_t pieces);

  std::size_t joint_count() const SINEW_REALTIME { return joint_count_; }
  std::size_t piece_count() const SINEW_REALTIME { return knots_.empty() ? 0 : knots_.size() - 1; }

  /// From the begin to the end, of which the begin is zero: of a trajectory the duration [s].
  double length() const SINEW_REALTIME { return knots_.empty() ? 0.0 : knots_.back(); }

  /// Where pieces begin, and after the last where it ends.
  std::span<const double> knots() const SINEW_REALTIME { return knots_; }
  double piece_length(std::size_t piece) const SINEW_REALTIME { return lengths_[piece]; }
  const Coefficients& polynomial(std::size_t piece, std::size_t joint) const SINEW_REALTIME {
    return coefficients_[piece * joint_count_ + joint];
  }

  /// Which piece `t` is on; at a knot the later one.
  std::size_t piece_at(double t) const SINEW_REALTIME;

  /// Joint `joint` at `t`; before the begin as at the begin, after the end as at the end.
  CurvePoint at(std::size_t joint, double t) const SINEW_REALTIME;

  /// All joints at `t`; `points` holds joint_count() of them.
  void sample(double t, std::span<CurvePoint> points) const SINEW_REALTIME;

  /// The same for the state of a trajectory.
  void sample(double t, std::span<AxisState> states) const SINEW_REALTIME;

  /// The same curve run `factor` times slower: derivative k is divided by factor^k.
  void stretch(double factor) SINEW_REALTIME;

  /// Piece and joint of a trajectory as the controller takes it, with the begin of the trajectory at zero.
  /// Pieces begin at whole nanoseconds there; the polynomial is moved by what that rounds away, so that it
  /// stays the same function of time.
  PolynomialSegment segment(std::size_t piece, std::size_t joint) const SINEW_REALTIME;

 private:
  std::size_t joint_count_ = 0;
  std::vector<double> knots_;
  std::vector<double> lengths_;
  std::vector<Coefficients> coefficients_;
};

/// Joints as functions of time [s].
using Trajectory = JointCurve;

/// Joints as functions of the way along a path, in whatever unit that is measured.
using JointPath = JointCurve;

}  // namespace sinew
