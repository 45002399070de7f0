// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/simulated_driver.h"

#include "sinew/drivers/test/driver_conformance.h"
#include "sinew/drivers/test/two_joints.h"
#include "sinew/simulation/test/scenes.h"

namespace sinew {
namespace {

class SimulatedBench final : public DriverBench {
 public:
  explicit SimulatedBench(Scene scene, double accuracy = 2e-4)
      : simulation_(*Simulation::make(std::move(scene))), accuracy_(accuracy) {}
  Driver& driver() override { return driver_; }
  const RobotModel& model() override { return simulation_->scene().robots[0].model; }
  std::int64_t now_ns() const override { return simulation_->now_ns(); }
  void pass_period() override { simulation_->advance(kMillisecond_ns); }
  bool press(std::uint32_t input, bool is_on) override {
    return simulation_->device(0).io().set_input(input, is_on);
  }
  // the encoders' steps and what is left of an error after a second
  double accuracy() const override { return accuracy_; }

 private:
  std::unique_ptr<Simulation> simulation_;
  double accuracy_;
  SimulatedDriver driver_{*simulation_, simulation_->scene().robots[0].name};
};

std::unique_ptr<DriverBench> make_two_joints_bench() {
  Scene scene{.name = "test"};
  scene.robots.push_back({.name = "two", .model = two_joints(), .X_WB = {.position = {0, 0, 1}}});
  return std::make_unique<SimulatedBench>(std::move(scene));
}

// begins without knowing where it is, and somewhere else than it takes itself to be
std::unique_ptr<DriverBench> make_homing_bench() {
  RobotModel model = two_joints();
  model.homing = {{.position = 1, .edge = 0.4, .width = 0.1, .speed = 0.3, .latch_speed = 0.05},
                  {.position = 0, .edge = -0.7, .width = 0.2, .speed = 0.5, .latch_speed = 0.02}};
  Scene scene{.name = "test"};
  scene.robots.push_back(
      {.name = "two", .model = std::move(model), .X_WB = {.position = {0, 0, 1}}, .start = {0.3, 0.6}});
  return std::make_unique<SimulatedBench>(std::move(scene));
}

// the arm of five switches, as its variant says
std::unique_ptr<DriverBench> make_scorbot_bench() {
  return std::make_unique<SimulatedBench>(scene_with("scorbot-er3:homing"), 2e-3);
}

std::unique_ptr<DriverBench> make_mds_bench() {
  return std::make_unique<SimulatedBench>(scene_with("mds"));
}

std::unique_ptr<DriverBench> make_panda_bench() {
  return std::make_unique<SimulatedBench>(scene_with("panda"));
}

INSTANTIATE_TEST_SUITE_P(SimulatedTwoJoints, DriverConformance, testing::Values(&make_two_joints_bench));
INSTANTIATE_TEST_SUITE_P(SimulatedHoming, DriverConformance, testing::Values(&make_homing_bench));
INSTANTIATE_TEST_SUITE_P(SimulatedScorbot, DriverConformance, testing::Values(&make_scorbot_bench));
INSTANTIATE_TEST_SUITE_P(SimulatedMds, DriverConformance, testing::Values(&make_mds_bench));
INSTANTIATE_TEST_SUITE_P(SimulatedPanda, DriverConformance, testing::Values(&make_panda_bench));

// what it measures after homing is where it is
TEST(SimulatedDriver, AfterHomingItKnowsWhereItIs) {
  Scene scene = scene_with("scorbot-er3:homing");
  const RobotModel& model = scene.robots[0].model;
  scene.robots[0].start = starting_positions(model);
  for (const HomeSwitch& home : model.homing) scene.robots[0].start[home.position] -= 0.3;
  const auto simulation = *Simulation::make(std::move(scene));
  SimulatedDriver driver(*simulation, simulation->scene().robots[0].name);
  ASSERT_TRUE(driver.connect());
  JointState state;
  const auto cycle = [&] {
    driver.write({.stamp_ns = simulation->now_ns(), .joint_count = state.joint_count});
    simulation->advance(kMillisecond_ns);
    driver.read(simulation->now_ns(), state);
  };
  driver.read(simulation->now_ns(), state);
  cycle();
  EXPECT_GT(std::abs(state.position[1] - simulation->joint_position(0, 1)), 0.2);
  driver.home();
  for (int i = 0; i < 300'000 && state.fault_bits != 0; ++i) cycle();
  ASSERT_EQ(state.fault_bits, 0U);
  for (std::size_t i = 0; i < 5; ++i)
    // a count of the wrist is half a degree
    EXPECT_NEAR(state.position[i], simulation->joint_position(0, i), 0.006) << i;
}

TEST(SimulatedDriver, NamesTheRobotsWhenItsOwnIsNotThere) {
  const auto simulation = *Simulation::make(scene_with("panda"));
  SimulatedDriver driver(*simulation, "pandas");
  const Status connected = driver.connect();
  ASSERT_FALSE(connected);
  EXPECT_NE(connected.error().message.find("did you mean 'panda'?"), std::string::npos);
}

}  // namespace
}  // namespace sinew
