// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "sinew/model/robot_model.h"

namespace sinew {

/// Names the file of a mesh for the reader of the text; empty: the shape is left out.
using MeshNamer = std::function<std::string(const Shape& mesh)>;

/// The robot as one plain URDF, whatever files and macros it came from: links with inertia, visual and
/// collision shapes, joints with limits and mimics. What it says is read back as the same robot; what URDF
/// has no words for (acceleration and jerk limits, arms, tools, postures) is not in it.
std::string urdf_text(const RobotModel& model, const MeshNamer& mesh_name);

}  // namespace sinew
