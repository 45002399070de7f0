// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/collision/lane_kernel.h"

/// Parts of a way: what may come too near around eight configurations, each body larger by how far the joints
/// can carry it from there.
namespace sinew::kernel {
namespace {

/// What single precision may lose.
constexpr float kRoundUp = 1.0001F;

/// How far any point of a mover goes, seen from a link that it hangs on, while each position goes up to its
/// rate to either side. From the outermost joint inwards: what that moves is by so much further from the axis
/// of the next.
[[gnu::always_inline]] inline F8 travel_of(const LaneScene& scene, const float* rates, int mover,
                                           int ancestor) {
  const float(*centre)[kBatch] = scene.centres[mover];
  const float radius = scene.movers[mover].radius;
  F8 way = all<F8>(0.0F);
  for (int link = scene.movers[mover].link; link != ancestor;) {
    const LaneStep& step = scene.steps[scene.step_of[link]];
    const LaneLink& child = scene.links[link];
    link = step.parent;
    if (step.position < 0 || rates[step.position] == 0.0F) continue;
    const float rate = rates[step.position] * (step.factor < 0.0F ? -step.factor : step.factor);
    if (!step.is_revolute) {
      way += rate;
      continue;
    }
    F8x3 from;
    for (int k = 0; k < 3; ++k) from.v[k] = load(centre[k]) - load(child.o[k]);
    F8 square = all<F8>(0.0F);
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3;
      const int j = (k + 2) % 3;
      const F8 across = from.v[i] * load(child.R[6 + j]) - from.v[j] * load(child.R[6 + i]);
      square += across * across;
    }
    way += (root(square) + (way + radius)) * rate;
  }
  return way * kRoundUp;
}

/// By how much the two of a pair may come nearer.
[[gnu::always_inline]] inline F8 pair_travel(const LaneScene& scene, const float* rates, int i) {
  const LanePair& pair = scene.pairs[i];
  if (i < scene.meeting_count) return load(scene.travels[pair.mover]);
  return travel_of(scene, rates, pair.mover, pair.ancestor) +
         travel_of(scene, rates, pair.other, pair.ancestor);
}

/// Two movers by their balls; those whose whole travels cannot bring them together are done with.
[[gnu::always_inline]] inline unsigned near_balls(const LaneScene& scene, int i, F8 travel) {
  const LanePair& pair = scene.pairs[i];
  const float(*a)[kBatch] = scene.centres[pair.mover];
  const float(*b)[kBatch] = scene.centres[pair.other];
  F8 square = all<F8>(0.0F);
  for (int k = 0; k < 3; ++k) {
    const F8 apart = load(a[k]) - load(b[k]);
    square += apart * apart;
  }
  const F8 reach = travel + pair.apart;
  return ~mask_bits(square > reach * reach) & 0xffU;
}

/// A mover and an object by their balls.
[[gnu::always_inline]] inline unsigned near_object(const LaneScene& scene, int i, F8 travel) {
  const LaneMeeting& m = scene.meetings[i];
  const float(*c)[kBatch] = scene.centres[scene.pairs[i].mover];
  const F8 x = load(c[0]);
  const F8 y = load(c[1]);
  const F8 z = load(c[2]);
  const F8 beyond = (x * (x + m.x) + y * (y + m.y)) + (z * (z + m.z) + m.k);
  return ~mask_bits(beyond > travel * (travel + 2.0F * scene.pairs[i].apart)) & 0xffU;
}

/// Balls first, then the ball around the mover and the box of the other, then those that cover the mover.
[[gnu::always_inline]] inline unsigned open_lanes(const LaneScene& scene, const float* rates, int i,
                                                  LaneOpen& open) {
  F8 travel = load(scene.travels[scene.pairs[i].mover]);
  unsigned near;
  if (i < scene.meeting_count) {
    near = near_object(scene, i, travel);
  } else {
    near = near_balls(scene, i, travel + load(scene.travels[scene.pairs[i].other]));
    if (near == 0) return 0;
    travel = pair_travel(scene, rates, i);
    near &= near_balls(scene, i, travel);
  }
  if (near == 0) return 0;
  near &= near_lanes(scene, i, travel);
  store(travel, open.travel);
  unsigned lanes = 0;
  for (; near != 0; near &= near - 1) {
    const int lane = __builtin_ctz(near);
    if (may_be_near(scene, i, lane, open.travel[lane])) lanes |= 1U << lane;
  }
  return lanes;
}

int open_among(const LaneScene& scene, const float* rates, const int* pairs, int count, LaneOpen* found,
               int most) {
  for (int i = 0; i < scene.mover_count; ++i) store(travel_of(scene, rates, i, 0), scene.travels[i]);
  int open = 0;
  for (int k = 0; k < count && open < most; ++k) {
    const int i = pairs != nullptr ? pairs[k] : k;
    found[open].pair = i;
    found[open].lanes = open_lanes(scene, rates, i, found[open]);
    open += found[open].lanes != 0 ? 1 : 0;
  }
  return open;
}

}  // namespace
}  // namespace sinew::kernel
