// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/simulated_driver.h"

#include "sinew/drivers/test/driver_conformance.h"
#include "sinew/drivers/test/two_joints.h"
#include "sinew/simulation/test/scenes.h"

namespace sinew {
namespace {

class SimulatedBench final : public DriverBench {
 public:
  explicit SimulatedBench(Scene scene) : simulation_(*Simulation::make(std::move(scene))) {}
  Driver& driver() override { return driver_; }
  const RobotModel& model() override { return simulation_->scene().robots[0].model; }
  std::int64_t now_ns() const override { return simulation_->now_ns(); }
  void pass_period() override { simulation_->advance(kMillisecond_ns); }
  bool press(std::uint32_t input, bool is_on) override {
    return simulation_->device(0).io().set_input(input, is_on);
  }
  // the encoders' steps and what is left of an error after a second
  double accuracy() const override { return 2e-4; }

 private:
  std::unique_ptr<Simulation> simulation_;
  SimulatedDriver driver_{*simulation_, simulation_->scene().robots[0].name};
};

std::unique_ptr<DriverBench> make_two_joints_bench() {
  Scene scene{.name = "test"};
  scene.robots.push_back({.name = "two", .model = two_joints(), .X_WB = {.position = {0, 0, 1}}});
  return std::make_unique<SimulatedBench>(std::move(scene));
}

std::unique_ptr<DriverBench> make_mds_bench() {
  return std::make_unique<SimulatedBench>(scene_with("mds"));
}

std::unique_ptr<DriverBench> make_panda_bench() {
  return std::make_unique<SimulatedBench>(scene_with("panda"));
}

INSTANTIATE_TEST_SUITE_P(SimulatedTwoJoints, DriverConformance, testing::Values(&make_two_joints_bench));
INSTANTIATE_TEST_SUITE_P(SimulatedMds, DriverConformance, testing::Values(&make_mds_bench));
INSTANTIATE_TEST_SUITE_P(SimulatedPanda, DriverConformance, testing::Values(&make_panda_bench));

TEST(SimulatedDriver, NamesTheRobotsWhenItsOwnIsNotThere) {
  const auto simulation = *Simulation::make(scene_with("panda"));
  SimulatedDriver driver(*simulation, "pandas");
  const Status connected = driver.connect();
  ASSERT_FALSE(connected);
  EXPECT_NE(connected.error().message.find("did you mean 'panda'?"), std::string::npos);
}

}  // namespace
}  // namespace sinew
