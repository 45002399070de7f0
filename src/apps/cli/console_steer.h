// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/jog.h"
#include "sinew/messages/requests.h"
#include "sinew/model/robot_model.h"

#include "apps/cli/console_session.h"

namespace sinew::cli {

/// One step of jogging, from the words behind 'jog': JOINT BY, or [ARM] [tool] AXIS BY, where an axis is
/// x, y, z, rx, ry or rz; then perhaps 'with TOOL' and 'at PERCENT'. Lengths in m or as in 10mm, angles in
/// rad or as in 5deg.
Result<JogWish> jog_wish_from(const RobotModel& model, ConsoleWords words);

/// A straight line of the tool, from the words behind 'line': [by] [ARM] X Y Z [ROLL PITCH YAW], or the name
/// of a posture; then perhaps 'in tool', 'with TOOL' and 'at SPEED'. Without angles the tool keeps how it is
/// turned. `q_all`: where all joints are [rad, m].
Result<Request> line_request_from(const RobotModel& model, std::span<const double> q_all, ConsoleWords words);

/// What may follow the words typed behind 'jog', and behind 'line'.
std::vector<std::string> after_jog(const RobotModel& model, ConsoleWords words);
std::vector<std::string> after_line(const RobotModel& model, ConsoleWords words);

}  // namespace sinew::cli
