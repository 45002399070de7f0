// SPDX-License-Identifier: BSD-3-Clause
#include "apps/hanoi/hanoi_round.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sinew/base/draws.h"
#include "sinew/base/text.h"
#include "sinew/model/load_robot.h"
#include "sinew/simulation/world_yaml.h"

namespace sinew {
namespace {

constexpr const char* kRobot = "scorbot-er3";
constexpr std::int64_t kBetweenLooks_ns = 20 * kMillisecond_ns;
constexpr double kTowerOff = 0.005;    // [m] how far the tower may stand from its peg's middle at first
constexpr double kDiscOff = 0.001;     // [m] and each disc from there
constexpr double kStandSeconds = 2.0;  // after which the tower is judged

// the tower on another peg, not quite in its middle, of other weight and smoothness
void shuffle(Scene& scene, std::size_t start, Draws& draws) {
  const auto place_of = [&](std::size_t peg) {
    return std::ranges::find(scene.objects, fmt::format("peg_{}", peg + 1), &SceneObject::name)
        ->X_WO.position;
  };
  const Vector3 to_start = place_of(start) - place_of(0);
  const Vector3 off(draws.between(-kTowerOff, kTowerOff), draws.between(-kTowerOff, kTowerOff), 0);
  for (SceneObject& object : scene.objects) {
    if (!object.is_free) continue;
    object.X_WO.position += to_start + off;
    object.X_WO.position +=
        Vector3(draws.between(-kDiscOff, kDiscOff), draws.between(-kDiscOff, kDiscOff), 0);
    object.X_WO.rotation = quaternion_from({.yaw = draws.between(0.0, 2.0 * std::numbers::pi)});
    object.mass *= draws.between(0.8, 1.2);
    object.friction = draws.between(0.6, 1.0);
  }
  for (double& q : scene.robots.front().start)
    q += draws.between(-0.05, 0.0) * (std::abs(q) > 0.1 ? 1.0 : 0.0);
}

}  // namespace

Result<std::unique_ptr<HanoiRig>> HanoiRig::make(const HanoiRoundOptions& options) {
  WorldPlaces places = usual_world_places();
  places.discs = options.discs;
  auto scene = load_world("hanoi", places);
  if (!scene) return scene.error();
  auto loaded = load_robot(kRobot, places.robots);
  if (!loaded) return loaded.error();
  const auto control = read_control(loaded->settings.control);
  if (!control) return control.error();
  scene->is_assisted = options.is_assisted;
  scene->seed = options.seed;
  const Arm& arm = loaded->model.arms.front();
  auto chain = SerialChain::make(loaded->model, arm.base_link, arm.tip_link);
  if (!chain) return chain.error();
  Draws draws(options.seed);
  std::unique_ptr<HanoiRig> rig(new HanoiRig(*std::move(chain)));
  rig->start_ = draws.number() % 3;
  rig->end_ = (rig->start_ + 1 + draws.number() % 2) % 3;
  shuffle(*scene, rig->start_, draws);
  auto robot = Lockstep::make(*std::move(scene), kRobot, *control);
  if (!robot) return robot.error();
  rig->robot_ = *std::move(robot);
  if (const Status added = rig->robot_->add_motion(); !added) return added.error();
  rig->begin(rig->end_);
  return rig;
}

void HanoiRig::begin(std::size_t goal) {
  controller_ = std::make_unique<HanoiController>(
      HanoiOptions{.goal = goal}, [this](const Request& request) { return robot_->ask(request); });
}

void HanoiRig::step() {
  const ControlOutput& output = robot_->step();
  note_speeds(output.command);
  controller_->take(output.safety);
  controller_->take(robot_->simulation().touch().grasp(0));
  for (; replies_seen_ < robot_->replies().size(); ++replies_seen_)
    controller_->take(robot_->replies()[replies_seen_]);
  const std::int64_t now_ns = robot_->now_ns();
  if (now_ns >= look_due_ns_) {
    look_due_ns_ = now_ns + kBetweenLooks_ns;
    controller_->take(robot_->simulation().world());
  }
  controller_->step(now_ns);
}

void HanoiRig::note_speeds(const JointCommand& command) {
  const RobotModel& model = robot_->model();
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const double limit = model.joints[model.positions[i]].limits.velocity;
    speed_share_ = std::max(speed_share_, std::abs(command.velocity[i]) / limit);
  }
  JointVector q(arm_.size());
  JointVector rates(arm_.size());
  for (std::size_t i = 0; i < arm_.size(); ++i) {
    q[static_cast<Eigen::Index>(i)] = command.position[arm_.position(i)];
    rates[static_cast<Eigen::Index>(i)] = command.velocity[arm_.position(i)];
  }
  Jacobian jacobian;
  arm_.tool_pose({q.data(), arm_.size()}, jacobian);
  tool_speed_ = std::max(tool_speed_, (jacobian.topRows<3>() * rates).norm());
}

bool HanoiRig::step_until(const std::function<bool()>& holds, double seconds) {
  const std::int64_t end_ns = robot_->now_ns() + nanoseconds_from_seconds(seconds);
  while (!holds()) {
    if (robot_->now_ns() >= end_ns) return false;
    step();
  }
  return true;
}

bool HanoiRig::solve(double seconds) {
  const auto has_ended = [&] {
    return controller_->phase() == HanoiPhase::Solved || controller_->phase() == HanoiPhase::Failed;
  };
  return step_until(has_ended, seconds) && controller_->phase() == HanoiPhase::Solved;
}

Result<Board> HanoiRig::board() const {
  return read_board(robot_->simulation().world());
}

Result<double> HanoiRig::tower_offset(std::size_t peg) const {
  const auto seen = board();
  if (!seen) return seen.error();
  if (seen->towers != whole_tower(static_cast<int>(seen->discs.size()), seen->pegs.size(), peg))
    return Error{ErrorCode::NotFound, fmt::format("the tower does not stand on peg {}", peg + 1)};
  double worst = 0.0;
  for (const BoardDisc& disc : seen->discs) worst = std::max(worst, seen->offset(disc, peg));
  return worst;
}

Result<HanoiRound> run_hanoi_round(const HanoiRoundOptions& options) {
  auto rig = HanoiRig::make(options);
  if (!rig) return rig.error();
  HanoiRound round{.is_solved = true};
  const std::int64_t began_ns = (*rig)->robot().now_ns();
  for (const std::size_t goal : {(*rig)->end(), (*rig)->start()}) {
    (*rig)->begin(goal);
    const std::int64_t way_ns = (*rig)->robot().now_ns();
    const bool is_solved = (*rig)->solve();
    round.moves += (*rig)->controller().moves();
    round.troubles += (*rig)->controller().troubles();
    if (is_solved) round.seconds.push_back(seconds_from_nanoseconds((*rig)->robot().now_ns() - way_ns));
    (*rig)->step_until([] { return false; }, kStandSeconds);
    const auto offset = (*rig)->tower_offset(goal);
    if (offset) round.worst_offset = std::max(round.worst_offset, *offset);
    if (is_solved && offset) continue;
    round.is_solved = false;
    round.words = is_solved ? offset.error().message : (*rig)->controller().message();
    break;
  }
  round.speed_share = (*rig)->speed_share();
  round.tool_speed = (*rig)->tool_speed();
  round.assisted = (*rig)->assisted();
  round.simulated = seconds_from_nanoseconds((*rig)->robot().now_ns() - began_ns);
  return round;
}

}  // namespace sinew
