// SPDX-License-Identifier: BSD-3-Clause
// sinew model ROBOT
#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/collision/standing.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/mesh/mesh_remarks.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/new_robot.h"
#include "sinew/model/srdf.h"

#include "apps/cli/model_commands.h"
#include "apps/cli/model_json.h"
#include "apps/cli/model_picture.h"
#include "apps/cli/torque_remarks.h"

namespace sinew::cli {
namespace {

// A value of a joint for people, in degrees or millimetres; a dash where it is not known.
std::string value_text(const Joint& joint, double value) {
  if (!std::isfinite(value)) return "-";
  return joint.kind == JointKind::Prismatic ? length_text(value) : angle_text(value);
}

void print_tree(const RobotModel& model, std::size_t link, std::size_t depth, std::ostream& out) {
  for (const std::size_t j : model.links[link].child_joints) {
    const Joint& joint = model.joints[j];
    out << fmt::format("{:{}}{} -> {}  {}{}\n", "", 2 * depth, joint.name, model.links[joint.child_link].name,
                       joint_kind_text(joint.kind),
                       joint.mimic ? ", follows " + model.joints[joint.mimic->joint].name : "");
    print_tree(model, joint.child_link, depth + 1, out);
  }
}

void print_joints(const RobotModel& model, std::ostream& out) {
  std::size_t width = 5;
  for (const std::size_t j : model.positions) width = std::max(width, model.joints[j].name.size());
  out << fmt::format("\n #  {:<{}} {:>12} {:>12} {:>12} {:>14}  {}\n", "JOINT", width, "FROM", "TO",
                     "SPEED /s", "ACCEL. /s^2", "ALSO");
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const Joint& joint = model.joints[model.positions[i]];
    out << fmt::format("{:2}  {:<{}} {:>12} {:>12} {:>12} {:>14}  {}{}\n", i + 1, joint.name, width,
                       value_text(joint, joint.limits.lower), value_text(joint, joint.limits.upper),
                       value_text(joint, joint.limits.velocity), value_text(joint, joint.limits.acceleration),
                       fmt::join(joint.aliases, " "), joint.is_enabled ? "" : " (not enabled)");
  }
}

std::string chain_text(const RobotModel& model, const Arm& arm) {
  std::vector<std::string> names;
  const auto path = joints_between(model, arm.base_link, arm.tip_link);
  if (path) {
    for (const std::size_t j : *path) {
      if (model.joints[j].kind != JointKind::Fixed) names.push_back(model.joints[j].name);
    }
  }
  return fmt::format("{}", fmt::join(names, " "));
}

void print_workspace(const RobotModel& model, std::ostream& out) {
  constexpr std::string_view kKinds[] = {"keep out", "stay in", "plane"};
  out << fmt::format("bounds of the workspace:{}\n", model.workspace.empty() ? " none" : "");
  for (const WorkspaceBound& bound : model.workspace) {
    const Vector3& p = bound.X_WO.position;
    const Vector3 size = 2.0 * bound.half_extents;
    const Vector3 normal = bound.X_WO.rotation * Vector3::UnitZ();
    const std::string shape =
        bound.kind == WorkspaceKind::Plane
            ? fmt::format("towards {:.3f} {:.3f} {:.3f} through", normal.x(), normal.y(), normal.z())
            : fmt::format("{} by {} by {} around", length_text(size.x()), length_text(size.y()),
                          length_text(size.z()));
    out << fmt::format("  {} {}: {} {} {} {}; of {} links, {} points\n",
                       kKinds[static_cast<std::size_t>(bound.kind)], bound.name, shape, length_text(p.x()),
                       length_text(p.y()), length_text(p.z()), bound.links.size(), bound.points.size());
  }
}

void print_standing(const RobotModel& model, std::ostream& out) {
  const auto shapes = RobotShapes::make(model, {.mesh_points = points_of_mesh});
  if (!shapes) return;
  std::vector<std::string> names;
  for (const std::size_t link : links_on_floor(*shapes)) names.push_back(model.links[link].name);
  const bool are_named =
      std::ranges::any_of(model.ignored_pairs, [](const IgnoredPair& pair) { return pair.link_b == kNone; });
  out << fmt::format(
      "stands on the floor by: {}{}\n", names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")),
      are_named ? "" : " (not named in robot.yaml: what does not move, or touches it at home)");
}

void print_rest(const RobotModel& model, std::ostream& out) {
  for (const Arm& arm : model.arms) {
    out << fmt::format("\narm {}: {} to {}, by {}\n", arm.name, model.links[arm.base_link].name,
                       model.links[arm.tip_link].name, chain_text(model, arm));
    for (const ToolFrame& tool : arm.tools) {
      const Vector3& p = tool.X_LT.position;
      out << fmt::format("  tool {} on {} at {} {} {}\n", tool.name, model.links[tool.link].name,
                         length_text(p.x()), length_text(p.y()), length_text(p.z()));
    }
  }
  std::vector<std::string> names;
  for (const NamedPosture& posture : model.postures) names.push_back(posture.name);
  out << fmt::format("\npostures: {}\n", names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
  if (model.actuation) {
    const auto& coupling = model.actuation->coupling;
    const bool is_coupled = ((coupling.array() != 0.0).count() != coupling.rows());
    out << fmt::format("actuation: {} actuators{}, there and back checked\n", coupling.rows(),
                       is_coupled ? ", coupled" : "");
  }
  const auto pairs = std::ranges::count_if(model.ignored_pairs,
                                           [](const IgnoredPair& pair) { return pair.link_b != kNone; });
  out << fmt::format("pairs of links not checked for collision: {}\n", pairs);
  print_workspace(model, out);
  print_standing(model, out);
}

std::vector<Option> model_options() {
  std::vector<Option> options{{.name = "--check",
                               .value_name = "",
                               .help = "Only say what is wrong; fails when the robot cannot be used."},
                              {.name = "--srdf", .value_name = "", .help = "Write it as SRDF, for MoveIt."},
                              {.name = "--json", .value_name = "", .help = "All of it, for programs."}};
  for (const Option& option : picture_options()) options.push_back(option);
  return options;
}

Status run_model(const Words& words, std::ostream& out) {
  const auto robot = load_robot(words.argument(0));
  if (!robot) {
    if (words.has("--json")) out << refusal_json(robot.error()).dump(2) << '\n';
    return robot.error();
  }
  if (words.has("--srdf")) {
    out << srdf_text(robot->model);
    return Done{};
  }
  if (words.has("--picture")) return draw_picture(words, robot->model, out);
  std::vector<Remark> remarks = robot->remarks;
  for (const Remark& remark : remarks_on_gaps(robot->model, robot->urdf.string())) remarks.push_back(remark);
  for (const Remark& remark : remarks_on_meshes(robot->model, robot->urdf.string()))
    remarks.push_back(remark);
  for (const Remark& remark : remarks_on_torque(*robot)) remarks.push_back(remark);
  if (words.has("--json")) {
    out << model_json(robot->model, remarks).dump(2) << '\n';
    return Done{};
  }
  if (!words.has("--check")) {
    out << fmt::format("{}  ({})\n\n{}\n", robot->model.name, robot->urdf.string(),
                       robot->model.links[0].name);
    print_tree(robot->model, 0, 1, out);
    print_joints(robot->model, out);
    print_rest(robot->model, out);
    const std::vector<std::string> variants = variant_names(robot->urdf.parent_path());
    if (!variants.empty()) out << fmt::format("variants: {}\n", fmt::join(variants, ", "));
  }
  for (const Remark& remark : remarks) out << "odd: " << remark_text(remark) << '\n';
  if (words.has("--check")) {
    out << fmt::format("{}: {} links, {} joint positions, {} arms, {} remarks, no errors\n",
                       robot->model.name, robot->model.links.size(), robot->model.positions.size(),
                       robot->model.arms.size(), remarks.size());
  }
  return Done{};
}

}  // namespace

const Command kModelCommand{
    .name = "model",
    .summary = "Show what is known of a robot: tree, limits, arms, and what is odd",
    .details =
        "A robot is found by name in ./robots or beside this program, or by the path of its folder or URDF. "
        "NAME:VARIANT is a variant of it.",
    .arguments = {{.name = "ROBOT",
                   .help = "Name, folder, robot.yaml or URDF.",
                   .completion = Completion::File}},
    .options = model_options(),
    .examples = {"sinew model scorbot-er3", "sinew model robots/mds --check",
                 "sinew model panda --srdf > panda.srdf", "sinew model ur5e --picture ur5e.png --view side"},
    .run = run_model,
};

}  // namespace sinew::cli
