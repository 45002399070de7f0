// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/world_choice.h"

#include <algorithm>

#include "sinew/simulation/tower.h"
#include "sinew/simulation/world_yaml.h"

namespace sinew {

namespace {

constexpr double kSamePlace = 1e-3;  // [m]

bool are_alike(const RobotModel& a, const RobotModel& b) {
  return std::ranges::equal(
      a.positions, b.positions, {}, [&](std::size_t i) { return a.joints[i].name; },
      [&](std::size_t i) { return b.joints[i].name; });
}

// two cannot stand in one place: the one that was asked for does, and where the other stood if it can
void put_in_place(SceneRobot robot, bool has_posture, Scene& scene) {
  const auto other = std::ranges::find_if(scene.robots, [&](const SceneRobot& standing) {
    return (standing.X_WB.position - robot.X_WB.position).norm() < kSamePlace;
  });
  if (other == scene.robots.end()) {
    scene.robots.push_back(std::move(robot));
    return;
  }
  if (!has_posture && are_alike(other->model, robot.model)) robot.start = other->start;
  *other = std::move(robot);
}

}  // namespace

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
  if (same == scene->robots.end()) {
    put_in_place(*std::move(robot), words.has("--posture"), *scene);
    return scene;
  }
  if (words.has("--posture")) same->start = robot->start;
  // it may be a variant of the one that the world has
  if (are_alike(same->model, robot->model)) same->model = std::move(robot->model);
  return scene;
}

}  // namespace sinew
