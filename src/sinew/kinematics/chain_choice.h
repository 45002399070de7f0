// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sinew/base/result.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/model/load_robot.h"

namespace sinew {

/// Which chain of which robot is meant: one of its arms, perhaps with a tool, or the way from a base link to
/// a tip link.
struct ChainChoice {
  std::string robot;      ///< Its name, or the path of its folder or URDF.
  std::string arm;        ///< Empty: the only one that it has.
  std::string tool;       ///< A tool of the arm; empty: the flange.
  std::string base;       ///< Where the chain begins, with `tip`; empty: the root.
  std::string tip;        ///< Where the chain ends; empty: as the arm says.
  std::string srdf = {};  ///< Its SRDF; empty: the one beside its file, if there is one.
};

/// A robot and the chain of it that is meant.
struct ChosenChain {
  LoadedRobot robot;
  SerialChain chain;
  std::string tip;  ///< Name of the link or tool at its end.
  std::size_t base_link = kNone;
  std::size_t tip_link = kNone;
  Pose X_LT;  ///< The tool on the tip link.
};

/// Loads the robot and folds the chain. A refusal lists what there is to choose from.
Result<ChosenChain> choose_chain(const ChainChoice& choice, const LoadOptions& places = usual_places());

}  // namespace sinew
