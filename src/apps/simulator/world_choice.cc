// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/world_choice.h"

#include <algorithm>

#include "sinew/simulation/tower.h"
#include "sinew/simulation/world_yaml.h"

namespace sinew {

std::vector<cli::Option> world_options() {
  return {
      {.name = "--world", .value_name = "WORLD", .help = "Name or folder of the world.", .fallback = "empty"},
      {.name = "--discs", .value_name = "N", .help = "Of the world's tower: 1 to 6; as the world says."},
      {.name = "--robot", .value_name = "ROBOT", .help = "Also this robot, at the world's origin."},
      {.name = "--name", .value_name = "NAME", .help = "What that robot is called; the robot's own name."},
      {.name = "--posture", .value_name = "NAME", .help = "Where that robot starts.", .fallback = "home"},
  };
}

Result<Scene> choose_world(const cli::Words& words) {
  WorldPlaces places = usual_world_places();
  if (words.has("--discs")) {
    const auto discs = words.whole("--discs", 1, kMostTowerDiscs);
    if (!discs) return discs.error();
    places.discs = static_cast<int>(*discs);
  }
  auto scene = load_world(words.text("--world"), places);
  if (!scene || !words.has("--robot")) return scene;
  const std::string model = words.text("--robot");
  const std::string posture = words.has("--posture") ? words.text("--posture") : "";
  auto robot = scene_robot(model, "", posture, places.robots);
  if (!robot) return robot.error();
  robot->name = words.has("--name") ? words.text("--name") : robot->model.name;
  const auto same = std::ranges::find(scene->robots, robot->name, &SceneRobot::name);
  if (same == scene->robots.end())
    scene->robots.push_back(*std::move(robot));
  else if (words.has("--posture"))
    same->start = robot->start;
  return scene;
}

}  // namespace sinew
