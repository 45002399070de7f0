// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/guard.h"

namespace sinew {
namespace {

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

Guard::Guard(const RobotShapes& shapes, double queue)
    : watch_(shapes), moves_link_(joints_above_links(shapes.model())), queue_(queue) {
  if (queue > 0.0) coasting_ = std::make_unique<Coasting>(Coasting{.watch = WayWatch(shapes), .way = {}});
}

void Guard::set_world(const Obstacles& world) SINEW_REALTIME {
  watch_.set_world(world);
  if (coasting_) coasting_->watch.set_world(world);
}

void Guard::forget() SINEW_REALTIME {
  watch_.forget();
  has_clear_ = false;
}

GuardVerdict Guard::check(std::span<const double> from, std::span<const AxisState> next,
                          std::span<const AxisLimits> limits, double dt) SINEW_REALTIME {
  BrakingWay& way = ways_[1 - clear_];
  way.plan(from, next, limits, dt);
  if (way.stays()) return {};
  if (coasting_) {
    const GuardVerdict coasting = check_coasting(from, next, limits, dt);
    if (!coasting.is_clear && (coasting.joint_mask & ~braking_mask_) != 0) return coasting;
  }
  drift_.fill(0.0);
  if (has_clear_) way.drift_from(ways_[clear_], lag_ * dt, drift_);
  const CheckResult result = watch_.check(way, {drift_.data(), from.size()});
  if (result.verdict != Verdict::Clear) return verdict_of(result);
  clear_ = 1 - clear_;
  has_clear_ = true;
  lag_ = 0;
  return {};
}

// One long step with the velocity that it has, then the way to a stop. Nothing is remembered of such ways:
// they are looked at anew each time.
GuardVerdict Guard::check_coasting(std::span<const double> from, std::span<const AxisState> next,
                                   std::span<const AxisLimits> limits, double dt) SINEW_REALTIME {
  Coasting& coasting = *coasting_;
  for (std::size_t i = 0; i < next.size(); ++i)
    coasting.states[i] = {.position = next[i].position + next[i].velocity * queue_,
                          .velocity = next[i].velocity};
  coasting.way.plan(from, {coasting.states.data(), next.size()}, limits, dt + queue_);
  coasting.watch.forget();
  const CheckResult result = coasting.watch.check(coasting.way, {coasting.no_drift.data(), from.size()});
  return result.verdict == Verdict::Clear ? GuardVerdict{} : verdict_of(result);
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
