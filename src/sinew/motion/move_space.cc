// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/move_space.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/assert.h"
#include "sinew/base/split_mix.h"
#include "sinew/collision/workspace.h"
#include "sinew/planning/tool_path.h"

namespace sinew {
namespace {

// [m] By how much the levels keep more than the guard's margin, and of that how much a curve may leave the
// straight ways that are looked at.
constexpr std::array<double, 3> kExtra{0.01, 0.0005, -0.003};
constexpr std::array<double, 3> kBend{0.009, 0.0005, 0.0005};
constexpr double kMostPlanning = 10.0;  // [s] iterations end a search, not the clock
/// Postures of a pose goal that are looked at while none is clear: with more room than the guard keeps, and
/// with that.
constexpr std::size_t kMostWidePostures = 256;
constexpr std::size_t kMostPostures = 4'000;
/// What part of the iterations is spent on ways with more room than the guard keeps, where others may do.
constexpr std::size_t kWidePart = 8;
/// [rad, m] How far from a place that is near something one with room all around is looked for, in so many
/// directions each time; and how far, and in what steps, a way may go until it has room.
constexpr std::array kWaysOut{0.05, 0.1, 0.2, 0.4};
constexpr int kDirections = 48;
constexpr double kMostLeaving = 0.4;
constexpr double kLeavingStep = 0.025;
/// [m] By how much room may shrink in such a step.
constexpr double kNoNearer = 1e-4;

}  // namespace

Result<std::unique_ptr<MoveSpace>> MoveSpace::make(const RobotModel& model, MoveSpaceOptions options) {
  auto workspace = workspace_obstacles(model);
  if (!workspace) return workspace.error();
  std::unique_ptr<MoveSpace> space(new MoveSpace(model, std::move(options)));
  space->workspace_ = *workspace;
  space->world_ = *workspace;
  space->others_.assign(model.positions.size(), 0.0);
  // the first tells whether the others can be made
  auto planner = Planner::make(model, {.clearance = {.mesh_points = space->options_.mesh_points,
                                                     .margin = space->options_.margin + kExtra[kWide]},
                                       .chain = space->options_.chain,
                                       .planned = space->options_.planned});
  if (!planner) return planner.error();
  planner->set_world(space->world_);
  space->planned_.assign(planner->planned().begin(), planner->planned().end());
  space->planners_[kWide].emplace(*std::move(planner));
  space->find_levers();
  return space;
}

void MoveSpace::find_levers() {
  const std::vector<double> zero(planned_.size(), 0.0);
  levers_.clear();
  for (std::size_t j = 0; j < zero.size(); ++j) {
    std::vector<double> one = zero;
    one[j] = 1.0;
    levers_.push_back(planners_[kWide]->travel(zero, one));
  }
}

Planner& MoveSpace::at(Level level) {
  if (!planners_[level]) {
    auto made =
        Planner::make(model_, {.clearance = {.mesh_points = options_.mesh_points,
                                             .margin = std::max(0.0, options_.margin + kExtra[level])},
                               .chain = options_.chain,
                               .planned = options_.planned});
    SINEW_ASSERT(made);  // the widest could be made
    planners_[level].emplace(*std::move(made));
    planners_[level]->set_world(world_);
    planners_[level]->set_others(others_);
  }
  return *planners_[level];
}

Status MoveSpace::set_world(const Obstacles& world) {
  if (!join_workspace(workspace_, world, world_))
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("{} objects and {} bounds of the workspace are more than the {} that fit, or an "
                             "object has a bound's name; take some out, or name it otherwise",
                             world.size(), workspace_.size(), kMaxObstacles)};
  for (auto& planner : planners_)
    if (planner) planner->set_world(world_);
  find_levers();  // longer with something in the gripper
  return Done{};
}

void MoveSpace::stand_at(std::span<const double> q_all) {
  others_.assign(q_all.begin(), q_all.end());
  for (auto& planner : planners_)
    if (planner) planner->set_others(q_all);
}

bool MoveSpace::starts_too_near(std::span<const double> q) {
  return at(kGuarded).check(q).verdict != Verdict::Clear;
}

double MoveSpace::room_at(const JointVector& q) {
  const Contact nearest = at(kWide).nearest(numbers(q)).contact;
  return nearest.distance - nearest.margin;
}

// The least room grows from the beginning on, until there is enough; and from there on there is.
bool MoveSpace::leaves_at_once(std::span<const JointVector> path) {
  const JointVector way = path[1] - path[0];
  const double most = std::min(way.norm(), kMostLeaving);
  JointVector q = path[0];
  double room = room_at(q);
  for (double gone = kLeavingStep; at(kWide).check(numbers(q)).verdict != Verdict::Clear;
       gone += kLeavingStep) {
    if (gone > most) return false;
    q = path[0] + way * (gone / way.norm());
    const double now = room_at(q);
    if (now < room - kNoNearer) return false;
    room = now;
  }
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (!at(kWide).is_way_clear(numbers(q), numbers(path[i]))) return false;
    q = path[i];
  }
  return true;
}

// A place near by with room all around, and a straight way there that leaves at once.
std::optional<JointVector> MoveSpace::find_way_out(const JointVector& from) {
  const Level level = starts_too_near(numbers(from)) ? kNarrow : kGuarded;
  SplitMix random(options_.seed);
  JointVector to = from;
  for (const double distance : kWaysOut) {
    for (int i = 0; i < kDirections; ++i) {
      if (is_interrupted(options_.interruption)) return std::nullopt;
      for (double& value : to) value = random.between(-1.0, 1.0);
      to *= distance / std::max(1e-9, to.norm());
      for (std::size_t j = 0; j < planned_.size(); ++j) {
        const JointLimits& limits = model_.joints[model_.positions[planned_[j]]].limits;
        const auto at_j = static_cast<Eigen::Index>(j);
        to[at_j] = std::clamp(from[at_j] + to[at_j], limits.lower, limits.upper);
      }
      const std::array<JointVector, 2> way{from, to};
      if (leaves_at_once(way) && at(level).is_way_clear(numbers(from), numbers(to))) return to;
    }
  }
  return std::nullopt;
}

// A way with room all around but for its first stretch.
PlanResult MoveSpace::leave_first(const JointVector& from, PlanRequest request) {
  const auto out = find_way_out(from);
  if (!out) return {};
  for (std::size_t j = 0; j < planned_.size(); ++j)
    request.start[planned_[j]] = (*out)[static_cast<Eigen::Index>(j)];
  PlanResult result = at(kWide).plan(request);
  if (result.status == PlanStatus::Solved) result.path.insert(result.path.begin(), from);
  return result;
}

PlanResult MoveSpace::find_way(std::span<const double> from, const PlanGoal& goal) {
  std::vector<double> start = others_;
  for (std::size_t j = 0; j < planned_.size(); ++j) start[planned_[j]] = from[j];
  PlanRequest request{.start = start,
                      .goal = goal,
                      .seed = options_.seed,
                      .time_limit = kMostPlanning,
                      .most_iterations = options_.most_iterations,
                      .with_diagnosis = false,
                      .with_blockers = false};
  if (options_.interruption)
    request.progress = [this](const PlanProgress&) { return !is_interrupted(options_.interruption); };
  request.most_iterations = std::max<std::size_t>(1, options_.most_iterations / kWidePart);
  request.most_postures = kMostWidePostures;
  PlanResult result = at(kWide).plan(request);
  const bool starts_near = result.status == PlanStatus::StartInCollision;
  request.most_iterations = options_.most_iterations;
  request.most_postures = kMostPostures;
  request.with_blockers = true;
  const auto is_worth_less = [](PlanStatus status) {
    return status == PlanStatus::StartInCollision || status == PlanStatus::GoalInCollision ||
           status == PlanStatus::NoPath;
  };
  for (const Level level : {kGuarded, kNarrow}) {
    if (!is_worth_less(result.status)) break;
    if (level == kNarrow && !starts_too_near(from)) break;
    result = at(level).plan(request);
  }
  if (!starts_near || result.status != PlanStatus::Solved || leaves_at_once(result.path)) return result;
  // the way need not be as narrow as its beginning, or the guard would hold the arm somewhere on it
  const std::span<const double> end = numbers(result.path.back());
  request.goal = JointGoal{{end.begin(), end.end()}};
  request.with_blockers = false;
  PlanResult roomy = leave_first(result.path.front(), request);
  return roomy.status == PlanStatus::Solved ? roomy : result;
}

// Goes along in straight ways, each as long as the curve between its ends stays near enough to it.
std::optional<double> MoveSpace::clear_until(Level level, const Trajectory& trajectory, double since) {
  Planner& planner = at(level);
  const std::size_t joints = planned_.size();
  std::vector<CurvePoint> points(trajectory.joint_count());
  std::vector<double> from(joints);
  std::vector<double> to(joints);
  const auto look = [&](double time, std::vector<double>& q) {
    trajectory.sample(time, std::span<CurvePoint>(points));
    for (std::size_t j = 0; j < joints; ++j) q[j] = points[j].value;
  };
  look(since, from);
  double begin = since;
  std::vector<double> bends(joints, 0.0);
  const auto deviation = [&](double time) {
    double sum = 0.0;
    for (std::size_t j = 0; j < joints; ++j) sum += levers_[j] * bends[j];
    return sum * time * time / 8.0;
  };
  const auto go_to = [&](double time) {
    look(time, to);
    if (!planner.is_way_clear(from, to)) return false;
    begin = time;
    std::swap(from, to);
    return true;
  };
  for (std::size_t piece = 0; piece < trajectory.piece_count(); ++piece) {
    const double end = trajectory.knots()[piece + 1];
    if (end <= since) continue;
    const double start = std::max(since, trajectory.knots()[piece]);
    std::vector<double> here(joints);
    for (std::size_t j = 0; j < joints; ++j)
      here[j] = bend_bound(trajectory.polynomial(piece, j), trajectory.piece_length(piece));
    std::vector<double> wider = bends;
    for (std::size_t j = 0; j < joints; ++j) wider[j] = std::max(wider[j], here[j]);
    std::swap(bends, wider);
    if (deviation(end - begin) <= kBend[level]) continue;
    // what came before this piece first, then this piece in as many parts as it needs
    if (start > begin && !go_to(start)) return begin;
    bends = here;
    const double parts = std::ceil(std::sqrt(deviation(end - start) / kBend[level]));
    for (double k = 1.0; k < parts; k += 1.0)
      if (!go_to(start + (end - start) * k / parts)) return begin;
  }
  if (!go_to(trajectory.length())) return begin;
  return std::nullopt;
}

// What a wider look has found to be clear is clear for a narrower one.
std::optional<double> MoveSpace::clear_until(const Trajectory& trajectory) {
  if (trajectory.piece_count() == 0) return std::nullopt;
  std::optional<double> clear = clear_until(kWide, trajectory, 0.0);
  if (clear) clear = clear_until(kGuarded, trajectory, *clear);
  if (!clear) return std::nullopt;
  std::vector<double> start(planned_.size());
  for (std::size_t j = 0; j < start.size(); ++j) start[j] = trajectory.at(j, 0.0).value;
  return starts_too_near(start) ? clear_until(kNarrow, trajectory, *clear) : clear;
}

// The first instant from `time` on at which a pair is too near.
Blockage MoveSpace::explain(const Trajectory& trajectory, double time) {
  constexpr int kLooks = 2000;
  std::vector<double> q(planned_.size());
  Blockage found{.time = time};
  Contact least;
  least.distance = 1e9;
  const double step = std::max(1e-3, (trajectory.length() - time) / kLooks);
  for (double t = time; t < trajectory.length() + step; t += step) {
    for (std::size_t j = 0; j < q.size(); ++j) q[j] = trajectory.at(j, t).value;
    const CheckResult here = at(kGuarded).check(q);
    if (here.verdict == Verdict::Clear) continue;
    found.time = std::min(t, trajectory.length());
    least = here.contact;
    break;
  }
  if (least.distance == 1e9) {
    // between two looks: what is nearest there
    for (std::size_t j = 0; j < q.size(); ++j) q[j] = trajectory.at(j, time).value;
    least = at(kGuarded).nearest(q).contact;
  }
  found.contact = least;
  found.words = at(kGuarded).contact_text(least);
  return found;
}

Contact MoveSpace::nearest(std::span<const double> q) {
  return at(kWide).nearest(q).contact;
}

std::string MoveSpace::pair_text(const Contact& contact) {
  return at(kWide).pair_text(contact);
}

}  // namespace sinew
