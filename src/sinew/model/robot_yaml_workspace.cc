// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/robot_yaml_parts.h"
#include "sinew/model/text_input.h"

namespace sinew::robot_yaml {
namespace {

/// With what is written before and after it, a name still fits into an object's.
constexpr std::size_t kLongestBoundName = 16;

bool is_moved(const RobotModel& model, std::size_t link) {
  for (; model.links[link].parent_joint != kNone;
       link = model.joints[model.links[link].parent_joint].parent_link) {
    if (model.joints[model.links[link].parent_joint].kind != JointKind::Fixed) return true;
  }
  return false;
}

// A link is its shapes, or its origin when it has none.
void add_link(const RobotModel& model, std::size_t link, WorkspaceBound& bound) {
  if (!model.links[link].collisions.empty()) {
    bound.links.push_back(link);
  } else {
    bound.points.push_back({.name = model.links[link].name, .link = link});
  }
}

void add_tools(const RobotModel& model, WorkspaceBound& bound) {
  for (const Arm& arm : model.arms)
    bound.points.insert(bound.points.end(), arm.tools.begin(), arm.tools.end());
}

// Where nothing is said: all that moves stays out of boxes and behind planes; what stays in is the tools, or
// the tip of an arm that has none.
void add_usual(const RobotModel& model, const std::vector<std::size_t>& except, WorkspaceBound& bound) {
  add_tools(model, bound);
  bound.concerns_held = bound.kind != WorkspaceKind::KeepIn;
  if (bound.kind == WorkspaceKind::KeepIn) {
    for (const Arm& arm : model.arms)
      if (arm.tools.empty()) add_link(model, arm.tip_link, bound);
    return;
  }
  for (std::size_t link = 0; link < model.links.size(); ++link) {
    const bool is_meant = is_moved(model, link) && std::ranges::find(except, link) == except.end();
    if (is_meant && !model.links[link].collisions.empty()) bound.links.push_back(link);
  }
  std::erase_if(bound.points,
                [&](const ToolFrame& tool) { return std::ranges::find(except, tool.link) != except.end(); });
}

void add_named(const YamlNode& item, const RobotModel& model, WorkspaceBound& bound, Findings& findings) {
  const std::string name = text_from(item, findings);
  for (const Arm& arm : model.arms) {
    for (const ToolFrame& tool : arm.tools) {
      if (tool.name != name) continue;
      bound.points.push_back(tool);
      return;
    }
  }
  const std::size_t link = link_named(item, name, model, findings);
  if (link != kNone) add_link(model, link, bound);
}

void read_concerned(const YamlNode& node, const RobotModel& model, WorkspaceBound& bound,
                    Findings& findings) {
  const YamlNode* of = entry_of(node, "of");
  const YamlNode* except = entry_of(node, "except");
  if (of != nullptr && except != nullptr)
    findings.refuse(except->place, "both 'of' and 'except' are given", "keep one of them");
  if (of != nullptr && expect_list(*of, findings)) {
    for (const YamlNode& item : of->children) add_named(item, model, bound, findings);
    return;
  }
  std::vector<std::size_t> excepted;
  if (except != nullptr && expect_list(*except, findings)) {
    for (const YamlNode& item : except->children)
      excepted.push_back(link_named(item, text_from(item, findings), model, findings));
  }
  if (!findings.has_error()) add_usual(model, excepted, bound);
}

void read_size(const YamlNode& node, WorkspaceBound& bound, Findings& findings) {
  const YamlNode* size = entry_of(node, "size");
  if (size == nullptr) {
    findings.refuse(node.place, "a box without 'size'", "write its sides as size: [x, y, z] in metres");
    return;
  }
  bound.half_extents = vector_from(*size, findings) / 2.0;
  if (!findings.has_error() && bound.half_extents.minCoeff() <= 0.0)
    findings.refuse(size->place, "'size' has a side that is not above zero", "write its sides in metres");
}

// z along the normal
void read_normal(const YamlNode& node, WorkspaceBound& bound, Findings& findings) {
  const YamlNode* entry = entry_of(node, "normal");
  const Vector3 normal = entry == nullptr ? Vector3::UnitZ().eval() : vector_from(*entry, findings);
  if (findings.has_error()) return;
  if (normal.norm() < 1e-6) {
    findings.refuse(entry->place, "'normal' has no length", "write the direction in which the robot may be");
    return;
  }
  bound.X_WO.rotation = Quaternion::FromTwoVectors(Vector3::UnitZ(), normal.normalized()).normalized();
}

WorkspaceBound read_bound(const YamlNode& item, WorkspaceKind kind, const RobotModel& model,
                          Findings& findings) {
  WorkspaceBound bound{.name = required_entry(item, "name", findings), .kind = kind};
  if (kind == WorkspaceKind::Plane) {
    if (const YamlNode* xyz = entry_of(item, "xyz")) bound.X_WO.position = vector_from(*xyz, findings);
    read_normal(item, bound, findings);
  } else {
    bound.X_WO = pose_from(item, findings);
    read_size(item, bound, findings);
  }
  read_concerned(item, model, bound, findings);
  if (findings.has_error()) return bound;
  const bool stands_twice =
      std::ranges::any_of(model.workspace, [&](const WorkspaceBound& b) { return b.name == bound.name; });
  if (stands_twice)
    findings.refuse(item.place, fmt::format("bound '{}' stands twice", shown(bound.name)),
                    "give each its own name");
  if (bound.name.size() > kLongestBoundName)
    findings.refuse(item.place, fmt::format("the name '{}' is too long", shown(bound.name)),
                    fmt::format("use at most {} letters", kLongestBoundName));
  return bound;
}

void read_bounds(const YamlNode& list, WorkspaceKind kind, RobotModel& model, Findings& findings) {
  if (!expect_list(list, findings)) return;
  for (const YamlNode& item : list.children) {
    const bool is_sound =
        kind == WorkspaceKind::Plane
            ? expect_map(item, {"name", "xyz", "normal", "of", "except"}, findings)
            : expect_map(item, {"name", "xyz", "rpy", "rpy_deg", "size", "of", "except"}, findings);
    if (!is_sound) return;
    WorkspaceBound bound = read_bound(item, kind, model, findings);
    if (findings.has_error()) return;
    model.workspace.push_back(std::move(bound));
  }
}

}  // namespace

void read_workspace(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_map(node, {"keep_out", "keep_in", "planes"}, findings)) return;
  constexpr std::pair<std::string_view, WorkspaceKind> kLists[] = {{"keep_out", WorkspaceKind::KeepOut},
                                                                   {"keep_in", WorkspaceKind::KeepIn},
                                                                   {"planes", WorkspaceKind::Plane}};
  for (const auto& [key, kind] : kLists) {
    const YamlNode* list = entry_of(node, key);
    if (list != nullptr && !findings.has_error()) read_bounds(*list, kind, model, findings);
  }
  if (!findings.has_error() && model.workspace.size() > kMostWorkspaceBounds)
    findings.refuse(node.place, fmt::format("{} bounds of the workspace", model.workspace.size()),
                    fmt::format("use at most {}", kMostWorkspaceBounds));
}

}  // namespace sinew::robot_yaml
