// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/obstacles.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace sinew {
namespace {

Obstacle ball_named(const std::string& name) {
  Obstacle object;
  set_text(object.name, name);
  object.solid = make_sphere(0.1);
  return object;
}

std::string refusal(const auto& result) {
  return result ? "" : result.error().message;
}

TEST(ObstaclesTest, AddsMovesAndRemoves) {
  Obstacles world;
  ASSERT_TRUE(world.add(ball_named("cup")));
  ASSERT_TRUE(world.add(ball_named("table")));
  ASSERT_TRUE(world.add(ball_named("lamp")));
  EXPECT_TRUE(world.move("table", {.position = {1.0, 2.0, 3.0}}));
  EXPECT_EQ(world[world.find("table")].X_LO.position, Vector3(1.0, 2.0, 3.0));
  EXPECT_TRUE(world.remove("cup"));
  EXPECT_EQ(world.size(), 2U);
  EXPECT_EQ(world.find("cup"), kNone);
  EXPECT_EQ(world.find("table"), 0U);
  EXPECT_EQ(world.find("lamp"), 1U);
}

TEST(ObstaclesTest, RefusesWithTheReason) {
  Obstacles world;
  ASSERT_TRUE(world.add(ball_named("cup")));
  EXPECT_NE(refusal(world.add(ball_named("cup"))).find("there is an object 'cup' already"),
            std::string::npos);
  EXPECT_NE(refusal(world.add(ball_named(""))).find("without a name"), std::string::npos);
  EXPECT_NE(refusal(world.move("cap", {})).find("no object 'cap' among the 1 of the world"),
            std::string::npos);
  EXPECT_NE(refusal(world.move("cup", {.position = {std::nan(""), 0.0, 0.0}})).find("not finite"),
            std::string::npos);
  Obstacle bad = ball_named("bad");
  bad.solid.rounding = -1.0;
  EXPECT_NE(refusal(world.add(bad)).find("object 'bad': a solid has half extents"), std::string::npos);
  bad = ball_named("bad");
  bad.margin = std::nan("");
  EXPECT_NE(refusal(world.add(bad)).find("margin"), std::string::npos);
  EXPECT_FALSE(world.attach("cup", kMaxCheckedLinks, {}));
  for (std::size_t i = world.size(); i < kMaxObstacles; ++i)
    ASSERT_TRUE(world.add(ball_named(std::to_string(i))));
  EXPECT_NE(refusal(world.add(ball_named("last"))).find("the world holds 128 already"), std::string::npos);
}

TEST(ObstaclesTest, WhatMayTouchFollowsItsObjectWhenOthersGo) {
  Obstacles world;
  ASSERT_TRUE(world.add(ball_named("a")));
  ASSERT_TRUE(world.add(ball_named("b")));
  Obstacle held = ball_named("held");
  held.may_touch_objects.set(1);
  ASSERT_TRUE(world.add(held));
  ASSERT_TRUE(world.remove("a"));
  EXPECT_TRUE(world[world.find("held")].may_touch_objects[world.find("b")]);
  EXPECT_EQ(world[world.find("held")].may_touch_objects.count(), 1U);
}

TEST(ObstaclesTest, AttachesAndDetaches) {
  Obstacles world;
  ASSERT_TRUE(world.add(ball_named("cup")));
  ASSERT_TRUE(world.attach("cup", 3, {.position = {0.0, 0.0, 0.1}}));
  EXPECT_EQ(world[0].link, 3U);
  ASSERT_TRUE(world.detach("cup", {.position = {1.0, 0.0, 0.0}}));
  EXPECT_EQ(world[0].link, kNone);
  EXPECT_EQ(world[0].X_LO.position.x(), 1.0);
}

}  // namespace
}  // namespace sinew
