// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/route_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
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
/// So many further goals are looked at while none is clear: with more room than the guard keeps, with that,
/// and with less.
constexpr std::array<std::size_t, 3> kMostFurther{256, 4000, 256};
constexpr std::size_t kMostExplained = 64;

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
  FurtherGoals further;
  for (const std::size_t width : {kWide, kGuarded, kNarrow}) {
    // the narrowest is only for leaving a place that is too near already
    if (width == kNarrow && checkers_[kGuarded].is_clear(task.from)) break;
    route.goals = clear_among(checkers_[width], task, kMostFurther[width], further, interruption);
    const std::span<const Posture> goals = route.goals.empty() ? task.goals : route.goals;
    route.stops = find_with(checkers_[width], task, goals, interruption);
    if (!route.stops.empty() || is_interrupted(interruption)) return route;
  }
  explain(task, further, route);
  return route;
}

// Of the further goals some that are clear, the nearest first; none while one of the task's own is.
std::vector<Posture> RouteFinder::clear_among(CollisionChecker& checker, const RouteTask& task,
                                              std::size_t most, FurtherGoals& further,
                                              const Interruption& interruption) {
  const auto is_clear = [&](const Posture& goal) { return checker.is_clear(goal); };
  if (!task.more_goals || std::ranges::any_of(task.goals, is_clear)) return {};
  std::vector<Posture> clear;
  for (std::size_t i = 0; i < most && clear.size() < kMostGoals && !is_interrupted(interruption); ++i) {
    while (i == further.asked.size() && !further.are_all) {
      std::vector<Posture> more = task.more_goals();
      further.are_all = more.empty();
      std::ranges::move(more, std::back_inserter(further.asked));
    }
    if (i == further.asked.size()) break;
    if (is_clear(further.asked[i])) clear.push_back(further.asked[i]);
  }
  std::ranges::stable_sort(clear, {}, [&](const Posture& goal) {
    double most_turned = 0.0;
    for (std::size_t j = 0; j < goal.size(); ++j)
      most_turned = std::max(most_turned, std::abs(goal[j] - task.from[j]));
    return most_turned;
  });
  return clear;
}

std::vector<Posture> RouteFinder::find_with(CollisionChecker& checker, const RouteTask& task,
                                            std::span<const Posture> goals,
                                            const Interruption& interruption) {
  if (!checker.is_clear(task.from)) return {};
  std::vector<Posture> clear;
  for (const Posture& goal : goals) {
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

void RouteFinder::explain(const RouteTask& task, const FurtherGoals& further, Route& route) {
  if (route.goals.empty() && explain_goals(task, further, route)) return;
  const Posture& liked = route.goals.empty() ? task.goals.front() : route.goals.front();
  const CheckResult blocked = checkers_[kGuarded].sweep(task.from, liked);
  if (blocked.verdict != Verdict::TooNear) {
    route.words = "no way there keeps enough distance";
    return;
  }
  route.contact = blocked.contact;
  route.words = sentence_of(blocked.contact) + ", and no way round was found";
}

// Where none of several goals is clear: how nearly the best one is.
bool RouteFinder::explain_goals(const RouteTask& task, const FurtherGoals& further, Route& route) {
  std::vector<const Posture*> all;
  for (const Posture& goal : task.goals) all.push_back(&goal);
  for (const Posture& goal : further.asked) all.push_back(&goal);
  if (all.size() < 2) return false;
  const auto room = [](const Contact& contact) { return contact.distance - contact.margin; };
  const std::size_t count = std::min(all.size(), kMostExplained);
  for (std::size_t i = 0; i < count; ++i) {
    const CheckResult nearest = checkers_[kGuarded].nearest(*all[i * all.size() / count]);
    if (nearest.verdict != Verdict::TooNear) return false;
    if (i == 0 || room(nearest.contact) > room(route.contact)) route.contact = nearest.contact;
  }
  route.words =
      fmt::format("no clear posture for the goal was found: {} looked at; in the nearest to clear {}",
                  all.size(), sentence_of(route.contact));
  return true;
}

std::string RouteFinder::sentence_of(const Contact& contact) const {
  const std::string a = name_of(contact.link_a, contact.object_a);
  const std::string b = name_of(contact.link_b, contact.object_b);
  return too_near_sentence({.a = a, .b = b, .distance = contact.distance, .margin = contact.margin});
}

std::string RouteFinder::name_of(std::size_t link, std::size_t object) const {
  if (object != kNone && object < world_.size()) return std::string(text_of(world_[object].name));
  return link == kNone ? "the world" : model_.links[link].name;
}

}  // namespace sinew
