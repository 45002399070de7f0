// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/messages/world.h"
#include "sinew/simulation/scene.h"

namespace sinew {

/// A thing as a world is told in, at X_AO: its pose in whichever frame the world is told in.
WorldObject message_of(const SceneObject& object, const Pose& X_AO);

/// The floor of a scene, a plane at z = 0 of the world W.
WorldObject floor_message(const Pose& X_AW);

}  // namespace sinew
