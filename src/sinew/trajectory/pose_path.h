// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/spatial/pose.h"
#include "sinew/spatial/twist.h"

namespace sinew {

struct PosePathOptions {
  /// A turn by 1 rad counts as so much way [m]: it decides how long a path is that turns more than it moves.
  double turn_length = 0.1;
};

/// A way of a frame B in a frame A: lines, arcs and splines, one after the other.
///
/// The coordinate s of a line or an arc is a length [m]: that of the way of B's origin, or turn_length times
/// the turn if that is longer. So where B moves more than it turns, a constant ds/dt is a constant speed of
/// the tool. The coordinate of a spline is the same for the straight lines between its poses; for a constant
/// speed, divide it by the length of derivative(s).linear and give that to PathTiming::limit_speed().
///
/// Rotations between two poses are about one axis, the shorter way round, at constant speed (SLERP). Where
/// both ways are equally long, half a turn (to 1e-9 rad), the axis in B is the one whose first component that
/// is not zero (to 1e-9) is positive: the same poses always give the same way.
///
/// A value; nothing but the functions that make paths and knots() allocates.
class PosePath {
 public:
  /// How long the path is [m].
  double length() const { return pieces_.empty() ? 0.0 : pieces_.back().end; }

  /// X_AB at `s`; beyond the ends as at the ends.
  Pose pose(double s) const;

  /// V_AB per unit of s: linear [m/m], angular [rad/m]. At a corner that of the later piece.
  Twist derivative(double s) const;

  /// Where pieces meet, the ends included.
  std::vector<double> knots() const;

  /// The straight line from X_AB to X_AC. Two equal poses are a path of no length. Refuses what is no pose.
  static Result<PosePath> line(const Pose& X_AB, const Pose& X_AC, const PosePathOptions& options = {});

  /// The arc from X_AB through the origin of X_AV to X_AC; the rotation goes evenly from that of X_AB to that
  /// of X_AC (that of X_AV counts for nothing). Three points on a straight line (to 1e-7 of its length), the
  /// middle one between the others, are a line. Refuses a middle point that is on the line but not between,
  /// or coincides with an end, and ends that coincide: a full circle is two arcs.
  static Result<PosePath> arc(const Pose& X_AB, const Pose& X_AV, const Pose& X_AC,
                              const PosePathOptions& options = {});

  /// A smooth curve through `poses`: the origin along a natural cubic spline, with continuous acceleration;
  /// the rotation with continuous angular velocity. A pose equal to the one before (to 1e-12) is left out.
  /// Refuses fewer than two different poses.
  static Result<PosePath> spline(std::span<const Pose> poses, const PosePathOptions& options = {});

  /// This path and then `next`, which must begin where this one ends, to 1e-6 m and rad.
  Result<PosePath> then(const PosePath& next) const;

 private:
  // s runs from begin to end, u from 0 to 1
  struct Piece {
    double begin = 0.0;
    double end = 0.0;
    // the rotation: a cubic of rotation vectors in the start's frame, zero + u·turn[0] + u²·turn[1] +
    // u³·turn[2]
    Quaternion R_start = Quaternion::Identity();
    Vector3 turn[3] = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
    // the position: a cubic, start + u·way[0] + …, unless it turns about a centre
    Vector3 start = Vector3::Zero();
    Vector3 way[3] = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
    bool is_arc = false;
    Vector3 centre = Vector3::Zero();
    Vector3 to_start = Vector3::Zero();  // from the centre
    Vector3 across = Vector3::Zero();    // from the centre, a quarter turn on
    double angle = 0.0;
  };

  const Piece& piece_at(double s) const;
  void append(Piece piece, double length);

  std::vector<Piece> pieces_;
  Pose resting_;  // of a path of no length
};

}  // namespace sinew
