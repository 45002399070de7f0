// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/simulation/scene.h"

namespace sinew {

/// A robot of robots/ on an empty floor.
inline Scene scene_with(const std::string& robot) {
  Scene scene{.name = "test"};
  auto loaded = load_robot(robot);
  EXPECT_TRUE(loaded) << loaded.error().message;
  if (loaded) scene.robots.push_back({.name = robot, .model = std::move(loaded->model)});
  return scene;
}

}  // namespace sinew
