// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "sinew/base/assert.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/lockstep/lockstep.h"

namespace sinew {

/// The robot mds at home in an empty world, with the motion service, after its first cycles.
inline std::unique_ptr<Lockstep> mds_with_motion(const MotionSettings& settings = {}) {
  auto robot = scene_robot("mds", "mds", "home", usual_world_places().robots);
  SINEW_ASSERT(robot.has_value());
  Scene scene{.name = "test"};
  scene.robots.push_back(*std::move(robot));
  auto made = Lockstep::make(std::move(scene), "mds", {});
  SINEW_ASSERT(made.has_value());
  const Status added = (*made)->add_motion(settings);
  SINEW_ASSERT(added.has_value());
  for (int i = 0; i < 10; ++i) (*made)->step();
  return *std::move(made);
}

/// The final answer to a request.
inline Reply answer_to(Lockstep& lockstep, std::uint64_t number) {
  const auto reply = lockstep.wait_for(number);
  EXPECT_TRUE(reply) << "never answered";
  return reply.value_or(Reply{});
}

}  // namespace sinew
