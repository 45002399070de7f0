// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/plan_scene.h"

#include <gtest/gtest.h>

namespace sinew::cli {
namespace {

Result<Obstacles> scene_of(std::string_view text) {
  const auto root = parse_yaml(text, "s.yaml");
  if (!root) return root.error();
  return obstacles_from_yaml(*root);
}

TEST(PlanSceneTest, ReadsObjectsAsInAWorld) {
  const auto world = scene_of(
      "gravity: [0, 0, -9.81]\n"
      "floor: true\n"
      "objects:\n"
      "  - {name: table, kind: box, xyz: [0.6, 0, 0.2], size: [0.5, 0.9, 0.4], colour: [1, 0, 0]}\n"
      "  - {name: ball, kind: sphere, xyz: [0, 1, 1], radius: 0.1, margin: 0.02}\n"
      "  - {name: post, kind: cylinder, rpy_deg: [90, 0, 0], radius: 0.05, length: 1}\n");
  ASSERT_TRUE(world) << world.error().message;
  ASSERT_EQ(world->size(), 4U);
  EXPECT_EQ((*world)[0].solid.kind, SolidKind::Plane);
  EXPECT_EQ((*world)[1].solid.half, Vector3(0.25, 0.45, 0.2));
  EXPECT_EQ((*world)[2].margin, 0.02);
  EXPECT_NEAR((*world)[3].X_LO.rotation.x(), std::sqrt(0.5), 1e-12);
}

TEST(PlanSceneTest, RefusalsNameTheLine) {
  EXPECT_EQ(
      scene_of("objects:\n  - {name: a, kind: bax, size: [1, 1, 1]}\n").error().message,
      "s.yaml:2: no kind 'bax' among obstacles (did you mean 'box'?); known: box, sphere, cylinder, plane");
  EXPECT_EQ(scene_of("objects:\n  - {name: a, kind: sphere}\n").error().message,
            "s.yaml:2: 'radius' is missing here; write 'radius: 0.05'");
  EXPECT_FALSE(scene_of("objects:\n  - {name: a, kind: sphere, radius: -1}\n"));
  EXPECT_FALSE(scene_of("objekts: []\n"));
}

}  // namespace
}  // namespace sinew::cli
