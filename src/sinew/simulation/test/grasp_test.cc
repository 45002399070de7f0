// SPDX-License-Identifier: BSD-3-Clause
// A thing held by friction alone stays where it is held.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/positions.h"
#include "sinew/model/urdf.h"
#include "sinew/simulation/simulation.h"

namespace sinew {
namespace {

constexpr const char* kGripper = R"(<robot name="gripper">
  <link name="base"/>
  <link name="palm">
    <inertial><mass value="0.5"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.05"/><geometry><box size="0.02 0.12 0.02"/></geometry></collision>
  </link>
  <joint name="lift" type="prismatic"><parent link="base"/><child link="palm"/><origin xyz="0 0 0.02"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="0.5" velocity="0.5" effort="100"/></joint>
  <link name="left">
    <inertial><mass value="0.05"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.016 0.005 0.02"/></geometry></collision>
  </link>
  <link name="right">
    <inertial><mass value="0.05"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.016 0.005 0.02"/></geometry></collision>
  </link>
  <joint name="close" type="prismatic"><parent link="palm"/><child link="left"/><origin xyz="0 0.04 0"/>
    <axis xyz="0 -1 0"/><limit lower="0" upper="0.035" velocity="0.2" effort="20"/></joint>
  <joint name="follow" type="prismatic"><parent link="palm"/><child link="right"/><origin xyz="0 -0.04 0"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="0.035" velocity="0.2" effort="20"/><mimic joint="close"/></joint>
</robot>)";

class Grasp : public testing::TestWithParam<ObjectKind> {
 protected:
  void SetUp() override {
    auto read = read_urdf_text(kGripper, "gripper.urdf");
    ASSERT_TRUE(read) << read.error().message;
    read->model.grippers.push_back({.name = "fingers",
                                    .joints = {{.position = 1, .open = 0.0, .closed = 0.035}},
                                    .open_width = 0.075,
                                    .closed_width = 0.005});
    Scene scene{.name = "test", .is_assisted = is_assisted_};
    scene.robots.push_back({.name = "gripper", .model = std::move(read->model), .start = {0.0, 0.0}});
    SceneObject thing{.name = "thing",
                      .kind = GetParam(),
                      .X_WO = {.position = {0, 0, 0.015}},
                      .size = {0.03, 0.03, 0.03},
                      .is_free = true,
                      .mass = 0.1};
    if (thing.kind == ObjectKind::Cylinder) thing.size = {0.015, 0.03, 0.0};
    scene.objects.push_back(thing);
    auto made = Simulation::make(std::move(scene));
    ASSERT_TRUE(made) << made.error().message;
    simulation_ = *std::move(made);
    command_ = {.moved_mask = 3, .joint_count = 2, .is_enabled = 1};
  }

  void go(std::size_t joint, double goal, double speed) {
    while (std::abs(goal - command_.position[joint]) > 1e-9) {
      const double step = std::clamp(goal - command_.position[joint], -speed * 1e-3, speed * 1e-3);
      command_.position[joint] += step;
      command_.velocity[joint] = step * 1e3;
      cycle();
    }
    command_.velocity[joint] = 0.0;
  }
  void wait(int milliseconds) {
    for (int i = 0; i < milliseconds; ++i) cycle();
  }
  void cycle() {
    simulation_->device(0).take(command_);
    simulation_->step();
  }
  Vector3 thing_in_palm() const {
    return (inverse(simulation_->X_WL(0, 1)) * *simulation_->object_pose("thing")).position;
  }

  const GripperGrasp& grasp() const { return simulation_->touch().grasp(0).grippers[0]; }

  bool is_assisted_ = false;
  std::unique_ptr<Simulation> simulation_;
  JointCommand command_;
};

TEST_P(Grasp, HoldsWithoutCreeping) {
  go(1, 0.03, 0.05);
  wait(200);
  go(0, 0.2, 0.2);
  wait(500);
  const Vector3 begun = thing_in_palm();
  EXPECT_GT(simulation_->object_pose("thing")->position.z(), 0.2);
  // less than a tenth of a millimetre a minute
  wait(60'000);
  EXPECT_LT((thing_in_palm() - begun).norm(), 1e-4);
  // both fingers press with no more than the motor's effort
  EXPECT_LE(std::abs(simulation_->device(0).state().load[1]), 20.0);
  // and what is let go falls
  go(1, 0.0, 0.2);
  wait(500);
  EXPECT_LT(simulation_->object_pose("thing")->position.z(), 0.02);
}

TEST_P(Grasp, IsTold) {
  EXPECT_EQ(text_of(grasp().gripper), "fingers");
  wait(100);
  EXPECT_EQ(grasp().phase, GraspPhase::Free);
  std::vector<std::string> told;
  const auto look = [&] {
    for (const ContactEvent& event : simulation_->touch().events())
      told.push_back(fmt::format("{} {} {}", text_of(event.a), event.is_touching != 0 ? "touches" : "leaves",
                                 text_of(event.b)));
  };
  const auto wait_and_look = [&](int milliseconds) {
    for (int i = 0; i < milliseconds; ++i) {
      cycle();
      look();
    }
  };
  command_.position[1] = 0.03;
  wait_and_look(500);
  EXPECT_EQ(grasp().phase, GraspPhase::Holding);
  EXPECT_EQ(text_of(grasp().object), "thing");
  EXPECT_GT(grasp().force, 1.0);
  EXPECT_LE(grasp().force, 20.0 + 1e-6) << "no more than the motor's effort";
  EXPECT_EQ(grasp().is_assisted, 0U);
  command_.position[0] = 0.1;
  wait_and_look(500);
  EXPECT_EQ(grasp().phase, GraspPhase::Holding);
  command_.position[1] = 0.0;
  wait_and_look(500);
  EXPECT_EQ(grasp().phase, GraspPhase::Free);
  EXPECT_EQ(text_of(grasp().object), "");
  const auto at = [&](const char* words) { return std::ranges::find(told, words) - told.begin(); };
  const auto end = static_cast<std::ptrdiff_t>(told.size());
  EXPECT_LT(at("gripper/left touches thing"), at("floor leaves thing"));
  EXPECT_LT(at("floor leaves thing"), at("gripper/left leaves thing"));
  EXPECT_LT(at("gripper/left leaves thing"), end);
  EXPECT_EQ(simulation_->touch().grasp(0).assisted_grasps, 0U);
}

class AssistedGrasp : public Grasp {
 protected:
  AssistedGrasp() { is_assisted_ = true; }
};

TEST_P(AssistedGrasp, HoldsFastAndSaysSoUntilItOpens) {
  go(1, 0.03, 0.05);
  wait(200);
  EXPECT_EQ(grasp().is_assisted, 1U);
  EXPECT_EQ(simulation_->touch().grasp(0).assisted_grasps, 1U);
  go(0, 0.2, 0.2);
  wait(500);
  EXPECT_GT(simulation_->object_pose("thing")->position.z(), 0.2);
  go(1, 0.0, 0.2);
  wait(500);
  EXPECT_EQ(grasp().is_assisted, 0U);
  EXPECT_LT(simulation_->object_pose("thing")->position.z(), 0.02);
  EXPECT_EQ(simulation_->touch().grasp(0).assisted_grasps, 1U);
}

INSTANTIATE_TEST_SUITE_P(Things, AssistedGrasp, testing::Values(ObjectKind::Box, ObjectKind::Cylinder),
                         [](const auto& test) { return test.param == ObjectKind::Box ? "Cube" : "Rod"; });

INSTANTIATE_TEST_SUITE_P(Things, Grasp, testing::Values(ObjectKind::Box, ObjectKind::Cylinder),
                         [](const auto& test) { return test.param == ObjectKind::Box ? "Cube" : "Rod"; });

}  // namespace
}  // namespace sinew
