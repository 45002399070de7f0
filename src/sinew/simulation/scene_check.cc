// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/text_input.h"
#include "sinew/simulation/mjcf.h"

namespace sinew {
namespace {

Error scene_error(const std::string& what, const std::string& remedy) {
  return {ErrorCode::InvalidInput, fmt::format("{}; {}", what, remedy)};
}

// How many numbers of `size` an object of that kind uses.
Eigen::Index sizes_used(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::Box:
    case ObjectKind::Mesh:
      return 3;
    case ObjectKind::Cylinder:
    case ObjectKind::HeightField:
      return 2;
    case ObjectKind::Sphere:
      return 1;
    case ObjectKind::Plane:
      break;
  }
  return 0;
}

Status check_name(const std::string& name, std::set<std::string>& taken) {
  if (name.empty() || name.find('/') != std::string::npos)
    return scene_error(fmt::format("'{}' cannot name a robot or an object", shown(name)),
                       "take a name without '/'");
  if (!taken.insert(name).second)
    return scene_error(fmt::format("the name '{}' is taken", shown(name)), "give each its own");
  return Done{};
}

Status check_content(const SceneObject& object) {
  if (object.kind == ObjectKind::Mesh && object.points.size() < 4)
    return scene_error(
        fmt::format("the mesh '{}' has {} corners, not at least 4", shown(object.name), object.points.size()),
        "check its file");
  const HeightGrid& grid = object.grid;
  const bool has_grid =
      grid.rows >= 2 && grid.columns >= 2 && grid.heights.size() == grid.rows * grid.columns &&
      std::ranges::all_of(grid.heights, [](double h) { return std::isfinite(h) && h >= 0.0; });
  if (object.kind == ObjectKind::HeightField && !has_grid)
    return scene_error(
        fmt::format("the height field '{}' has no grid of heights, none below zero", shown(object.name)),
        "give at least 2 rows of 2 numbers");
  const bool must_stand = object.kind == ObjectKind::Plane || object.kind == ObjectKind::HeightField;
  if (object.is_free && must_stand)
    return scene_error(fmt::format("'{}' is a plane or height field and cannot move", shown(object.name)),
                       "make it static");
  return Done{};
}

Status check_robot(const SceneRobot& robot) {
  if (robot.model.links.empty())
    return scene_error(fmt::format("robot '{}' has no links", shown(robot.name)), "load its model first");
  if (!is_valid(robot.X_WB))
    return scene_error(fmt::format("the pose of robot '{}' is none", shown(robot.name)),
                       "give finite numbers and a unit quaternion");
  if (!robot.start.empty() && robot.start.size() != robot.model.positions.size())
    return scene_error(fmt::format("robot '{}' starts with {} numbers, not {}", shown(robot.name),
                                   robot.start.size(), robot.model.positions.size()),
                       "give one per joint");
  if (!std::ranges::all_of(robot.start, [](double q) { return std::isfinite(q); }))
    return scene_error(fmt::format("robot '{}' starts with a number that is not finite", shown(robot.name)),
                       "mend it");
  return Done{};
}

}  // namespace

Status check_object(const SceneObject& object) {
  if (!is_valid(object.X_WO))
    return scene_error(fmt::format("the pose of '{}' is none", shown(object.name)),
                       "give finite numbers and a unit quaternion");
  for (Eigen::Index i = 0; i < sizes_used(object.kind); ++i)
    if (!(object.size[i] > 0.0 && object.size[i] < 1e3))
      return scene_error(fmt::format("size {} of '{}' is {} m", i + 1, shown(object.name), object.size[i]),
                         "it must be over 0 and below 1000");
  if (object.is_free && !(object.mass > 0.0 && object.mass < 1e6))
    return scene_error(fmt::format("the mass of '{}' is {} kg", shown(object.name), object.mass),
                       "it must be over 0 and below a million");
  if (!(object.friction >= 0.0 && object.friction <= 10.0))
    return scene_error(fmt::format("the friction of '{}' is {}", shown(object.name), object.friction),
                       "it must be from 0 to 10");
  return check_content(object);
}

Status check_scene(const Scene& scene) {
  if (scene.time_step_ns <= 0 || kMillisecond_ns % scene.time_step_ns != 0)
    return scene_error(fmt::format("the time step is {}", duration_text(scene.time_step_ns)),
                       "it must be a whole share of 1 ms");
  if (!scene.gravity.allFinite() || !(scene.noise.position >= 0.0) || !(scene.noise.velocity >= 0.0))
    return scene_error("gravity or noise is not a number that can be", "give finite numbers");
  if (scene.objects.size() > kMaxObjects)
    return scene_error(fmt::format("there are {} objects", scene.objects.size()),
                       fmt::format("{} are the most", kMaxObjects));
  std::set<std::string> taken{"floor"};
  for (const SceneRobot& robot : scene.robots) {
    if (Status named = check_name(robot.name, taken); !named) return named;
    if (Status checked = check_robot(robot); !checked) return checked;
  }
  for (const SceneObject& object : scene.objects) {
    if (Status named = check_name(object.name, taken); !named) return named;
    if (Status checked = check_object(object); !checked) return checked;
  }
  return Done{};
}

}  // namespace sinew
