// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/spatial/pose.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

Quaternion quaternion_from(const RollPitchYaw& rpy) {
  return Quaternion(Eigen::AngleAxisd(rpy.yaw, Vector3::UnitZ()) *
                    Eigen::AngleAxisd(rpy.pitch, Vector3::UnitY()) *
                    Eigen::AngleAxisd(rpy.roll, Vector3::UnitX()));
}

RollPitchYaw roll_pitch_yaw(const Quaternion& R_AB) {
  const Matrix3 R = R_AB.toRotationMatrix();
  const double cosine_of_pitch = std::hypot(R(2, 1), R(2, 2));
  const double pitch = std::atan2(-R(2, 0), cosine_of_pitch);
  // looking straight up or down, roll and yaw turn about one axis: all of it is called yaw
  if (cosine_of_pitch < 1e-9) return {.roll = 0.0, .pitch = pitch, .yaw = std::atan2(-R(0, 1), R(1, 1))};
  return {.roll = std::atan2(R(2, 1), R(2, 2)), .pitch = pitch, .yaw = std::atan2(R(1, 0), R(0, 0))};
}

Vector3 rotation_vector(const Quaternion& R_AB) {
  // of the two quaternions of a rotation, the one with w >= 0 turns the shorter way
  const double sign = R_AB.w() < 0.0 ? -1.0 : 1.0;
  const Vector3 half_axis = sign * R_AB.vec();
  const double half_sine = half_axis.norm();
  if (half_sine < 1e-12) return 2.0 * half_axis;
  const double angle = 2.0 * std::atan2(half_sine, sign * R_AB.w());
  return half_axis * (angle / half_sine);
}

Quaternion quaternion_from_rotation_vector(const Vector3& vector) {
  const double angle = vector.norm();
  if (angle < 1e-12)
    return Quaternion(1.0, 0.5 * vector.x(), 0.5 * vector.y(), 0.5 * vector.z()).normalized();
  return Quaternion(Eigen::AngleAxisd(angle, vector / angle));
}

PoseDistance distance(const Pose& X_AB, const Pose& X_AC) {
  const Quaternion R_BC = X_AB.rotation.conjugate() * X_AC.rotation;
  return {.position = (X_AC.position - X_AB.position).norm(), .rotation = rotation_vector(R_BC).norm()};
}

Pose interpolate(const Pose& X_AB, const Pose& X_AC, double s) {
  const Quaternion R_BC = X_AB.rotation.conjugate() * X_AC.rotation;
  return {
      .rotation = (X_AB.rotation * quaternion_from_rotation_vector(s * rotation_vector(R_BC))).normalized(),
      .position = X_AB.position + s * (X_AC.position - X_AB.position)};
}

bool is_valid(const Pose& X_AB) {
  return X_AB.position.allFinite() && X_AB.rotation.coeffs().allFinite() &&
         std::abs(X_AB.rotation.norm() - 1.0) < 1e-6;
}

}  // namespace sinew
