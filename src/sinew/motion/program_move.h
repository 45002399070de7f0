// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/base/result.h"
#include "sinew/language/action.h"
#include "sinew/motion/move.h"
#include "sinew/motion/program_robot.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// What a program's move asks of the planner.
Move move_from(const language::MoveAction& action);

/// What is carried, of what may be.
struct Load {
  double mass = 0.0;   ///< [kg]
  double rated = 0.0;  ///< [kg] Zero: not known.
  Pose X_FT;           ///< Of the tool that was moved last.
};

/// Refuses a mass that is more than may be carried, and one, with its centre at `p_TC` in the tool, that the
/// motors could not hold in every posture: says which joint, what it needs and has.
Status check_load(const Load& load, const Vector3& p_TC, const ProgramRobot& robot);

/// The share of accelerations and jerks that is left: all of it without a load, half of it with the rated
/// one, evenly between. Where the rated one is not known, all of it.
double share_with(const Load& load);

/// The move as it is done with a load.
Move carrying(Move move, const Load& load);

/// Where a move was broken off.
struct MoveBreak {
  Pose X_BT_begin;              ///< The tool where it began,
  Pose X_BT;                    ///< where it has stopped, on its way,
  Pose X_BT_end;                ///< and where it was to end.
  std::vector<double> q_begin;  ///< The moved joints [rad, m] where it began,
  std::vector<double> q;        ///< where it has stopped,
  std::vector<double> q_end;    ///< and where they were to end.
};

/// What is left of a move: of a relative one the way to its end, of a circle the rest of its arc, of a spline
/// the points that it has not passed. Arcs of more than one turn are left as they are.
Move rest_of(Move move, const MoveBreak& at);

}  // namespace sinew
