// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/program_check_robot.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/motion/motion_settings.h"

#include "apps/cli/plan_scene.h"
#include "apps/cli/robot_choice.h"

namespace sinew::cli {
namespace {

constexpr double kLimitSlack = 1e-9;  ///< [rad, m]

/// The sides of an object, the smallest first [m]; none of what has no size of its own.
std::array<double, 3> sides_of(const WorldObject& object) {
  std::array<double, 3> sides{};
  if (object.kind == ObjectKind::Box) sides = object.size;
  if (object.kind == ObjectKind::Sphere) sides.fill(2.0 * object.size[0]);
  if (object.kind == ObjectKind::Cylinder)
    sides = {2.0 * object.size[0], 2.0 * object.size[0], object.size[1]};
  std::ranges::sort(sides);
  return sides;
}

/// Of a ball about the origin of an object that holds all of it [m].
double reach_of(const WorldObject& object) {
  if (object.kind == ObjectKind::Sphere) return object.size[0];
  if (object.kind == ObjectKind::Cylinder) return std::hypot(object.size[0], 0.5 * object.size[1]);
  const auto sides = sides_of(object);
  return 0.5 * Vector3(sides[0], sides[1], sides[2]).norm();
}

double widest_gripper(const RobotModel& model) {
  double widest = 0.0;
  for (const Gripper& gripper : model.grippers) widest = std::max(widest, gripper.open_width);
  return widest;
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
  MotionSettings motion;
  if (const Status read = read_motion(chosen.robot.settings.motion, motion); !read) return read.error();
  arm->judge_->set_rated_payload(motion.payload);
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
  around_ = around;
  return judge_->set_world(around_);
}

Status CheckedArm::look_around(const World* world, const World* seen) {
  std::vector<std::string_view> standing;
  if (world != nullptr) {
    auto meaning = read_world(*world, chosen_.robot.model);
    if (!meaning) return meaning.error();
    in_use_ = *std::move(meaning);
    if (const Status fits = set_world(in_use_->obstacles); !fits) return fits;
    for (const WorldObject& object : objects_of(*world)) standing.push_back(text_of(object.name));
  }
  if (seen == nullptr) return Done{};
  const double widest = widest_gripper(chosen_.robot.model);
  std::vector<WalkedObject> things;
  for (const WorldObject& object : objects_of(*seen)) {
    if (object.attached != 0) continue;
    const std::string_view name = text_of(object.name);
    const bool stands = std::ranges::find(standing, name) != standing.end();
    things.push_back({.name = std::string(name),
                      .X_RO = {.rotation = Quaternion(object.qw, object.qx, object.qy, object.qz),
                               .position = {object.position[0], object.position[1], object.position[2]}},
                      .reach = reach_of(object),
                      .is_free = !stands && reach_of(object) > 0.0 && sides_of(object)[1] <= widest});
  }
  assume(std::move(things));
  return Done{};
}

void CheckedArm::assume(std::vector<WalkedObject> things) {
  things_ = WalkedObjects(std::move(things));
  robot_.ask_for_objects([this](std::string_view name) { return find_thing(name); });
  judge_->on_grip([this](const language::GripperAction& action, const Pose& X_FT) {
    if (const auto X_RF = robot_.flange_in_root()) things_->grip(action, *X_RF, X_FT);
  });
}

std::string assumption_text(std::string_view world) {
  return fmt::format(
      "WHERE things are is taken from the world {}: they stay where it has them, a gripper holds what it "
      "closes on, and that stays where it is let go; a run looks",
      world);
}

Result<Pose> CheckedArm::find_thing(std::string_view name) {
  const auto found = things_->find(name, robot_.flange_in_root().value_or(Pose{}));
  if (!found) return found;
  Obstacles around;
  for (const Obstacle& object : around_.objects())
    if (text_of(object.name) != name) static_cast<void>(around.add(object));
  if (around.size() == around_.size()) return found;
  around_ = around;
  if (const Status fits = judge_->set_world(around_); !fits) return fits.error();
  return found;
}

}  // namespace sinew::cli
