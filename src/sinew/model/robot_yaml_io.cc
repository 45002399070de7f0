// SPDX-License-Identifier: BSD-3-Clause
// Inputs, outputs and what grips.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/robot_yaml_parts.h"
#include "sinew/model/text_input.h"

namespace sinew::robot_yaml {
namespace {

// ---- inputs and outputs ----

std::uint32_t port_number(const YamlNode& node, bool is_analog, Findings& findings) {
  const std::uint32_t most = is_analog ? kMostAnalogPorts : kMostDigitalPorts;
  const double number = number_from(node, findings);
  if (number >= 0.0 && number < most && number == std::floor(number))
    return static_cast<std::uint32_t>(number);
  findings.refuse(node.place, fmt::format("'{}' is {}", node.key, shown(node.text)),
                  fmt::format("write the device's number of it, 0 to {}", most - 1));
  return 0;
}

bool read_on_stop(const YamlNode& node, Findings& findings) {
  const std::string text = text_from(node, findings);
  if (text != "hold" && text != "off")
    findings.refuse(node.place, fmt::format("'on_stop' is '{}'", shown(text)), "write hold or off");
  return text == "off";
}

IoPort read_port(const YamlNode& entry, bool is_analog, bool is_output, Findings& findings) {
  IoPort port{.name = entry.key, .is_analog = is_analog};
  if (entry.kind != YamlKind::Map || !is_output) {
    port.number = port_number(entry, is_analog, findings);
    return port;
  }
  if (!expect_map(entry, {"number", "on_stop"}, findings)) return port;
  const YamlNode* number = entry_of(entry, "number");
  if (number == nullptr)
    findings.refuse(entry.place, fmt::format("'{}' has no 'number'", shown(entry.key)),
                    "write the device's number of it");
  else
    port.number = port_number(*number, is_analog, findings);
  if (const YamlNode* on_stop = entry_of(entry, "on_stop"))
    port.is_off_at_stop = read_on_stop(*on_stop, findings);
  return port;
}

void check_port(const YamlNode& entry, const IoPort& port, const std::vector<IoPort>& ports,
                Findings& findings) {
  if (port.name.empty() || std::ranges::all_of(port.name, [](char c) { return c >= '0' && c <= '9'; }))
    findings.refuse(entry.place, fmt::format("'{}' is no name", shown(port.name)),
                    "begin it with a letter: numbers are the device's");
  const IoPort* named = find_port(ports, port.name, port.is_analog);
  const IoPort* numbered = find_port(ports, std::to_string(port.number), port.is_analog);
  if (named != nullptr)
    findings.refuse(entry.place, fmt::format("'{}' stands twice", shown(port.name)),
                    "give each its own name");
  if (numbered != nullptr)
    findings.refuse(
        entry.place,
        fmt::format("'{}' and '{}' have the number {}", shown(numbered->name), shown(port.name), port.number),
        "keep one of them");
}

void read_ports(const YamlNode& map, bool is_analog, bool is_output, std::vector<IoPort>& ports,
                Findings& findings) {
  if (!expect_map_of_any(map, findings)) return;
  for (const YamlNode& entry : map.children) {
    IoPort port = read_port(entry, is_analog, is_output, findings);
    check_port(entry, port, ports, findings);
    if (findings.has_error()) return;
    ports.push_back(std::move(port));
  }
}

// ---- grippers ----

double positive_from(const YamlNode& node, Findings& findings) {
  const double value = number_from(node, findings);
  if (value <= 0.0 && !findings.has_error())
    findings.refuse(node.place, fmt::format("'{}' is {}, not above zero", node.key, shown(node.text)),
                    "write how much it may be");
  return value;
}

// one number for all joints, or one for each
std::vector<double> read_ends(const YamlNode& map, std::string_view key, std::size_t count,
                              Findings& findings) {
  const YamlNode* node = entry_of(map, key);
  if (node == nullptr) {
    findings.refuse(map.place, fmt::format("gripper '{}' has no '{}'", shown(map.key), key),
                    "write where its joints are then [rad, m]");
    return std::vector<double>(count);
  }
  if (node->kind != YamlKind::List) return std::vector<double>(count, number_from(*node, findings));
  if (node->children.size() != count) {
    findings.refuse(node->place,
                    fmt::format("'{}' has {} numbers for {} joints", key, node->children.size(), count),
                    "write one for all, or one for each");
    return std::vector<double>(count);
  }
  std::vector<double> ends;
  for (const YamlNode& item : node->children) ends.push_back(number_from(item, findings));
  return ends;
}

void check_end(const YamlNode& node, const Joint& joint, double position, Findings& findings) {
  constexpr double kSlack = 1e-9;
  if (position >= joint.limits.lower - kSlack && position <= joint.limits.upper + kSlack) return;
  findings.refuse(
      node.place,
      fmt::format("gripper '{}' puts joint '{}' at {}: its limits are {} to {}", shown(node.key),
                  shown(joint.name), position_text(joint, position), position_text(joint, joint.limits.lower),
                  position_text(joint, joint.limits.upper)),
      "stay within them");
}

void read_widths(const YamlNode& node, Gripper& gripper, Findings& findings) {
  const YamlNode* width = entry_of(node, "width");
  if (width == nullptr || width->kind != YamlKind::List || width->children.size() != 2) {
    findings.refuse(node.place, fmt::format("gripper '{}' has no 'width'", shown(node.key)),
                    "write how wide it is closed and open, width: [0, 0.08]");
    return;
  }
  gripper.closed_width = number_from(width->children[0], findings);
  gripper.open_width = number_from(width->children[1], findings);
  if (!findings.has_error() && !(gripper.closed_width >= 0.0 && gripper.open_width > gripper.closed_width))
    findings.refuse(width->place, "'width' does not go from closed to open", "write the smaller one first");
}

void read_gripper_joints(const YamlNode& node, const YamlNode& joints, const RobotModel& model,
                         Gripper& gripper, Findings& findings) {
  if (!expect_list(joints, findings)) return;
  const std::size_t count = joints.children.size();
  const std::vector<double> open = read_ends(node, "open", count, findings);
  const std::vector<double> closed = read_ends(node, "closed", count, findings);
  for (std::size_t i = 0; i < count && !findings.has_error(); ++i) {
    const YamlNode& item = joints.children[i];
    const std::size_t index = joint_named(item, text_from(item, findings), model, findings);
    if (index == kNone) return;
    const Joint& joint = model.joints[index];
    check_end(node, joint, open[i], findings);
    check_end(node, joint, closed[i], findings);
    gripper.joints.push_back({.position = joint.position, .open = open[i], .closed = closed[i]});
  }
  if (count == 0) findings.refuse(joints.place, "a gripper without joints", "name them, or an output");
  read_widths(node, gripper, findings);
}

void read_gripper_output(const YamlNode& node, const YamlNode& output, const RobotModel& model,
                         Gripper& gripper, Findings& findings) {
  const std::string name = text_from(output, findings);
  const IoPort* port = find_port(model.outputs, name, false);
  if (port != nullptr) {
    gripper.output = static_cast<std::size_t>(port - model.outputs.data());
  } else {
    std::vector<std::string> names;
    for (const IoPort& known : model.outputs)
      if (!known.is_analog) names.push_back(known.name);
    findings.refuse(output.place,
                    fmt::format("there is no output '{}'{}", shown(name), did_you_mean(name, names)),
                    "name one under io: outputs:");
  }
  if (const YamlNode* time = entry_of(node, "time")) gripper.time = positive_from(*time, findings);
}

Gripper read_gripper(const YamlNode& node, const RobotModel& model, Findings& findings) {
  Gripper gripper{.name = node.key};
  if (!expect_map(node, {"joints", "open", "closed", "width", "speed", "force", "output", "time"}, findings))
    return gripper;
  const YamlNode* joints = entry_of(node, "joints");
  const YamlNode* output = entry_of(node, "output");
  if ((joints == nullptr) == (output == nullptr)) {
    findings.refuse(node.place,
                    fmt::format("gripper '{}' has {} of 'joints' and 'output'", shown(node.key),
                                joints == nullptr ? "none" : "both"),
                    "write one of them");
    return gripper;
  }
  if (joints != nullptr)
    read_gripper_joints(node, *joints, model, gripper, findings);
  else
    read_gripper_output(node, *output, model, gripper, findings);
  if (const YamlNode* speed = entry_of(node, "speed")) gripper.speed = positive_from(*speed, findings);
  if (const YamlNode* force = entry_of(node, "force")) gripper.force = positive_from(*force, findings);
  return gripper;
}

}  // namespace

void read_io(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_map(node, {"inputs", "analog_inputs", "outputs", "analog_outputs"}, findings)) return;
  for (const bool is_analog : {false, true}) {
    if (const YamlNode* ports = entry_of(node, is_analog ? "analog_inputs" : "inputs"))
      read_ports(*ports, is_analog, false, model.inputs, findings);
    if (const YamlNode* ports = entry_of(node, is_analog ? "analog_outputs" : "outputs"))
      read_ports(*ports, is_analog, true, model.outputs, findings);
  }
}

void read_grippers(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_map_of_any(node, findings)) return;
  for (const YamlNode& entry : node.children) {
    Gripper gripper = read_gripper(entry, model, findings);
    if (findings.has_error()) return;
    model.grippers.push_back(std::move(gripper));
  }
}

}  // namespace sinew::robot_yaml
