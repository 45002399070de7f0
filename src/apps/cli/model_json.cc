// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/model_json.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/collision/standing.h"
#include "sinew/mesh/mesh_points.h"

namespace sinew::cli {
namespace {

using ModelJson = nlohmann::ordered_json;

ModelJson known_number(double value) {
  return std::isfinite(value) ? ModelJson(value) : ModelJson(nullptr);
}

ModelJson vector_json(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

ModelJson pose_json(const Pose& pose) {
  const Quaternion& q = pose.rotation;
  return {{"position", vector_json(pose.position)},
          {"quaternion", {{"w", q.w()}, {"x", q.x()}, {"y", q.y()}, {"z", q.z()}}}};
}

ModelJson joint_json(const RobotModel& model, const Joint& joint) {
  constexpr const char* kKinds[] = {"fixed", "revolute", "continuous", "prismatic"};
  const JointLimits& limits = joint.limits;
  ModelJson row{{"name", joint.name},
                {"aliases", joint.aliases},
                {"kind", kKinds[static_cast<std::size_t>(joint.kind)]},
                {"parent", model.links[joint.parent_link].name},
                {"child", model.links[joint.child_link].name},
                {"pose_of_joint_in_parent", pose_json(joint.X_PJ)},
                {"axis", vector_json(joint.axis)},
                {"enabled", joint.is_enabled},
                {"position", joint.position == kNone ? ModelJson(nullptr) : ModelJson(joint.position)},
                {"limits",
                 {{"lower", known_number(limits.lower)},
                  {"upper", known_number(limits.upper)},
                  {"velocity", known_number(limits.velocity)},
                  {"acceleration", known_number(limits.acceleration)},
                  {"jerk", known_number(limits.jerk)},
                  {"effort", known_number(limits.effort)}}}};
  if (joint.mimic) {
    row["mimic"] = {{"joint", model.joints[joint.mimic->joint].name},
                    {"factor", joint.mimic->factor},
                    {"offset", joint.mimic->offset}};
  }
  return row;
}

}  // namespace

ModelJson chains_json(const RobotModel& model) {
  ModelJson chains = ModelJson::array();
  for (const Arm& arm : model.arms) {
    ModelJson joints = ModelJson::array();
    const auto path = joints_between(model, arm.base_link, arm.tip_link);
    if (path) {
      for (const std::size_t j : *path) {
        if (model.joints[j].kind != JointKind::Fixed) joints.push_back(model.joints[j].name);
      }
    }
    ModelJson tools = ModelJson::array();
    for (const ToolFrame& tool : arm.tools) {
      tools.push_back({{"name", tool.name},
                       {"link", model.links[tool.link].name},
                       {"pose_of_tool_in_link", pose_json(tool.X_LT)}});
    }
    chains.push_back({{"name", arm.name},
                      {"base", model.links[arm.base_link].name},
                      {"tip", model.links[arm.tip_link].name},
                      {"joints", joints},
                      {"tools", tools}});
  }
  return chains;
}

ModelJson standing_json(const RobotModel& model) {
  ModelJson names = ModelJson::array();
  const auto shapes = RobotShapes::make(model, {.mesh_points = points_of_mesh});
  if (!shapes) return names;
  for (const std::size_t link : links_on_floor(*shapes)) names.push_back(model.links[link].name);
  return names;
}

ModelJson remarks_json(const std::vector<Remark>& remarks) {
  ModelJson texts = ModelJson::array();
  for (const Remark& remark : remarks) texts.push_back(remark_text(remark));
  return texts;
}

ModelJson model_json(const RobotModel& model, const std::vector<Remark>& remarks) {
  ModelJson links = ModelJson::array();
  for (const Link& link : model.links) {
    links.push_back({{"name", link.name},
                     {"mass", link.inertia ? ModelJson(link.inertia->mass) : ModelJson(nullptr)},
                     {"visuals", link.visuals.size()},
                     {"collisions", link.collisions.size()}});
  }
  ModelJson joints = ModelJson::array();
  for (const Joint& joint : model.joints) joints.push_back(joint_json(model, joint));
  ModelJson postures = ModelJson::object();
  for (const NamedPosture& posture : model.postures) {
    ModelJson positions = ModelJson::array();
    for (const double position : posture.positions) positions.push_back(known_number(position));
    postures[posture.name] = positions;
  }
  return {
      {"ok", true},
      {"name", model.name},
      {"links", links},
      {"joints", joints},
      {"chains", chains_json(model)},
      {"postures", postures},
      {"actuators", model.actuation ? model.actuation->scale.size() : 0},
      {"ignored_pairs", std::ranges::count_if(model.ignored_pairs,
                                              [](const IgnoredPair& pair) { return pair.link_b != kNone; })},
      {"stands_on_floor", standing_json(model)},
      {"warnings", remarks_json(remarks)},
      {"errors", ModelJson::array()}};
}

nlohmann::ordered_json new_robot_json(const NewRobot& robot) {
  return {{"ok", true},
          {"name", robot.model.name},
          {"folder", robot.folder.string()},
          {"joints", robot.model.positions.size()},
          {"chains", chains_json(robot.model)},
          {"ignored_pairs", robot.model.ignored_pairs.size()},
          {"warnings", remarks_json(robot.remarks)},
          {"errors", nlohmann::ordered_json::array()}};
}

ModelJson refusal_json(const Error& error) {
  return {{"ok", false}, {"warnings", ModelJson::array()}, {"errors", ModelJson::array({error.message})}};
}

}  // namespace sinew::cli
