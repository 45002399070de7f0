// SPDX-License-Identifier: BSD-3-Clause
// In the place of fcl.cc where FCL is not installed.
#include "rival.h"

namespace sinew::bench {

struct FclScene::Inside {};

FclScene::FclScene(const RobotShapes&, const Obstacles&) {}
FclScene::~FclScene() = default;

bool FclScene::is_available() {
  return false;
}

bool FclScene::is_clear(std::span<const double>) {
  return false;
}

double FclScene::smallest_distance(std::span<const double>) {
  return 0.0;
}

}  // namespace sinew::bench
