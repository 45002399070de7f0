// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/program_check_robot.h"

#include <bitset>
#include <utility>

#include <fmt/format.h>

#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"

#include "apps/cli/robot_choice.h"

namespace sinew::cli {
namespace {

constexpr double kLimitSlack = 1e-9;  ///< [rad, m]

// links that no joint moves
std::bitset<kMaxCheckedLinks> still_links(const RobotModel& model) {
  std::bitset<kMaxCheckedLinks> still;
  for (std::size_t link = 0; link < std::min(model.links.size(), kMaxCheckedLinks); ++link) {
    bool is_still = true;
    for (std::size_t joint = model.links[link].parent_joint; joint != kNone && is_still;
         joint = model.links[model.joints[joint].parent_link].parent_joint)
      is_still = model.joints[joint].kind == JointKind::Fixed;
    still[link] = is_still;
  }
  return still;
}

}  // namespace

Result<std::unique_ptr<CheckedArm>> CheckedArm::make(const ChosenChain& chosen) {
  auto robot = ProgramRobot::make(chosen.robot.model, chosen.base_link, chosen.tip_link);
  if (!robot) return robot.error();
  const auto control = read_control(chosen.robot.settings.control);
  if (!control) return control.error();
  std::unique_ptr<CheckedArm> arm(new CheckedArm(chosen, *std::move(robot)));
  auto judge = ProgramJudge::make(arm->robot_, {.base_link = chosen.base_link,
                                                .tip_link = chosen.tip_link,
                                                .margin = guard_options(*control).margin,
                                                .mesh_points = points_of_mesh});
  if (!judge) return judge.error();
  arm->judge_ = *std::move(judge);
  return arm;
}

Status CheckedArm::start_at(const std::vector<double>& q) {
  const SerialChain& chain = robot_.chain();
  if (q.size() != chain.size()) {
    return usage_error(
        fmt::format("--start takes {} numbers, not {}: {}", chain.size(), q.size(), variables_text(chosen_)));
  }
  if (!chain.is_within_limits(q, kLimitSlack))
    return usage_error("--start is outside of the joints' limits; see 'sinew model'");
  std::vector<double> all = robot_.all_joints();
  for (std::size_t i = 0; i < q.size(); ++i) all[chain.position(i)] = q[i];
  robot_.take_joints(all);
  return Done{};
}

Status CheckedArm::set_world(const Obstacles& world) {
  const std::bitset<kMaxCheckedLinks> still = still_links(chosen_.robot.model);
  Obstacles around;
  for (Obstacle object : world.objects()) {
    if (object.link == kNone) object.may_touch |= still;
    if (const auto added = around.add(object); !added) return added.error();
  }
  return judge_->set_world(around);
}

}  // namespace sinew::cli
