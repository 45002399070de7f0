// SPDX-License-Identifier: BSD-3-Clause
#include "scene.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/collision/test/draws.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/positions.h"
#include "sinew/motion/world_reader.h"

namespace sinew::bench {
namespace {

constexpr double kClearance = 0.05;  // [m] of everything, at home
constexpr double kShareOfRange = 0.33;
constexpr std::size_t kTargets = 64;

WorldObject draw_object(draws::Random& random, std::size_t number) {
  WorldObject object;
  set_text(object.name, fmt::format("object {}", number));
  object.kind = static_cast<ObjectKind>(random.below(3));
  for (double& side : object.size) side = random.uniform(0.04, 0.2);
  const Pose pose = draws::pose(random, 1.0);
  const Vector3 position = pose.position + Vector3(0.0, 0.0, 1.0);
  std::copy_n(position.data(), 3, object.position.begin());
  object.qw = pose.rotation.w();
  object.qx = pose.rotation.x();
  object.qy = pose.rotation.y();
  object.qz = pose.rotation.z();
  return object;
}

bool is_clear_of(CollisionChecker& checker, const Scene& scene, const WorldObject& object,
                 std::span<const double> q) {
  World alone{.object_count = 1};
  alone.objects[0] = object;
  const auto meaning = read_world(alone, scene.robot.model);
  if (!meaning) return false;
  checker.set_world((*meaning)->obstacles);
  const CheckResult near = checker.nearest(q);
  return near.contact.object_b == kNone || near.contact.distance > kClearance;
}

void draw_targets(draws::Random& random, CollisionChecker& checker, Scene& scene,
                  std::span<const double> home) {
  const RobotModel& model = scene.robot.model;
  const std::uint64_t enabled = enabled_mask(model);
  while (scene.targets.size() < kTargets) {
    JointArray target{};
    const std::vector<double> drawn = draws::configuration(random, model);
    for (std::size_t i = 0; i < home.size(); ++i)
      target[i] = home[i] + ((enabled >> i & 1) != 0 ? kShareOfRange * (drawn[i] - home[i]) : 0.0);
    if (checker.is_clear({target.data(), home.size()})) scene.targets.push_back(target);
  }
}

}  // namespace

Result<std::unique_ptr<Scene>> make_scene(std::size_t objects, unsigned seed) {
  auto robot = load_robot("mds");
  if (!robot) return robot.error();
  const auto settings = read_control(robot->settings.control);
  if (!settings) return settings.error();
  auto scene = std::make_unique<Scene>(Scene{.robot = *std::move(robot), .settings = *settings});
  auto shapes = RobotShapes::make(scene->robot.model, guard_options(*settings, points_of_mesh));
  if (!shapes) return shapes.error();
  scene->shapes = std::make_unique<RobotShapes>(*std::move(shapes));

  draws::Random random(seed);
  CollisionChecker checker(*scene->shapes);
  const std::vector<double> home = draws::home(scene->robot.model);
  World& world = scene->world;
  while (world.object_count < std::min(objects, kMaxObjects)) {
    const WorldObject object = draw_object(random, world.object_count);
    if (is_clear_of(checker, *scene, object, home)) world.objects[world.object_count++] = object;
  }
  const auto meaning = read_world(world, scene->robot.model);
  if (!meaning) return meaning.error();
  checker.set_world((*meaning)->obstacles);
  draw_targets(random, checker, *scene, home);
  return scene;
}

}  // namespace sinew::bench
