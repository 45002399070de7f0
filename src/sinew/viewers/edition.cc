// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/viewers/edition.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/messages/decode.h"

namespace sinew::viewers {
namespace {

/// Objects that have no end, or a shape that viewers are not told, are drawn as boxes of this size [m].
constexpr double kPlaneSide = 4.0;
constexpr double kPlaneThickness = 0.001;
constexpr std::string_view kColour = R"({"r":0.55,"g":0.6,"b":0.65,"a":0.9})";

// what JSON has no number for is null
std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string stamp(std::int64_t stamp_ns, Dialect dialect) {
  return fmt::format(R"({{"sec":{},"{}":{}}})", stamp_ns / kSecond_ns,
                     dialect == Dialect::Ros ? "nanosec" : "nsec", stamp_ns % kSecond_ns);
}

std::string header(std::int64_t stamp_ns, std::string_view frame, Dialect dialect) {
  return fmt::format(R"({{"stamp":{},"frame_id":{}}})", stamp(stamp_ns, dialect), json_text(frame));
}

std::string vector(const Vector3& v) {
  return fmt::format(R"({{"x":{},"y":{},"z":{}}})", number(v.x()), number(v.y()), number(v.z()));
}

std::string quaternion(const Quaternion& q) {
  return fmt::format(R"({{"x":{},"y":{},"z":{},"w":{}}})", number(q.x()), number(q.y()), number(q.z()),
                     number(q.w()));
}

std::string pose(const Pose& X_FO) {
  return fmt::format(R"({{"position":{},"orientation":{}}})", vector(X_FO.position),
                     quaternion(X_FO.rotation));
}

template <class Items, class Write>
std::string list(const Items& items, const Write& write) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += write(item);
  }
  return text + "]";
}

std::string joint_state(const RobotFacts& facts, std::int64_t stamp_ns, std::span<const double> position,
                        std::span<const double> velocity, Dialect dialect) {
  return fmt::format(R"({{"header":{},"name":{},"position":{},"velocity":{},"effort":[]}})",
                     header(stamp_ns, "", dialect), list(facts.joints, json_text), list(position, number),
                     list(velocity, number));
}

std::string transforms(const Telemetry& telemetry, Dialect dialect) {
  const auto ros = [&](const LinkPose& link) {
    return fmt::format(
        R"({{"header":{},"child_frame_id":{},"transform":{{"translation":{},"rotation":{}}}}})",
        header(telemetry.stamp_ns, link.parent, dialect), json_text(link.child), vector(link.X_PC.position),
        quaternion(link.X_PC.rotation));
  };
  const auto foxglove = [&](const LinkPose& link) {
    return fmt::format(
        R"({{"timestamp":{},"parent_frame_id":{},"child_frame_id":{},"translation":{},"rotation":{}}})",
        stamp(telemetry.stamp_ns, dialect), json_text(link.parent), json_text(link.child),
        vector(link.X_PC.position), quaternion(link.X_PC.rotation));
  };
  return fmt::format(R"({{"transforms":{}}})",
                     dialect == Dialect::Ros ? list(telemetry.links, ros) : list(telemetry.links, foxglove));
}

std::string diagnostics(const RobotFacts& facts, const Telemetry& telemetry, Dialect dialect) {
  const SafetyNote& safety = telemetry.safety;
  const auto value = [](std::string_view key, std::string_view text) {
    return fmt::format(R"({{"key":"{}","value":{}}})", key, json_text(text));
  };
  return fmt::format(
      R"({{"header":{},"status":[{{"level":{},"name":"safety","message":{},"hardware_id":{},"values":[{},{},{}]}}]}})",
      header(telemetry.stamp_ns, "", dialect), static_cast<std::uint32_t>(safety.alarm),
      json_text(safety.text), json_text(facts.name), value("state", safety.state),
      value("reason", safety.reason), value("who", safety.who));
}

std::string motion(const Telemetry& telemetry, Dialect dialect) {
  const MotionNote& note = telemetry.motion;
  return fmt::format(
      R"({{"stamp":{},"phase":{},"progress":{},"remaining":{},"override":{},"queue_length":{},"program":{},"line":{}}})",
      stamp(telemetry.stamp_ns, dialect), json_text(note.phase), number(note.progress),
      number(note.remaining), number(note.override_share), note.queue_length, json_text(note.program),
      note.program_line);
}

/// An object as something that every viewer can draw.
struct Drawing {
  enum class Kind : std::uint32_t { Box = 1, Sphere = 2, Cylinder = 3 };  ///< Numbers of ROS's markers.
  Kind kind = Kind::Box;
  Vector3 size = Vector3::Zero();  ///< [m] Of the box around it.
  Pose X_FO;
  std::string_view frame;
};

Drawing drawing_of(const WorldObject& object) {
  Drawing drawing{.size = {object.size[0], object.size[1], object.size[2]},
                  .X_FO = {.rotation = {object.qw, object.qx, object.qy, object.qz},
                           .position = {object.position[0], object.position[1], object.position[2]}},
                  .frame = object.attached != 0 ? text_of(object.link) : kWorldFrame};
  switch (object.kind) {
    case ObjectKind::Sphere:
      drawing.kind = Drawing::Kind::Sphere;
      drawing.size.setConstant(2.0 * object.size[0]);
      break;
    case ObjectKind::Cylinder:
      drawing.kind = Drawing::Kind::Cylinder;
      drawing.size = {2.0 * object.size[0], 2.0 * object.size[0], object.size[1]};
      break;
    case ObjectKind::Plane:
      // solid below its z = 0: the top of a thin box is there
      drawing.size = {kPlaneSide, kPlaneSide, kPlaneThickness};
      drawing.X_FO = drawing.X_FO * Pose{.position = {0.0, 0.0, -0.5 * kPlaneThickness}};
      break;
    case ObjectKind::Box:
    case ObjectKind::Mesh:
    case ObjectKind::HeightField:
      break;
  }
  return drawing;
}

/// Shapes that only their files know are left out.
bool is_drawn(const WorldObject& object) {
  return object.kind != ObjectKind::Mesh && object.kind != ObjectKind::HeightField;
}

std::vector<const WorldObject*> drawn_objects(const Telemetry& telemetry) {
  std::vector<const WorldObject*> drawn;
  for (const WorldObject& object : telemetry.objects)
    if (is_drawn(object)) drawn.push_back(&object);
  return drawn;
}

std::string scene_entity(const WorldObject& object, std::int64_t stamp_ns) {
  const Drawing drawing = drawing_of(object);
  const bool is_cylinder = drawing.kind == Drawing::Kind::Cylinder;
  const std::string shape =
      fmt::format(R"([{{"pose":{},"size":{}{},"color":{}}}])", pose(drawing.X_FO), vector(drawing.size),
                  is_cylinder ? R"(,"bottom_scale":1,"top_scale":1)" : "", kColour);
  const auto shapes = [&](Drawing::Kind kind) { return drawing.kind == kind ? shape : "[]"; };
  return fmt::format(
      R"({{"timestamp":{},"frame_id":{},"id":{},"lifetime":{{"sec":0,"nsec":0}},"frame_locked":true,"metadata":[],)"
      R"("arrows":[],"cubes":{},"spheres":{},"cylinders":{},"lines":[],"triangles":[],"texts":[],"models":[]}})",
      stamp(stamp_ns, Dialect::Foxglove), json_text(drawing.frame), json_text(text_of(object.name)),
      shapes(Drawing::Kind::Box), shapes(Drawing::Kind::Sphere), shapes(Drawing::Kind::Cylinder));
}

// each scene stands for itself: all that was there before is taken away first
std::string scene_update(const Telemetry& telemetry) {
  return fmt::format(R"({{"deletions":[{{"timestamp":{},"type":1,"id":""}}],"entities":{}}})",
                     stamp(telemetry.stamp_ns, Dialect::Foxglove),
                     list(drawn_objects(telemetry), [&](const WorldObject* object) {
                       return scene_entity(*object, telemetry.stamp_ns);
                     }));
}

std::string marker(const WorldObject& object, std::int64_t stamp_ns, std::size_t id) {
  const Drawing drawing = drawing_of(object);
  return fmt::format(
      R"({{"header":{},"ns":{},"id":{},"type":{},"action":0,"pose":{},"scale":{},"color":{},)"
      R"("lifetime":{{"sec":0,"nanosec":0}},"frame_locked":true,"points":[],"colors":[],"text":"","mesh_resource":""}})",
      header(stamp_ns, drawing.frame, Dialect::Ros), json_text(text_of(object.name)), id,
      static_cast<std::uint32_t>(drawing.kind), pose(drawing.X_FO), vector(drawing.size), kColour);
}

std::string marker_array(const Telemetry& telemetry) {
  std::string text = fmt::format(R"({{"markers":[{{"header":{},"ns":"","id":0,"type":0,"action":3}})",
                                 header(telemetry.stamp_ns, kWorldFrame, Dialect::Ros));
  std::size_t id = 0;
  for (const WorldObject* object : drawn_objects(telemetry))
    text += "," + marker(*object, telemetry.stamp_ns, id++);
  return text + "]}";
}

}  // namespace

std::uint64_t Edition::version(Topic topic) const {
  if (topic == Topic::RobotDescription) return 1;
  return topic == Topic::World ? telemetry_.world_number : telemetry_.number;
}

const std::string& Edition::text(Topic topic, Dialect dialect) {
  std::optional<std::string>& text =
      texts_.at(static_cast<std::size_t>(dialect)).at(static_cast<std::size_t>(topic));
  if (!text) text = written(topic, dialect);
  return *text;
}

std::string Edition::written(Topic topic, Dialect dialect) const {
  switch (topic) {
    case Topic::JointStates:
      return joint_state(facts_, telemetry_.stamp_ns, telemetry_.position, telemetry_.velocity, dialect);
    case Topic::JointReferences:
      return joint_state(facts_, telemetry_.stamp_ns, telemetry_.reference, {}, dialect);
    case Topic::Transforms:
      return transforms(telemetry_, dialect);
    case Topic::RobotDescription:
      return fmt::format(R"({{"data":{}}})", json_text(facts_.description));
    case Topic::Diagnostics:
      return diagnostics(facts_, telemetry_, dialect);
    case Topic::Motion:
      return motion(telemetry_, dialect);
    case Topic::World:
      return dialect == Dialect::Ros ? marker_array(telemetry_) : scene_update(telemetry_);
  }
  return "{}";
}

}  // namespace sinew::viewers
