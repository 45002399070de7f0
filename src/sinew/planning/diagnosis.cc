// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/diagnosis.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <vector>

#include "sinew/base/time.h"

namespace sinew::planning {
namespace {

constexpr std::array kShrinkages{0.002, 0.005, 0.01, 0.02, 0.05};  // [m]
constexpr double kThinnest = 1e-4;                                 // [m] What is left of a thin thing.

/// Which things touch, without how deep.
auto identity_of(const Contact& contact) {
  return std::tuple(contact.link_a, contact.link_b, contact.object_a, contact.object_b);
}

Obstacles shrunk(const Obstacles& world, double by) {
  Obstacles smaller;
  for (Obstacle object : world.objects()) {
    // a margin goes first, then the solid
    const double margin = std::min(object.margin, by);
    object.margin -= margin;
    const double rest = by - margin;
    Solid& solid = object.solid;
    const double rounding = std::min(solid.rounding, rest);
    solid.rounding -= rounding;
    solid.half = (solid.half.array() - (rest - rounding)).max(kThinnest).min(solid.half.array()).matrix();
    if (solid.kind == SolidKind::Sphere) solid.rounding = std::max(solid.rounding, kThinnest);
    if (solid.kind == SolidKind::Plane)
      object.X_LO.position -= object.X_LO.rotation * Vector3(0.0, 0.0, rest);
    (void)smaller.add(object);
  }
  return smaller;
}

/// The deepest contact of eight configurations.
Contact deepest_of(MotionJudge& judge, const MotionJudge::Batch& batch) {
  Contact deepest{.distance = std::numeric_limits<double>::infinity()};
  for (std::size_t lane = 0; lane < CollisionChecker::kLanes; ++lane) {
    std::array<double, kMaxChainJoints> q{};
    for (std::size_t j = 0; j < judge.size(); ++j) q[j] = static_cast<double>(batch[j][lane]);
    const Contact contact = judge.nearest({q.data(), judge.size()}).contact;
    if (contact.distance - contact.margin < deepest.distance - deepest.margin) deepest = contact;
  }
  return deepest;
}

}  // namespace

Blocker most_frequent_blocker(MotionJudge& judge) {
  std::vector<Contact> contacts;
  std::vector<std::size_t> counts;
  std::size_t total = 0;
  for (const MotionJudge::Batch& blocked : judge.blocked()) {
    const Contact contact = deepest_of(judge, blocked);
    if (contact.link_a == kNone) continue;
    ++total;
    std::size_t i = 0;
    while (i < contacts.size() && identity_of(contacts[i]) != identity_of(contact)) ++i;
    if (i == contacts.size()) {
      contacts.push_back(contact);
      counts.push_back(0);
    }
    ++counts[i];
  }
  if (total == 0) return {};
  const auto best = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  return {.contact = contacts[best], .share = static_cast<double>(counts[best]) / static_cast<double>(total)};
}

LackingClearance lacking_clearance(MotionJudge& judge, PathSearch& search, const PathSearch::Task& task,
                                   const DiagnosisLimits& limits) {
  const Obstacles world = judge.world();
  const std::int64_t share_ns =
      nanoseconds_from_seconds(limits.seconds) / static_cast<std::int64_t>(kShrinkages.size());
  LackingClearance lacking;
  Path path;
  for (const double by : kShrinkages) {
    judge.set_world(shrunk(world, by));
    const SearchLimits one{.most_iterations = limits.most_iterations,
                           .deadline_ns = deadline_after_ns(monotonic_now_ns(), share_ns),
                           .is_cancelled = limits.is_cancelled};
    const SearchEnd end = search.run(task, one, path);
    if (end == SearchEnd::Found) lacking.clearance = by;
    lacking.is_cancelled = end == SearchEnd::Cancelled;
    if (end == SearchEnd::Found || lacking.is_cancelled) break;
  }
  judge.set_world(world);
  return lacking;
}

}  // namespace sinew::planning
