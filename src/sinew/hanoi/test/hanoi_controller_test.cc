// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/hanoi/hanoi_controller.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"

namespace sinew {
namespace {

/// Three pegs and one disc on the first, seen anew at `now_ns`.
std::unique_ptr<World> board_at(std::int64_t now_ns) {
  auto world = std::make_unique<World>(World{.stamp_ns = now_ns});
  for (int peg = 0; peg < 3; ++peg) {
    WorldObject& object = world->objects[world->object_count++];
    set_text(object.name, "peg_" + std::to_string(peg + 1));
    object.position = {0.35, -0.1 + 0.1 * peg, 0.021};
    object.size = {0.07, 0.07, 0.002};
  }
  WorldObject& disc = world->objects[world->object_count++];
  set_text(disc.name, "disc_1");
  disc.kind = ObjectKind::Cylinder;
  disc.position = {0.35, -0.1, 0.0295};
  disc.size = {0.014, 0.015, 0};
  return world;
}

// a request that was never put is never answered: it must not be waited for
TEST(HanoiController, GivesUpWhenNobodyTakesItsRequests) {
  int asked = 0;
  HanoiController controller({.goal = 2}, [&](const Request&) {
    ++asked;
    return std::uint64_t{0};
  });
  Safety safety;
  safety.state = ControlState::Running;
  controller.take(safety);
  std::int64_t now_ns = kSecond_ns;
  for (int i = 0; i < 1000 && controller.phase() != HanoiPhase::Failed; ++i) {
    now_ns += kSecond_ns;
    controller.take(*board_at(now_ns));
    controller.step(now_ns);
  }
  EXPECT_EQ(controller.phase(), HanoiPhase::Failed);
  EXPECT_GT(asked, 1) << "it tries again before it gives up";
  EXPECT_NE(controller.message().find("could not be put on the channel"), std::string::npos)
      << controller.message();
}

}  // namespace
}  // namespace sinew
