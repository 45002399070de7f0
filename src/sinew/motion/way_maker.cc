// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/way_maker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/assert.h"
#include "sinew/base/text.h"

namespace sinew {
namespace {

constexpr std::size_t kMostTools = 8;
constexpr double kLimitSlack = 1e-9;        // [rad, m]
constexpr double kNoWay = 1e-9;             // [m, rad] what is less is no motion
constexpr double kOtherPosture = 1e-3;      // [rad, m]
constexpr double kOrientationSlack = 0.01;  // [rad] what an arm of few joints need not tell of
constexpr int kFollowAttempts = 3;
constexpr double kCornerShare = 0.45;  // of the shorter line at a corner of a way round something

bool is_same(const Pose& a, const Pose& b) {
  return a.position == b.position && a.rotation.coeffs() == b.rotation.coeffs();
}

MoveRefusal refused(MoveFault fault, std::string words) {
  return {.fault = fault, .words = std::move(words)};
}

MadeWay refusing(MoveFault fault, std::string words) {
  MadeWay made;
  made.refusal = refused(fault, std::move(words));
  return made;
}

MoveFault fault_of(PlanStatus status) {
  switch (status) {
    case PlanStatus::StartOutsideLimits:
    case PlanStatus::GoalOutsideLimits:
      return MoveFault::Limit;
    case PlanStatus::GoalUnreachable:
      return MoveFault::Unreachable;
    case PlanStatus::StartInCollision:
    case PlanStatus::GoalInCollision:
    case PlanStatus::NoPath:
      return MoveFault::Blocked;
    case PlanStatus::Cancelled:
      return MoveFault::Interrupted;
    default:
      return MoveFault::Invalid;
  }
}

MoveFault fault_of(FollowStatus status) {
  switch (status) {
    case FollowStatus::OutOfReach:
      return MoveFault::Unreachable;
    case FollowStatus::JointLimit:
      return MoveFault::Limit;
    case FollowStatus::Singular:
    case FollowStatus::TooLong:
      return MoveFault::Singular;
    case FollowStatus::Interrupted:
      return MoveFault::Interrupted;
    default:
      return MoveFault::Invalid;
  }
}

// where a shift leads the tool
Pose shifted_by(const ToolShift& by, const Pose& X_BT) {
  const Quaternion R_BA = by.is_in_tool_axes ? X_BT.rotation : by.R_BA;
  const Quaternion turn = R_BA * quaternion_from_rotation_vector(by.rotation) * R_BA.conjugate();
  return {.rotation = (turn * X_BT.rotation).normalized(), .position = X_BT.position + R_BA * by.translation};
}

// The circle from `from` through `via`, `angle` far: in parts of less than half a turn.
Result<PosePath> circle_by_angle(const Pose& from, const Pose& via, const Pose& to, double angle) {
  // the centre is where the bisectors of two chords meet
  const Vector3 a = via.position - from.position;
  const Vector3 b = to.position - from.position;
  const Vector3 normal = a.cross(b);
  const double area = normal.squaredNorm();
  if (!(area > 1e-14 * a.squaredNorm() * b.squaredNorm()) || !(area > 0.0))
    return Error{ErrorCode::InvalidInput,
                 "the three points of the circle are on one line, so that no angle can be gone round"};
  const Vector3 centre =
      from.position + (b.squaredNorm() * normal.cross(a) + a.squaredNorm() * b.cross(normal)) / (2.0 * area);
  const Vector3 axis = normal.normalized();
  const auto at = [&](double share) {
    const Quaternion turn = quaternion_from_rotation_vector(axis * (angle * share));
    return Pose{.rotation = from.rotation.slerp(share, to.rotation),
                .position = centre + turn * (from.position - centre)};
  };
  const double parts = std::ceil(angle / (0.6 * std::numbers::pi));
  std::optional<PosePath> whole;
  for (double k = 0.0; k < parts; k += 1.0) {
    auto part = PosePath::arc(at(k / parts), at((k + 0.5) / parts), at((k + 1.0) / parts));
    if (!part) return part.error();
    auto longer = whole ? whole->then(*part) : std::move(part);
    if (!longer) return longer.error();
    whole = *std::move(longer);
  }
  return *std::move(whole);
}

}  // namespace

const ToolArm& ToolArms::with(const Pose& X_FT) {
  const auto found =
      std::ranges::find_if(known_, [&](const auto& tool) { return is_same(tool->X_FT, X_FT); });
  if (found != known_.end()) return **found;
  auto chain = SerialChain::make(model_, base_link_, tip_link_, X_FT);
  SINEW_ASSERT(chain);  // it was made before, with another tool
  if (known_.size() == kMostTools) known_.erase(known_.begin());
  known_.push_back(std::make_unique<ToolArm>(*std::move(chain), X_FT));
  return *known_.back();
}

MadeWay WayMaker::make(std::size_t index, const Move& move, const JointVector& from) {
  MadeWay made;
  made.refusal = check_goals(move);
  if (!made.refusal) made.refusal = check_limits(from, "is");
  if (!made.refusal) {
    const bool is_joint_spline =
        move.kind == MoveKind::Spline &&
        (move.is_in_joints || std::holds_alternative<MoveJoints>(move.goals.front()));
    made = move.kind == MoveKind::Joint ? make_joint(move, from)
           : is_joint_spline            ? make_joint_spline(move, from)
                                        : make_tool(move, from);
  }
  made.way.move = index;
  if (made.refusal) made.refusal->move = index;
  return made;
}

std::optional<MoveRefusal> WayMaker::check_goals(const Move& move) const {
  const auto invalid = [](std::string words) { return refused(MoveFault::Invalid, std::move(words)); };
  const std::size_t count = move.goals.size();
  const bool has_right_count =
      move.shift ? count == 0 && (move.kind == MoveKind::Line || move.kind == MoveKind::Joint)
      : move.kind == MoveKind::Circle ? count == 2
      : move.kind == MoveKind::Spline ? count >= 1
                                      : count == 1;
  if (!has_right_count)
    return invalid(
        fmt::format("{} goals are not what this kind of move takes: a circle two, a spline one or "
                    "more, the others one",
                    count));
  bool needs_arm = move.shift.has_value() || move.kind == MoveKind::Line || move.kind == MoveKind::Circle;
  for (const MoveGoal& goal : move.goals) {
    const auto* q = std::get_if<MoveJoints>(&goal);
    if (q == nullptr) {
      needs_arm = true;
      if (!is_valid(std::get<Pose>(goal))) return invalid("a goal is no pose: it has numbers that are none");
      continue;
    }
    if (q->size() != space_.planned().size())
      return invalid(fmt::format("a goal has {} joint positions; {} joints are moved", q->size(),
                                 space_.planned().size()));
    if (!std::ranges::all_of(*q, [](double value) { return std::isfinite(value); }))
      return invalid("a goal has joint positions that are no finite numbers");
  }
  if (needs_arm && arms_ == nullptr) return invalid("where the tool shall go needs an arm: say which");
  if (!is_valid(move.X_FT)) return invalid("the tool at the flange is no pose");
  if (move.shift && !(move.shift->translation.allFinite() && move.shift->rotation.allFinite()))
    return invalid("the tool is to be moved by numbers that are none");
  return std::nullopt;
}

std::optional<MoveRefusal> WayMaker::check_limits(const JointVector& q, const char* who) const {
  for (std::size_t j = 0; j < space_.planned().size(); ++j) {
    const Joint& joint = model_.joints[model_.positions[space_.planned()[j]]];
    const double value = q[static_cast<Eigen::Index>(j)];
    if (value >= joint.limits.lower - kLimitSlack && value <= joint.limits.upper + kLimitSlack) continue;
    const auto text = [&](double x) {
      return joint.kind == JointKind::Prismatic ? length_text(x) : angle_text(x);
    };
    return refused(MoveFault::Limit,
                   fmt::format("joint '{}' {} {}: its limits are {} to {}", joint.name, who, text(value),
                               text(joint.limits.lower), text(joint.limits.upper)));
  }
  return std::nullopt;
}

Pose WayMaker::pose_of(const MoveGoal& goal, const Move& move, const JointVector& from,
                       const ToolArm& arm) const {
  if (const auto* pose = std::get_if<Pose>(&goal)) return *pose;
  return arm.chain.tool_pose(numbers(joints_of(goal, move, from)));
}

JointVector WayMaker::joints_of(const MoveGoal& goal, const Move& move, const JointVector& from) const {
  const auto& given = std::get<MoveJoints>(goal);
  JointVector q = JointVector::Map(given.data(), static_cast<Eigen::Index>(given.size()));
  if (move.is_relative) q += from;
  return q;
}

MadeWay WayMaker::make_joint(const Move& move, const JointVector& from) {
  PlanGoal goal;
  std::vector<std::string> notes;
  if (!move.shift && std::holds_alternative<MoveJoints>(move.goals.front())) {
    const JointVector q = joints_of(move.goals.front(), move, from);
    MadeWay made;
    made.refusal = check_limits(q, "cannot go to");
    if (made.refusal) return made;
    goal = JointGoal{.q = std::vector<double>(q.data(), q.data() + q.size())};
  } else {
    const ToolArm& arm = arms_->with(move.X_FT);
    const Pose X_BT = move.shift ? shifted_by(*move.shift, arm.chain.tool_pose(numbers(from)))
                                 : pose_of(move.goals.front(), move, from, arm);
    goal = PoseGoal{.X_BT = X_BT * inverse(move.X_FT)};
    if (arm.chain.size() < 6) {
      const IkResult nearest = arm.ik.solve(X_BT, numbers(from), {.accept_nearest_orientation = true});
      if (nearest.status != IkStatus::Solved)
        return refusing(MoveFault::Unreachable, explain(nearest, model_, arm.chain));
      if (nearest.rotation_error > kOrientationSlack)
        notes.push_back(
            fmt::format("an arm of {} joints cannot take this orientation; it comes as near as {}",
                        arm.chain.size(), angle_text(nearest.rotation_error)));
      const JointVector& q = nearest.solutions[0].q;
      goal = JointGoal{.q = std::vector<double>(q.data(), q.data() + q.size())};
    }
  }
  PlanResult found = space_.find_way(numbers(from), goal);
  if (found.status != PlanStatus::Solved) return refusing(fault_of(found.status), found.reason);
  MadeWay made;
  made.notes = std::move(notes);
  made.corners = std::move(found.path);
  made.end = made.corners.back();
  if ((made.end - from).cwiseAbs().maxCoeff() < kNoWay && made.corners.size() == 2) {
    made.end = from;
    made.way.path = JointPath(static_cast<std::size_t>(from.size()) + 2);
    return made;
  }
  made.way = way_through(made.corners, kCornerShare);
  return made;
}

MadeWay WayMaker::make_joint_spline(const Move& move, const JointVector& from) {
  MadeWay made;
  std::vector<JointVector> points{from};
  for (const MoveGoal& goal : move.goals) {
    if (const auto* pose = std::get_if<Pose>(&goal)) {
      if (!move.is_in_joints)
        return refusing(MoveFault::Invalid,
                        "a spline goes through joint positions or poses, not through both");
      const ToolArm& arm = arms_->with(move.X_FT);
      const IkResult nearest =
          arm.ik.solve(*pose, numbers(points.back()), {.accept_nearest_orientation = arm.chain.size() < 6});
      if (nearest.status != IkStatus::Solved)
        return refusing(MoveFault::Unreachable, explain(nearest, model_, arm.chain));
      points.push_back(nearest.solutions[0].q);
      continue;
    }
    points.push_back(joints_of(goal, move, from));
    made.refusal = check_limits(points.back(), "cannot go to");
    if (made.refusal) return made;
  }
  made.end = points.back();
  auto way = way_along_spline(points, move.is_monotone);
  made.way = way ? *std::move(way) : MoveWay{.path = JointPath(static_cast<std::size_t>(from.size()) + 2)};
  return made;
}

Result<PosePath> WayMaker::tool_path_for(const Move& move, const JointVector& from,
                                         const ToolArm& arm) const {
  const Pose X_BT = arm.chain.tool_pose(numbers(from));
  if (move.shift) return PosePath::line(X_BT, shifted_by(*move.shift, X_BT));
  const auto goal = [&](std::size_t i) { return pose_of(move.goals[i], move, from, arm); };
  if (move.kind == MoveKind::Line) return PosePath::line(X_BT, goal(0));
  if (move.kind == MoveKind::Circle)
    return move.arc ? circle_by_angle(X_BT, goal(0), goal(1), *move.arc)
                    : PosePath::arc(X_BT, goal(0), goal(1));
  std::vector<Pose> poses{X_BT};
  for (std::size_t i = 0; i < move.goals.size(); ++i) poses.push_back(goal(i));
  return PosePath::spline(poses);
}

MadeWay WayMaker::make_tool(const Move& move, const JointVector& from) {
  const ToolArm& arm = arms_->with(move.X_FT);
  if (move.arc && !(*move.arc > 1e-3 && *move.arc <= 20.0 * std::numbers::pi))
    return refusing(MoveFault::Invalid,
                    fmt::format("an arc of {} cannot be: from 0.1 deg to ten turns", angle_text(*move.arc)));
  const auto path = tool_path_for(move, from, arm);
  if (!path) return refusing(MoveFault::Invalid, path.error().message);
  if (path->length() < kNoWay) {
    MadeWay made;
    made.end = from;
    made.way.path = JointPath(static_cast<std::size_t>(from.size()) + 2);
    return made;
  }
  return follow(*path, move, from, arm);
}

MadeWay WayMaker::follow(const PosePath& path, const Move& move, const JointVector& from,
                         const ToolArm& arm) {
  const ToolPath tool_path = tool_path_of(path);
  FollowOptions options{.interruption = options_.interruption};
  if (arm.chain.size() < 6) options.task = kPositionOnly;
  options.keeps_near_orientation = arm.chain.size() < 6;
  MadeWay made;
  for (int attempt = 0; attempt < kFollowAttempts; ++attempt) {
    Followed followed = arm.follower.follow(tool_path, numbers(from), options);
    if (followed.status != FollowStatus::Done && options.keeps_near_orientation) {
      // the position counts more
      options.keeps_near_orientation = false;
      followed = arm.follower.follow(tool_path, numbers(from), options);
    }
    if (followed.status == FollowStatus::Singular && followed.points.size() == 1 && !move.timing.duration) {
      // it cannot even begin from this posture
      if (auto turned = arm.follower.follow_after_turn(tool_path, numbers(from), options)) {
        followed = *std::move(turned);
        const std::array<JointVector, 2> corners{from, followed.points.front().q};
        made.turn = way_through(corners, 0.0);
      }
    }
    if (followed.status != FollowStatus::Done) {
      std::string words = explain(followed, tool_path, model_, arm.chain);
      if (options_.with_advice)
        words += remedy_text(advise(arm.follower, tool_path, numbers(from), options).remedy);
      return refusing(fault_of(followed.status), std::move(words));
    }
    made.way = way_from(followed, path, arm.chain);
    made.end = followed.points.back().q;
    if (made.way.deviation <= 0.5 * options_.path_tolerance) break;
    options.accuracy /= 8.0;
  }
  if (arm.chain.size() < 6) {
    const double off = distance(arm.chain.tool_pose(numbers(made.end)), path.pose(path.length())).rotation;
    if (off > kOrientationSlack)
      made.notes.push_back(fmt::format(
          "an arm of {} joints cannot keep the orientation along the way; it ends {} from the one asked for",
          arm.chain.size(), angle_text(off)));
  }
  const auto* taught = move.shift ? nullptr : std::get_if<MoveJoints>(&move.goals.back());
  if (taught != nullptr && (joints_of(*taught, move, from) - made.end).cwiseAbs().maxCoeff() > kOtherPosture)
    made.notes.push_back("it ends at the pose of its goal, but in another posture than the goal's joints");
  return made;
}

}  // namespace sinew
