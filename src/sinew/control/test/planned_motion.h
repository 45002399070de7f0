// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/control/joint_masks.h"
#include "sinew/messages/joints.h"
#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/segment.h"

namespace sinew {

struct PlanOptions {
  std::uint64_t mask = 1;
  std::uint64_t motion = 1;
  std::int64_t start_ns = 0;
};

/// Joint `i` of a piece begins as `state`, with a constant jerk.
inline void set_joint(Segment& piece, std::size_t i, const AxisState& state, double jerk) {
  piece.c0[i] = state.position;
  piece.c1[i] = state.velocity;
  piece.c2[i] = state.acceleration / 2.0;
  piece.c3[i] = jerk / 6.0;
}

/// The profiles of the joints in the mask as pieces of a planned motion: cut wherever one of them changes its
/// jerk, in whole nanoseconds.
inline std::vector<Segment> pieces_of(std::span<const AxisProfile> profiles, const PlanOptions& options) {
  std::vector<std::int64_t> cuts_ns{0};
  const auto cut_at = [&](double time) {
    cuts_ns.push_back(static_cast<std::int64_t>(std::ceil(time * 1e9)));
  };
  for_each_joint(options.mask, [&](std::size_t i) {
    for (const ProfilePiece& piece : profiles[i].pieces()) cut_at(piece.start_time);
    cut_at(profiles[i].duration());
  });
  std::ranges::sort(cuts_ns);
  cuts_ns.erase(std::unique(cuts_ns.begin(), cuts_ns.end()), cuts_ns.end());

  std::vector<Segment> pieces;
  for (std::size_t k = 0; k + 1 < cuts_ns.size(); ++k) {
    Segment piece{.stamp_ns = options.start_ns,
                  .start_ns = options.start_ns + cuts_ns[k],
                  .duration_ns = cuts_ns[k + 1] - cuts_ns[k],
                  .joint_mask = options.mask,
                  .motion = options.motion,
                  .is_last = k + 2 == cuts_ns.size() ? 1U : 0U};
    const double begin = 1e-9 * static_cast<double>(cuts_ns[k]);
    const double middle = 0.5e-9 * static_cast<double>(cuts_ns[k] + cuts_ns[k + 1]);
    for_each_joint(options.mask, [&](std::size_t i) {
      set_joint(piece, i, profiles[i].at(begin), profiles[i].jerk_at(middle));
    });
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace sinew
