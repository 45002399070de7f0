// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/robot_facts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/model/urdf_writer.h"
#include "sinew/motion/arm_solver.h"

#include "apps/web/json_values.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Json joints_json(const RobotModel& model) {
  Json joints = Json::array();
  for (const std::size_t index : model.positions) {
    const Joint& joint = model.joints[index];
    joints.push_back({{"name", joint.name},
                      {"kind", joint_kind_text(joint.kind)},
                      {"unit", joint.kind == JointKind::Prismatic ? "m" : "rad"},
                      {"lower", finite_or_null(joint.limits.lower)},
                      {"upper", finite_or_null(joint.limits.upper)},
                      {"max_velocity", finite_or_null(joint.limits.velocity)},
                      {"is_enabled", joint.is_enabled}});
  }
  return joints;
}

Json arms_json(const RobotModel& model) {
  Json arms = Json::array();
  for (const Arm& arm : model.arms) {
    Json joints = Json::array();
    for (const std::size_t index :
         joints_between(model, arm.base_link, arm.tip_link).value_or(std::vector<std::size_t>{}))
      if (model.joints[index].position != kNone) joints.push_back(model.joints[index].name);
    Json tools = Json::array();
    for (const ToolFrame& tool : arm.tools) {
      const auto solver = ArmSolver::make(model, arm.name, tool.name);
      tools.push_back({{"name", tool.name},
                       {"link", model.links[tool.link].name},
                       {"pose", pose_json(tool.X_LT)},
                       {"at_flange", pose_json(solver ? (*solver)->X_FT() : tool.X_LT)}});
    }
    arms.push_back({{"name", arm.name},
                    {"base", model.links[arm.base_link].name},
                    {"tip", model.links[arm.tip_link].name},
                    {"joints", joints},
                    {"tools", tools}});
  }
  return arms;
}

/// Those of robot.yaml, as each arm sees them.
Json frames_json(const RobotModel& model) {
  Json frames = Json::array();
  for (const Arm& arm : model.arms)
    for (const BaseFrame& frame : frames_in(model, arm.base_link))
      frames.push_back({{"name", frame.name}, {"arm", arm.name}, {"pose", pose_json(frame.X_BU)}});
  return frames;
}

Json postures_json(const RobotModel& model) {
  Json postures = Json::array();
  for (const NamedPosture& posture : model.postures) {
    Json joints = Json::object();
    for (std::size_t i = 0; i < posture.positions.size(); ++i)
      if (std::isfinite(posture.positions[i]))
        joints[model.joints[model.positions[i]].name] = posture.positions[i];
    postures.push_back({{"name", posture.name}, {"joints", joints}});
  }
  return postures;
}

Json ports_json(const std::vector<IoPort>& ports) {
  Json all = Json::array();
  for (const IoPort& port : ports)
    all.push_back({{"name", port.name},
                   {"number", port.number},
                   {"is_analog", port.is_analog},
                   {"is_off_at_stop", port.is_off_at_stop}});
  return all;
}

Json workspace_json(const RobotModel& model) {
  constexpr std::string_view kWords[] = {"keep_out", "keep_in", "plane"};
  Json bounds = Json::array();
  for (const WorkspaceBound& bound : model.workspace) {
    Json links = Json::array();
    for (const std::size_t link : bound.links) links.push_back(model.links[link].name);
    bounds.push_back({{"name", bound.name},
                      {"kind", kWords[static_cast<std::size_t>(bound.kind)]},
                      {"pose", pose_json(bound.X_WO)},
                      {"half_extents", vector_json(bound.half_extents)},
                      {"links", links}});
  }
  return bounds;
}

/// What the device counts: a = scale · coupling · q + offset, a row for each actuator.
Json actuation_json(const RobotModel& model) {
  if (!model.actuation) return nullptr;
  const Actuation& actuation = *model.actuation;
  Json actuators = Json::array();
  for (Eigen::Index i = 0; i < actuation.scale.size(); ++i) {
    Json coupling = Json::object();
    for (std::size_t k = 0; k < model.positions.size(); ++k)
      if (const double share = actuation.coupling(i, static_cast<Eigen::Index>(k)); share != 0.0)
        coupling[model.joints[model.positions[k]].name] = share;
    actuators.push_back({{"name", actuation.names[static_cast<std::size_t>(i)]},
                         {"scale", actuation.scale[i]},
                         {"joints", coupling},
                         {"offset", actuation.offset[i]}});
  }
  return actuators;
}

Json grippers_json(const RobotModel& model) {
  Json grippers = Json::array();
  for (const Gripper& gripper : model.grippers)
    grippers.push_back({{"name", gripper.name},
                        {"open_width", gripper.open_width},
                        {"closed_width", gripper.closed_width},
                        {"hangs_on_output", gripper.joints.empty()}});
  return grippers;
}

struct MeshKind {
  std::string_view ending;
  std::string_view type;
};
constexpr MeshKind kMeshKinds[] = {{".stl", "model/stl"},
                                   {".obj", "model/obj"},
                                   {".dae", "model/vnd.collada+xml"},
                                   {".glb", "model/gltf-binary"}};

std::string_view mesh_type(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const MeshKind& kind : kMeshKinds)
    if (kind.ending == ending) return kind.type;
  return "application/octet-stream";
}

std::string place_of(std::size_t number, const std::string& file) {
  return fmt::format("{}/{}", number, std::filesystem::path(file).filename().string());
}

}  // namespace

RobotFacts::RobotFacts(const RobotModel& model, std::string_view robot, std::string_view mode) {
  urdf_ = urdf_text(model, [this](const Shape& mesh) -> std::string {
    if (mesh.mesh_path.empty()) return {};
    auto known = std::ranges::find(meshes_, mesh.mesh_path);
    if (known == meshes_.end()) known = meshes_.insert(meshes_.end(), mesh.mesh_path);
    return "/api/mesh/" + place_of(static_cast<std::size_t>(known - meshes_.begin()), mesh.mesh_path);
  });
  const Json json{{"robot", robot},
                  {"model", model.name},
                  {"mode", mode},
                  {"root", model.links.front().name},
                  {"joints", joints_json(model)},
                  {"arms", arms_json(model)},
                  {"frames", frames_json(model)},
                  {"grippers", grippers_json(model)},
                  {"actuators", actuation_json(model)},
                  {"postures", postures_json(model)},
                  {"inputs", ports_json(model.inputs)},
                  {"outputs", ports_json(model.outputs)},
                  {"workspace", workspace_json(model)}};
  json_ = json_text(json);
}

std::optional<RobotFacts::Mesh> RobotFacts::mesh(std::string_view number_and_name) const {
  for (std::size_t i = 0; i < meshes_.size(); ++i)
    if (number_and_name == place_of(i, meshes_[i])) return Mesh{meshes_[i], mesh_type(meshes_[i])};
  return std::nullopt;
}

}  // namespace sinew
