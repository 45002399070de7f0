// SPDX-License-Identifier: BSD-3-Clause
// A part of the way is clear for a pair when its distance in the middle exceeds what the two can travel from
// there to either end. What is not clear is halved, the earlier half first.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/fixed_vector.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/collision/scratch.h"

namespace sinew {
namespace {

using collision::Item;
using collision::kTellingWay;
using collision::Scratch;

/// A part of the way, and the pairs to be looked at on it: pairs[begin] to pairs[end].
struct Part {
  double middle = 0.5;
  double half = 0.5;
  std::size_t begin = 0;
  std::size_t end = 0;
  int halvings = 0;
};

struct SweepRun {
  Scratch& s;
  std::span<const double> q0;
  std::span<const double> q1;
  double tolerance;
  double placed_at = -1.0;

  const Item& first(std::size_t k) const { return s.items[s.pairs[k] >> 16]; }
  const Item& second(std::size_t k) const { return s.items[s.pairs[k] & 0xffffU]; }

  void place_at(double t) {
    if (std::exchange(placed_at, t) == t) return;
    for (std::size_t i = 0; i < q0.size(); ++i) s.q[i] = q0[i] + t * (q1[i] - q0[i]);
    s.place(s.q);
  }

  // Writes the pairs that are not clear on this part behind its own; returns their end. Too near for good:
  // `result` says so.
  std::size_t filter(const Part& part, CheckResult& result) {
    std::size_t end = part.end;
    for (std::size_t k = part.begin; k < part.end; ++k) {
      const Item& a = first(k);
      const Item& b = second(k);
      const double margin = s.margin_of(a, b);
      const Travel travel = s.pair_travel(a, b);
      const double needed = margin + part.half * travel.way + travel.stray;
      const Separation gap = s.gap(a, b, needed);
      if (gap.distance > needed) continue;
      const bool is_fine_enough =
          part.half * travel.way <= tolerance || part.halvings == collision::kMostHalvings;
      if (is_fine_enough || gap.distance <= margin) note(part, a, b, gap, result);
      if (!is_fine_enough) s.pairs[end++] = s.pairs[k];
    }
    return end;
  }

  // The earliest counts.
  void note(const Part& part, const Item& a, const Item& b, const Separation& gap,
            CheckResult& result) const {
    if (result.verdict == Verdict::TooNear && result.contact.at <= part.middle) return;
    result = {.verdict = Verdict::TooNear, .contact = s.contact(a, b, gap)};
    result.contact.at = part.middle;
  }

  void drop_still(Part& part) {
    for (std::size_t k = part.begin; k < part.end;) {
      const Travel travel = s.pair_travel(first(k), second(k));
      if (travel.way > 0.0 || travel.stray > 0.0) {
        ++k;
      } else {
        s.pairs[k] = s.pairs[--part.end];
      }
    }
  }

  // Drops the pairs that are too near at q0 and no nearer at q1; of very many, only some. A way too short to
  // tell is followed on until distances differ by more than their error.
  void drop_leaving(Part& part) {
    struct Start {
      std::size_t k;
      double distance;
    };
    FixedVector<Start, 64> starts;
    double way = 0.0;
    place_at(0.0);
    for (std::size_t k = part.begin; k < part.end && !starts.is_full(); ++k) {
      const double near = s.margin_of(first(k), second(k)) + tolerance;
      const double distance = s.gap(first(k), second(k), near).distance;
      if (distance > near) continue;
      starts.push_back({k, distance});
      way = std::max(way, s.pair_travel(first(k), second(k)).way);
    }
    place_at(way > 0.0 ? std::max(1.0, kTellingWay / way) : 1.0);
    // from the back, so that the places of the others hold
    for (std::size_t i = starts.size(); i-- > 0;) {
      const auto& [k, distance] = starts[i];
      if (s.gap(first(k), second(k), distance).distance >= distance) s.pairs[k] = s.pairs[--part.end];
    }
  }
};

bool is_valid(const Scratch& s, std::span<const double> q) {
  return q.size() == s.q.size() && collision::is_finite(q);
}

CheckResult search(SweepRun& run, Part whole) {
  CheckResult result;
  FixedVector<Part, collision::kMostHalvings + 2> parts{whole};
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    run.place_at(part.middle);
    const std::size_t end = run.filter(part, result);
    // nothing later than what was found matters
    if (result.verdict == Verdict::TooNear) {
      while (!parts.empty() && parts.back().middle > result.contact.at) parts.pop_back();
    }
    if (end == part.end || part.halvings == collision::kMostHalvings) continue;
    const double quarter = 0.5 * part.half;
    Part later{part.middle + quarter, quarter, part.end, end, part.halvings + 1};
    Part earlier{part.middle - quarter, quarter, part.end, end, part.halvings + 1};
    const bool is_open = result.verdict == Verdict::Clear || later.middle < result.contact.at;
    if (is_open) parts.push_back(later);
    parts.push_back(earlier);
  }
  return result;
}

}  // namespace

CheckResult CollisionChecker::sweep(std::span<const double> q0, std::span<const double> q1,
                                    const SweepOptions& options) SINEW_REALTIME {
  Scratch& s = *scratch_;
  const bool slack_fits = options.slack.empty() || is_valid(s, options.slack);
  if (!is_valid(s, q0) || !is_valid(s, q1) || !slack_fits || !(options.tolerance > 0.0)) {
    return {.verdict = Verdict::InvalidInput};
  }
  SweepRun run{.s = s, .q0 = q0, .q1 = q1, .tolerance = options.tolerance};
  s.set_motion(q0, q1, options.slack);
  run.place_at(0.5);
  s.set_balls(0.5);
  Part whole{.end = s.near_pairs(s.largest_margin)};
  if (options.skips_still) run.drop_still(whole);
  if (options.may_leave && whole.end > 0) run.drop_leaving(whole);
  return search(run, whole);
}

}  // namespace sinew
