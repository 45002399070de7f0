// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/srdf.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "sinew/model/positions.h"
#include "sinew/model/text_input.h"
#include "sinew/model/xml.h"

namespace sinew {
namespace {

// ---- reading ----

class SrdfReader {
 public:
  SrdfReader(RobotModel& model, Findings& findings) : model_(model), findings_(findings) {}

  void read(const XmlElement& root) {
    if (root.name != "robot") {
      findings_.refuse(root.place, fmt::format("the root element is <{}>, not <robot>", shown(root.name)),
                       "is it a SRDF?");
      return;
    }
    check_name(root);
    // groups first: the rest speaks of them
    for (const XmlElement& child : root.children) {
      if (child.name == "group") read_group(child);
    }
    for (const XmlElement& child : root.children) {
      if (findings_.has_error()) return;
      if (child.name == "group_state") read_state(child);
      if (child.name == "disable_collisions") read_pair(child);
      if (child.name == "end_effector") read_end_effector(child);
      if (child.name == "virtual_joint") {
        findings_.remark(child.place, "a virtual joint is passed over",
                         "where the robot stands is no joint position here");
      }
    }
  }

 private:
  void check_name(const XmlElement& root) {
    const std::string name = required_text(root, "name", findings_);
    if (name == model_.name || findings_.has_error()) return;
    findings_.remark(root.place,
                     fmt::format("this is for the robot '{}', not '{}'", shown(name), shown(model_.name)),
                     "give both files one name");
  }

  std::size_t link_at(const XmlElement& element, std::string_view attribute) {
    const std::string name = required_text(element, attribute, findings_);
    const std::size_t link = find_link(model_, name);
    if (link == kNone && !findings_.has_error()) {
      findings_.remark(element.place, fmt::format("there is no link '{}'", shown(name)),
                       "the line is passed over: mend the name");
    }
    return link;
  }

  // The chain of a group: <chain>, or its <joint>s and <link>s where they follow each other.
  std::optional<Arm> chain_of(const XmlElement& group) {
    if (const XmlElement* chain = child_of(group, "chain")) {
      Arm arm{.name = {},
              .base_link = link_at(*chain, "base_link"),
              .tip_link = link_at(*chain, "tip_link"),
              .tools = {}};
      if (arm.base_link == kNone || arm.tip_link == kNone) return std::nullopt;
      return arm;
    }
    std::vector<std::size_t> joints;
    for (const XmlElement& child : group.children) {
      if (child.name == "joint")
        joints.push_back(find_joint(model_, required_text(child, "name", findings_)));
      if (child.name != "link") continue;
      const std::size_t link = link_at(child, "name");
      joints.push_back(link == kNone ? kNone : model_.links[link].parent_joint);
    }
    // the root has no joint above it
    std::erase(joints, kNone);
    std::sort(joints.begin(), joints.end());
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    if (joints.empty()) return std::nullopt;
    for (std::size_t i = 1; i < joints.size(); ++i) {
      if (model_.joints[joints[i]].parent_link != model_.joints[joints[i - 1]].child_link)
        return std::nullopt;
    }
    return Arm{.name = {},
               .base_link = model_.joints[joints.front()].parent_link,
               .tip_link = model_.joints[joints.back()].child_link,
               .tools = {}};
  }

  void read_group(const XmlElement& group) {
    const std::string name = required_text(group, "name", findings_);
    if (findings_.has_error() || find_arm(model_, name) != kNone) return;
    std::optional<Arm> arm = chain_of(group);
    if (!arm || !joints_between(model_, arm->base_link, arm->tip_link) || arm->base_link == arm->tip_link) {
      findings_.remark(group.place,
                       fmt::format("the group '{}' is no chain of joints and is passed over", shown(name)),
                       "arms here are chains from a base to a tip");
      return;
    }
    arm->name = name;
    model_.arms.push_back(std::move(*arm));
  }

  void read_state(const XmlElement& state) {
    const std::string name = required_text(state, "name", findings_);
    const auto is_named = [&](const NamedPosture& posture) { return posture.name == name; };
    const auto known = std::find_if(model_.postures.begin(), model_.postures.end(), is_named);
    NamedPosture posture{
        .name = name,
        .positions = std::vector<double>(model_.positions.size(), std::numeric_limits<double>::quiet_NaN())};
    for (const XmlElement& child : state.children) {
      if (child.name == "joint") read_state_joint(child, posture);
    }
    if (findings_.has_error()) return;
    if (known == model_.postures.end()) {
      model_.postures.push_back(std::move(posture));
      return;
    }
    // states of several groups under one name add up
    for (std::size_t i = 0; i < posture.positions.size(); ++i) {
      if (std::isnan(known->positions[i])) known->positions[i] = posture.positions[i];
    }
  }

  void read_state_joint(const XmlElement& element, NamedPosture& posture) {
    const std::string name = required_text(element, "name", findings_);
    required_text(element, "value", findings_);
    const double number = number_or(element, "value", 0.0, findings_);
    const std::size_t index = find_joint(model_, name);
    if (findings_.has_error()) return;
    if (index == kNone || model_.joints[index].position == kNone) {
      findings_.remark(element.place, fmt::format("there is no joint '{}' that moves by itself", shown(name)),
                       "the line is passed over: mend the name");
      return;
    }
    const JointLimits& limits = model_.joints[index].limits;
    const double value = without_rounding(limits, number);
    if (value < limits.lower || value > limits.upper) {
      findings_.remark(element.place,
                       fmt::format("'{}' puts joint '{}' at {:g}, outside its limits {:g} to {:g}; it is cut",
                                   shown(posture.name), shown(name), value, limits.lower, limits.upper),
                       "stay within them");
    }
    posture.positions[model_.joints[index].position] = std::clamp(value, limits.lower, limits.upper);
  }

  void read_pair(const XmlElement& element) {
    const std::size_t a = link_at(element, "link1");
    const std::size_t b = link_at(element, "link2");
    if (a == kNone || b == kNone || a == b || findings_.has_error()) return;
    if (known_pairs_.empty()) {
      for (const IgnoredPair& pair : model_.ignored_pairs)
        known_pairs_.insert(std::minmax(pair.link_a, pair.link_b));
    }
    if (!known_pairs_.insert(std::minmax(a, b)).second) return;
    const std::string* reason = attribute_of(element, "reason");
    std::string word = reason == nullptr ? "said by the SRDF" : *reason;
    for (const char* known : {"Adjacent", "Always", "Never"}) {
      if (word == known) word[0] = static_cast<char>(word[0] - 'A' + 'a');
    }
    model_.ignored_pairs.push_back({.link_a = a, .link_b = b, .reason = std::move(word)});
  }

  // A tool at its parent link, for the arm that ends there.
  void read_end_effector(const XmlElement& element) {
    const std::string name = required_text(element, "name", findings_);
    const std::size_t link = link_at(element, "parent_link");
    if (link == kNone || findings_.has_error()) return;
    for (Arm& arm : model_.arms) {
      const bool is_there = std::any_of(arm.tools.begin(), arm.tools.end(),
                                        [&](const ToolFrame& tool) { return tool.name == name; });
      if (arm.tip_link == link && !is_there) arm.tools.push_back({.name = name, .link = link, .X_LT = {}});
    }
  }

  RobotModel& model_;
  Findings& findings_;
  std::set<std::pair<std::size_t, std::size_t>> known_pairs_;
};

// ---- writing ----

XmlElement srdf_element(std::string name, std::vector<XmlAttribute> attributes) {
  return {
      .name = std::move(name), .attributes = std::move(attributes), .children = {}, .text = {}, .place = {}};
}

void add_postures(const RobotModel& model, const Arm& arm, XmlElement& root) {
  const auto path = joints_between(model, arm.base_link, arm.tip_link);
  if (!path) return;
  for (const NamedPosture& posture : model.postures) {
    XmlElement state = srdf_element("group_state", {{"name", posture.name}, {"group", arm.name}});
    for (const std::size_t j : *path) {
      const Joint& joint = model.joints[j];
      if (joint.position == kNone || std::isnan(posture.positions[joint.position])) continue;
      state.children.push_back(srdf_element(
          "joint", {{"name", joint.name}, {"value", fmt::format("{}", posture.positions[joint.position])}}));
    }
    if (!state.children.empty()) root.children.push_back(std::move(state));
  }
}

std::string moveit_reason(const std::string& reason) {
  if (reason == "adjacent") return "Adjacent";
  if (reason == "always") return "Always";
  if (reason == "never") return "Never";
  return reason;
}

}  // namespace

Result<std::vector<Remark>> apply_srdf_text(std::string_view text, const std::filesystem::path& file,
                                            RobotModel& model) {
  const auto root = parse_xml(text, file.string());
  if (!root) return root.error();
  Findings findings;
  RobotModel changed = model;
  SrdfReader(changed, findings).read(*root);
  if (findings.has_error()) return findings.error();
  model = std::move(changed);
  return findings.take_remarks();
}

Result<std::filesystem::path> find_srdf(const std::filesystem::path& file, std::string_view robot,
                                        const RobotFiles& files, const std::filesystem::path& given) {
  if (!given.empty()) {
    if (files.is_file(given)) return given;
    return Error{ErrorCode::NotFound, fmt::format("there is no file {}; check the path", given.string())};
  }
  const std::string name = file.filename().string();
  const bool is_file_name = robot.find('/') == std::string_view::npos;
  for (const std::string_view stem : {std::string_view(name).substr(0, name.find('.')),
                                      is_file_name ? robot : "", std::string_view("robot")}) {
    const std::filesystem::path path = file.parent_path() / (std::string(stem) + ".srdf");
    if (!stem.empty() && files.is_file(path)) return path;
  }
  return std::filesystem::path();
}

std::string srdf_text(const RobotModel& model) {
  XmlElement root = srdf_element("robot", {{"name", model.name}});
  for (const Arm& arm : model.arms) {
    XmlElement group = srdf_element("group", {{"name", arm.name}});
    group.children.push_back(srdf_element("chain", {{"base_link", model.links[arm.base_link].name},
                                                    {"tip_link", model.links[arm.tip_link].name}}));
    root.children.push_back(std::move(group));
  }
  for (const Arm& arm : model.arms) add_postures(model, arm, root);
  for (const Arm& arm : model.arms) {
    // MoveIt's tools have no pose of their own: only those at the tip itself can be said
    for (const ToolFrame& tool : arm.tools) {
      const PoseDistance away = distance({}, tool.X_LT);
      if (tool.link != arm.tip_link || away.position > 0.0 || away.rotation > 0.0) continue;
      root.children.push_back(srdf_element(
          "end_effector",
          {{"name", tool.name}, {"parent_link", model.links[tool.link].name}, {"group", arm.name}}));
    }
  }
  for (const IgnoredPair& pair : model.ignored_pairs) {
    if (pair.link_b == kNone) continue;
    root.children.push_back(srdf_element("disable_collisions", {{"link1", model.links[pair.link_a].name},
                                                                {"link2", model.links[pair.link_b].name},
                                                                {"reason", moveit_reason(pair.reason)}}));
  }
  return xml_text(root);
}

}  // namespace sinew
