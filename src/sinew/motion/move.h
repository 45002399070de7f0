// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sinew/collision/collision_checker.h"
#include "sinew/spatial/pose.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// What a move is along.
enum class MoveKind : std::uint8_t {
  Joint,   ///< To one goal, straight in the joints; round what is in the way.
  Line,    ///< To one goal, the tool along a straight line, its rotation spread evenly over it.
  Circle,  ///< Two goals: the tool along the circle through the first to the second.
  Spline,  ///< Through all goals: in the joints when they are joints or Move says so, else with the tool.
};

/// The speed law along a move that is not blended into another.
enum class MoveLaw : std::uint8_t {
  JerkLimited,  ///< As fast as the limits allow, in any shape; also where several moves are blended.
  Lspb,         ///< Even acceleration, even speed, even deceleration, its corners rounded by the jerk limits.
  Quintic,      ///< One polynomial of fifth order.
};

/// Joint positions of the planned joints in the order of MovePlanner::planned() [rad, m].
using MoveJoints = std::vector<double>;
/// A place on a move: joint positions, or the tool's pose X_BT in the arm's base.
using MoveGoal = std::variant<MoveJoints, Pose>;

/// From where the tool is: along and about the axes A, given in the base, or those of the tool itself.
struct ToolShift {
  Vector3 translation = Vector3::Zero();  ///< [m]
  Vector3 rotation = Vector3::Zero();     ///< Rotation vector [rad].
  Quaternion R_BA = Quaternion::Identity();
  bool is_in_tool_axes = false;
};

/// How fast. Zero or nothing: as the limits of the joints allow.
struct MoveTiming {
  std::optional<double> duration;            ///< [s] Exactly; then shares and speeds are still bounds.
  double speed = 1.0;                        ///< [1] Share of the velocity limits, over 0 to 1.
  std::optional<double> acceleration;        ///< [1] Share of the others; none: as if run at `speed`.
  std::optional<double> tool_speed;          ///< [m/s] At most; kept wherever the joints allow.
  std::optional<double> tool_acceleration;   ///< [m/s^2] Along the way.
  std::optional<double> tool_jerk;           ///< [m/s^3] Along the way.
  std::optional<double> joint_speed;         ///< [rad/s, m/s] Of any joint.
  std::optional<double> joint_acceleration;  ///< [rad/s^2, m/s^2]
  std::optional<double> joint_jerk;          ///< [rad/s^3, m/s^3]
  MoveLaw law = MoveLaw::JerkLimited;
};

/// One move, resolved: SI units, poses in the arm's base.
struct Move {
  MoveKind kind = MoveKind::Joint;
  std::vector<MoveGoal> goals;
  bool is_relative = false;        ///< Joint goals are differences to where the joints are.
  std::optional<ToolShift> shift;  ///< Instead of goals, for a Line or a Joint move.
  std::optional<double> arc;       ///< Circle: how far round it goes [rad]; none: to the second goal.
  bool is_monotone = false;        ///< Spline in the joints: none passes beyond its points.
  bool is_in_joints = false;       ///< Spline: in the joints also through poses, each near to the one before.
  Pose X_FT;                       ///< The tool at the flange.
  MoveTiming timing;
  double blend_radius = 0.0;  ///< [m] The corner at its goal may be cut within this; 0: a stop there.
};

/// Why a chain of moves cannot be.
enum class MoveFault : std::uint8_t {
  Invalid,      ///< What is asked for makes no sense.
  Unreachable,  ///< No posture puts the tool there.
  Limit,        ///< A joint would have to go beyond its range.
  Singular,     ///< The arm could go on only by a jump to another posture.
  Blocked,      ///< Something is in the way.
  TooFast,      ///< Not within limits in the time asked for.
  Interrupted,  ///< Nothing is known of it: planning was put off, because others wait.
};

/// A short name such as "out of reach".
const char* move_fault_text(MoveFault fault);

struct MoveRefusal {
  std::size_t move = 0;  ///< Which of the chain.
  MoveFault fault = MoveFault::Invalid;
  std::string words;  ///< Pose, joint, value, bound, and what would do.
};

/// Something worth knowing of a move that is possible.
struct MoveNote {
  std::size_t move = 0;
  std::string words;
};

/// When one move of a chain takes place [s]. A blended one ends where its blend is half over.
struct MoveSpan {
  double begin = 0.0;
  double end = 0.0;
  std::size_t posture = 0;  ///< Into PlannedMoves::postures: where it ends.
};

/// A chain of moves as one trajectory from rest to rest, verified at every instant against all limits and
/// against collisions.
struct PlannedMoves {
  std::uint64_t joint_mask = 0;  ///< Over the model's positions.
  Trajectory trajectory;         ///< Of the joints in the mask, in order. No pieces: nothing to do.
  std::vector<MoveSpan> spans;   ///< One for each move.
  std::vector<std::vector<double>> postures;  ///< All positions of the robot at the goal of each move.
  double clearance = 0.0;  ///< [m] The least distance seen, beyond nothing; infinite without pairs.
  Contact nearest;         ///< Between what that is.
  double dexterity = 0.0;  ///< Smallest singular value of the Jacobian on tool moves; 1e9 without any.
  double deviation = 0.0;  ///< [m] How far the tool leaves its lines and circles, at most.
  std::vector<MoveNote> notes;
};

/// What became of a chain: planned, or refused.
struct MovePlan {
  PlannedMoves planned;
  std::optional<MoveRefusal> refusal;

  explicit operator bool() const { return !refusal; }
};

}  // namespace sinew
