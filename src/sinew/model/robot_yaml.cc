// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/robot_yaml.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/positions.h"
#include "sinew/model/robot_yaml_parts.h"
#include "sinew/model/text_input.h"

namespace sinew {
namespace robot_yaml {
namespace {

constexpr double kRadianPerDegree = std::numbers::pi / 180.0;

}  // namespace

std::string position_text(const Joint& joint, double position) {
  return joint.kind == JointKind::Prismatic ? length_text(position) : angle_text(position);
}

std::size_t joint_named(const YamlNode& node, const std::string& name, const RobotModel& model,
                        Findings& findings) {
  const std::size_t joint = find_joint(model, name);
  if (joint != kNone && model.joints[joint].position != kNone) return joint;
  if (joint != kNone) {
    findings.refuse(node.place,
                    fmt::format("joint '{}' has no position of its own: it is fixed or a mimic", shown(name)),
                    "name a joint that moves by itself");
    return kNone;
  }
  std::vector<std::string> names;
  for (const std::size_t j : model.positions) names.push_back(model.joints[j].name);
  findings.refuse(node.place, fmt::format("there is no joint '{}'{}", shown(name), did_you_mean(name, names)),
                  "the joints are those of the URDF");
  return kNone;
}

std::size_t link_named(const YamlNode& node, const std::string& name, const RobotModel& model,
                       Findings& findings) {
  const std::size_t link = find_link(model, name);
  if (link != kNone || findings.has_error()) return link;
  std::vector<std::string> names;
  for (const Link& known : model.links) names.push_back(known.name);
  findings.refuse(node.place, fmt::format("there is no link '{}'{}", shown(name), did_you_mean(name, names)),
                  "the links are those of the URDF");
  return kNone;
}

}  // namespace robot_yaml

namespace {

using robot_yaml::joint_named;
using robot_yaml::kRadianPerDegree;
using robot_yaml::link_named;
using robot_yaml::position_text;

const std::initializer_list<std::string_view> kKeys = {
    "urdf",    "xacro",    "arms",   "home",    "home_deg",  "postures",        "postures_deg",  "aliases",
    "enabled", "limits",   "driver", "control", "processes", "actuation",       "ignored_pairs", "workspace",
    "io",      "grippers", "motion", "homing",  "frames",    "stands_on_floor",
};

// ---- arms ----

void read_tools(const YamlNode& node, const RobotModel& model, Arm& arm, Findings& findings) {
  if (!expect_list(node, findings)) return;
  for (const YamlNode& item : node.children) {
    if (!expect_map(item, {"name", "link", "xyz", "rpy", "rpy_deg"}, findings)) return;
    ToolFrame tool{.name = required_entry(item, "name", findings),
                   .link = arm.tip_link,
                   .X_LT = pose_from(item, findings)};
    if (const YamlNode* link = entry_of(item, "link")) {
      tool.link = link_named(*link, text_from(*link, findings), model, findings);
    }
    for (const ToolFrame& other : arm.tools) {
      if (other.name == tool.name)
        findings.refuse(item.place, fmt::format("tool '{}' stands twice", shown(tool.name)),
                        "give each its own name");
    }
    arm.tools.push_back(std::move(tool));
  }
}

void check_arm(const YamlNode& node, const RobotModel& model, const Arm& arm, Findings& findings) {
  if (find_arm(model, arm.name) != kNone) {
    findings.refuse(node.place, fmt::format("arm '{}' stands twice", shown(arm.name)),
                    "give each its own name");
    return;
  }
  const auto chain = joints_between(model, arm.base_link, arm.tip_link);
  if (!chain) {
    findings.refuse(
        node.place,
        fmt::format("the tip '{}' of arm '{}' does not hang on its base '{}'", model.links[arm.tip_link].name,
                    shown(arm.name), model.links[arm.base_link].name),
        "name a link of the same branch, nearer to the root");
    return;
  }
  const bool moves = std::any_of(chain->begin(), chain->end(),
                                 [&](std::size_t j) { return model.joints[j].kind != JointKind::Fixed; });
  if (!moves)
    findings.refuse(node.place, fmt::format("arm '{}' has no joint that moves", shown(arm.name)),
                    "name another base or tip");
}

void read_arms(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_list(node, findings)) return;
  for (const YamlNode& item : node.children) {
    if (!expect_map(item, {"name", "base", "tip", "tools"}, findings)) return;
    Arm arm{.name = required_entry(item, "name", findings),
            .base_link = link_named(item, required_entry(item, "base", findings), model, findings),
            .tip_link = link_named(item, required_entry(item, "tip", findings), model, findings)};
    if (findings.has_error()) return;
    if (const YamlNode* tools = entry_of(item, "tools")) read_tools(*tools, model, arm, findings);
    check_arm(item, model, arm, findings);
    if (findings.has_error()) return;
    model.arms.push_back(std::move(arm));
  }
}

// ---- postures ----

NamedPosture& posture_named(const std::string& name, RobotModel& model) {
  for (NamedPosture& posture : model.postures) {
    if (posture.name == name) return posture;
  }
  model.postures.push_back(
      {.name = name,
       .positions = std::vector<double>(model.positions.size(), std::numeric_limits<double>::quiet_NaN())});
  return model.postures.back();
}

void read_posture(const YamlNode& node, const std::string& name, bool in_degrees, RobotModel& model,
                  Findings& findings) {
  if (!expect_map_of_any(node, findings)) return;
  NamedPosture& posture = posture_named(name, model);
  for (const YamlNode& entry : node.children) {
    const std::size_t index = joint_named(entry, entry.key, model, findings);
    const double number = number_from(entry, findings);
    if (findings.has_error()) return;
    const Joint& joint = model.joints[index];
    if (in_degrees && joint.kind == JointKind::Prismatic) {
      findings.refuse(entry.place, fmt::format("joint '{}' slides: it has no degrees", shown(entry.key)),
                      "write metres under a key without '_deg'");
      return;
    }
    const double position = without_rounding(joint.limits, in_degrees ? number * kRadianPerDegree : number);
    if (position < joint.limits.lower || position > joint.limits.upper) {
      findings.refuse(
          entry.place,
          fmt::format("'{}' puts joint '{}' at {}: its limits are {} to {}", shown(name), shown(entry.key),
                      position_text(joint, position), position_text(joint, joint.limits.lower),
                      position_text(joint, joint.limits.upper)),
          "stay within them");
      return;
    }
    posture.positions[joint.position] = position;
  }
}

void read_postures(const YamlNode& node, bool in_degrees, RobotModel& model, Findings& findings) {
  if (!expect_map_of_any(node, findings)) return;
  for (const YamlNode& entry : node.children) read_posture(entry, entry.key, in_degrees, model, findings);
}

// ---- names ----

void add_alias(const YamlNode& node, const std::string& alias, Joint& joint, const RobotModel& model,
               Findings& findings) {
  if (alias == joint.name) return;
  if (find_joint(model, alias) != kNone) {
    findings.refuse(node.place, fmt::format("'{}' names a joint already", shown(alias)),
                    "give each joint its own names");
    return;
  }
  if (!findings.has_error()) joint.aliases.push_back(alias);
}

void read_aliases(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_map_of_any(node, findings)) return;
  for (const YamlNode& entry : node.children) {
    const std::size_t index = joint_named(entry, entry.key, model, findings);
    if (index == kNone) return;
    Joint& joint = model.joints[index];
    if (entry.kind != YamlKind::List) {
      add_alias(entry, text_from(entry, findings), joint, model, findings);
      continue;
    }
    for (const YamlNode& item : entry.children)
      add_alias(item, text_from(item, findings), joint, model, findings);
  }
}

void read_enabled(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_list(node, findings)) return;
  for (const std::size_t j : model.positions) model.joints[j].is_enabled = false;
  for (const YamlNode& item : node.children) {
    const std::size_t index = joint_named(item, text_from(item, findings), model, findings);
    if (index == kNone) return;
    model.joints[index].is_enabled = true;
  }
}

// ---- limits ----

struct LimitKey {
  std::string_view name;
  double JointLimits::*member;
  bool is_positive;
};
constexpr LimitKey kLimitKeys[] = {
    {"lower", &JointLimits::lower, false},      {"upper", &JointLimits::upper, false},
    {"velocity", &JointLimits::velocity, true}, {"acceleration", &JointLimits::acceleration, true},
    {"jerk", &JointLimits::jerk, true},         {"effort", &JointLimits::effort, true},
};

constexpr double kLargestLimit = 1e9;  // [rad, m, N and per second] far beyond any robot

void read_limit_value(const YamlNode& map, const LimitKey& key, Joint& joint, Findings& findings) {
  const std::string degrees_key = fmt::format("{}_deg", key.name);
  const YamlNode* plain = entry_of(map, key.name);
  const YamlNode* degrees = entry_of(map, degrees_key);
  if (plain == nullptr && degrees == nullptr) return;
  if (plain != nullptr && degrees != nullptr) {
    findings.refuse(degrees->place, fmt::format("both '{}' and '{}' are given", key.name, degrees_key),
                    "keep one of them");
    return;
  }
  if (degrees != nullptr && joint.kind == JointKind::Prismatic) {
    findings.refuse(degrees->place, fmt::format("joint '{}' slides: it has no degrees", shown(joint.name)),
                    fmt::format("write '{}' in metres", key.name));
    return;
  }
  const YamlNode& node = plain != nullptr ? *plain : *degrees;
  const double value = number_from(node, findings) * (plain != nullptr ? 1.0 : kRadianPerDegree);
  if (key.is_positive && value <= 0.0 && !findings.has_error()) {
    findings.refuse(node.place, fmt::format("'{}' is {}, not above zero", node.key, shown(node.text)),
                    "write how much it may be");
  }
  if (std::abs(value) > kLargestLimit)
    findings.refuse(node.place,
                    fmt::format("'{}' is '{}': more than {:g} is no limit of a robot", node.key,
                                shown(node.text), kLargestLimit),
                    "write how much it may be, or leave it out where there is none");
  joint.limits.*key.member = value;
}

void read_joint_limits(const YamlNode& entry, Joint& joint, Findings& findings) {
  if (!expect_map(entry,
                  {"lower", "upper", "velocity", "acceleration", "jerk", "effort", "lower_deg", "upper_deg",
                   "velocity_deg", "acceleration_deg", "jerk_deg"},
                  findings)) {
    return;
  }
  const bool has_position = entry_of(entry, "lower") || entry_of(entry, "upper") ||
                            entry_of(entry, "lower_deg") || entry_of(entry, "upper_deg");
  if (has_position && joint.kind == JointKind::Continuous) {
    findings.refuse(entry.place, fmt::format("joint '{}' turns without end", shown(joint.name)),
                    "make it revolute in the URDF to limit it");
    return;
  }
  for (const LimitKey& key : kLimitKeys) read_limit_value(entry, key, joint, findings);
  if (joint.limits.lower > joint.limits.upper) {
    findings.refuse(
        entry.place,
        fmt::format("joint '{}' has its lower limit {} above its upper limit {}", shown(joint.name),
                    position_text(joint, joint.limits.lower), position_text(joint, joint.limits.upper)),
        "exchange them");
  }
}

}  // namespace

void robot_yaml::read_limits(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_map_of_any(node, findings)) return;
  for (const YamlNode& entry : node.children) {
    const std::size_t joint = joint_named(entry, entry.key, model, findings);
    if (joint == kNone) return;
    read_joint_limits(entry, model.joints[joint], findings);
  }
}

namespace {

// ---- pairs and settings ----

void read_pairs(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_list(node, findings)) return;
  for (const YamlNode& item : node.children) {
    if (!expect_map(item, {"a", "b", "reason"}, findings)) return;
    IgnoredPair pair{.link_a = link_named(item, required_entry(item, "a", findings), model, findings),
                     .link_b = link_named(item, required_entry(item, "b", findings), model, findings),
                     .reason = required_entry(item, "reason", findings)};
    if (!findings.has_error() && pair.link_a == pair.link_b) {
      findings.refuse(item.place, "a link is never checked against itself", "name two links");
    }
    if (findings.has_error()) return;
    model.ignored_pairs.push_back(std::move(pair));
  }
}

void read_standing(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_list(node, findings)) return;
  for (const YamlNode& item : node.children) {
    const std::size_t link = link_named(item, text_from(item, findings), model, findings);
    if (findings.has_error()) return;
    model.ignored_pairs.push_back({.link_a = link, .link_b = kNone, .reason = "stands on the floor"});
  }
}

void flatten(const YamlNode& node, const std::string& prefix, Settings& settings) {
  if (node.kind == YamlKind::Text || node.kind == YamlKind::Nothing) {
    settings[prefix] = node.text;
    return;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const YamlNode& child = node.children[i];
    const std::string name = node.kind == YamlKind::Map ? child.key : std::to_string(i);
    flatten(child, prefix.empty() ? name : prefix + "." + name, settings);
  }
}

Settings read_settings(const YamlNode& root, std::string_view key, Findings& findings) {
  Settings settings;
  const YamlNode* node = entry_of(root, key);
  if (node != nullptr && expect_map_of_any(*node, findings)) flatten(*node, "", settings);
  return settings;
}

template <class Read, class... More>
void read_section(const YamlNode& root, std::string_view key, Findings& findings, Read read, More&&... more) {
  const YamlNode* node = entry_of(root, key);
  if (node != nullptr && !findings.has_error()) read(*node, std::forward<More>(more)..., findings);
}

}  // namespace

Result<RobotSettings> read_robot_settings(const YamlNode& root) {
  Findings findings;
  RobotSettings settings;
  if (expect_map(root, kKeys, findings)) {
    settings.urdf = required_entry(root, "urdf", findings);
    settings.xacro = read_settings(root, "xacro", findings);
    settings.driver = read_settings(root, "driver", findings);
    settings.control = read_settings(root, "control", findings);
    settings.motion = read_settings(root, "motion", findings);
    settings.processes = read_settings(root, "processes", findings);
  }
  if (findings.has_error()) return findings.error();
  return settings;
}

Status apply_robot_yaml(const YamlNode& root, RobotModel& model) {
  Findings findings;
  expect_map(root, kKeys, findings);
  // names and limits first: the rest speaks of them
  read_section(root, "aliases", findings, read_aliases, model);
  read_section(root, "enabled", findings, read_enabled, model);
  read_section(root, "limits", findings, robot_yaml::read_limits, model);
  read_section(root, "arms", findings, read_arms, model);
  for (const bool in_degrees : {false, true}) {
    read_section(root, in_degrees ? "home_deg" : "home", findings, read_posture, "home", in_degrees, model);
    read_section(root, in_degrees ? "postures_deg" : "postures", findings, read_postures, in_degrees, model);
  }
  read_section(root, "ignored_pairs", findings, read_pairs, model);
  read_section(root, "stands_on_floor", findings, read_standing, model);
  read_section(root, "workspace", findings, robot_yaml::read_workspace, model);
  read_section(root, "frames", findings, robot_yaml::read_frames, model);
  read_section(root, "actuation", findings, robot_yaml::read_actuation, model);
  read_section(root, "homing", findings, robot_yaml::read_homing, model);
  read_section(root, "io", findings, robot_yaml::read_io, model);
  read_section(root, "grippers", findings, robot_yaml::read_grippers, model);
  if (findings.has_error()) return findings.error();
  return Done{};
}

}  // namespace sinew
