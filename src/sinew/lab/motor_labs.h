// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/base/result.h"
#include "sinew/lab/grade.h"
#include "sinew/lab/value.h"
#include "sinew/model/robot_model.h"

namespace sinew::lab {

// Laboratories with one simulated joint, the base of the SCORBOT, asked every 10 ms of simulated time.
// Refused only when the simulation cannot be made; whatever the solution does is a grade.

/// 05: smooth(wanted, position, velocity) → the next position: within bounds of speed and acceleration, soon
/// there, and not beyond.
Result<Grade> grade_filter(const RobotModel& model, const Ask& ask, std::uint64_t seed);

/// 06: home(switch, counts) → a motor speed [counts/s], or "home" once it stands where the switch has just
/// closed, the play taken up from below.
Result<Grade> grade_homing(const RobotModel& model, const Ask& ask, std::uint64_t seed);

}  // namespace sinew::lab
