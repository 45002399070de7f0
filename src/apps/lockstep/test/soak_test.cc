// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lockstep/soak.h"

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/lockstep/test/shipped_robots.h"

namespace sinew {
namespace {

class SoakTest : public testing::Test {
 protected:
  void make(const RobotControl& settings) {
    auto scene = load_world("mds", usual_world_places());
    ASSERT_TRUE(scene) << scene.error().message;
    auto made = Lockstep::make(*std::move(scene), "mds", settings);
    ASSERT_TRUE(made) << made.error().message;
    lockstep_ = *std::move(made);
    ASSERT_TRUE(lockstep_->show_world());
  }

  std::unique_ptr<Lockstep> lockstep_;
};

TEST_F(SoakTest, SomeSecondsViolateNothingAndSaySo) {
  make({});
  Soak soak(*lockstep_, {.seed = 2});
  soak.run(8 * kSecond_ns);
  soak.finish();
  const SoakReport& report = soak.report();
  EXPECT_TRUE(report.violations.empty()) << report.violations.front();
  EXPECT_EQ(report.cycles, 8000U);
  EXPECT_GT(report.references, 20U);
  // it was moved as fast as it may, and the guard had something to do
  EXPECT_GT(report.velocity.share, 0.5);
  EXPECT_GT(report.jerk.share, 0.99);
  EXPECT_GT(report.held_cycles, 0U);
  EXPECT_GE(report.nearest, 0.01);
  EXPECT_GT(report.worst_tracking, 0.0);
}

TEST_F(SoakTest, NoticesWhatIsNearerThanTheMarginThatItIsTold) {
  make({});
  Soak soak(*lockstep_, {.seed = 2, .margin = 0.5});
  soak.run(kSecond_ns / 10);
  ASSERT_FALSE(soak.report().violations.empty());
  EXPECT_NE(soak.report().violations.front().find("m apart"), std::string::npos);
}

TEST_F(SoakTest, NoticesAGuardThatIsSwitchedOffAndAControllerThatStops) {
  make({});
  Soak soak(*lockstep_, {.seed = 2});
  ControlRequest request{
      .stamp_ns = lockstep_->now_ns(), .lease_ns = 60 * kSecond_ns, .verb = ControlVerb::Override};
  lockstep_->controller().take_override(request, lockstep_->now_ns());
  soak.run(8 * kSecond_ns);
  ASSERT_FALSE(soak.report().violations.empty());
  EXPECT_NE(soak.report().violations.front().find("apart"), std::string::npos)
      << soak.report().violations.front();

  make({});
  Soak stopped(*lockstep_, {.seed = 2});
  lockstep_->controller().take_request({.stamp_ns = lockstep_->now_ns(), .verb = ControlVerb::Stop},
                                       lockstep_->now_ns());
  stopped.run(kSecond_ns / 10);
  ASSERT_FALSE(stopped.report().violations.empty());
  EXPECT_NE(stopped.report().violations.front().find("no longer running"), std::string::npos);
}

class ShippedSoakTest : public testing::TestWithParam<std::string> {};

// every robot, also one that has to find its home first
TEST_P(ShippedSoakTest, SomeSecondsOfRandomWishesViolateNothing) {
  const WorldPlaces places = usual_world_places();
  const auto loaded = load_robot(GetParam(), places.robots);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto control = read_control(loaded->settings.control);
  ASSERT_TRUE(control) << control.error().message;
  auto scene = load_world("empty", places);
  ASSERT_TRUE(scene) << scene.error().message;
  auto robot = scene_robot(GetParam(), "robot", "home", places.robots);
  ASSERT_TRUE(robot) << robot.error().message;
  scene->robots.push_back(*std::move(robot));
  auto lockstep = Lockstep::make(*std::move(scene), "robot", *control);
  ASSERT_TRUE(lockstep) << lockstep.error().message;
  ASSERT_TRUE((*lockstep)->show_world());
  Soak soak(**lockstep, {.seed = 5, .margin = control->margin});
  soak.run(20 * kSecond_ns);
  const std::vector<std::string>& violations = soak.report().violations;
  EXPECT_TRUE(violations.empty()) << violations.front();
  EXPECT_GT(soak.report().references, 10U);
  EXPECT_GT(soak.report().velocity.share, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Shipped, ShippedSoakTest, testing::ValuesIn(robots_and_variants()), case_of_robot);

}  // namespace
}  // namespace sinew
