// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/guard.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The way to a stop is looked at in straight pieces: in few, and where that is too coarse to tell, in many.
constexpr int kFewPieces = 4;
constexpr int kManyPieces = 32;

// Per link the positions that move it; parents come before children.
std::vector<std::uint64_t> joints_above_links(const RobotModel& model) {
  std::vector<std::uint64_t> masks(model.links.size(), 0);
  for (const Joint& joint : model.joints) {
    const Joint& leader = joint.mimic ? model.joints[joint.mimic->joint] : joint;
    const std::uint64_t own = leader.position == kNone ? 0 : std::uint64_t{1} << leader.position;
    masks[joint.child_link] = masks[joint.parent_link] | own;
  }
  return masks;
}

}  // namespace

Guard::Guard(const RobotShapes& shapes)
    : shapes_(shapes), checker_(shapes), moves_link_(joints_above_links(shapes.model())) {}

GuardVerdict Guard::check(std::span<const double> from, std::span<const AxisState> next,
                          std::span<const AxisLimits> limits, double dt) SINEW_REALTIME {
  const double longest = plan_stops(next, limits);
  const bool stays = longest == 0.0 && std::ranges::equal(from, next, {}, {}, &AxisState::position);
  if (stays) return {};

  const Way way{.from = from, .limits = limits, .duration = longest, .step = dt};
  if (sweep(way, {.pieces = kFewPieces}).verdict == Verdict::Clear) return {};
  const CheckResult fine = sweep(way, {.pieces = kManyPieces, .may_leave = true});
  return fine.verdict == Verdict::Clear ? GuardVerdict{} : verdict_of(fine);
}

CheckResult Guard::sweep(const Way& way, const Fineness& fineness) SINEW_REALTIME {
  const std::size_t count = way.from.size();
  JointArray start{};
  JointArray end{};
  JointArray slack{};
  std::ranges::copy(way.from, start.begin());
  for (int piece = 1; piece <= fineness.pieces; ++piece) {
    const double time = way.duration * piece / fineness.pieces;
    // the step itself goes with the first piece
    const double span = way.duration / fineness.pieces + (piece == 1 ? way.step : 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      end[i] = stops_[i].at(time).position;
      // a curve is off its chord by at most its largest second derivative times the span squared over eight
      const bool has_rested = stops_[i].duration() <= time - span;
      slack[i] = has_rested ? 0.0 : way.limits[i].acceleration * span * span / 8.0;
    }
    CheckResult result = checker_.sweep({start.data(), count}, {end.data(), count},
                                        {.slack = {slack.data(), count}, .may_leave = fineness.may_leave});
    if (result.verdict != Verdict::Clear) return result;
    start = end;
  }
  return {};
}

double Guard::plan_stops(std::span<const AxisState> next, std::span<const AxisLimits> limits) SINEW_REALTIME {
  double longest = 0.0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const bool rests = next[i].velocity == 0.0 && next[i].acceleration == 0.0;
    stops_[i] = rests ? AxisProfile(next[i].position) : plan_stop(next[i], limits[i]);
    longest = std::max(longest, stops_[i].duration());
  }
  return longest;
}

GuardVerdict Guard::verdict_of(const CheckResult& result) const SINEW_REALTIME {
  GuardVerdict verdict{.is_clear = false, .joint_mask = ~std::uint64_t{0}, .contact = result.contact};
  if (result.verdict != Verdict::TooNear) return verdict;
  const auto above = [this](std::size_t link) { return link == kNone ? 0 : moves_link_[link]; };
  // joints that carry both do not change how far they are apart
  verdict.joint_mask = above(result.contact.link_a) ^ above(result.contact.link_b);
  return verdict;
}

}  // namespace sinew
