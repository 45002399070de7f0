// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "sinew/base/result.h"
#include "sinew/messages/world.h"

namespace sinew {

/// An object of the world from a line such as `{name: table, box: [1, 0.6, 0.05], at: [0.5, 0, 0.2]}`.
///
/// One of box [three sides], sphere radius, cylinder [radius, length], plane (all below its z = 0),
/// mesh FILE with scale (one number or three; 1), field FILE with size [x, y, per unit of height];
/// at [x, y, z] and rpy [roll, pitch, yaw] in the robot's root link, or in `link` when that carries it;
/// margin [m]. Lengths in m, angles in rad.
Result<WorldObject> object_from_text(std::string_view text);

/// Puts `object` in, in place of one of the same name; answers whether there was one. Refuses what is too
/// much.
Result<bool> put_object(World& world, const WorldObject& object);

/// Takes the object of that name out; refuses a name that nothing has.
Status take_object(World& world, std::string_view name);

}  // namespace sinew
