// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "sinew/model/robot_model.h"

namespace sinew {

/// The arms that a tree of joints seems to have: its unbranched stretches of at least three joints that move.
/// A hand, where several fingers begin, ends an arm. Each has one tool, `tool`, at its tip.
std::vector<Arm> find_chains(const RobotModel& model);

}  // namespace sinew
