// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>

#include "sinew/base/result.h"
#include "sinew/lab/grade.h"
#include "sinew/lab/value.h"

namespace sinew::lab {

// Laboratories in which the whole robot moves: controller, guard, motion service and physics in lockstep.

/// 07: plan(block, goal) → rows (x, y, z, pitch, roll, width): places for the hand, and how far it is open
/// there.
Result<Grade> grade_picking(const Ask& ask, std::uint64_t seed);
/// The same task for a robot program, which finds block_x … goal_yaw as variables.
Result<Grade> grade_picking_program(const std::filesystem::path& program, std::uint64_t seed);

/// 08: hanoi(discs, source, target) → moves (from, to); twelve riddles by the rules, then a tower of three
/// cubes that the arm moves.
Result<Grade> grade_hanoi(const Ask& ask, std::uint64_t seed);

/// 09: path(start, goal, boxes) → rows of joint positions that lead from start to goal and touch nothing.
Result<Grade> grade_avoiding(const Ask& ask, std::uint64_t seed);

}  // namespace sinew::lab
