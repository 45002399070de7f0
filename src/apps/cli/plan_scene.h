// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bitset>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/obstacles.h"
#include "sinew/collision/solid.h"
#include "sinew/model/robot_model.h"
#include "sinew/model/yaml.h"
#include "sinew/motion/walked_objects.h"

namespace sinew::cli {

/// Things around a robot, with the points and heights that their solids point to: keep it as long as they are
/// used. Moving it leaves them where they are.
struct PlanScene {
  Obstacles world;
  std::deque<std::vector<Vector3>> hulls;
  std::deque<HeightField> fields;
  std::vector<WalkedObject> things;  ///< All that the file names, also what is in nobody's way.
};

struct SceneOptions {
  const RobotModel* model = nullptr;  ///< Whose links may carry things.
  std::filesystem::path folder;       ///< Where the names of mesh files begin.
  bool has_floor = true;              ///< Unless the file says otherwise, as for world.yaml.
  bool has_unknown = true;            ///< What is `known: false` is in the way, too.
};

/// From the list `objects` of a YAML file, written as in world.yaml, in its frame. Besides, `link: NAME` has
/// a thing carried by that link of the robot, in whose frame it then stands, and `may_touch: [NAME, …]` names
/// links that may touch it. Other keys of world.yaml may stand there and are not looked at, but for `floor`
/// and `tower`, whose pegs and discs are things that are in nobody's way.
Result<PlanScene> scene_from_yaml(const YamlNode& root, const SceneOptions& options = {});

/// From a file, or from the world of that name in a folder `worlds` beside one of `robots`; in the frame of
/// the robot's root link: where the world has that robot, things are where they are from there. What of the
/// robot never moves may stand in them: a base on a floor. `options.folder` is the file's.
Result<PlanScene> load_scene(const std::string& name_or_path, SceneOptions options);

/// A floor at the height of the robot's root link, and nothing else.
Obstacles floor_alone();

/// Links that no joint moves.
std::bitset<kMaxCheckedLinks> still_links(const RobotModel& model);

}  // namespace sinew::cli
