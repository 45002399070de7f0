// SPDX-License-Identifier: BSD-3-Clause
// A way in eighths, looked at side by side: an eighth is clear for a pair when in its middle the two are
// further apart than they can come nearer from there to either end. What is not clear is cut in eighths
// again, for those pairs alone.
#include <algorithm>
#include <array>

#include "sinew/collision/collision_checker.h"
#include "sinew/collision/scratch.h"

namespace sinew {
namespace {

using collision::Item;
using collision::Scratch;
using kernel::LaneOpen;

constexpr std::size_t kLanes = CollisionChecker::kLanes;
/// [m] Where two come nearer by more than this, cutting costs less than an exact distance.
constexpr float kExactTravel = 0.01F;

enum class Known { Clear, TooNear, Open };

struct ProofRun {
  Scratch& s;
  std::span<const double> q0;
  std::span<const double> q1;
  float tolerance;
  bool has_room = true;  ///< For the pairs that are open.

  // `among`: the pairs to be looked at; without a place: all. `first_open`, `first_among`: where the lists of
  // this cut begin.
  bool is_clear(double from, double to, std::span<const int> among, std::size_t first_open,
                std::size_t first_among) {
    const double eighth = (to - from) / static_cast<double>(kLanes);
    const auto middle = [&](std::size_t lane) { return from + (static_cast<double>(lane) + 0.5) * eighth; };
    const auto open_left = std::span(s.open_pairs).subspan(first_open);
    has_room = has_room && open_left.size() > 1 && place(from, eighth);
    if (!has_room) return false;
    const std::size_t count = s.batch.open_among(s.rates, among, open_left.first(open_left.size() - 1));
    has_room = count + 1 < open_left.size();
    const std::span<LaneOpen> open = open_left.first(count);
    const unsigned lanes = settle(open, middle);
    if (lanes != kSettled)
      return lanes == 0 || cut(lanes, from, eighth, open, first_open + count, first_among);
    return false;
  }

  static constexpr unsigned kSettled = ~0U;

  bool place(double from, double eighth) {
    for (std::size_t i = 0; i < q0.size(); ++i) {
      const double way = q1[i] - q0[i];
      s.rates[i] = static_cast<float>(std::abs(way) * 0.5 * eighth) * 1.0001F;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        s.edge[i * kLanes + lane] =
            static_cast<float>(q0[i] + (from + (static_cast<double>(lane) + 0.5) * eighth) * way);
      }
    }
    return s.batch.place(s.edge);
  }

  // Exact distances, where they are worth it. The lanes that are open still; kSettled: something is too near.
  template <class Middle>
  unsigned settle(std::span<LaneOpen> open, const Middle& middle) {
    unsigned left = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      bool is_placed = false;
      for (LaneOpen& pair : open) {
        if ((pair.lanes >> lane & 1U) == 0) continue;
        if (pair.travel[lane] > kExactTravel) {
          left |= 1U << lane;
          continue;
        }
        if (s.batch.is_separated(pair.pair, static_cast<int>(lane), pair.travel[lane])) {
          pair.lanes &= ~(1U << lane);
          continue;
        }
        if (!is_placed) place_alone(middle(lane));
        is_placed = true;
        const Known known = exactly(pair.pair, pair.travel[lane]);
        if (known == Known::TooNear) return kSettled;
        if (known == Known::Clear) pair.lanes &= ~(1U << lane);
        if (known == Known::Open) left |= 1U << lane;
      }
    }
    return left;
  }

  void place_alone(double t) {
    for (std::size_t i = 0; i < q0.size(); ++i) s.q[i] = q0[i] + t * (q1[i] - q0[i]);
    s.place(s.q);
  }

  Known exactly(int pair, float travel) const {
    const auto [i, j] = s.batch.items_of(pair);
    const Item& a = s.items[i];
    const Item& b = s.items[j];
    const double margin = s.margin_of(a, b);
    const double needed = margin + static_cast<double>(travel);
    const double distance = s.gap(a, b, needed).distance;
    if (distance > needed) return Known::Clear;
    return travel <= tolerance || distance <= margin ? Known::TooNear : Known::Open;
  }

  bool cut(unsigned lanes, double from, double eighth, std::span<const LaneOpen> open, std::size_t first_open,
           std::size_t first_among) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1U) == 0) continue;
      std::size_t end = first_among;
      for (const LaneOpen& pair : open) {
        if ((pair.lanes >> lane & 1U) == 0) continue;
        if (end == s.among.size()) has_room = false;
        if (!has_room) return false;
        s.among[end++] = pair.pair;
      }
      const double begin = from + static_cast<double>(lane) * eighth;
      const std::span<const int> among = std::span(s.among).subspan(first_among, end - first_among);
      if (!is_clear(begin, begin + eighth, among, first_open, end)) return false;
    }
    return true;
  }
};

}  // namespace

bool CollisionChecker::is_way_clear(std::span<const double> q0, std::span<const double> q1,
                                    double tolerance) SINEW_REALTIME {
  Scratch& s = *scratch_;
  s.update_batch();
  ProofRun run{.s = s, .q0 = q0, .q1 = q1, .tolerance = static_cast<float>(tolerance)};
  const bool is_sound = q0.size() == s.q.size() && q1.size() == s.q.size() && tolerance > 0.0;
  const bool is_clear = is_sound && run.is_clear(0.0, 1.0, {}, 0, 0);
  // with more near pairs than there is room for, or numbers beyond single precision
  if (!run.has_room) return sweep(q0, q1, {.tolerance = tolerance}).verdict == Verdict::Clear;
  return is_clear;
}

}  // namespace sinew
