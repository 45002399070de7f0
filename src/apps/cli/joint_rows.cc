// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/joint_rows.h"

#include <array>
#include <cmath>

namespace sinew::cli {
namespace {

/// Slower than this is noise [rad/s, m/s].
constexpr double kStill = 1e-4;
/// Nearer than this is there [rad, m].
constexpr double kThere = 1e-4;

JointActivity activity_of(std::size_t i, bool is_enabled, const RobotSnapshot& now) {
  const auto has_bit = [i](std::uint64_t mask) { return (mask >> i & 1) != 0; };
  if (!is_enabled) return JointActivity::Off;
  if (!has_bit(now.state.measured_mask)) return JointActivity::Unmeasured;
  const JointCommand& command = now.processed;
  if (std::abs(command.velocity[i]) > kStill) return JointActivity::Moving;
  if (now.safety.state != ControlState::Running) return JointActivity::Stopped;
  if (has_bit(command.held_mask) && std::abs(command.wanted[i] - command.position[i]) > kThere)
    return JointActivity::Held;
  return std::abs(now.state.velocity[i]) > 10 * kStill ? JointActivity::Moving : JointActivity::Resting;
}

// the shortest of its other names
std::string alias_of(const Joint& joint) {
  std::string shortest;
  for (const std::string& alias : joint.aliases)
    if (shortest.empty() || alias.size() < shortest.size()) shortest = alias;
  return shortest;
}

}  // namespace

std::string_view activity_text(JointActivity activity) {
  static constexpr std::array<std::string_view, 6> kWords{"off",  "at rest", "moving",
                                                          "held", "stopped", "not measured"};
  return kWords[static_cast<std::size_t>(activity)];
}

std::string address_of(const RobotModel& model, std::size_t i) {
  if (!model.actuation || i >= static_cast<std::size_t>(model.actuation->coupling.cols())) return "";
  const auto column = model.actuation->coupling.col(static_cast<Eigen::Index>(i));
  std::string address;
  for (Eigen::Index row = 0; row < column.size(); ++row) {
    if (column[row] == 0.0) continue;
    if (!address.empty() || static_cast<std::size_t>(row) >= model.actuation->names.size()) return "";
    address = model.actuation->names[static_cast<std::size_t>(row)];
  }
  return address;
}

std::vector<JointRow> joint_rows(const RobotModel& model, const RobotSnapshot& now) {
  std::vector<JointRow> rows;
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const Joint& joint = model.joints[model.positions[i]];
    rows.push_back({.name = joint.name,
                    .alias = alias_of(joint),
                    .address = address_of(model, i),
                    .is_enabled = joint.is_enabled,
                    .is_revolute = joint.kind != JointKind::Prismatic,
                    .wanted = now.processed.wanted[i],
                    .processed = now.processed.position[i],
                    .actual = now.state.position[i],
                    .activity = activity_of(i, joint.is_enabled, now)});
  }
  return rows;
}

}  // namespace sinew::cli
