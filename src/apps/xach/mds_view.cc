// SPDX-License-Identifier: BSD-3-Clause
#include "apps/xach/mds_view.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

namespace sinew {
namespace {

constexpr double kSamePosition = 1e-4;  // [rad]

// Filled up with blanks, without a zero byte, as MDS-Ach's parser left it.
void set_blank_padded(char (&field)[MDS_CHAR_PARAM_BUFFER_SIZE], std::string_view text) {
  std::memset(field, ' ', sizeof field);
  std::memcpy(field, text.data(), std::min(text.size(), sizeof field));
}

bool is_wanted_again(const mds_joint_ref_t& before, const mds_joint_ref_t& now) {
  const double was = before.ref;
  const double is = now.ref;
  return was != is || before.mode != now.mode;
}

}  // namespace

MdsView::MdsView(const RobotModel& model, std::vector<MdsMotor> motors)
    : model_(model), motors_(std::move(motors)) {}

mds_state_t MdsView::state_of(const JointState& state, const JointCommand& command,
                              const Safety& safety) const {
  mds_state_t out{};
  for (const MdsMotor& motor : motors_) {
    mds_joint_state_t& joint = out.joint[motor.address];
    const std::size_t i = motor.position;
    joint.ref_r = command.wanted[i];
    joint.ref = joint.ref_c = command.position[i];
    joint.pos = state.position[i];
    joint.vel = state.velocity[i];
    joint.cur = state.load[i];
    joint.offset = motor.offset;
    joint.direction = motor.direction;
    joint.enabled = motor.is_enabled ? 1 : 0;
    joint.address = static_cast<std::int16_t>(motor.address);
    joint.active = joint.homed = motor.is_enabled ? 1 : 0;
    set_blank_padded(joint.name, motor.name);
    set_blank_padded(joint.nameshort, motor.short_name);
  }
  out.time = 1e-9 * static_cast<double>(state.stamp_ns);
  out.refWait = safety.state == ControlState::Running ? 0 : 1;
  return out;
}

mds_joint_param_t MdsView::parameters() const {
  mds_joint_param_t out{};
  for (const MdsMotor& motor : motors_) {
    mds_jnt_param_t& joint = out.joint[motor.address];
    const double counts_per_turn = motor.encoder * motor.gear * motor.ticks;
    joint.rom = std::isfinite(motor.range) ? motor.range * counts_per_turn / (2.0 * M_PI) : 0.0;
    joint.encoderresolution = motor.encoder;
    joint.gearratio = motor.gear;
    joint.encoderconfig_tickspercount = motor.ticks;
    joint.offset = motor.offset;
    joint.direction = motor.direction;
    joint.enabled = motor.is_enabled ? 1 : 0;
    joint.address = motor.address;
    set_blank_padded(joint.name, motor.name);
    set_blank_padded(joint.nameshort, motor.short_name);
    for (auto* field : {&joint.coordsys, &joint.HomeType, &joint.HomeTarget}) set_blank_padded(*field, "");
  }
  return out;
}

mds_ref_t MdsView::reference_of(const JointCommand& command, std::uint64_t following_mask) const {
  mds_ref_t out{};
  for (const MdsMotor& motor : motors_) {
    mds_joint_ref_t& joint = out.joint[motor.address];
    joint.ref = command.position[motor.position];
    joint.mode =
        (following_mask >> motor.position & 1) != 0 ? MDS_REF_MODE_COMPLIANT : MDS_REF_MODE_REF_FILTER;
  }
  return out;
}

bool MdsView::is_true(const mds_ref_t& frame, const JointCommand& command) const {
  return std::ranges::all_of(motors_, [&](const MdsMotor& motor) {
    const double shown = frame.joint[motor.address].ref;
    return std::abs(shown - command.position[motor.position]) < kSamePosition;
  });
}

JointArray MdsView::within_limits(JointArray position) const {
  for (std::size_t i = 0; i < model_.positions.size(); ++i) {
    const JointLimits& limits = model_.joints[model_.positions[i]].limits;
    position[i] = std::clamp(position[i], limits.lower, limits.upper);
  }
  return position;
}

MeantJoints MdsView::meant(const mds_ref_t& before, const mds_ref_t& now) const {
  MeantJoints meant;
  for (const MdsMotor& motor : motors_) {
    if (!is_wanted_again(before.joint[motor.address], now.joint[motor.address])) continue;
    const JointLimits& limits = model_.joints[model_.positions[motor.position]].limits;
    const double wanted = now.joint[motor.address].ref;
    const std::int16_t mode = now.joint[motor.address].mode;
    const bool has_mode = mode >= 0 && mode < static_cast<std::int16_t>(MeantJoints::kModes);
    // a joint that follows its encoder goes nowhere by itself
    const bool is_within =
        mode == MDS_REF_MODE_COMPLIANT || (wanted >= limits.lower && wanted <= limits.upper);
    // one bad joint must not take the others along: the controller refuses references in whole
    if (!motor.is_enabled || !has_mode || !is_within) {
      ++meant.refused;
      continue;
    }
    JointReference& reference = meant.by_mode[static_cast<std::size_t>(mode)];
    reference.joint_mask |= std::uint64_t{1} << motor.position;
    reference.position[motor.position] = wanted;
    meant.joint_mask |= reference.joint_mask;
  }
  return meant;
}

Result<Request> MdsView::request_of(const mds_ik_t& goal, bool is_legacy) {
  if (goal.move != RIGHT && goal.move != LEFT)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("arm {} cannot move: 0 is right, 1 left", int{goal.move})};
  const mds_ik_arm_t& arm = goal.arm[goal.move];
  if (arm.ik_method < 1 || arm.ik_method > 6)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("ik_method {} cannot be: 1 to 6 components", int{arm.ik_method})};
  Request request{.verb = RequestVerb::MoveTool,
                  .component_mask = (1U << arm.ik_method) - 1,
                  .is_legacy = is_legacy ? 1U : 0U,
                  .position = {arm.t_x, arm.t_y, arm.t_z},
                  .rpy = {arm.r_x, arm.r_y, arm.r_z}};
  set_text(request.arm, goal.move == LEFT ? "left" : "right");
  set_text(request.who, "mds-ik");
  return request;
}

}  // namespace sinew
