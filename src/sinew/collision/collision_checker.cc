// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/collision_checker.h"

#include <algorithm>
#include <limits>

#include "sinew/base/assert.h"
#include "sinew/collision/scratch.h"

namespace sinew {

CollisionChecker::CollisionChecker(const RobotShapes& shapes)
    : scratch_(std::make_unique<collision::Scratch>(shapes)) {}
CollisionChecker::~CollisionChecker() = default;
CollisionChecker::CollisionChecker(CollisionChecker&&) noexcept = default;
CollisionChecker& CollisionChecker::operator=(CollisionChecker&&) noexcept = default;

void CollisionChecker::set_world(const Obstacles& world) SINEW_REALTIME {
  scratch_->set_world(world);
}

CheckResult CollisionChecker::check(std::span<const double> q) SINEW_REALTIME {
  collision::Scratch& s = *scratch_;
  if (q.size() != s.q.size() || !collision::is_finite(q)) return {.verdict = Verdict::InvalidInput};
  s.place(q);
  s.set_balls(0.0);
  const std::size_t count = s.near_pairs(s.largest_margin);
  for (std::size_t k = 0; k < count; ++k) {
    const collision::Item& a = s.items[s.pairs[k] >> 16];
    const collision::Item& b = s.items[s.pairs[k] & 0xffffU];
    const double margin = s.margin_of(a, b);
    const Separation gap = s.gap(a, b, margin);
    if (gap.distance <= margin) return {.verdict = Verdict::TooNear, .contact = s.contact(a, b, gap)};
  }
  return {};
}

namespace {

// Whether the exact distances clear what the batch could not.
bool is_lane_clear(collision::Scratch& s, std::span<const unsigned> suspects) {
  if (suspects.empty()) return true;
  s.place(s.q);
  return std::none_of(suspects.begin(), suspects.end(), [&](unsigned pair) {
    const collision::Item& a = s.items[pair >> 16];
    const collision::Item& b = s.items[pair & 0xffffU];
    const double margin = s.margin_of(a, b);
    return s.gap(a, b, margin).distance <= margin;
  });
}

}  // namespace

std::uint8_t CollisionChecker::clear_lanes(std::span<const float> q) SINEW_REALTIME {
  collision::Scratch& s = *scratch_;
  SINEW_ASSERT(q.size() == s.q.size() * kLanes);
  if (s.is_batch_stale) s.batch.set_items(s);
  s.is_batch_stale = false;
  const unsigned can_go_on = s.batch.place(q);
  unsigned clear = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const bool is_in_batch = (can_go_on >> lane & 1U) != 0;
    const std::span<const unsigned> suspects =
        is_in_batch ? s.batch.suspects(lane) : std::span<const unsigned>{};
    const bool is_decided = is_in_batch && s.batch.is_complete();
    if (!is_decided || !suspects.empty()) {
      for (std::size_t i = 0; i < s.q.size(); ++i) s.q[i] = static_cast<double>(q[i * kLanes + lane]);
    }
    if (is_decided ? is_lane_clear(s, suspects) : is_clear(s.q)) clear |= 1U << lane;
  }
  return static_cast<std::uint8_t>(clear);
}

CheckResult CollisionChecker::nearest(std::span<const double> q) SINEW_REALTIME {
  collision::Scratch& s = *scratch_;
  CheckResult result{.contact = {.distance = std::numeric_limits<double>::infinity()}};
  if (q.size() != s.q.size() || !collision::is_finite(q)) return {.verdict = Verdict::InvalidInput};
  s.place(q);
  s.set_balls(0.0);
  const unsigned first = kernel::collision_kernels().nearest_pair(s.table());
  if (first == kernel::kNoPair) return result;
  const auto consider = [&](unsigned pair, double best) {
    const collision::Item& a = s.items[pair >> 16];
    const collision::Item& b = s.items[pair & 0xffffU];
    const double margin = s.margin_of(a, b);
    const Separation gap = s.gap(a, b, best + margin);
    if (gap.distance - margin < best) result.contact = s.contact(a, b, gap);
    return std::min(best, gap.distance - margin);
  };
  double best = consider(first, std::numeric_limits<double>::infinity());
  const std::size_t count = s.near_pairs(std::max(best, 0.0) + s.largest_margin);
  for (std::size_t k = 0; k < count; ++k) best = consider(s.pairs[k], best);
  result.verdict = best <= 0.0 ? Verdict::TooNear : Verdict::Clear;
  return result;
}

}  // namespace sinew
