// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/collision/obstacles.h"
#include "sinew/model/yaml.h"

namespace sinew::cli {

/// The things around a robot from the list `objects` of a YAML file, written as in world.yaml: box, sphere,
/// cylinder and plane. In the frame of the robot's root link. Other keys of world.yaml may stand there and
/// are not looked at, but for `floor`: true puts a plane at z = 0 there, which here must be said.
Result<Obstacles> obstacles_from_yaml(const YamlNode& root);

/// The same from a file.
Result<Obstacles> load_scene(const std::filesystem::path& path);

/// The same from a file, or from the world of that name in a folder `worlds` beside one of `robots`. Where
/// the world says that it has the robot `model` somewhere, things are where they are from there.
Result<Obstacles> load_scene_of(const std::string& name_or_path, std::string_view model);

}  // namespace sinew::cli
