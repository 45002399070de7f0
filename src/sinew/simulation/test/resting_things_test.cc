// SPDX-License-Identifier: BSD-3-Clause
// What lies still is left alone, and nobody can tell.
#include "sinew/simulation/resting_things.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/simulation/simulation.h"
#include "sinew/simulation/test/scenes.h"

namespace sinew {
namespace {

constexpr double kHeight = 0.015;

SceneObject disc(const std::string& name, const Vector3& position, double radius = 0.02) {
  return {.name = name,
          .kind = ObjectKind::Cylinder,
          .X_WO = {.position = position},
          .size = {radius, kHeight, 0},
          .is_free = true,
          .mass = 0.02};
}

/// A tower of three on a plate, and a disc elsewhere, on the floor.
Scene towers(bool has_rest) {
  Scene scene{.name = "test", .has_rest = has_rest};
  scene.objects.push_back({.name = "plate", .X_WO = {.position = {0, 0, 0.01}}, .size = {0.2, 0.2, 0.02}});
  for (int i = 0; i < 3; ++i)
    scene.objects.push_back(disc(fmt::format("disc{}", i), {0, 0, 0.02 + kHeight * (0.5 + i)}));
  scene.objects.push_back(disc("far", {0.5, 0, 0.5 * kHeight}));
  return scene;
}

class RestingThingsTest : public testing::Test {
 protected:
  void use(const Scene& scene) {
    auto made = Simulation::make(scene);
    ASSERT_TRUE(made) << made.error().message;
    simulation_ = *std::move(made);
  }
  bool rests(const std::string& name) {
    return simulation_->physics().resting().is_resting(simulation_->physics().body(name));
  }
  Pose pose(const std::string& name) { return *simulation_->object_pose(name); }
  /// Steps, and notes all pairs that are told to begin or cease to touch.
  void run(double seconds) {
    for (int i = 0; i < static_cast<int>(1e3 * seconds); ++i) {
      simulation_->step();
      for (const ContactEvent& event : simulation_->touch().events())
        told_.push_back(fmt::format("{} {} {}", text_of(event.a),
                                    event.is_touching != 0 ? "touches" : "leaves", text_of(event.b)));
    }
  }
  std::set<std::string> touching() {
    std::set<std::string> pairs;
    for (const Touch& touch : simulation_->contacts()) pairs.insert(touch.a + " " + touch.b);
    return pairs;
  }

  std::unique_ptr<Simulation> simulation_;
  std::vector<std::string> told_;
};

TEST_F(RestingThingsTest, WhatLiesStillStaysWhereItIsToTheLastBit) {
  use(towers(true));
  run(0.1);
  EXPECT_FALSE(rests("disc2"));
  run(1.9);
  for (const char* name : {"disc0", "disc1", "disc2", "far"}) EXPECT_TRUE(rests(name)) << name;
  const Vector3 before = pose("disc2").position;
  run(10.0);
  EXPECT_EQ(pose("disc2").position, before);
  EXPECT_NEAR(before.z(), 0.02 + 2.5 * kHeight, 1e-4);
  EXPECT_TRUE(simulation_->is_stable());
}

TEST_F(RestingThingsTest, WhatRestsStillTouchesWhatItLiesOn) {
  use(towers(false));
  run(2.0);
  const auto awake = touching();
  use(towers(true));
  told_.clear();
  run(2.0);
  EXPECT_EQ(touching(), awake);
  EXPECT_EQ(awake.size(), 4U);
  for (const std::string& words : told_) EXPECT_EQ(words.find("leaves"), std::string::npos) << words;
}

TEST_F(RestingThingsTest, ATowerWakesBeforeAnythingTouchesItAndNothingElseDoes) {
  Scene scene = towers(true);
  scene.objects.push_back(disc("falling", {0.001, 0, 3.0}));
  use(scene);
  run(0.6);
  ASSERT_TRUE(rests("disc2"));
  bool has_touched = false;
  for (int i = 0; i < 1000 && !has_touched; ++i) {
    run(0.001);
    has_touched = touching().contains("disc2 falling") || touching().contains("falling disc2");
    if (!has_touched) continue;
    for (const char* name : {"disc0", "disc1", "disc2"}) EXPECT_FALSE(rests(name)) << name;
  }
  EXPECT_TRUE(has_touched);
  EXPECT_TRUE(rests("far"));
}

// the way that it goes with everything taking part is the way that it goes with some at rest
TEST_F(RestingThingsTest, ATowerThatIsHitFallsAsItWouldHadItNeverRested) {
  std::vector<Vector3> ends;
  for (const bool has_rest : {false, true}) {
    Scene scene = towers(has_rest);
    scene.objects.push_back(disc("falling", {0.0, 0, 1.5}));
    use(scene);
    run(0.52);
    EXPECT_EQ(rests("disc1"), has_rest);
    run(1.0);
    for (const char* name : {"disc0", "disc1", "disc2", "falling"}) ends.push_back(pose(name).position);
  }
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT((ends[i] - ends[i + 4]).norm(), 1e-3) << i;
}

TEST_F(RestingThingsTest, WhatStoodOnAThingThatIsTakenAwayFalls) {
  use(towers(true));
  run(1.0);
  ASSERT_TRUE(rests("disc2"));
  ASSERT_TRUE(simulation_->move_object("disc0", {.position = {-0.05, 0, 0.02 + 0.5 * kHeight}}));
  run(1.0);
  EXPECT_NEAR(pose("disc2").position.z(), 0.02 + 1.5 * kHeight, 1e-3);
  ASSERT_TRUE(rests("disc2"));
  ASSERT_TRUE(simulation_->move_object("plate", {.position = {0, 0.5, 0.01}}));
  run(1.0);
  EXPECT_NEAR(pose("disc2").position.z(), 1.5 * kHeight, 1e-3);
  ASSERT_TRUE(simulation_->remove_object("disc1"));
  run(1.0);
  EXPECT_NEAR(pose("disc2").position.z(), 0.5 * kHeight, 1e-3);
}

TEST_F(RestingThingsTest, WhatMovesDoesNotRest) {
  Scene scene = towers(true);
  SceneObject ball{.name = "ball",
                   .kind = ObjectKind::Sphere,
                   .X_WO = {.position = {-0.5, 0, 0.0201}},
                   .size = {0.02, 0, 0},
                   .is_free = true,
                   .mass = 0.05};
  scene.objects.push_back(ball);
  scene.gravity = {0.05, 0, -9.81};  // a floor that is not level
  use(scene);
  run(2.0);
  EXPECT_FALSE(rests("ball"));
  EXPECT_TRUE(rests("disc2"));
  EXPECT_GT(pose("ball").position.x(), -0.45);
}

}  // namespace
}  // namespace sinew
