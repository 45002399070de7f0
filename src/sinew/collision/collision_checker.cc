// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/collision_checker.h"

#include <algorithm>
#include <array>
#include <cmath>
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

bool CollisionChecker::is_clear(std::span<const double> q) SINEW_REALTIME {
  return scratch_->is_clear(q);
}

std::uint8_t CollisionChecker::clear_lanes(std::span<const float> q) SINEW_REALTIME {
  SINEW_ASSERT(q.size() == scratch_->q.size() * kLanes);
  return static_cast<std::uint8_t>(scratch_->clear_lanes(q, false));
}

bool CollisionChecker::are_lanes_clear(std::span<const float> q) SINEW_REALTIME {
  SINEW_ASSERT(q.size() == scratch_->q.size() * kLanes);
  return scratch_->clear_lanes(q, true) == 0xffU;
}

std::uint8_t CollisionChecker::hit_lanes(std::span<const float> q) SINEW_REALTIME {
  SINEW_ASSERT(q.size() == scratch_->q.size() * kLanes);
  scratch_->update_batch();
  return static_cast<std::uint8_t>(scratch_->batch.hit_lanes(q));
}

// Lane k looks at the k-th eighth of the way: what is in the way of a long one is met by the first eight.
bool CollisionChecker::is_edge_clear(std::span<const double> q0, std::span<const double> q1,
                                     double resolution) SINEW_REALTIME {
  collision::Scratch& s = *scratch_;
  if (q0.size() != s.q.size() || q1.size() != s.q.size()) return false;
  double square = 0.0;
  for (std::size_t i = 0; i < q0.size(); ++i) square += (q1[i] - q0[i]) * (q1[i] - q0[i]);
  const double parts = std::ceil(std::sqrt(square) / resolution);
  // also what is no number
  if (!(parts <= kMostEdgeParts) || !(resolution > 0.0)) return false;
  const std::size_t count = std::max<std::size_t>(static_cast<std::size_t>(parts), 1);
  const std::size_t rounds = (count + kLanes - 1) / kLanes;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::array<double, kLanes> at{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t part = std::min(lane * rounds + round + 1, count);
      at[lane] = static_cast<double>(part) / static_cast<double>(count);
    }
    for (std::size_t i = 0; i < q0.size(); ++i) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        s.edge[i * kLanes + lane] = static_cast<float>(q0[i] + at[lane] * (q1[i] - q0[i]));
      }
    }
    if (s.clear_lanes(s.edge, true) != 0xffU) return false;
  }
  return true;
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
