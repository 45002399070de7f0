// SPDX-License-Identifier: BSD-3-Clause
// In the place of fcl.cc, fcl_robot.cc and path_check.cc where FCL is not installed.
#include "path_check.h"
#include "rival.h"

namespace sinew::bench {

struct FclChecker::Inside {};

FclChecker::FclChecker(const PlanSetting&) {}
FclChecker::~FclChecker() = default;

bool FclChecker::is_available() {
  return false;
}

void FclChecker::set_world(const Obstacles&) {}

bool FclChecker::is_clear(std::span<const double>) {
  return false;
}

struct PathCheck::Inside {};

PathCheck::PathCheck(const PlanSetting&) {}
PathCheck::~PathCheck() = default;

void PathCheck::set_world(const Obstacles&) {}

bool PathCheck::is_clear(std::span<const double>) {
  return false;
}

std::string PathCheck::first_hit(const Corners&) {
  return "nobody looked";
}

}  // namespace sinew::bench
