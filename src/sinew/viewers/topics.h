// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::viewers {

/// What viewers may listen to.
enum class Topic : std::uint32_t {
  JointStates,
  JointReferences,
  Transforms,
  RobotDescription,
  Diagnostics,
  Motion,
  World,
};
inline constexpr std::size_t kTopicCount = 7;

/// How it is written: in Foxglove's schemas, or as ROS 2 has it. Both in JSON.
enum class Dialect : std::uint32_t { Foxglove, Ros };

struct TopicInfo {
  Topic topic;
  std::string_view name;           ///< "/joint_states"
  std::string_view ros_type;       ///< "sensor_msgs/msg/JointState"
  std::string_view foxglove_type;  ///< "sensor_msgs/JointState"
};

/// In the order of Topic.
const std::array<TopicInfo, kTopicCount>& topics();
inline const TopicInfo& info_of(Topic topic) {
  return topics()[static_cast<std::size_t>(topic)];
}

/// By its name.
std::optional<Topic> topic_named(std::string_view name);

/// The JSON Schema of what Edition::text() makes of it for Foxglove.
std::string schema_of(Topic topic);

}  // namespace sinew::viewers
