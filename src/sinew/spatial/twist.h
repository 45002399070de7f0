// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/spatial/pose.h"

namespace sinew {

/// Velocity of frame B relative to frame A. Name variables V_AB: measured at B's origin, expressed in A,
/// unless the name says otherwise (V_AB_C is expressed in C).
struct Twist {
  Vector3 linear = Vector3::Zero();   ///< [m/s]
  Vector3 angular = Vector3::Zero();  ///< [rad/s]
};

/// Force and moment at point Q. Name variables F_Q_A: at Q, expressed in A.
struct Wrench {
  Vector3 force = Vector3::Zero();   ///< [N]
  Vector3 moment = Vector3::Zero();  ///< [N·m]
};

/// V_AC of a frame C fixed to B, given V_AB and p_BC_A, the vector from B's origin to C's expressed in A.
inline Twist shifted(const Twist& V_AB, const Vector3& p_BC_A) {
  return {.linear = V_AB.linear + V_AB.angular.cross(p_BC_A), .angular = V_AB.angular};
}

/// The same velocity expressed in another frame: V_AB_C = expressed(R_CA, V_AB_A).
inline Twist expressed(const Quaternion& R_CA, const Twist& V_AB_A) {
  return {.linear = R_CA * V_AB_A.linear, .angular = R_CA * V_AB_A.angular};
}

/// F_Q_A from F_P_A, given p_QP_A, the vector from Q to P expressed in A.
inline Wrench shifted(const Wrench& F_P_A, const Vector3& p_QP_A) {
  return {.force = F_P_A.force, .moment = F_P_A.moment + p_QP_A.cross(F_P_A.force)};
}

/// Power [W] of a wrench on a moving frame, both at the same point and in the same frame.
inline double power(const Wrench& F_Q_A, const Twist& V_AQ) {
  return F_Q_A.force.dot(V_AQ.linear) + F_Q_A.moment.dot(V_AQ.angular);
}

}  // namespace sinew
