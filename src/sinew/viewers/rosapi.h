// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "sinew/viewers/client_json.h"

namespace sinew::viewers {

/// What the service `name` ("/rosapi/topics") answers to `args`: what there is, as ROS has it. Refused:
/// services that are not there, and questions that have no answer. Part of RosbridgeSession.
Result<Json> call_rosapi(std::string_view name, const Json& args, const RobotFacts& facts);

/// "sensor_msgs/msg/JointState" of ROS 2 and "sensor_msgs/JointState" of ROS 1 are the same.
bool is_same_type(std::string_view a, std::string_view b);

}  // namespace sinew::viewers
