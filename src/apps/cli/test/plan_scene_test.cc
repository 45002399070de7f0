// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/plan_scene.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"

namespace sinew::cli {
namespace {

Result<PlanScene> scene_of(std::string_view text, const SceneOptions& options = {}) {
  const auto root = parse_yaml(text, "s.yaml");
  if (!root) return root.error();
  return scene_from_yaml(*root, options);
}

TEST(PlanSceneTest, ReadsObjectsAsInAWorld) {
  const auto scene = scene_of(
      "gravity: [0, 0, -9.81]\n"
      "floor: true\n"
      "objects:\n"
      "  - {name: table, kind: box, xyz: [0.6, 0, 0.2], size: [0.5, 0.9, 0.4], colour: [1, 0, 0]}\n"
      "  - {name: ball, kind: sphere, xyz: [0, 1, 1], radius: 0.1, margin: 0.02}\n"
      "  - {name: post, kind: cylinder, rpy_deg: [90, 0, 0], radius: 0.05, length: 1}\n");
  ASSERT_TRUE(scene) << scene.error().message;
  const Obstacles* world = &scene->world;
  ASSERT_EQ(world->size(), 4U);
  EXPECT_EQ((*world)[0].solid.kind, SolidKind::Plane);
  EXPECT_EQ((*world)[1].solid.half, Vector3(0.25, 0.45, 0.2));
  EXPECT_EQ((*world)[2].margin, 0.02);
  EXPECT_NEAR((*world)[3].X_LO.rotation.x(), std::sqrt(0.5), 1e-12);
}

TEST(PlanSceneTest, HasAFloorUnlessItIsSaidOtherwise) {
  EXPECT_EQ(scene_of("objects: []\n")->world.size(), 1U);
  EXPECT_EQ(scene_of("floor: false\n")->world.size(), 0U);
  EXPECT_EQ(scene_of("objects: []\n", {.has_floor = false})->world.size(), 0U);
  EXPECT_EQ(scene_of("floor: true\n", {.has_floor = false})->world.size(), 1U);
}

TEST(PlanSceneTest, AHeightFieldLiesAroundItsMiddle) {
  const auto scene = scene_of(
      "floor: false\n"
      "objects:\n"
      "  - {name: hill, kind: height_field, xyz: [1, 0, 0], size: [2, 4, 0.5], heights: [[0, 0, 1], [0, 0, "
      "0]]}\n");
  ASSERT_TRUE(scene) << scene.error().message;
  const Obstacle& hill = scene->world[0];
  ASSERT_EQ(hill.solid.kind, SolidKind::HeightField);
  EXPECT_EQ(hill.X_LO.position, Vector3(0.0, -2.0, 0.0));
  EXPECT_EQ(hill.solid.field, &scene->fields.front());
  EXPECT_EQ(hill.solid.field->highest(), 0.5);
  EXPECT_EQ(hill.solid.field->extent(), Eigen::Vector2d(2.0, 4.0));
  EXPECT_FALSE(scene_of("objects:\n  - {name: h, kind: height_field, size: [1, 1, 1], heights: [[0, 1]]}\n"));
  EXPECT_FALSE(
      scene_of("objects:\n  - {name: h, kind: height_field, size: [1, 1, 1], heights: [[0, 1], [0]]}\n"));
}

TEST(PlanSceneTest, ALinkCarriesAThingAndMayTouchIt) {
  const auto robot = load_robot("panda");
  ASSERT_TRUE(robot) << robot.error().message;
  const auto scene = scene_of(
      "floor: false\n"
      "objects:\n"
      "  - {name: plate, kind: box, link: panda_link7, may_touch: [panda_link6], xyz: [0, 0, 0.1], size: [1, "
      "1, 1]}\n",
      {.model = &robot->model});
  ASSERT_TRUE(scene) << scene.error().message;
  const Obstacle& plate = scene->world[0];
  const std::size_t hand = find_link(robot->model, "panda_link7");
  EXPECT_EQ(plate.link, hand);
  EXPECT_TRUE(plate.may_touch[hand]);
  EXPECT_TRUE(plate.may_touch[find_link(robot->model, "panda_link6")]);
  EXPECT_EQ(plate.may_touch.count(), 2U);
  EXPECT_EQ(
      scene_of("objects:\n  - {name: a, kind: sphere, radius: 1, link: paw}\n", {.model = &robot->model})
          .error()
          .message,
      "s.yaml:2: the robot has no link 'paw'; 'sinew model' lists its links");
}

TEST(PlanSceneTest, ThingsAreWhereTheyAreFromTheRobot) {
  const auto robot = load_robot("panda");
  ASSERT_TRUE(robot) << robot.error().message;
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "plan_scene_test.yaml";
  std::ofstream(path) << "robots:\n  - {model: panda, xyz: [1, 0, 0.5]}\n"
                         "objects:\n  - {name: a, kind: sphere, xyz: [1, 2, 0.5], radius: 0.1}\n";
  const auto scene = load_scene(path.string(), {.model = &robot->model});
  std::filesystem::remove(path);
  ASSERT_TRUE(scene) << scene.error().message;
  ASSERT_EQ(scene->world.size(), 2U);
  EXPECT_NEAR(scene->world[0].X_LO.position.z(), -0.5, 1e-12);
  EXPECT_LT((scene->world[1].X_LO.position - Vector3(0.0, 2.0, 0.0)).norm(), 1e-12);
  // the base may stand on the floor, what moves may not
  EXPECT_TRUE(scene->world[0].may_touch[find_link(robot->model, "panda_link0")]);
  EXPECT_FALSE(scene->world[0].may_touch[find_link(robot->model, "panda_link1")]);
}

TEST(PlanSceneTest, RefusalsNameTheLine) {
  EXPECT_EQ(scene_of("objects:\n  - {name: a, kind: bax, size: [1, 1, 1]}\n").error().message,
            "s.yaml:2: no kind 'bax' among obstacles (did you mean 'box'?); known: box, sphere, cylinder, "
            "plane, mesh, "
            "height_field");
  EXPECT_EQ(scene_of("objects:\n  - {name: a, kind: sphere}\n").error().message,
            "s.yaml:2: 'radius' is missing here; write 'radius: 0.05'");
  EXPECT_FALSE(scene_of("objects:\n  - {name: a, kind: sphere, radius: -1}\n"));
  EXPECT_FALSE(scene_of("objekts: []\n"));
}

}  // namespace
}  // namespace sinew::cli
