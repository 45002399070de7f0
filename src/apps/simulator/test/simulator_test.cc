// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/simulator.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/drivers/external_driver.h"
#include "sinew/drivers/test/driver_conformance.h"
#include "sinew/model/load_robot.h"

#include "apps/simulator/known_world.h"

namespace sinew {
namespace {

/// A simulator that is stepped by hand, behind its channels; the driver is the one of other processes.
class SimulatorBench final : public DriverBench {
 public:
  explicit SimulatorBench(bool has_switch = false) {
    if (has_switch)
      model_.homing = {{.position = 0, .edge = 0.3, .width = 0.1, .speed = 0.2, .latch_speed = 0.02}};
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
  /// Only the channels, the driver and the model are there from then on.
  void end_simulator() { simulator_.reset(); }

 private:
  static std::string next_space() {
    static int count = 0;
    return fmt::format("simulator-{}-{}", getpid(), count++);
  }

  std::string space_ = next_space();
  static RobotModel model_with_ports() {
    RobotModel model = load_robot("panda")->model;
    model.inputs = {{.name = "button", .number = 4}, {.name = "pressure", .number = 1, .is_analog = true}};
    model.outputs = {{.name = "lamp", .number = 0}, {.name = "valve", .number = 7}};
    return model;
  }
  RobotModel model_ = model_with_ports();
  ExternalDriver driver_{model_, {.robot = "arm", .space = space_}};
  std::unique_ptr<Simulator> simulator_;
};

std::unique_ptr<DriverBench> make_simulator_bench() {
  return std::make_unique<SimulatorBench>();
}

// one that looks for its switch when its controller asks for it by the channel
std::unique_ptr<DriverBench> make_switched_bench() {
  return std::make_unique<SimulatorBench>(true);
}

INSTANTIATE_TEST_SUITE_P(Simulator, DriverConformance, testing::Values(&make_simulator_bench));
INSTANTIATE_TEST_SUITE_P(SwitchedSimulator, DriverConformance, testing::Values(&make_switched_bench));

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

TEST(Simulator, ComesUpLostToAControllerThatDroveTheOneBefore) {
  SimulatorBench bench;
  ASSERT_TRUE(bench.driver().connect());
  bench.end_simulator();
  const auto fault_of_next = [&] {
    Scene scene{.name = "test"};
    scene.robots.push_back({.name = "arm", .model = bench.model()});
    const auto next = Simulator::make(std::move(scene), {.space = bench.space(), .is_paused = true});
    (*next)->step();
    JointState state;
    bench.driver().read((*next)->simulation().now_ns(), state);
    return state.fault_bits;
  };
  EXPECT_EQ(fault_of_next(), 0U);
  bench.driver().write({.joint_count = 7, .is_enabled = 1});
  EXPECT_EQ(fault_of_next(), kFaultLost);
  // one that has ended in order expects nothing
  bench.driver().write({.joint_count = 7, .is_enabled = 0});
  EXPECT_EQ(fault_of_next(), 0U);
}

// ---- what robots know of their world from the start ----

class KnownWorldTest : public testing::Test {
 protected:
  KnownWorldTest() {
    scene_.robots.push_back({.name = "arm", .model = load_robot("panda")->model});
    scene_.robots[0].X_WB.position = Vector3(0.1, 0, 0.3);
    scene_.objects = {
        {.name = "table", .X_WO = {.position = {0.6, 0, 0.2}}, .size = {0.5, 0.9, 0.4}},
        {.name = "cube", .X_WO = {.position = {0.5, 0, 0.42}}, .size = {0.04, 0.04, 0.04}, .is_free = true},
        {.name = "board",
         .X_WO = {.position = {0.5, 0.3, 0.41}},
         .size = {0.1, 0.1, 0.02},
         .is_known = false},
        {.name = "hill",
         .kind = ObjectKind::HeightField,
         .size = {1, 1, 1},
         .grid = {.rows = 2, .columns = 2, .heights = {0, 0, 0, 0.1}}}};
  }
  ~KnownWorldTest() override {
    std::error_code ignored;
    std::filesystem::remove_all("/dev/shm/sinew-" + space_, ignored);
  }

  std::uint32_t told_count() const {
    const auto told = std::make_unique<Frame<World>>();
    auto reader = Reader<World>::open({.name = "arm/world", .space = space_});
    return reader && reader->read_newest(*told) == SINEW_OK ? told->message.object_count : 0;
  }

  const std::string space_ = fmt::format("known-{}", getpid());
  Scene scene_{.name = "test"};
};

TEST_F(KnownWorldTest, IsWhatStandsFastFromWhereTheRobotStands) {
  const KnownWorld known = known_world(scene_, 0);
  ASSERT_EQ(known.world->object_count, 2U);
  EXPECT_STREQ(known.world->objects[0].name.data(), "floor");
  EXPECT_EQ(known.world->objects[0].kind, ObjectKind::Plane);
  EXPECT_NEAR(known.world->objects[0].position[2], -0.3, 1e-12) << "as low as the robot stands high";
  EXPECT_STREQ(known.world->objects[1].name.data(), "table");
  EXPECT_NEAR(known.world->objects[1].position[0], 0.5, 1e-12);
  EXPECT_NEAR(known.world->objects[1].size[1], 0.9, 1e-12);
  ASSERT_EQ(known.remarks.size(), 1U);
  EXPECT_NE(known.remarks[0].find("the guard of arm is not told of 'hill'"), std::string::npos)
      << known.remarks[0];
  scene_.robots[0].is_free = true;
  EXPECT_EQ(known_world(scene_, 0).world->object_count, 0U) << "a base that drives is nowhere for good";
  scene_.robots[0].is_free = false;
  scene_.has_floor = false;
  EXPECT_EQ(known_world(scene_, 0).world->object_count, 1U);
}

TEST_F(KnownWorldTest, IsToldOnceAndNotOverWhatSomebodyHasSaid) {
  ASSERT_TRUE(Simulator::make(scene_, {.space = space_, .is_paused = true}));
  EXPECT_EQ(told_count(), 2U);
  {
    auto writer = Writer<World>::open({.name = "arm/world", .space = space_});
    ASSERT_TRUE(writer);
    ASSERT_EQ(writer->put(World{}), SINEW_OK);
  }
  ASSERT_TRUE(Simulator::make(scene_, {.space = space_, .is_paused = true}));
  EXPECT_EQ(told_count(), 0U) << "the table was taken away, and stays away";
}

// ---- what is asked on the channel `simulation` ----

class AskedSimulator : public testing::Test {
 protected:
  void SetUp() override {
    auto requests = Writer<SimulationRequest>::open({.name = "arm/simulation", .space = bench_.space()});
    ASSERT_TRUE(requests) << requests.error().message;
    requests_.emplace(*std::move(requests));
    auto clock = Reader<Clock>::open({.name = "arm/clock", .space = bench_.space()});
    ASSERT_TRUE(clock);
    clock_.emplace(*std::move(clock));
  }

  Clock ask(const SimulationRequest& request) {
    std::uint64_t number = 0;
    EXPECT_EQ(requests_->put(request, &number), SINEW_OK);
    Frame<Clock> told;
    for (int i = 0; i < 10'000 && told.message.last_request < number; ++i) {
      bench_.simulator().turn();
      EXPECT_EQ(clock_->read_newest(told), SINEW_OK);
    }
    EXPECT_EQ(told.message.last_request, number);
    return told.message;
  }

  SimulatorBench bench_;
  std::optional<Writer<SimulationRequest>> requests_;
  std::optional<Reader<Clock>> clock_;
};

TEST_F(AskedSimulator, PressesAButton) {
  ASSERT_TRUE(bench_.driver().connect());
  ask({.verb = SimulationVerb::SetInput, .value = 1.0, .port = 4});
  ask({.verb = SimulationVerb::SetAnalogInput, .value = 0.5, .port = 1});
  bench_.pass_period();
  IoState io;
  bench_.driver().read_io(io);
  EXPECT_EQ(io.inputs, std::uint64_t{1} << 4);
  EXPECT_EQ(io.analog_inputs[1], 0.5);
}

TEST_F(AskedSimulator, TakesAsManyStepsAsAskedAndStandsStill) {
  const std::int64_t before_ns = bench_.now_ns();
  const Clock told = ask({.verb = SimulationVerb::Step, .steps = 250});
  EXPECT_EQ(told.stamp_ns, before_ns + 250 * kMillisecond_ns);
  EXPECT_EQ(told.rate, 0.0);
  bench_.simulator().turn();
  EXPECT_EQ(bench_.now_ns(), told.stamp_ns);
}

TEST_F(AskedSimulator, GoesOnAndPauses) {
  EXPECT_EQ(ask({.verb = SimulationVerb::Resume}).rate, 1.0);
  const std::int64_t before_ns = bench_.now_ns();
  for (int i = 0; i < 50; ++i) bench_.simulator().turn();
  EXPECT_GT(bench_.now_ns(), before_ns);
  EXPECT_EQ(ask({.verb = SimulationVerb::Pause}).rate, 0.0);
  EXPECT_EQ(ask({.verb = SimulationVerb::Speed, .speed = 0.25}).rate, 0.25);
  EXPECT_FALSE(bench_.simulator().is_paused());
}

TEST_F(AskedSimulator, AsFastAsItCanTakesAStepEveryTurn) {
  ask({.verb = SimulationVerb::Speed, .speed = 0.0});
  const std::int64_t before_ns = bench_.now_ns();
  for (int i = 0; i < 1000; ++i) bench_.simulator().turn();
  EXPECT_EQ(bench_.now_ns(), before_ns + kSecond_ns);
}

TEST_F(AskedSimulator, WaitsForAControllerThatAnswersAndNotForOneThatDoesNot) {
  ASSERT_TRUE(bench_.driver().connect());
  JointCommand command{.moved_mask = 0, .joint_count = 7, .is_enabled = 1};
  ask({.verb = SimulationVerb::Speed, .speed = 0.0});
  for (int i = 0; i < 20; ++i) {
    command.stamp_ns = bench_.now_ns();
    bench_.driver().write(command);
    bench_.simulator().turn();
  }
  // it falls silent: waited for once, then no more
  const std::int64_t begun_ns = monotonic_now_ns();
  bench_.simulator().turn();
  EXPECT_GE(monotonic_now_ns() - begun_ns, DeviceServer::kPatience_ns);
  const std::int64_t before_ns = bench_.now_ns();
  for (int i = 0; i < 300; ++i) bench_.simulator().turn();
  EXPECT_EQ(bench_.now_ns(), before_ns + 300 * kMillisecond_ns);
  JointState state;
  bench_.driver().read(bench_.now_ns(), state);
  EXPECT_NE(state.fault_bits & kFaultWatchdog, 0U);
}

// what the machine keeps from the simulator is no silence of the controller
TEST_F(AskedSimulator, CatchesUpNoFasterThanItsControllerFollows) {
  ASSERT_TRUE(bench_.driver().connect());
  JointCommand command{.moved_mask = 0, .joint_count = 7, .is_enabled = 1};
  ask({.verb = SimulationVerb::Resume});
  bool was_waited_for = false;
  // a delay that is too long is not caught up at all
  for (int i = 0; i < 20 && !was_waited_for; ++i) {
    command.stamp_ns = bench_.now_ns();
    bench_.driver().write(command);
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    const std::int64_t begun_ns = monotonic_now_ns();
    bench_.simulator().turn();
    was_waited_for = monotonic_now_ns() - begun_ns >= DeviceServer::kPatience_ns;
  }
  EXPECT_TRUE(was_waited_for);
}

/// A controller that has commanded twice, and is not heard of again.
class LateController : public AskedSimulator {
 protected:
  void SetUp() override {
    AskedSimulator::SetUp();
    ASSERT_TRUE(bench_.driver().connect());
    ask({.verb = SimulationVerb::Resume});
  }
  JointCommand command() const {
    return {.stamp_ns = bench_.now_ns(), .moved_mask = 0, .joint_count = 7, .is_enabled = 1};
  }
  void turn() {
    bench_.simulator().turn();
    Frame<Clock> told;
    while (clock_->read_next(told) == SINEW_OK) has_stood_ |= told.message.rate == 0.0;
  }
  // whether the world stood for it, before the device took it for silent
  bool was_waited_for() {
    JointState state;
    for (int i = 0; i < 1000 && (state.fault_bits & kFaultWatchdog) == 0; ++i) {
      turn();
      bench_.driver().read(bench_.now_ns(), state);
    }
    EXPECT_NE(state.fault_bits & kFaultWatchdog, 0U);
    return has_stood_;
  }

  bool has_stood_ = false;
};

// on a machine that has much to do it is late, and its device must not take it for dead at once
TEST_F(LateController, IsWaitedForWhileItLives) {
  for (int i = 0; i < 2; ++i) {
    bench_.driver().write(command());
    turn();
  }
  EXPECT_TRUE(was_waited_for());
}

TEST_F(LateController, IsNotWaitedForWhenItsProcessIsDead) {
  bench_.driver().write(command());
  turn();
  // one commands at a time
  bench_.driver().disconnect();
  const pid_t child = fork();
  if (child == 0) {
    ExternalDriver driver(bench_.model(), {.robot = "arm", .space = bench_.space()});
    if (!driver.connect()) _exit(1);
    driver.write(command());
    _exit(0);
  }
  // dead, and not yet reaped
  siginfo_t ended{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  ASSERT_EQ(ended.si_status, 0);
  ASSERT_TRUE(bench_.driver().connect());
  has_stood_ = false;
  EXPECT_FALSE(was_waited_for());
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
}

// whoever else is in this world must not take it for gone
TEST_F(AskedSimulator, TellsThatTimeStandsWhileItWaits) {
  ASSERT_TRUE(bench_.driver().connect());
  ask({.verb = SimulationVerb::Speed, .speed = 0.0});
  bench_.driver().write({.stamp_ns = bench_.now_ns(), .joint_count = 7, .is_enabled = 1});
  bench_.simulator().turn();
  auto clock = Reader<Clock>::open({.name = "arm/clock", .space = bench_.space()}, SINEW_START_NOW);
  ASSERT_TRUE(clock);
  const std::int64_t stood_ns = bench_.now_ns();
  bench_.simulator().turn();
  Frame<Clock> told;
  bool has_stood = false;
  while (clock->read_next(told) == SINEW_OK) {
    const bool stands = told.message.stamp_ns == stood_ns;
    EXPECT_EQ(told.message.rate == 0.0, stands);
    has_stood |= stands;
  }
  EXPECT_TRUE(has_stood);
}

// at 200 cycles a second it answers one state in five, and is not taken for dead in between
TEST_F(AskedSimulator, WaitsForASlowControllerWhenItsNextCycleIsDue) {
  ASSERT_TRUE(bench_.driver().connect());
  auto health = Writer<Health>::open({.name = "arm/health", .space = bench_.space()});
  ASSERT_TRUE(health);
  ASSERT_EQ(health->put({.period_ns = 5 * kMillisecond_ns}), SINEW_OK);
  JointCommand command{.moved_mask = 0, .joint_count = 7, .is_enabled = 1};
  ask({.verb = SimulationVerb::Speed, .speed = 0.0});
  for (int i = 0; i < 50; ++i) {
    if (i % 5 == 0) {
      command.stamp_ns = bench_.now_ns();
      bench_.driver().write(command);
    }
    bench_.simulator().turn();
  }
  const std::int64_t begun_ns = monotonic_now_ns();
  bench_.simulator().turn();
  EXPECT_GE(monotonic_now_ns() - begun_ns, DeviceServer::kPatience_ns);
}

TEST_F(AskedSimulator, IsRefusedBesideAnotherSimulatorOfTheSameRobot) {
  Scene scene{.name = "test"};
  scene.robots.push_back({.name = "arm", .model = bench_.model()});
  const auto second = Simulator::make(std::move(scene), {.space = bench_.space(), .is_paused = true});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find(fmt::format("simulator (pid {}", getpid())), std::string::npos)
      << second.error().message;
}

// whoever comes by a way that knows no writing alone
TEST_F(AskedSimulator, ObeysOneCommanderUntilItHasSwitchedTheDrivesOff) {
  const auto writer = [&] {
    return Writer<JointCommand>::open({.name = "arm/device/command", .space = bench_.space()});
  };
  auto first = writer();
  ASSERT_TRUE(first);
  auto states = Reader<JointState>::open({.name = "arm/device/state", .space = bench_.space()});
  ASSERT_TRUE(states);
  Frame<JointState> told;
  const auto position = [&] {
    return states->read_newest(told) == SINEW_OK ? told.message.position[0] : -1.0;
  };
  bench_.simulator().step();
  const double begun = position();
  JointCommand command{.moved_mask = 1, .joint_count = 7, .is_enabled = 1, .position = told.message.position};
  const auto put_and_step = [&](double wanted, std::uint32_t is_enabled) {
    command.stamp_ns = bench_.now_ns();
    command.position[0] = wanted;
    command.is_enabled = is_enabled;
    ASSERT_EQ(first->put(command), SINEW_OK);
    bench_.simulator().step();
  };
  // a child that puts another position each time it is asked to
  std::array<int, 2> asked{};
  std::array<int, 2> done{};
  ASSERT_EQ(pipe(asked.data()) + pipe(done.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(asked[1]);
    auto second = writer();
    char letter = 0;
    while (second && read(asked[0], &letter, 1) == 1) {
      command.position[0] = begun + 0.3;
      command.is_enabled = 1;
      command.stamp_ns += kMillisecond_ns;
      if (second->put(command) != SINEW_OK || write(done[1], "d", 1) != 1) _exit(1);
    }
    _exit(0);
  }
  const auto child_puts = [&] {
    char letter = 0;
    ASSERT_EQ(write(asked[1], "p", 1), 1);
    ASSERT_EQ(read(done[0], &letter, 1), 1);
  };
  for (int i = 0; i < 300; ++i) {
    put_and_step(begun, 1);
    child_puts();
  }
  bench_.simulator().step();
  EXPECT_NEAR(position(), begun, 0.01) << "another one drove it";
  put_and_step(begun, 0);
  for (int i = 0; i < 300; ++i) {
    child_puts();
    bench_.simulator().step();
  }
  EXPECT_GT(position(), begun + 0.1) << "the other one was not obeyed though the first had let go";
  for (const int end : {asked[0], asked[1], done[0], done[1]}) close(end);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST_F(AskedSimulator, RefusesWhatMakesNoSenseAndCountsIt) {
  EXPECT_EQ(ask({.verb = SimulationVerb::Step, .steps = 0}).refusals, 1U);
  EXPECT_EQ(ask({.verb = SimulationVerb::Speed, .speed = -1.0}).refusals, 2U);
  EXPECT_EQ(ask({.verb = SimulationVerb::Speed, .speed = std::nan("")}).refusals, 3U);
  EXPECT_EQ(ask({.verb = static_cast<SimulationVerb>(99)}).refusals, 4U);
  EXPECT_EQ(ask({.verb = SimulationVerb::SetInput, .value = 1.0, .port = 9}).refusals, 5U);
  EXPECT_EQ(ask({.verb = SimulationVerb::SetAnalogInput, .value = std::nan(""), .port = 0}).refusals, 6U);
  const Clock told = ask({.verb = SimulationVerb::Pause});
  EXPECT_EQ(told.refusals, 6U);
  EXPECT_EQ(told.rate, 0.0);
}

TEST_F(AskedSimulator, AResetTellsWhereTheJointsAreAndThatTheDeviceWasLost) {
  ASSERT_TRUE(bench_.driver().connect());
  const Clock told = ask({.verb = SimulationVerb::Reset});
  EXPECT_EQ(told.refusals, 0U);
  JointState state;
  bench_.driver().read(bench_.now_ns(), state);
  EXPECT_EQ(state.fault_bits, kFaultLost);
  bench_.driver().reset();
  bench_.pass_period();
  bench_.driver().read(bench_.now_ns(), state);
  EXPECT_EQ(state.fault_bits, 0U);
}

}  // namespace
}  // namespace sinew
