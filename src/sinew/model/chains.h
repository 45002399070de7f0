// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/model/robot_model.h"

namespace sinew {

/// A chain of joints that was found in a robot's tree, and what else its ends could have been.
struct FoundChain {
  Arm arm;
  std::size_t joints = 0;                ///< That are driven: neither fixed nor following another.
  bool is_finger = false;                ///< By its names it is a part of a hand.
  std::string why;                       ///< Of its ends: "'tool0' is a usual name of where tools go".
  std::vector<std::size_t> other_bases;  ///< Links that stand still against its base.
  std::vector<std::size_t> other_tips;   ///< Links that are fast to its tip.
  std::vector<std::size_t> sides;        ///< Joints that branch off it and are no part of it.
};

/// The arms that a tree of joints seems to have: stretches of at least three joints that are driven, the
/// longest first, and before them those that end in the place of a tool. What follows another joint, fingers,
/// and branches of one or two joints beside a longer one do not end an arm; a fork into several of three
/// joints or more does. An arm ends at the frame beyond its last joint whose name is usual for that (tool0,
/// flange, ee_link, …), and has one tool there, `tool`.
std::vector<FoundChain> look_for_chains(const RobotModel& model);

/// Their arms only.
std::vector<Arm> find_chains(const RobotModel& model);

}  // namespace sinew
