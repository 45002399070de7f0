// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_move.h"

namespace sinew {
namespace {

MoveKind kind_of(const language::MoveAction& action) {
  if (action.through != language::Through::None) return MoveKind::Spline;
  switch (action.kind) {
    case language::MotionKind::Joint:
    case language::MotionKind::JointDelta:
      return MoveKind::Joint;
    case language::MotionKind::Circle:
      return MoveKind::Circle;
    case language::MotionKind::Line:
    case language::MotionKind::ToolDelta:
      return MoveKind::Line;
  }
  return MoveKind::Joint;
}

MoveLaw law_of(language::SpeedLaw law) {
  switch (law) {
    case language::SpeedLaw::Lspb:
      return MoveLaw::Lspb;
    case language::SpeedLaw::Quintic:
      return MoveLaw::Quintic;
    case language::SpeedLaw::Default:
    case language::SpeedLaw::JerkLimited:
      break;
  }
  return MoveLaw::JerkLimited;
}

bool is_of_joints(language::MotionKind kind) {
  return kind == language::MotionKind::Joint || kind == language::MotionKind::JointDelta;
}

MoveTiming timing_of(const language::MoveAction& action) {
  const language::MoveTiming& asked = action.timing;
  const bool is_joint = is_of_joints(action.kind);
  MoveTiming timing{.duration = asked.duration, .law = law_of(asked.law)};
  if (asked.speed && asked.speed->is_share)
    timing.speed = asked.speed->value;
  else if (asked.speed)
    (is_joint ? timing.joint_speed : timing.tool_speed) = asked.speed->value;
  if (asked.acceleration && asked.acceleration->is_share)
    timing.acceleration = asked.acceleration->value;
  else if (asked.acceleration)
    (is_joint ? timing.joint_acceleration : timing.tool_acceleration) = asked.acceleration->value;
  (is_joint ? timing.joint_jerk : timing.tool_jerk) = asked.jerk;
  return timing;
}

}  // namespace

Move move_from(const language::MoveAction& action) {
  Move move{.kind = kind_of(action),
            .is_relative = action.kind == language::MotionKind::JointDelta,
            .arc = action.arc,
            .is_monotone = action.through == language::Through::Monotone,
            .X_FT = action.tool.pose,
            .timing = timing_of(action),
            .blend_radius = action.timing.blend_radius};
  if (action.kind == language::MotionKind::ToolDelta) {
    const language::ToolDisplacement& by = action.displacement;
    move.shift = ToolShift{.translation = by.translation,
                           .rotation = by.rotation,
                           .R_BA = by.R_BA,
                           .is_in_tool_axes = by.is_in_tool_axes};
  }
  for (const language::MoveGoal& goal : action.goals) {
    if (const auto* pose = std::get_if<language::PoseGoal>(&goal))
      move.goals.emplace_back(pose->X_BT);
    else
      move.goals.emplace_back(std::get<language::JointValues>(goal).q);
  }
  return move;
}

}  // namespace sinew
