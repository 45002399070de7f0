// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a URDF, then as a SRDF for the robot that came out: never a crash, and never a number that is
// not finite.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/base/assert.h"
#include "sinew/model/chains.h"
#include "sinew/model/srdf.h"
#include "sinew/model/urdf.h"

namespace {

void check_robot(const sinew::RobotModel& model) {
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const sinew::Joint& joint = model.joints[j];
    SINEW_ASSERT(sinew::is_valid(joint.X_PJ));
    SINEW_ASSERT(std::abs(joint.axis.norm() - 1.0) < 1e-9);
    SINEW_ASSERT(joint.limits.lower <= joint.limits.upper);
    const std::size_t above = model.links[joint.parent_link].parent_joint;
    SINEW_ASSERT(above == sinew::kNone || above < j);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  auto robot = sinew::read_urdf_text(text, "fuzz.urdf");
  if (!robot) return 0;
  check_robot(robot->model);
  robot->model.arms = sinew::find_chains(robot->model);
  SINEW_ASSERT(sinew::apply_srdf_text(sinew::srdf_text(robot->model), "fuzz.srdf", robot->model).has_value());
  (void)sinew::apply_srdf_text(text, "fuzz.srdf", robot->model).has_value();
  return 0;
}
