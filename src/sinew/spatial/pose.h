// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

namespace sinew {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Quaternion = Eigen::Quaterniond;

/// Pose of frame B in frame A. Name variables X_AB; equal neighbours cancel: X_AC = X_AB * X_BC.
struct Pose {
  Quaternion rotation = Quaternion::Identity();  ///< R_AB, unit length.
  Vector3 position = Vector3::Zero();            ///< p_AB: from A's origin to B's, in A [m].
};

/// X_AC = X_AB * X_BC
inline Pose operator*(const Pose& X_AB, const Pose& X_BC) {
  return {.rotation = X_AB.rotation * X_BC.rotation,
          .position = X_AB.position + X_AB.rotation * X_BC.position};
}

/// p_AQ = X_AB * p_BQ: the same point Q, seen from A.
inline Vector3 operator*(const Pose& X_AB, const Vector3& p_BQ) {
  return X_AB.position + X_AB.rotation * p_BQ;
}

/// inverse(X_AB) = X_BA
inline Pose inverse(const Pose& X_AB) {
  const Quaternion R_BA = X_AB.rotation.conjugate();
  return {.rotation = R_BA, .position = -(R_BA * X_AB.position)};
}

/// Roll, pitch and yaw [rad] of a rotation R = Rz(yaw) * Ry(pitch) * Rx(roll), as in URDF.
struct RollPitchYaw {
  double roll = 0.0;
  double pitch = 0.0;
  double yaw = 0.0;
};

/// R_AB from roll, pitch and yaw.
Quaternion quaternion_from(const RollPitchYaw& rpy);

/// Roll, pitch and yaw of R_AB; pitch in [-pi/2, pi/2]. Where pitch is ±pi/2 only a sum of the other two is
/// defined: roll is then zero.
RollPitchYaw roll_pitch_yaw(const Quaternion& R_AB);

/// The rotation vector of R_AB: its direction is the axis, its length the angle [rad], in [0, pi].
Vector3 rotation_vector(const Quaternion& R_AB);

/// R_AB from a rotation vector [rad].
Quaternion quaternion_from_rotation_vector(const Vector3& vector);

/// How far apart two poses of the same frames are.
struct PoseDistance {
  double position = 0.0;  ///< [m]
  double rotation = 0.0;  ///< [rad], in [0, pi]
};
PoseDistance distance(const Pose& X_AB, const Pose& X_AC);

/// The pose a fraction `s` in [0, 1] of the way from X_AB to X_AC: straight in position, the shorter way
/// round in rotation, both at constant speed.
Pose interpolate(const Pose& X_AB, const Pose& X_AC, double s);

/// True when every number is finite and the quaternion has unit length within 1e-6.
bool is_valid(const Pose& X_AB);

}  // namespace sinew
