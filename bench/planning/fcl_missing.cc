// SPDX-License-Identifier: BSD-3-Clause
// In the place of fcl.cc where FCL is not installed.
#include "rival.h"

namespace sinew::bench {

struct FclJudge::Inside {};

FclJudge::FclJudge(const PlanSetting&) {}
FclJudge::~FclJudge() = default;

bool FclJudge::is_available() {
  return false;
}

void FclJudge::set_world(const Obstacles&) {}

bool FclJudge::is_clear(std::span<const double>) {
  return false;
}

double FclJudge::travel(std::span<const double>, std::span<const double>) {
  return 0.0;
}

bool FclJudge::is_path_clear(const Corners&) {
  return false;
}

}  // namespace sinew::bench
