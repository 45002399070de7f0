// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lab/lab_robot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"

namespace sinew::lab {
namespace {

constexpr std::int64_t kBetweenNotes_ns = 20 * kMillisecond_ns;
constexpr const char* kRobot = "scorbot";

}  // namespace

Result<std::unique_ptr<LabRobot>> LabRobot::make(std::vector<SceneObject> objects,
                                                 const std::vector<double>& start) {
  auto loaded = load_robot("scorbot-er3");
  if (!loaded) return loaded.error();
  const auto control = read_control(loaded->settings.control);
  if (!control) return control.error();
  Scene scene{.name = "lab", .objects = std::move(objects)};
  std::vector<double> positions = starting_positions(loaded->model);
  std::ranges::copy(start, positions.begin());
  scene.robots.push_back({.name = kRobot, .model = std::move(loaded->model), .start = std::move(positions)});
  auto lockstep = Lockstep::make(std::move(scene), kRobot, *control);
  if (!lockstep) return lockstep.error();
  std::unique_ptr<LabRobot> robot(new LabRobot);
  robot->lockstep_ = *std::move(lockstep);
  if (const Status added = robot->lockstep_->add_motion(); !added) return added.error();
  robot->begun_ns_ = robot->lockstep_->now_ns();
  // until the controller runs
  robot->pass(0.05);
  return robot;
}

double LabRobot::seconds() const {
  return seconds_from_nanoseconds(lockstep_->now_ns() - begun_ns_);
}

void LabRobot::pass(double seconds) {
  const std::int64_t end_ns = lockstep_->now_ns() + nanoseconds_from_seconds(seconds);
  while (lockstep_->now_ns() < end_ns) step();
}

void LabRobot::step() {
  lockstep_->step();
  if (lockstep_->now_ns() < note_due_ns_) return;
  note_due_ns_ = lockstep_->now_ns() + kBetweenNotes_ns;
  note();
}

void LabRobot::note() {
  const RobotModel& model = lockstep_->model();
  const JointState& state = lockstep_->state();
  log_.seconds.push_back(seconds());
  log_.positions.emplace_back(state.position.begin(), state.position.begin() + state.joint_count);
  for (std::size_t i = 0; i < state.joint_count; ++i) {
    const double share = std::abs(state.velocity[i]) / model.joints[model.positions[i]].limits.velocity;
    peak_speed_share_ = std::max(peak_speed_share_, share);
  }
  const std::string prefix = std::string(kRobot) + "/";
  for (const Touch& touch : lockstep_->simulation().contacts()) {
    const bool is_a = touch.a.starts_with(prefix);
    const std::string& link = is_a ? touch.a : touch.b;
    const std::string& other = is_a ? touch.b : touch.a;
    if (!link.starts_with(prefix) || link.find("finger") != std::string::npos ||
        other.find("finger") != std::string::npos)
      continue;
    std::string words = fmt::format("{} touches {}", link.substr(prefix.size()), other);
    if (std::ranges::find(touched_, words) == touched_.end()) touched_.push_back(std::move(words));
  }
}

Result<Reply> LabRobot::carry_out(const Request& request, double seconds) {
  const std::uint64_t number = lockstep_->ask(request);
  const std::int64_t end_ns = lockstep_->now_ns() + nanoseconds_from_seconds(seconds);
  while (lockstep_->now_ns() < end_ns) {
    step();
    if (const auto reply = lockstep_->final_reply(number)) return *reply;
  }
  return Error{ErrorCode::TimedOut, fmt::format("it is not done after {:.0f} s", seconds)};
}

}  // namespace sinew::lab
