// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/kernels.h"
#include "sinew/spatial/pose.h"

/// Between the poses of people and the plain motions of the kernels. Inside this room only.
namespace sinew {

inline kernel::Motion<double> motion_of(const Pose& X) {
  const Matrix3 R = X.rotation.toRotationMatrix();
  kernel::Motion<double> motion;
  for (int k = 0; k < 3; ++k) {
    motion.x[k] = R(k, 0);
    motion.y[k] = R(k, 1);
    motion.z[k] = R(k, 2);
    motion.o[k] = X.position[k];
  }
  return motion;
}

inline Pose pose_of(const kernel::Motion<double>& motion) {
  const Eigen::Map<const Matrix3> R(motion.x);
  return {.rotation = Quaternion(R).normalized(), .position = Eigen::Map<const Vector3>(motion.o)};
}

inline kernel::Motion<float> rounded(const kernel::Motion<double>& motion) {
  kernel::Motion<float> result;
  for (int k = 0; k < 3; ++k) {
    result.x[k] = static_cast<float>(motion.x[k]);
    result.y[k] = static_cast<float>(motion.y[k]);
    result.z[k] = static_cast<float>(motion.z[k]);
    result.o[k] = static_cast<float>(motion.o[k]);
  }
  return result;
}

}  // namespace sinew
