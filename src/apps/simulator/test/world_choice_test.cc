// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/world_choice.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sinew {
namespace {

Scene chosen(const std::vector<std::string>& words) {
  const cli::Command command{.name = "world", .options = world_options()};
  const auto parsed = cli::parse_words(command, words);
  EXPECT_TRUE(parsed) << parsed.error().message;
  auto scene = choose_world(*parsed);
  EXPECT_TRUE(scene) << scene.error().message;
  return *std::move(scene);
}

TEST(WorldChoice, ACopyOfARobotStandsWhereTheWorldHasTheRobot) {
  const Scene as_it_is = chosen({"--world", "hanoi"});
  ASSERT_EQ(as_it_is.robots.size(), 1U);
  const Scene copied = chosen({"--world", "hanoi", "--robot", "scorbot-er3", "--name", "mine"});
  ASSERT_EQ(copied.robots.size(), 1U) << "two in one place would push each other over";
  EXPECT_EQ(copied.robots[0].name, "mine");
  EXPECT_EQ(copied.robots[0].start, as_it_is.robots[0].start);
  const Scene at_home =
      chosen({"--world", "hanoi", "--robot", "scorbot-er3", "--name", "mine", "--posture", "home"});
  EXPECT_NE(at_home.robots[0].start, as_it_is.robots[0].start);
}

TEST(WorldChoice, AnotherRobotStartsAsItDoesElsewhere) {
  const Scene scene = chosen({"--world", "hanoi", "--robot", "panda"});
  ASSERT_EQ(scene.robots.size(), 1U);
  EXPECT_EQ(scene.robots[0].start.size(), scene.robots[0].model.positions.size());
}

TEST(WorldChoice, OneOfThatNameIsNotPutThereTwice) {
  const Scene scene = chosen({"--world", "hanoi", "--robot", "scorbot-er3"});
  ASSERT_EQ(scene.robots.size(), 1U);
  EXPECT_EQ(scene.robots[0].name, "scorbot-er3");
  EXPECT_TRUE(scene.robots[0].model.homing.empty());
  const Scene variant =
      chosen({"--world", "hanoi", "--robot", "scorbot-er3:homing", "--name", "scorbot-er3"});
  ASSERT_EQ(variant.robots.size(), 1U);
  EXPECT_EQ(variant.robots[0].model.homing.size(), 5U);
  EXPECT_EQ(variant.robots[0].start, scene.robots[0].start) << "where the world has it";
}

}  // namespace
}  // namespace sinew
