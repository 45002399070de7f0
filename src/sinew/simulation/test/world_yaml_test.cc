// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/world_yaml.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/simulation/simulation.h"

namespace sinew {
namespace {

Result<Scene> read(const std::string& text) {
  const auto root = parse_yaml(text, "w.yaml");
  if (!root) return root.error();
  return scene_from_yaml(*root, "here", usual_world_places());
}

std::string refusal(const std::string& text) {
  const auto scene = read(text);
  return scene ? "taken" : scene.error().message;
}

class EveryWorld : public testing::TestWithParam<std::string> {};

// what lies somewhere in a shipped world lies there still a second later
TEST_P(EveryWorld, LoadsAndIsAtRest) {
  auto scene = load_world(GetParam());
  ASSERT_TRUE(scene) << scene.error().message;
  auto made = Simulation::make(*std::move(scene));
  ASSERT_TRUE(made) << made.error().message;
  Simulation& simulation = **made;
  simulation.advance(kSecond_ns);
  EXPECT_TRUE(simulation.is_stable());
  for (const SceneObject& object : simulation.scene().objects)
    EXPECT_LT((simulation.object_pose(object.name)->position - object.X_WO.position).norm(), 1e-3)
        << object.name;
  for (const SceneRobot& robot : simulation.scene().robots)
    for (std::size_t i = 0; i < robot.start.size(); ++i)
      EXPECT_NEAR(simulation.joint_position(simulation.find_robot(robot.name), i), robot.start[i], 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Shipped, EveryWorld, testing::ValuesIn(world_names(usual_world_places())),
                         [](const auto& test) { return test.param; });

TEST(WorldYaml, ReadsAllThatCanBeSaid) {
  const auto scene = read(R"(
robots:
  - {model: panda, name: left, xyz: [0, 0.5, 0]}
  - {model: panda, name: right, xyz: [0, -0.5, 0], rpy_deg: [0, 0, 90], posture: home}
objects:
  - {name: ball, kind: sphere, xyz: [1, 0, 1], radius: 0.1, mass: 0.5, friction: 0.3, colour: [1, 0, 0]}
  - {name: rod, kind: cylinder, xyz: [1, 0, 1], radius: 0.1, length: 0.5, rpy: [0, 1.5, 0]}
  - {name: ground, kind: plane}
  - {name: hill, kind: height_field, size: [2, 3, 0.5], heights: [[0, 1, 2], [0, 0, 1]]}
gravity: [0, 0, -1.62]
time_step: 0.0005
watchdog: 0.05
seed: 9
noise: {position: 0.001}
floor: false
)");
  ASSERT_TRUE(scene) << scene.error().message;
  ASSERT_EQ(scene->robots.size(), 2U);
  EXPECT_EQ(scene->robots[1].name, "right");
  EXPECT_NEAR(roll_pitch_yaw(scene->robots[1].X_WB.rotation).yaw, 1.5707963, 1e-6);
  ASSERT_EQ(scene->objects.size(), 4U);
  EXPECT_TRUE(scene->objects[0].is_free);
  EXPECT_EQ(scene->objects[0].friction, 0.3);
  EXPECT_FALSE(scene->objects[1].is_free);
  EXPECT_EQ(scene->objects[3].grid.heights[2], 1.0);
  EXPECT_EQ(scene->time_step_ns, 500'000);
  EXPECT_EQ(scene->watchdog_ns, 50 * kMillisecond_ns);
  EXPECT_EQ(scene->seed, 9U);
  EXPECT_FALSE(scene->has_floor);
  EXPECT_TRUE(Simulation::make(*scene));
}

TEST(WorldYaml, RefusesWithLineAndRemedy) {
  EXPECT_EQ(refusal("objets: []"),
            "w.yaml:1: the key 'objets' is not known (did you mean 'objects'?); known here: robots, objects, "
            "gravity, time_step, watchdog, seed, noise, floor");
  EXPECT_EQ(
      refusal("objects:\n  - {name: a, kind: spere, size: [1, 1, 1]}"),
      "w.yaml:2: there is no kind 'spere' (did you mean 'sphere'?); known: box, sphere, cylinder, plane, "
      "mesh, height_field");
  EXPECT_EQ(refusal("objects:\n  - {name: a, kind: sphere, radius: .nan}").substr(0, 30),
            "w.yaml:2: 'radius' is '.nan', ");
  EXPECT_EQ(refusal("objects:\n  - {name: a, kind: box}"),
            "w.yaml:2: a box has a 'size'; write its three sides: 'size: [0.1, 0.1, 0.1]'");
  EXPECT_EQ(refusal("objects:\n  - {name: a, kind: plane, mass: 1}"),
            "w.yaml:2: 'a' is a plane or height field and cannot move; make it static; see "
            "docs/reference/world_yaml.md");
  EXPECT_EQ(refusal("time_step: 0.0007"),
            "w.yaml: the time step is 700.0 us; it must be a whole share of 1 ms");
  EXPECT_EQ(refusal("floor: perhaps"), "w.yaml:1: 'floor' is 'perhaps'; write true or false");
  EXPECT_EQ(refusal("seed: 1.5"), "w.yaml:1: the seed is 1.5; write a whole number from 0");
  EXPECT_NE(refusal("robots:\n  - {model: pandaa}").find("did you mean 'panda'?"), std::string::npos);
  EXPECT_NE(refusal("robots:\n  - {model: panda, posture: hom}").find("did you mean 'home'?"),
            std::string::npos);
  EXPECT_EQ(refusal("objects:\n  - {name: a, kind: plane}\n  - {name: a, kind: plane}"),
            "w.yaml: the name 'a' is taken; give each its own");
}

// a tetrahedron lies down on a face and stays
TEST(WorldYaml, AMeshIsItsConvexHull) {
  const std::filesystem::path folder = testing::TempDir();
  std::ofstream(folder / "tetra.obj")
      << "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const auto root = parse_yaml(
      "objects:\n  - {name: t, kind: mesh, file: tetra.obj, xyz: [0, 0, 0.01], mass: 0.1}", "w.yaml");
  const auto scene = scene_from_yaml(*root, folder, usual_world_places());
  ASSERT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(scene->objects[0].points.size(), 4U);
  const auto simulation = *Simulation::make(*scene);
  simulation->advance(kSecond_ns);
  EXPECT_NEAR(simulation->object_pose("t")->position.z(), 0.0, 1e-3);
  EXPECT_NE(refusal("objects:\n  - {name: t, kind: mesh, file: nothing.stl}").find("nothing.stl"),
            std::string::npos);
}

TEST(WorldYaml, ATowerStandsForMinutesWithAnyNumberOfDiscs) {
  for (int discs = 1; discs <= 6; ++discs) {
    WorldPlaces places = usual_world_places();
    places.discs = discs;
    auto scene = load_world("hanoi", places);
    ASSERT_TRUE(scene) << scene.error().message;
    EXPECT_EQ(std::ranges::count_if(scene->objects, &SceneObject::is_free), discs);
    const auto simulation = *Simulation::make(*std::move(scene));
    simulation->advance((discs == 6 ? 120 : 2) * kSecond_ns);
    for (const SceneObject& object : simulation->scene().objects)
      EXPECT_LT((simulation->object_pose(object.name)->position - object.X_WO.position).norm(), 0.2e-3)
          << object.name << " of " << discs;
  }
}

TEST(WorldYaml, ATowerThatCannotBeIsRefusedInWords) {
  EXPECT_NE(refusal("tower: {discs: 7, pegs: [[0, 0, 0], [0.2, 0, 0]]}")
                .find("a tower of 7 discs cannot be: 1 to 6"),
            std::string::npos);
  EXPECT_NE(refusal("tower: {discs: 2, pegs: [[0, 0, 0]]}").find("needs 2 or more pegs, and has 1"),
            std::string::npos);
  EXPECT_NE(refusal("tower: {disks: 2}").find("did you mean 'discs'"), std::string::npos);
  WorldPlaces places = usual_world_places();
  places.discs = 2;
  const auto scene = load_world("table", places);
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().message.find("this world has no tower"), std::string::npos);
}

TEST(WorldYaml, NamesTheWorldsThatAreThere) {
  const auto scene = load_world("tabel");
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().message.find("there is no world 'tabel' (did you mean 'table'?)"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
