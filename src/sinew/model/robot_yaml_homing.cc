// SPDX-License-Identifier: BSD-3-Clause
// The section `homing` of robot.yaml: a list of switches, in the order in which they are looked for.
#include <algorithm>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "sinew/model/robot_yaml_parts.h"
#include "sinew/model/text_input.h"

namespace sinew::robot_yaml {
namespace {

// `key` in rad or m, or `key_deg` where the joint turns.
double quantity(const YamlNode& map, const std::string& key, const Joint& joint, Findings& findings) {
  const YamlNode* plain = entry_of(map, key);
  const YamlNode* degrees = entry_of(map, key + "_deg");
  if (degrees != nullptr && joint.kind == JointKind::Prismatic) {
    findings.refuse(degrees->place, fmt::format("joint '{}' slides: it has no degrees", shown(joint.name)),
                    fmt::format("write '{}' in metres", key));
  } else if ((plain == nullptr) == (degrees == nullptr)) {
    findings.refuse(
        map.place,
        fmt::format("the switch of joint '{}' has {}", shown(joint.name),
                    plain == nullptr ? fmt::format("no '{}'", key) : fmt::format("two of '{}'", key)),
        fmt::format("write '{0}', or '{0}_deg' of a joint that turns", key));
  } else {
    return plain != nullptr ? number_from(*plain, findings)
                            : number_from(*degrees, findings) * std::numbers::pi / 180.0;
  }
  return 0.0;
}

void check_switch(const YamlNode& item, const HomeSwitch& found, const Joint& joint, Findings& findings) {
  const double upper = found.edge + found.width;
  if (!(found.width > 0.0 && found.speed > 0.0 && found.latch_speed > 0.0)) {
    findings.refuse(
        item.place,
        fmt::format("width and speeds of the switch of joint '{}' are not all above zero", shown(joint.name)),
        "write how wide the cam is and how fast it is looked for");
  } else if (found.latch_speed > found.speed || found.speed > joint.limits.velocity) {
    findings.refuse(item.place,
                    fmt::format("joint '{}' is too fast for its switch: {} while it searches, {} at the edge",
                                shown(joint.name), position_text(joint, found.speed),
                                position_text(joint, found.latch_speed)),
                    fmt::format("at most {} a second, and no faster at the edge",
                                position_text(joint, joint.limits.velocity)));
  } else if (found.edge <= joint.limits.lower || upper > joint.limits.upper) {
    // from below, so that there must be a way to come
    findings.refuse(
        item.place,
        fmt::format("the switch of joint '{}' is closed from {} to {}", shown(joint.name),
                    position_text(joint, found.edge), position_text(joint, upper)),
        fmt::format("put it between the joint's limits, {} to {}", position_text(joint, joint.limits.lower),
                    position_text(joint, joint.limits.upper)));
  }
}

}  // namespace

void read_homing(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_list(node, findings)) return;
  for (const YamlNode& item : node.children) {
    if (!expect_map(item,
                    {"joint", "switch", "switch_deg", "width", "width_deg", "speed", "speed_deg",
                     "latch_speed", "latch_speed_deg"},
                    findings))
      return;
    const std::string name = required_entry(item, "joint", findings);
    if (findings.has_error()) return;
    const std::size_t number = joint_named(item, name, model, findings);
    if (number == kNone) return;
    const Joint& joint = model.joints[number];
    const HomeSwitch found{.position = joint.position,
                           .edge = quantity(item, "switch", joint, findings),
                           .width = quantity(item, "width", joint, findings),
                           .speed = quantity(item, "speed", joint, findings),
                           .latch_speed = quantity(item, "latch_speed", joint, findings)};
    if (findings.has_error()) return;
    check_switch(item, found, joint, findings);
    if (std::ranges::find(model.homing, joint.position, &HomeSwitch::position) != model.homing.end())
      findings.refuse(item.place, fmt::format("joint '{}' has two switches", shown(joint.name)),
                      "keep one of them");
    model.homing.push_back(found);
  }
}

}  // namespace sinew::robot_yaml
