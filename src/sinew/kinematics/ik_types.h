// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "sinew/kinematics/serial_chain.h"

namespace sinew {

/// How an attempt to reach a pose ended.
enum class IkStatus {
  Solved,
  OutOfReach,    ///< Not even without limits; the residual says by how much, `q` is the nearest found.
  JointLimit,    ///< Without limits it could be reached; `limit_joint` goes beyond its range.
  Singular,      ///< It came within 1 mm and 1 mrad; what is missing lies in a direction that the arm cannot
                 ///< move there, as when it is stretched out. Farther away it is OutOfReach.
  NotConverged,  ///< The search ended without an answer; more rounds may find one.
  InvalidInput,  ///< A number that is not finite, a quaternion without unit length, or a wrong count of
                 ///< joints.
};

/// A short name such as "joint limit".
const char* ik_status_text(IkStatus status);

/// Which axes a pose's components are measured along.
enum class TaskAxes {
  Base,  ///< Of the base B.
  Tool,  ///< Of the target.
};

/// How near the tool must come to a pose to count as there, in the components asked for.
struct PoseTolerance {
  double position = 0.0;  ///< [m]
  double rotation = 0.0;  ///< [rad]

  bool holds(double position_error, double rotation_error) const {
    return position_error <= position && rotation_error <= rotation;
  }
};

/// Of poses that people and programs ask for, unless they want them exactly: 0.1 mm and 0.1 degrees.
inline constexpr PoseTolerance kPoseTolerance{.position = 1e-4,
                                              .rotation = 0.1 * 3.14159265358979323846 / 180.0};

/// What must agree with the target: position along, and rotation about, each axis. Everything by default.
struct PoseTask {
  std::array<bool, 3> position = {true, true, true};
  std::array<bool, 3> rotation = {true, true, true};
  TaskAxes axes = TaskAxes::Base;
  /// Only the direction of the tool's z axis must agree; overrides `rotation` and `axes`.
  bool is_pointing = false;
};

/// Whether a task is a whole pose.
constexpr bool asks_for_everything(const PoseTask& task) {
  const auto all = [](const std::array<bool, 3>& wanted) { return wanted[0] && wanted[1] && wanted[2]; };
  return !task.is_pointing && all(task.position) && all(task.rotation);
}

/// The position alone.
inline constexpr PoseTask kPositionOnly{.rotation = {false, false, false}};
/// Position and pointing direction of the tool's z axis.
inline constexpr PoseTask kPositionAndPointing{.is_pointing = true};

}  // namespace sinew
