// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/route_finder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/collision/contact_text.h"
#include "sinew/collision/workspace.h"
#include "sinew/motion/deterministic.h"

namespace sinew {
namespace {

constexpr double kWiderBy = 0.01;      // [m]
constexpr double kNarrowerBy = 0.003;  // [m] who rests at the margin must be able to leave
constexpr int kSamples = 200;
constexpr std::size_t kMostGoals = 4;  // tried with detours
constexpr std::size_t kMostPairs = 400;

}  // namespace

Result<std::unique_ptr<RouteFinder>> RouteFinder::make(const RobotModel& model, double margin,
                                                       const MeshPoints& mesh_points) {
  std::vector<std::unique_ptr<RobotShapes>> all;
  for (const double width : {margin + kWiderBy, margin, std::max(0.0, margin - kNarrowerBy)}) {
    auto shapes = RobotShapes::make(model, {.mesh_points = mesh_points, .margin = width});
    if (!shapes) return shapes.error();
    all.push_back(std::make_unique<RobotShapes>(*std::move(shapes)));
  }
  auto workspace = workspace_obstacles(model);
  if (!workspace) return workspace.error();
  return std::unique_ptr<RouteFinder>(new RouteFinder(model, std::move(all), *workspace));
}

RouteFinder::RouteFinder(const RobotModel& model, std::vector<std::unique_ptr<RobotShapes>> shapes,
                         const Obstacles& workspace)
    : model_(model), shapes_(std::move(shapes)), workspace_(workspace) {
  for (const auto& each : shapes_) checkers_.emplace_back(*each);
  static_cast<void>(set_world({}));
}

Status RouteFinder::set_world(const Obstacles& world) {
  if (!join_workspace(workspace_, world, world_)) {
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("{} objects and {} bounds of the workspace are more than the {} that fit, or an "
                             "object has a bound's name; take some out, or name it otherwise",
                             world.size(), workspace_.size(), kMaxObstacles)};
  }
  for (CollisionChecker& checker : checkers_) checker.set_world(world_);
  return Done{};
}

Route RouteFinder::find(const RouteTask& task, const Interruption& interruption) {
  Route route;
  for (const std::size_t width : {kWide, kGuarded, kNarrow}) {
    // the narrowest is only for leaving a place that is too near already
    if (width == kNarrow && checkers_[kGuarded].is_clear(task.from)) break;
    route.stops = find_with(checkers_[width], task, interruption);
    if (!route.stops.empty() || is_interrupted(interruption)) return route;
  }
  explain(task, route);
  return route;
}

std::vector<Posture> RouteFinder::find_with(CollisionChecker& checker, const RouteTask& task,
                                            const Interruption& interruption) {
  if (!checker.is_clear(task.from)) return {};
  std::vector<Posture> clear;
  for (const Posture& goal : task.goals) {
    if (is_interrupted(interruption)) return {};
    if (is_free(checker, task.from, goal)) return {goal};
    if (clear.size() < kMostGoals && checker.is_clear(goal)) clear.push_back(goal);
  }
  if (clear.empty()) return {};
  return detour(checker, task, clear, interruption);
}

// Over one intermediate posture, else over two: those that the beginning sees and those that see a goal.
std::vector<Posture> RouteFinder::detour(CollisionChecker& checker, const RouteTask& task,
                                         std::span<const Posture> goals, const Interruption& interruption) {
  std::vector<Posture> early;
  std::vector<std::pair<Posture, Posture>> late;
  std::uint64_t seed = 7;
  for (int i = 0; i < kSamples; ++i) {
    if (is_interrupted(interruption)) return {};
    Posture via = i == 0 ? task.home : sample(task, seed);
    if (!checker.is_clear(via)) continue;
    const auto goal = std::ranges::find_if(goals, [&](const Posture& g) { return is_free(checker, via, g); });
    const bool is_early = is_free(checker, task.from, via);
    if (is_early && goal != goals.end()) return {std::move(via), *goal};
    if (is_early) early.push_back(via);
    if (goal != goals.end()) late.emplace_back(std::move(via), *goal);
  }
  std::size_t pairs = 0;
  for (const Posture& first : early) {
    for (const auto& [second, goal] : late) {
      if (++pairs > kMostPairs || is_interrupted(interruption)) return {};
      if (is_free(checker, first, second)) return {first, second, goal};
    }
  }
  return {};
}

bool RouteFinder::is_free(CollisionChecker& checker, const Posture& from, const Posture& to) {
  return checker.sweep(from, to).verdict == Verdict::Clear;
}

Posture RouteFinder::sample(const RouteTask& task, std::uint64_t& seed) const {
  Posture q = task.from;
  for (std::size_t i = 0; i < q.size(); ++i)
    if ((task.joint_mask >> i & 1) != 0) q[i] = between(model_.joints[model_.positions[i]].limits, seed);
  return q;
}

void RouteFinder::explain(const RouteTask& task, Route& route) {
  const CheckResult blocked = checkers_[kGuarded].sweep(task.from, task.goals.front());
  if (blocked.verdict != Verdict::TooNear) {
    route.words = "no way there keeps enough distance";
    return;
  }
  route.contact = blocked.contact;
  const std::string a = name_of(blocked.contact.link_a, blocked.contact.object_a);
  const std::string b = name_of(blocked.contact.link_b, blocked.contact.object_b);
  route.words =
      too_near_sentence(
          {.a = a, .b = b, .distance = blocked.contact.distance, .margin = blocked.contact.margin}) +
      ", and no way round was found";
}

std::string RouteFinder::name_of(std::size_t link, std::size_t object) const {
  if (object != kNone && object < world_.size()) return std::string(text_of(world_[object].name));
  return link == kNone ? "the world" : model_.links[link].name;
}

}  // namespace sinew
