// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/base/result.h"

namespace sinew::accounts {

/// What a user is. Each may do all that the ones before may.
enum class Role : std::uint8_t { Viewer, Operator, Programmer, Expert };

/// What somebody may want to do.
enum class Right : std::uint8_t {
  Watch,             ///< State, programs, pictures.
  Stop,              ///< Anybody who sees a danger.
  Move,              ///< Move, run, jog, reset, home, override of speed; and to take control for that.
  Teach,             ///< Programs, points, frames, tools, objects of the world.
  ManageUsers,       ///< Accounts, and the log of what was done with them.
  ChangeLimits,      ///< Of joints, speed and workspace.
  OverrideGuard,     ///< Collisions are no longer kept off.
  BackUp,            ///< To make a backup, which holds hashes of passwords, and to restore one.
  AddRobot,          ///< A new robot from a URDF.
  RestartProcesses,  ///< Of the running robot.
};

/// The table of roles.
bool may(Role role, Right right);

/// The least role that has a right.
Role least_role_for(Right right);

/// "move the robot": what a right is about, after "may not" or "to".
std::string_view right_text(Right right);

/// "viewer", "operator", "programmer", "expert".
std::string_view role_text(Role role);

/// Refused, with the words there are: anything else.
Result<Role> role_from(std::string_view text);

}  // namespace sinew::accounts
