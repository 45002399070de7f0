// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "sinew/drivers/test/two_joints.h"
#include "sinew/model/positions.h"
#include "sinew/simulation/test/scenes.h"

namespace sinew {
namespace {

SceneObject cube_at(const std::string& name, double side, const Vector3& position) {
  return {.name = name,
          .kind = ObjectKind::Box,
          .X_WO = {.position = position},
          .size = Vector3::Constant(side),
          .is_free = true,
          .mass = 0.1};
}

std::unique_ptr<Simulation> made(Scene scene) {
  auto simulation = Simulation::make(std::move(scene));
  EXPECT_TRUE(simulation) << simulation.error().message;
  return simulation ? *std::move(simulation) : nullptr;
}

// ---- robots ----

class EveryRobot : public testing::TestWithParam<std::string> {};

TEST_P(EveryRobot, StandsAtHomeAndTouchesNothing) {
  const auto simulation = made(scene_with(GetParam()));
  ASSERT_NE(simulation, nullptr);
  const SceneRobot& robot = simulation->scene().robots[0];
  for (int i = 0; i < 1000; ++i) {
    simulation->step();
    ASSERT_TRUE(simulation->contacts().empty())
        << simulation->contacts()[0].a << " touches " << simulation->contacts()[0].b;
  }
  EXPECT_TRUE(simulation->is_stable());
  for (std::size_t i = 0; i < robot.start.size(); ++i)
    EXPECT_NEAR(simulation->joint_position(0, i), robot.start[i], 1e-4)
        << robot.model.joints[robot.model.positions[i]].name;
}

TEST_P(EveryRobot, HasItsLinksWhereTheModelSays) {
  const auto simulation = made(scene_with(GetParam()));
  ASSERT_NE(simulation, nullptr);
  const SceneRobot& robot = simulation->scene().robots[0];
  for (const Joint& joint : robot.model.joints) {
    const Pose X_PJ = inverse(simulation->X_WL(0, joint.parent_link)) * simulation->X_WL(0, joint.child_link);
    double q = 0.0;
    if (joint.position != kNone) q = robot.start[joint.position];
    if (joint.mimic) q = joint.mimic->factor * robot.start[robot.model.joints[joint.mimic->joint].position];
    if (joint.mimic) q += joint.mimic->offset;
    Pose X_JC;
    if (joint.kind == JointKind::Prismatic)
      X_JC.position = q * joint.axis;
    else if (joint.kind != JointKind::Fixed)
      X_JC.rotation = quaternion_from_rotation_vector(q * joint.axis);
    const PoseDistance off = distance(X_PJ, joint.X_PJ * X_JC);
    EXPECT_LT(off.position, 1e-9) << joint.name;
    EXPECT_LT(off.rotation, 1e-7) << joint.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, EveryRobot, testing::ValuesIn(robot_names(usual_places())),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// a smooth wave on every joint in use stays under a milliradian from its reference
TEST(Simulation, FollowsASmoothReference) {
  const auto simulation = made(scene_with("mds"));
  const SceneRobot& robot = simulation->scene().robots[0];
  JointCommand command{.moved_mask = enabled_mask(robot.model),
                       .joint_count = static_cast<std::uint32_t>(robot.start.size()),
                       .is_enabled = 1};
  double worst = 0.0;
  for (int cycle = 0; cycle < 3000; ++cycle) {
    const double phase = 2.0 * 0.001 * cycle;
    for (std::size_t i = 0; i < robot.start.size(); ++i) {
      command.position[i] = robot.start[i] + 0.1 * (1.0 - std::cos(phase));
      command.velocity[i] = 0.2 * std::sin(phase);
      command.acceleration[i] = 0.4 * std::cos(phase);
    }
    simulation->device(0).take(command);
    simulation->step();
    for (std::size_t i = 0; i < robot.start.size(); ++i)
      if ((command.moved_mask >> i & 1) != 0)
        worst = std::max(worst, std::abs(simulation->joint_position(0, i) - command.position[i]));
  }
  EXPECT_TRUE(simulation->contacts().empty());
  EXPECT_LT(worst, 1e-3);
}

TEST(Simulation, NoMotorGivesMoreThanItsEffort) {
  const auto simulation = made(scene_with("ur5e"));
  const SceneRobot& robot = simulation->scene().robots[0];
  JointCommand command{.moved_mask = enabled_mask(robot.model), .joint_count = 6, .is_enabled = 1};
  std::ranges::copy(robot.start, command.position.begin());
  command.position[1] += 1.0;
  double most = 0.0;
  for (int i = 0; i < 100; ++i) {
    simulation->device(0).take(command);
    simulation->step();
    for (std::size_t j = 0; j < 6; ++j) {
      const double effort = robot.model.joints[robot.model.positions[j]].limits.effort;
      EXPECT_LE(std::abs(simulation->device(0).state().load[j]), effort);
      most = std::max(most, std::abs(simulation->device(0).state().load[j]) / effort);
    }
  }
  EXPECT_EQ(most, 1.0);
}

// ---- determinism ----

Scene busy_scene(std::uint64_t seed) {
  Scene scene = scene_with("panda");
  scene.seed = seed;
  scene.noise = {.position = 1e-4, .velocity = 1e-3};
  for (int i = 0; i < 3; ++i)
    scene.objects.push_back(cube_at("cube" + std::to_string(i), 0.05, {0.6, 0.01 * i, 0.1 + 0.08 * i}));
  return scene;
}

void wave(Simulation& simulation, int cycle) {
  const SceneRobot& robot = simulation.scene().robots[0];
  JointCommand command{.moved_mask = enabled_mask(robot.model),
                       .joint_count = static_cast<std::uint32_t>(robot.start.size()),
                       .is_enabled = 1};
  for (std::size_t i = 0; i < robot.start.size(); ++i)
    command.position[i] = robot.start[i] + 0.2 * std::sin(0.003 * cycle + 0.1 * static_cast<double>(i));
  simulation.device(0).take(command);
}

TEST(Simulation, TenSecondsGiveTheSameBitsSideBySideAndTwoGiveThemAlone) {
  const auto first = made(busy_scene(7));
  const auto second = made(busy_scene(7));
  std::uint64_t after_two_seconds = 0;
  for (int cycle = 0; cycle < 10'000; ++cycle) {
    if (cycle == 2000) after_two_seconds = first->state_hash();
    for (Simulation* simulation : {first.get(), second.get()}) {
      wave(*simulation, cycle);
      simulation->step();
    }
  }
  EXPECT_EQ(first->state_hash(), second->state_hash());
  const auto alone = made(busy_scene(7));
  const auto other_seed = made(busy_scene(8));
  for (Simulation* simulation : {alone.get(), other_seed.get()}) {
    for (int cycle = 0; cycle < 2000; ++cycle) {
      wave(*simulation, cycle);
      simulation->step();
    }
  }
  EXPECT_EQ(alone->state_hash(), after_two_seconds);
  EXPECT_NE(other_seed->state_hash(), after_two_seconds);
}

// ---- objects ----

TEST(Simulation, AFallingCubeComesToRestOnTheFloor) {
  Scene scene{.name = "test"};
  scene.objects = {cube_at("cube", 0.05, {0, 0, 0.3})};
  const auto simulation = made(scene);
  simulation->advance(2 * kSecond_ns);
  const Pose rest = *simulation->object_pose("cube");
  EXPECT_NEAR(rest.position.z(), 0.025, 2e-4);
  simulation->advance(kSecond_ns);
  EXPECT_LT((simulation->object_pose("cube")->position - rest.position).norm(), 1e-6);
  const std::vector<Touch> contacts = simulation->contacts();
  ASSERT_FALSE(contacts.empty());
  EXPECT_EQ((std::set<std::string>{contacts[0].a, contacts[0].b}), (std::set<std::string>{"cube", "floor"}));
}

TEST(Simulation, AStackOfFiveDoesNotSinkOrSlide) {
  for (const ObjectKind kind : {ObjectKind::Box, ObjectKind::Cylinder}) {
    // nothing of it rests: all of it bears and slides for as long as it is looked at
    Scene scene{.name = "test", .has_rest = false};
    scene.objects.push_back({.name = "table",
                             .kind = ObjectKind::Box,
                             .X_WO = {.position = {0, 0, 0.2}},
                             .size = {0.6, 0.6, 0.4}});
    for (int i = 0; i < 5; ++i) {
      SceneObject object = cube_at("o" + std::to_string(i), 0.04, {0, 0, 0.42 + 0.04 * i});
      object.kind = kind;
      if (kind == ObjectKind::Cylinder) object.size = {0.02, 0.04, 0};
      scene.objects.push_back(object);
    }
    const auto simulation = made(scene);
    // a minute for cubes; rods take more computing
    simulation->advance((kind == ObjectKind::Box ? 60 : 5) * kSecond_ns);
    for (int i = 0; i < 5; ++i) {
      const Pose pose = *simulation->object_pose("o" + std::to_string(i));
      EXPECT_NEAR(pose.position.z(), 0.42 + 0.04 * i, 2e-4) << i;
      EXPECT_LT(pose.position.head<2>().norm(), 2e-4) << i;
    }
  }
}

TEST(Simulation, ObjectsComeMoveAndGoWhileTheRestGoesOn) {
  const auto simulation = made(busy_scene(1));
  for (int cycle = 0; cycle < 500; ++cycle) {
    wave(*simulation, cycle);
    simulation->step();
  }
  const double q = simulation->joint_position(0, 1);
  const double v = simulation->joint_velocity(0, 1);
  const Pose cube = *simulation->object_pose("cube0");
  ASSERT_TRUE(simulation->add_object(cube_at("late", 0.03, {-0.5, 0, 0.5})));
  EXPECT_EQ(simulation->joint_position(0, 1), q);
  EXPECT_EQ(simulation->joint_velocity(0, 1), v);
  EXPECT_EQ(simulation->object_pose("cube0")->position, cube.position);
  ASSERT_TRUE(simulation->move_object("late", {.position = {-0.5, 0.2, 0.1}}));
  simulation->advance(kSecond_ns);
  EXPECT_NEAR(simulation->object_pose("late")->position.z(), 0.015, 2e-4);
  EXPECT_NEAR(simulation->object_pose("late")->position.y(), 0.2, 1e-3);
  EXPECT_EQ(simulation->world().object_count, 4U);
  ASSERT_TRUE(simulation->remove_object("late"));
  EXPECT_FALSE(simulation->object_pose("late"));
  EXPECT_EQ(simulation->world().object_count, 3U);
}

TEST(Simulation, AResetPutsEverythingBackAndTheSameFollowsFromIt) {
  const auto simulation = made(busy_scene(4));
  const auto fresh = made(busy_scene(4));
  for (int cycle = 0; cycle < 300; ++cycle) {
    wave(*simulation, cycle);
    simulation->step();
  }
  ASSERT_TRUE(simulation->add_object(cube_at("late", 0.03, {-0.5, 0, 0.5})));
  ASSERT_TRUE(simulation->remove_object("cube1"));
  const std::int64_t before_ns = simulation->now_ns();
  ASSERT_TRUE(simulation->reset());
  EXPECT_EQ(simulation->now_ns(), before_ns);
  EXPECT_EQ(simulation->world().object_count, 3U);
  EXPECT_EQ(simulation->joint_position(0, 1), simulation->scene().robots[0].start[1]);
  // nothing moves a device that has been switched off and on
  wave(*simulation, 100);
  simulation->step();
  EXPECT_NEAR(simulation->joint_position(0, 1), simulation->scene().robots[0].start[1], 1e-3);
  EXPECT_NE(simulation->device(0).state().fault_bits & kFaultLost, 0U);

  ASSERT_TRUE(simulation->reset());
  simulation->device(0).reset();
  for (int cycle = 0; cycle < 300; ++cycle) {
    for (Simulation* each : {simulation.get(), fresh.get()}) {
      wave(*each, cycle);
      each->step();
    }
  }
  EXPECT_EQ(simulation->object_pose("cube2")->position, fresh->object_pose("cube2")->position);
  EXPECT_EQ(simulation->device(0).state().position, fresh->device(0).state().position);
}

TEST(Simulation, AStaticObjectCanBeMovedToo) {
  Scene scene{.name = "test"};
  scene.objects.push_back({.name = "shelf", .X_WO = {.position = {0, 0, 0.1}}, .size = {0.2, 0.2, 0.02}});
  scene.objects.push_back(cube_at("cube", 0.04, {1, 0, 0.5}));
  const auto simulation = made(scene);
  ASSERT_TRUE(simulation->move_object("shelf", {.position = {1, 0, 0.1}}));
  simulation->advance(2 * kSecond_ns);
  EXPECT_NEAR(simulation->object_pose("cube")->position.z(), 0.13, 2e-4);
}

TEST(Simulation, AHeightFieldCarries) {
  Scene scene{.name = "test", .has_floor = false};
  SceneObject field{.name = "hill", .kind = ObjectKind::HeightField, .size = {1, 1, 1}};
  field.grid = {.rows = 3, .columns = 3, .heights = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2}};
  scene.objects = {field, cube_at("cube", 0.04, {0.1, 0.1, 0.4})};
  const auto simulation = made(scene);
  simulation->advance(2 * kSecond_ns);
  EXPECT_NEAR(simulation->object_pose("cube")->position.z(), 0.22, 5e-4);
}

TEST(Simulation, RefusesWhatCannotBeAndSaysWhy) {
  const auto simulation = made(busy_scene(1));
  const auto refusal = [&](SceneObject object) {
    const Status added = simulation->add_object(std::move(object));
    return added ? std::string("taken") : added.error().message;
  };
  EXPECT_EQ(refusal(cube_at("cube0", 0.1, {0, 0, 1})), "the name 'cube0' is taken; give each its own");
  EXPECT_EQ(refusal(cube_at("a", -0.1, {0, 0, 1})),
            "size 1 of 'a' is -0.1 m; it must be over 0 and below 1000");
  EXPECT_EQ(refusal(cube_at("a", 0.1, {0, 0, std::nan("")})),
            "the pose of 'a' is none; give finite numbers and a unit quaternion");
  SceneObject light = cube_at("a", 0.1, {0, 0, 1});
  light.mass = 0.0;
  EXPECT_EQ(refusal(light), "the mass of 'a' is 0 kg; it must be over 0 and below a million");
  EXPECT_EQ(simulation->move_object("cube9", {}).error().message,
            "there is no object 'cube9' in the world (did you mean 'cube0'?)");
  EXPECT_EQ(simulation->world().object_count, 3U);
}

}  // namespace
}  // namespace sinew
