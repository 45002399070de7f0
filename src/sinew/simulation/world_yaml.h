// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/yaml.h"
#include "sinew/simulation/scene.h"

namespace sinew {

/// Where worlds and the robots in them are looked for, and what is to be other than the file says.
struct WorldPlaces {
  std::vector<std::filesystem::path> world_paths;  ///< Folders that hold worlds by name.
  LoadOptions robots;
  std::optional<int> discs;  ///< Of a world's tower; nothing: as its file says.
};

/// Worlds in ./worlds, in a folder `worlds` above this program, and where an installation puts them; robots
/// in their usual places.
WorldPlaces usual_world_places();

/// Loads a world: by name from `world_paths`, or by the path of its folder or its world.yaml. What is unknown
/// in the file is refused with its line and what may have been meant.
Result<Scene> load_world(std::string_view name_or_path, const WorldPlaces& places = usual_world_places());

/// The scene that a world.yaml says; `folder` is where relative file names start.
Result<Scene> scene_from_yaml(const YamlNode& root, const std::filesystem::path& folder,
                              const WorldPlaces& places);

/// The names of all worlds in `world_paths`, sorted.
std::vector<std::string> world_names(const WorldPlaces& places);

/// A robot of that model where its posture `home` puts it, or the posture asked for.
Result<SceneRobot> scene_robot(std::string_view model, std::string_view name, std::string_view posture,
                               const LoadOptions& options);

}  // namespace sinew
