// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/simulator.h"

#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/drivers/external_driver.h"
#include "sinew/drivers/test/driver_conformance.h"
#include "sinew/model/load_robot.h"

namespace sinew {
namespace {

/// A simulator that is stepped by hand, behind its channels; the driver is the one of other processes.
class SimulatorBench final : public DriverBench {
 public:
  SimulatorBench() {
    Scene scene{.name = "test"};
    scene.robots.push_back({.name = "arm", .model = model_});
    simulator_ = *Simulator::make(std::move(scene), {.space = space_, .is_paused = true});
  }
  ~SimulatorBench() override {
    driver_.disconnect();
    simulator_.reset();
    std::error_code ignored;
    std::filesystem::remove_all("/dev/shm/sinew-" + space_, ignored);
  }
  Driver& driver() override { return driver_; }
  const RobotModel& model() override { return model_; }
  std::int64_t now_ns() const override { return simulator_->simulation().now_ns(); }
  void pass_period() override { simulator_->step(); }
  double accuracy() const override { return 2e-4; }
  Simulator& simulator() { return *simulator_; }
  const std::string& space() const { return space_; }

 private:
  static std::string next_space() {
    static int count = 0;
    return fmt::format("simulator-{}-{}", getpid(), count++);
  }

  std::string space_ = next_space();
  RobotModel model_ = load_robot("panda")->model;
  ExternalDriver driver_{model_, {.robot = "arm", .space = space_}};
  std::unique_ptr<Simulator> simulator_;
};

std::unique_ptr<DriverBench> make_simulator_bench() {
  return std::make_unique<SimulatorBench>();
}

INSTANTIATE_TEST_SUITE_P(Simulator, DriverConformance, testing::Values(&make_simulator_bench));

TEST(Simulator, TellsTimeAndWorld) {
  SimulatorBench bench;
  auto clock = Reader<Clock>::open({.name = "arm/clock", .space = bench.space()});
  ASSERT_TRUE(clock);
  bench.pass_period();
  Frame<Clock> time;
  ASSERT_EQ(clock->read_newest(time), SINEW_OK);
  EXPECT_EQ(time.message.stamp_ns, bench.now_ns());
  EXPECT_EQ(time.message.rate, 0.0);
  auto worlds = Reader<World>::open({.name = "arm/world_truth", .space = bench.space()});
  ASSERT_TRUE(worlds);
  const auto world = std::make_unique<Frame<World>>();
  ASSERT_EQ(worlds->read_newest(*world), SINEW_OK);
  EXPECT_EQ(world->message.object_count, 0U);
}

TEST(Simulator, GoesBesideTheClockUnlessPaused) {
  SimulatorBench bench;
  Simulator& simulator = bench.simulator();
  const std::int64_t before_ns = simulator.simulation().now_ns();
  simulator.turn();
  EXPECT_EQ(simulator.simulation().now_ns(), before_ns);
  simulator.pause(false);
  for (int i = 0; i < 20; ++i) simulator.turn();
  // each turn waits for its step, so at least that many were taken
  EXPECT_GE(simulator.simulation().now_ns() - before_ns, 20 * kMillisecond_ns);
}

}  // namespace
}  // namespace sinew
