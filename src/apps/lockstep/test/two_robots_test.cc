// SPDX-License-Identifier: BSD-3-Clause
// Two robots in one world, each with a controller of its own, on one clock.
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "sinew/base/hash.h"
#include "sinew/collision/robot_shapes.h"
#include "sinew/control/controller.h"
#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/simulation/simulated_driver.h"
#include "sinew/simulation/simulation.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/lockstep/lockstep.h"

namespace sinew {
namespace {

/// A robot of a world with its controller.
struct Controlled {
  Controlled(Simulation& simulation, const std::string& name)
      : model(simulation.scene().robots[simulation.find_robot(name)].model),
        shapes(*RobotShapes::make(model, guard_options({}, points_of_mesh))),
        driver(simulation, name),
        controller(*Controller::make(model, shapes, RobotControl{}.cycle)) {
    EXPECT_TRUE(driver.connect());
    controller->set_source(0, "test", 0);
  }

  void cycle(std::int64_t now_ns) {
    driver.read(now_ns, state);
    driver.write(controller->step(state, now_ns).command);
  }
  void send(std::size_t joint, double position, std::int64_t now_ns) {
    JointReference reference{.stamp_ns = now_ns, .joint_mask = std::uint64_t{1} << joint};
    reference.position[joint] = position;
    controller->take_reference(0, reference, now_ns);
  }

  const RobotModel& model;
  RobotShapes shapes;
  SimulatedDriver driver;
  std::unique_ptr<Controller> controller;
  JointState state;
};

class TwoRobotsTest : public testing::Test {
 protected:
  void SetUp() override {
    near_.reset();
    far_.reset();
    Scene scene{.name = "two"};
    const auto robots = usual_world_places().robots;
    for (const char* name : {"near", "far"}) {
      auto robot = scene_robot("scorbot-er3", name, "ready", robots);
      ASSERT_TRUE(robot) << robot.error().message;
      scene.robots.push_back(*std::move(robot));
    }
    scene.robots[1].X_WB = {.rotation = Quaternion(0, 0, 0, 1), .position = Vector3(1.4, 0, 0)};
    auto simulation = Simulation::make(std::move(scene));
    ASSERT_TRUE(simulation) << simulation.error().message;
    simulation_ = *std::move(simulation);
    simulation_->start_at(kSecond_ns);
    near_ = std::make_unique<Controlled>(*simulation_, "near");
    far_ = std::make_unique<Controlled>(*simulation_, "far");
  }

  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      near_->cycle(simulation_->now_ns());
      far_->cycle(simulation_->now_ns());
      simulation_->step();
    }
  }

  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Controlled> near_;
  std::unique_ptr<Controlled> far_;
};

TEST_F(TwoRobotsTest, EachGoesWhereItsControllerSendsItAndTheOtherStays) {
  steps(10);
  const JointState far_at_rest = far_->state;
  near_->send(0, 0.5, simulation_->now_ns());
  steps(4000);
  EXPECT_NEAR(near_->state.position[0], 0.5, 1e-3);
  for (std::size_t i = 0; i < far_->model.positions.size(); ++i)
    EXPECT_NEAR(far_->state.position[i], far_at_rest.position[i], 1e-3) << i;
  near_->send(0, -0.3, simulation_->now_ns());
  far_->send(1, far_at_rest.position[1] + 0.2, simulation_->now_ns());
  steps(4000);
  EXPECT_NEAR(near_->state.position[0], -0.3, 1e-3);
  EXPECT_NEAR(far_->state.position[1], far_at_rest.position[1] + 0.2, 1e-3);
  for (const Controlled* robot : {near_.get(), far_.get()})
    EXPECT_EQ(robot->controller->state(), ControlState::Running);
}

// of one the controller dies: its device stops by itself, and the other goes on
TEST_F(TwoRobotsTest, ADeadControllerStopsOneRobotOnly) {
  steps(10);
  near_->send(0, 1.0, simulation_->now_ns());
  far_->send(0, 1.0, simulation_->now_ns());
  steps(600);
  ASSERT_GT(std::abs(near_->state.velocity[0]), 0.1);
  for (int i = 0; i < 4000; ++i) {
    far_->cycle(simulation_->now_ns());
    simulation_->step();
  }
  near_->driver.read(simulation_->now_ns(), near_->state);
  EXPECT_NE(near_->state.fault_bits & kFaultWatchdog, 0U);
  EXPECT_NEAR(near_->state.velocity[0], 0.0, 0.02);
  EXPECT_LT(near_->state.position[0], 0.99);
  EXPECT_NEAR(far_->state.position[0], 1.0, 1e-3);
  EXPECT_EQ(far_->state.fault_bits, 0U);
}

// the far one looks the other way: what is before the one is behind the other
TEST_F(TwoRobotsTest, TheGuardOfEachIsToldOfTheWorldFromWhereItsRobotStands) {
  for (const auto& [name, place] :
       {std::pair{"near", Vector3(0.5, 0.3, 0.01)}, {"far", Vector3(0.9, -0.3, 0.01)}}) {
    Scene scene = simulation_->scene();
    scene.objects = {{.name = "board", .X_WO = {.position = {0.5, 0.3, 0.01}}, .size = {0.1, 0.1, 0.02}}};
    const auto lockstep = Lockstep::make(std::move(scene), name, {});
    ASSERT_TRUE(lockstep) << lockstep.error().message;
    ASSERT_TRUE((*lockstep)->show_world());
    const auto objects = (*lockstep)->shown_world()->obstacles.objects();
    ASSERT_EQ(objects.size(), 2U);
    EXPECT_EQ(text_of(objects[1].name), "floor");
    EXPECT_NEAR((objects[0].X_LO.position - place).norm(), 0.0, 1e-12) << name;
  }
}

TEST_F(TwoRobotsTest, TheSameRunGivesTheSameBits) {
  std::array<std::uint64_t, 2> hashes{};
  for (std::uint64_t& hash : hashes) {
    ASSERT_NO_FATAL_FAILURE(SetUp());
    steps(10);
    near_->send(0, 0.5, simulation_->now_ns());
    far_->send(2, 0.1, simulation_->now_ns());
    steps(2000);
    hash = simulation_->state_hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace sinew
