// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sinew/base/result.h"
#include "sinew/messages/jog.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// Whether {"op": "jog", …} says that the key was let go: a "stop" that is neither false nor null.
bool is_jog_stop(const nlohmann::ordered_json& words);

/// The wish that a page's message {"op": "jog", …} holds. A stop is a wish to stand still, whatever else the
/// message says, and never refused. Else refused, with the key: what is unknown, no number, or names a joint
/// that the robot does not have.
Result<JogWish> jog_wish_from(const nlohmann::ordered_json& words, const RobotModel& model);

}  // namespace sinew
