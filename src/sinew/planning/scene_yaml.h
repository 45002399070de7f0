// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "sinew/base/result.h"
#include "sinew/collision/obstacles.h"
#include "sinew/model/yaml.h"

namespace sinew {

/// The things around a robot from the list `objects` of a YAML file, written as in world.yaml: box, sphere,
/// cylinder and plane. In the frame of the robot's root link. Other keys of world.yaml may stand there and
/// are not looked at, but for `floor`: true puts a plane at z = 0 there, which here must be said.
Result<Obstacles> obstacles_from_yaml(const YamlNode& root);

/// The same from a file.
Result<Obstacles> load_scene(const std::filesystem::path& path);

}  // namespace sinew
