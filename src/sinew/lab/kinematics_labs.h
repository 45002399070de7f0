// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/kinematics/serial_chain.h"
#include "sinew/lab/grade.h"
#include "sinew/lab/value.h"
#include "sinew/model/robot_model.h"

namespace sinew::lab {

// Laboratories about sums with the SCORBOT's arm (arm_chain()). Each asks the solution and compares with our
// own kinematics. The same seed asks the same questions.

/// 02: fk(base, shoulder, elbow, pitch, roll) → x, y, z, pitch, roll.
Grade grade_forward_kinematics(const SerialChain& chain, const Ask& ask, std::uint64_t seed);

/// 03: ik(x, y, z, pitch, roll) → base, shoulder, elbow, pitch, roll, or None when there is no way.
Grade grade_inverse_kinematics(const SerialChain& chain, const Ask& ask, std::uint64_t seed);

/// 04: jacobian(q) → six rows of five, and joint_speeds(q, v) → five speeds that move the grip point with v,
/// or along v as fast as the joints can.
Grade grade_jacobian(const SerialChain& chain, const Ask& ask, std::uint64_t seed);

}  // namespace sinew::lab
