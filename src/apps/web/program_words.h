// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sinew/base/result.h"
#include "sinew/messages/world.h"

namespace sinew {

/// A program that somebody is writing, and the robot it is meant for.
struct ProgramQuestion {
  std::string name;
  std::string text;
  std::filesystem::path folder;  ///< Where what it includes is looked for; nowhere else.
  std::string model;             ///< Of the robot.
  std::string site;              ///< What was set up where it stands: text of its file; empty: none.
  std::string arm;               ///< Empty: the only one.
  std::vector<double> q;         ///< All positions of the robot; it begins there.
  std::unique_ptr<World> world;  ///< What is around; null: nothing.
  std::unique_ptr<World> seen;   ///< Where things are, for WHERE; null: nobody tells.
  bool wants_moves = false;      ///< Also what every move does: takes longer.
};

/// {"ok", "findings": [{"file", "line", "column", "severity", "message"}], "tree": […], "moves", "whole",
/// "seconds", "assumption"}: what is wrong with a program, and its statements as a tree. With wants_moves
/// every move is planned as it would be run, and "ghost" is the motion: {"period", "joints", "positions":
/// [[…], …], "lines": […]}, a posture each period. Takes from a millisecond to seconds; touches nothing that
/// others do.
Result<nlohmann::ordered_json> look_at_program(const ProgramQuestion& question);

}  // namespace sinew
