// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_move.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/kinematics/torque_check.h"

namespace sinew {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kShortArc = 1e-2;  // [rad] Less than that of a circle is a line.

/// A circle in space, with angles from where it begins.
class Circle {
 public:
  Circle(const Vector3& begin, const Vector3& via, const Vector3& to) {
    const Vector3 a = via - begin;
    const Vector3 b = to - begin;
    const Vector3 normal = a.cross(b);
    const double area = normal.squaredNorm();
    is_round_ = area > 1e-14 * a.squaredNorm() * b.squaredNorm() && area > 0.0;
    if (!is_round_) return;
    centre_ = begin + (b.squaredNorm() * normal.cross(a) + a.squaredNorm() * b.cross(normal)) / (2.0 * area);
    first_ = begin - centre_;
    second_ = normal.normalized().cross(first_);
  }
  bool is_round() const { return is_round_; }
  /// From 0 to a whole turn.
  double angle_of(const Vector3& p) const {
    const double angle = std::atan2(second_.dot(p - centre_), first_.dot(p - centre_));
    return angle < -1e-6 ? angle + kTurn : std::max(0.0, angle);
  }
  Vector3 at(double angle) const { return centre_ + std::cos(angle) * first_ + std::sin(angle) * second_; }

 private:
  Vector3 centre_ = Vector3::Zero();
  Vector3 first_ = Vector3::UnitX();
  Vector3 second_ = Vector3::UnitY();
  bool is_round_ = false;
};

Move line_to(Move move, const Pose& X_BT) {
  move.kind = MoveKind::Line;
  move.goals = {X_BT};
  move.arc.reset();
  return move;
}

Move rest_of_circle(Move move, const MoveBreak& at) {
  const auto* via = std::get_if<Pose>(&move.goals[0]);
  const auto* to = std::get_if<Pose>(&move.goals[1]);
  if (via == nullptr || to == nullptr || (move.arc && !(*move.arc > 0.0 && *move.arc <= kTurn))) return move;
  const Circle circle(at.X_BT_begin.position, via->position, to->position);
  if (!circle.is_round()) return move;
  const double now = circle.angle_of(at.X_BT.position);
  const double left = move.arc.value_or(circle.angle_of(to->position)) - now;
  if (left < kShortArc) return line_to(std::move(move), at.X_BT_end);
  const auto between = [&](double share) {
    return Pose{.rotation = at.X_BT.rotation.slerp(share, at.X_BT_end.rotation),
                .position = circle.at(now + share * left)};
  };
  if (move.arc) {
    // three points fix the circle, and the last one how the tool is turned at the end
    move.arc = left;
    move.goals = {between(1.0 / 3.0),
                  Pose{.rotation = at.X_BT_end.rotation, .position = between(2.0 / 3.0).position}};
  } else {
    move.goals[0] = between(0.5);
  }
  return move;
}

double apart(const MoveGoal& a, const MoveGoal& b) {
  if (const auto* p = std::get_if<Pose>(&a))
    return std::holds_alternative<Pose>(b) ? (p->position - std::get<Pose>(b).position).norm() : 0.0;
  const auto* q = std::get_if<MoveJoints>(&b);
  double sum = 0.0;
  for (std::size_t i = 0; q != nullptr && i < q->size(); ++i)
    sum += ((*q)[i] - std::get<MoveJoints>(a)[i]) * ((*q)[i] - std::get<MoveJoints>(a)[i]);
  return std::sqrt(sum);
}

// It is between those two points that its detour from one to the other is the least.
Move rest_of_spline(Move move, const MoveBreak& at) {
  const bool is_by_joints = std::holds_alternative<MoveJoints>(move.goals.front());
  const MoveGoal now = is_by_joints ? MoveGoal(at.q) : MoveGoal(at.X_BT);
  MoveGoal before = is_by_joints ? MoveGoal(at.q_begin) : MoveGoal(at.X_BT_begin);
  std::size_t next = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < move.goals.size(); ++i) {
    const MoveGoal& after = move.goals[i];
    const double detour = apart(before, now) + apart(now, after) - apart(before, after);
    if (detour < least) next = i;
    least = std::min(least, detour);
    before = after;
  }
  move.goals.erase(move.goals.begin(), move.goals.begin() + static_cast<std::ptrdiff_t>(next));
  return move;
}

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
            .is_in_joints = is_of_joints(action.kind),
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

Status check_load(const Load& load, const Vector3& p_TC, const ProgramRobot& robot) {
  if (load.rated != 0.0 && load.mass > load.rated)
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("a PAYLOAD of {:.6g} kg is more than the {:.6g} kg that the "
                             "robot may carry (motion: payload in robot.yaml)",
                             load.mass, load.rated)};
  if (!(load.mass > 0.0)) return Done{};
  const RobotModel& model = robot.model();
  const Payload payload = payload_at_flange(robot.chain(), model, load.mass, load.X_FT * p_TC);
  const std::string too_heavy = too_heavy_sentence(model, payload);
  if (too_heavy.empty()) return Done{};
  return Error{ErrorCode::OutOfLimits,
               fmt::format("a PAYLOAD of {:.6g} kg is too heavy: {}; take less, or correct "
                           "the joint's effort",
                           load.mass, too_heavy)};
}

double share_with(const Load& load) {
  if (load.rated == 0.0) return 1.0;
  return 1.0 - 0.5 * std::clamp(load.mass / load.rated, 0.0, 1.0);
}

Move carrying(Move move, const Load& load) {
  const double share = share_with(load);
  if (share == 1.0) return move;
  MoveTiming& timing = move.timing;
  // as limits_for() would take it without
  timing.acceleration = share * timing.acceleration.value_or(timing.speed * timing.speed);
  return move;
}

Move rest_of(Move move, const MoveBreak& at) {
  if (move.shift) {
    move.shift.reset();
    move.goals = {at.X_BT_end};
    return move;
  }
  if (move.is_relative && move.kind == MoveKind::Joint) {
    move.is_relative = false;
    move.goals = {at.q_end};
    return move;
  }
  if (move.kind == MoveKind::Circle && move.goals.size() == 2) return rest_of_circle(std::move(move), at);
  if (move.kind == MoveKind::Spline && !move.is_relative && !move.goals.empty())
    return rest_of_spline(std::move(move), at);
  return move;
}

}  // namespace sinew
