// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/robot_shapes.h"
#include "sinew/kinematics/chain_choice.h"

namespace sinew {

/// A robot as planning needs it.
struct PlanningRobot {
  ChosenChain chosen;
  /// Pairs of links that were found to need no check, because no file says which; zero: a file says.
  std::size_t found_pairs = 0;
};

/// Loads a robot and the chain that is meant; where neither arm nor tip is named and the robot has no single
/// arm, the chain with the most joints from the root. A bare URDF says nothing of which links may touch:
/// then those that always or never do are found, which takes a moment.
Result<PlanningRobot> load_planning_robot(const ChainChoice& choice, const MeshPoints& mesh_points,
                                          const LoadOptions& places = usual_places());

/// The positions that `count` numbers stand for: the chain's, all of the robot's, or the first ones. Refused:
/// more than the robot has.
Result<std::vector<std::size_t>> positions_for(const PlanningRobot& robot, std::size_t count);

}  // namespace sinew
