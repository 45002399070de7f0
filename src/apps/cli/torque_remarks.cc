// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/torque_remarks.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/kinematics/torque_check.h"
#include "sinew/motion/motion_settings.h"

namespace sinew {
namespace {

void append(const std::vector<TorqueRemark>& said, const std::string& file, std::vector<Remark>& remarks) {
  for (const TorqueRemark& one : said) {
    const bool is_known = std::ranges::any_of(remarks, [&](const Remark& r) { return r.what == one.what; });
    if (!is_known) remarks.push_back({.place = {.file = file}, .what = one.what, .remedy = one.remedy});
  }
}

}  // namespace

std::vector<Remark> remarks_on_torque(const RobotModel& model, double payload, const std::string& file) {
  std::vector<Remark> remarks;
  if (payload == 0.0 || model.arms.empty()) {
    append(torque_remarks(model, check_torques(model)), file, remarks);
    return remarks;
  }
  for (std::size_t arm = 0; arm < model.arms.size(); ++arm) {
    std::vector<TorqueRemark> said =
        torque_remarks(model, check_torques(model, {.payload = payload_at_tip(model, arm, payload)}));
    append(said, file, remarks);
  }
  return remarks;
}

std::vector<Remark> remarks_on_torque(const LoadedRobot& robot) {
  MotionSettings motion;
  // what is wrong with the section is said by who uses it
  static_cast<void>(read_motion(robot.settings.motion, motion));
  return remarks_on_torque(robot.model, motion.payload, robot.urdf.string());
}

}  // namespace sinew
