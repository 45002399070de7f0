// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a robot.yaml or a site.yaml for a small arm: never a crash, and no site widens a limit.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/base/assert.h"
#include "sinew/model/robot_yaml.h"
#include "sinew/model/site.h"
#include "sinew/model/urdf.h"

namespace {

constexpr const char* kArm = R"(<robot name="arm"><link name="base"/><link name="upper"/><link name="hand"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="upper"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="hand"/>
    <limit lower="0" upper="0.5" velocity="1" effort="1"/></joint></robot>)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const sinew::RobotModel kModel = sinew::read_urdf_text(kArm, "arm.urdf")->model;
  const auto root = sinew::parse_yaml({reinterpret_cast<const char*>(bytes), size}, "robot.yaml");
  if (!root) return 0;
  sinew::RobotModel model = kModel;
  const auto settings = sinew::read_robot_settings(*root);
  const auto applied = sinew::apply_robot_yaml(*root, model);
  for (const sinew::Joint& joint : model.joints) {
    SINEW_ASSERT(!applied || joint.limits.lower <= joint.limits.upper);
  }
  (void)settings.has_value();
  sinew::RobotModel on_site = kModel;
  const auto laid =
      sinew::apply_site_text({reinterpret_cast<const char*>(bytes), size}, "site.yaml", on_site);
  (void)laid.has_value();
  for (std::size_t i = 0; i < kModel.joints.size(); ++i) {
    SINEW_ASSERT(on_site.joints[i].limits.lower >= kModel.joints[i].limits.lower);
    SINEW_ASSERT(on_site.joints[i].limits.upper <= kModel.joints[i].limits.upper);
  }
  return 0;
}
