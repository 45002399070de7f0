// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/accounts/gate.h"

namespace sinew::needs {

// What calls need, for the tables of calls.
inline constexpr accounts::Need kWatch{.right = accounts::Right::Watch, .is_open_on_loopback = true};
/// Anybody of this machine may stop the robot, and whoever may watch it.
inline constexpr accounts::Need kStop{
    .right = accounts::Right::Stop, .is_open_on_loopback = true, .changes = true};
inline constexpr accounts::Need kThink{
    .right = accounts::Right::Watch, .is_open_on_loopback = true, .changes = true};
inline constexpr accounts::Need kMove{.right = accounts::Right::Move, .needs_control = true, .changes = true};
inline constexpr accounts::Need kTeach{.right = accounts::Right::Teach, .changes = true};
inline constexpr accounts::Need kTeachWorld{
    .right = accounts::Right::Teach, .needs_control = true, .changes = true};

}  // namespace sinew::needs
