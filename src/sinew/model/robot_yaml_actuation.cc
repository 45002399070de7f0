// SPDX-License-Identifier: BSD-3-Clause
// The section `actuation` of robot.yaml: one entry per actuator, with its row of J_a, or J_a's inverse.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/actuation.h"
#include "sinew/model/robot_yaml_parts.h"
#include "sinew/model/text_input.h"

namespace sinew::robot_yaml {
namespace {

// Counts per rad, or per m for what slides. One of these keys, or gear, encoder and ticks, whose product is
// the counts per turn.
struct ScaleKey {
  std::string_view name;
  double per_si;
};
constexpr std::array<ScaleKey, 4> kScaleKeys{{{"counts_per_rad", 1.0},
                                              {"counts_per_deg", 180.0 / std::numbers::pi},
                                              {"counts_per_turn", 0.5 / std::numbers::pi},
                                              {"counts_per_m", 1.0}}};

double read_scale(const YamlNode& item, Findings& findings) {
  double scale = 0.0;
  int given = 0;
  for (const ScaleKey& key : kScaleKeys) {
    const YamlNode* entry = entry_of(item, key.name);
    if (entry == nullptr) continue;
    scale = number_from(*entry, findings) * key.per_si;
    ++given;
  }
  if (const YamlNode* encoder = entry_of(item, "encoder")) {
    const YamlNode* gear = entry_of(item, "gear");
    const YamlNode* ticks = entry_of(item, "ticks");
    scale = number_from(*encoder, findings) * 0.5 / std::numbers::pi;
    scale *= gear == nullptr ? 1.0 : number_from(*gear, findings);
    scale *= ticks == nullptr ? 1.0 : number_from(*ticks, findings);
    ++given;
  }
  if (given != 1) {
    findings.refuse(item.place,
                    given == 0 ? "the actuator has no scale" : "the actuator has more than one scale",
                    "write one of counts_per_rad, counts_per_deg, counts_per_turn, counts_per_m, or encoder "
                    "with gear and ticks");
  }
  if (!findings.has_error() && !(scale > 0.0)) {
    findings.refuse(item.place, fmt::format("the scale is {:g}, not above zero", scale),
                    "write the sign as 'direction: -1'");
  }
  return scale;
}

double read_direction(const YamlNode& item, Findings& findings) {
  const YamlNode* entry = entry_of(item, "direction");
  if (entry == nullptr) return 1.0;
  const double direction = number_from(*entry, findings);
  if (std::abs(direction) != 1.0)
    findings.refuse(entry->place, fmt::format("the direction is {:g}", direction), "it is 1 or -1");
  return direction;
}

void read_row(const YamlNode& node, const RobotModel& model, Eigen::Index row, Eigen::MatrixXd& coupling,
              Findings& findings) {
  if (!expect_map_of_any(node, findings)) return;
  for (const YamlNode& entry : node.children) {
    const std::size_t joint = joint_named(entry, entry.key, model, findings);
    if (joint == kNone) return;
    coupling(row, static_cast<Eigen::Index>(model.joints[joint].position)) = number_from(entry, findings);
  }
}

// `inverse: {joint: {actuator: factor}}`
void read_inverse(const YamlNode& node, const RobotModel& model, const std::vector<std::string>& actuators,
                  Eigen::MatrixXd& inverse, Findings& findings) {
  if (!expect_map_of_any(node, findings)) return;
  for (const YamlNode& row : node.children) {
    const std::size_t joint = joint_named(row, row.key, model, findings);
    if (joint == kNone || !expect_map_of_any(row, findings)) return;
    for (const YamlNode& entry : row.children) {
      const auto found = std::find(actuators.begin(), actuators.end(), entry.key);
      if (found == actuators.end()) {
        findings.refuse(
            entry.place,
            fmt::format("there is no actuator '{}'{}", shown(entry.key), did_you_mean(entry.key, actuators)),
            "the actuators are those of this section");
        return;
      }
      inverse(static_cast<Eigen::Index>(model.joints[joint].position), found - actuators.begin()) =
          number_from(entry, findings);
    }
  }
}

struct ActuatorRows {
  Actuation actuation;
  std::vector<std::string> names;
};

void read_actuator(const YamlNode& item, const RobotModel& model, bool has_rows, ActuatorRows& rows,
                   Findings& findings) {
  if (!expect_map(item,
                  {"name", "joints", "counts_per_rad", "counts_per_deg", "counts_per_turn", "counts_per_m",
                   "encoder", "gear", "ticks", "direction", "offset_counts"},
                  findings)) {
    return;
  }
  const auto row = static_cast<Eigen::Index>(rows.names.size());
  rows.names.push_back(required_entry(item, "name", findings));
  if (std::count(rows.names.begin(), rows.names.end(), rows.names.back()) > 1) {
    findings.refuse(item.place, fmt::format("actuator '{}' stands twice", shown(rows.names.back())),
                    "give each its own name");
  }
  rows.actuation.scale[row] = read_scale(item, findings) * read_direction(item, findings);
  const YamlNode* offset = entry_of(item, "offset_counts");
  rows.actuation.offset[row] = offset == nullptr ? 0.0 : number_from(*offset, findings);
  const YamlNode* joints = entry_of(item, "joints");
  if ((joints != nullptr) != has_rows) {
    findings.refuse(
        item.place, has_rows ? "'joints' is missing here" : "there is 'joints' beside 'inverse'",
        "say either which joints move each actuator, or in 'inverse' which actuators move each joint");
  }
  if (joints != nullptr && has_rows) read_row(*joints, model, row, rows.actuation.coupling, findings);
}

}  // namespace

void read_actuation(const YamlNode& node, RobotModel& model, Findings& findings) {
  if (!expect_map(node, {"actuators", "inverse"}, findings)) return;
  const YamlNode* actuators = entry_of(node, "actuators");
  const YamlNode* inverse = entry_of(node, "inverse");
  if (actuators == nullptr) {
    findings.refuse(node.place, "'actuators' is missing here", "write a list of them");
    return;
  }
  if (!expect_list(*actuators, findings)) return;
  const auto count = static_cast<Eigen::Index>(actuators->children.size());
  const auto joints = static_cast<Eigen::Index>(model.positions.size());
  if (count != joints || count == 0) {
    findings.refuse(actuators->place, fmt::format("there are {} actuators for {} joints", count, joints),
                    "each joint that moves needs one");
    return;
  }
  ActuatorRows rows;
  rows.actuation.scale.setZero(count);
  rows.actuation.offset.setZero(count);
  (inverse == nullptr ? rows.actuation.coupling : rows.actuation.inverse).setZero(count, count);
  for (const YamlNode& item : actuators->children) {
    read_actuator(item, model, inverse == nullptr, rows, findings);
    if (findings.has_error()) return;
  }
  if (inverse != nullptr) read_inverse(*inverse, model, rows.names, rows.actuation.inverse, findings);
  if (findings.has_error()) return;
  if (Status done = complete_actuation(rows.actuation); !done) {
    findings.refuse(node.place, done.error().message, "see 'actuation' in the robot.yaml of scorbot-er3");
    return;
  }
  rows.actuation.names = std::move(rows.names);
  model.actuation = std::move(rows.actuation);
}

}  // namespace sinew::robot_yaml
