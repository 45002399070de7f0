// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/viewers/topics.h"

#include <initializer_list>
#include <utility>

#include <fmt/format.h>

namespace sinew::viewers {
namespace {

using Property = std::pair<std::string_view, std::string>;

std::string object_of(std::initializer_list<Property> properties) {
  std::string text = R"({"type":"object","properties":{)";
  for (const auto& [name, schema] : properties)
    text += fmt::format("{}\"{}\":{}", text.ends_with('{') ? "" : ",", name, schema);
  return text + "}}";
}

std::string list_of(const std::string& items) {
  return fmt::format(R"({{"type":"array","items":{}}})", items);
}

std::string number() {
  return R"({"type":"number"})";
}
std::string whole() {
  return R"({"type":"integer"})";
}
std::string text() {
  return R"({"type":"string"})";
}
std::string flag() {
  return R"({"type":"boolean"})";
}

std::string time() {
  return object_of({{"sec", whole()}, {"nsec", whole()}});
}
std::string vector() {
  return object_of({{"x", number()}, {"y", number()}, {"z", number()}});
}
std::string header() {
  return object_of({{"stamp", time()}, {"frame_id", text()}});
}
std::string key_value() {
  return object_of({{"key", text()}, {"value", text()}});
}

std::string quaternion() {
  return object_of({{"x", number()}, {"y", number()}, {"z", number()}, {"w", number()}});
}

std::string joint_state() {
  return object_of({{"header", header()},
                    {"name", list_of(text())},
                    {"position", list_of(number())},
                    {"velocity", list_of(number())},
                    {"effort", list_of(number())}});
}

std::string frame_transforms() {
  return object_of({{"transforms", list_of(object_of({{"timestamp", time()},
                                                      {"parent_frame_id", text()},
                                                      {"child_frame_id", text()},
                                                      {"translation", vector()},
                                                      {"rotation", quaternion()}}))}});
}

std::string diagnostics() {
  return object_of({{"header", header()},
                    {"status", list_of(object_of({{"level", whole()},
                                                  {"name", text()},
                                                  {"message", text()},
                                                  {"hardware_id", text()},
                                                  {"values", list_of(key_value())}}))}});
}

std::string motion() {
  return object_of({{"stamp", time()},
                    {"phase", text()},
                    {"progress", number()},
                    {"remaining", number()},
                    {"override", number()},
                    {"queue_length", whole()},
                    {"program", text()},
                    {"line", whole()}});
}

// a shape of a scene; cylinders have two more numbers
std::string shape(bool is_cylinder) {
  const std::string pose = object_of({{"position", vector()}, {"orientation", quaternion()}});
  const std::string colour = object_of({{"r", number()}, {"g", number()}, {"b", number()}, {"a", number()}});
  if (!is_cylinder) return object_of({{"pose", pose}, {"size", vector()}, {"color", colour}});
  return object_of({{"pose", pose},
                    {"size", vector()},
                    {"bottom_scale", number()},
                    {"top_scale", number()},
                    {"color", colour}});
}

std::string scene_update() {
  const std::string deletion = object_of({{"timestamp", time()}, {"type", whole()}, {"id", text()}});
  const std::string none = list_of(object_of({}));
  const std::string entity = object_of({{"timestamp", time()},
                                        {"frame_id", text()},
                                        {"id", text()},
                                        {"lifetime", time()},
                                        {"frame_locked", flag()},
                                        {"metadata", list_of(key_value())},
                                        {"arrows", none},
                                        {"cubes", list_of(shape(false))},
                                        {"spheres", list_of(shape(false))},
                                        {"cylinders", list_of(shape(true))},
                                        {"lines", none},
                                        {"triangles", none},
                                        {"texts", none},
                                        {"models", none}});
  return object_of({{"deletions", list_of(deletion)}, {"entities", list_of(entity)}});
}

}  // namespace

const std::array<TopicInfo, kTopicCount>& topics() {
  static constexpr std::array<TopicInfo, kTopicCount> kTopics{{
      {Topic::JointStates, "/joint_states", "sensor_msgs/msg/JointState", "sensor_msgs/JointState"},
      {Topic::JointReferences, "/joint_references", "sensor_msgs/msg/JointState", "sensor_msgs/JointState"},
      {Topic::Transforms, "/tf", "tf2_msgs/msg/TFMessage", "foxglove.FrameTransforms"},
      {Topic::RobotDescription, "/robot_description", "std_msgs/msg/String", "std_msgs/String"},
      {Topic::Diagnostics, "/diagnostics", "diagnostic_msgs/msg/DiagnosticArray",
       "diagnostic_msgs/DiagnosticArray"},
      {Topic::Motion, "/motion", "sinew_msgs/msg/Motion", "sinew.Motion"},
      {Topic::World, "/world", "visualization_msgs/msg/MarkerArray", "foxglove.SceneUpdate"},
  }};
  return kTopics;
}

std::optional<Topic> topic_named(std::string_view name) {
  for (const TopicInfo& info : topics())
    if (info.name == name) return info.topic;
  return std::nullopt;
}

std::string schema_of(Topic topic) {
  switch (topic) {
    case Topic::JointStates:
    case Topic::JointReferences:
      return joint_state();
    case Topic::Transforms:
      return frame_transforms();
    case Topic::RobotDescription:
      return object_of({{"data", text()}});
    case Topic::Diagnostics:
      return diagnostics();
    case Topic::Motion:
      return motion();
    case Topic::World:
      return scene_update();
  }
  return "{}";
}

}  // namespace sinew::viewers
