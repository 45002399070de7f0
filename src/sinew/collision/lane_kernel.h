// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/collision/broad_kernel.h"

/// Eight configurations at once: forward kinematics by lanes of configurations; then, one configuration after
/// the other, balls against lanes of objects, and lanes of covering balls against boxes.
namespace sinew::kernel {
namespace {

struct F8x3 {
  F8 v[3];
};

/// R · p + o of a constant p.
[[gnu::always_inline]] inline F8x3 carried(const LaneLink& link, const float* p) {
  F8x3 result;
  for (int k = 0; k < 3; ++k) {
    result.v[k] =
        load(link.o[k]) + load(link.R[k]) * p[0] + load(link.R[3 + k]) * p[1] + load(link.R[6 + k]) * p[2];
  }
  return result;
}

[[gnu::always_inline]] inline void follow(const LaneStep& step, LaneLink* links, const float* q) {
  const LaneLink& parent = links[step.parent];
  LaneLink& child = links[step.child];
  const F8 joint =
      step.position < 0 ? all<F8>(0.0F) : load(q + step.position * kBatch) * step.factor + step.offset;
  F8 sine;
  F8 cosine;
  if (step.is_revolute) sine_cosine<F8>(joint, sine, cosine);
  const F8x3 origin = carried(parent, step.p);
  for (int k = 0; k < 3; ++k) {
    const F8 px = load(parent.R[k]);
    const F8 py = load(parent.R[3 + k]);
    const F8 pz = load(parent.R[6 + k]);
    const F8 x = px * step.C[0] + py * step.C[1] + pz * step.C[2];
    const F8 y = px * step.C[3] + py * step.C[4] + pz * step.C[5];
    const F8 z = px * step.C[6] + py * step.C[7] + pz * step.C[8];
    store(step.is_revolute ? F8(x * cosine + y * sine) : x, child.R[k]);
    store(step.is_revolute ? F8(y * cosine - x * sine) : y, child.R[3 + k]);
    store(z, child.R[6 + k]);
    store(step.is_revolute || step.position < 0 ? origin.v[k] : F8(origin.v[k] + z * joint), child.o[k]);
  }
}

unsigned place_lanes(const LaneScene& scene, const float* q) {
  I8 is_fine = I8{} - 1;
  for (int i = 0; i < scene.position_count; ++i) {
    const F8 value = load(q + i * kBatch);
    is_fine &= (value < kMostTurn) & (value > -kMostTurn);
  }
  for (int i = 0; i < scene.step_count; ++i) follow(scene.steps[i], scene.links, q);
  for (int i = 0; i < scene.mover_count; ++i) {
    const F8x3 centre = carried(scene.links[scene.movers[i].link], scene.movers[i].centre);
    for (int k = 0; k < 3; ++k) store(centre.v[k], scene.centres[i][k]);
  }
  for (int i = 0; i < scene.pair_count; ++i) {
    const LanePair& pair = scene.pairs[i];
    F8 square = all<F8>(0.0F);
    for (int k = 0; k < 3; ++k) {
      const F8 apart = load(scene.centres[pair.a][k]) - load(scene.centres[pair.b][k]);
      square += apart * apart;
    }
    // not (far), so that what is no number counts as near
    scene.near_lanes[i] = static_cast<unsigned char>(~mask_bits(square > pair.threshold));
  }
  return mask_bits(is_fine);
}

/// Where the covering balls of a mover are in one configuration.
[[gnu::always_inline]] inline F8x3 cover_of(const LaneScene& scene, int mover, int lane) {
  const LaneMover& body = scene.movers[mover];
  const LaneLink& link = scene.links[body.link];
  F8x3 result;
  for (int k = 0; k < 3; ++k) {
    result.v[k] = load(body.cover[0]) * link.R[k][lane] + load(body.cover[1]) * link.R[3 + k][lane] +
                  load(body.cover[2]) * link.R[6 + k][lane] + link.o[k][lane];
  }
  return result;
}

/// Whether any of the balls is near a box, both in the same frame.
[[gnu::always_inline]] inline bool touches(const F8x3& balls, F8 radius, const LaneBox& box, float margin) {
  F8x3 from;
  for (int k = 0; k < 3; ++k) from.v[k] = balls.v[k] - box.centre[k];
  F8 square = all<F8>(0.0F);
  for (int k = 0; k < 3; ++k) {
    const F8 along = from.v[0] * box.R[3 * k] + from.v[1] * box.R[3 * k + 1] + from.v[2] * box.R[3 * k + 2];
    const F8 out = larger(larger(along, -along) - box.half[k], all<F8>(0.0F));
    square += out * out;
  }
  const F8 reach = radius + (box.reach + margin);
  return mask_bits(square > reach * reach) != 0xffU;
}

/// The balls as seen from a link in one configuration.
[[gnu::always_inline]] inline F8x3 seen_from(const LaneLink& link, int lane, const F8x3& balls) {
  F8x3 from;
  for (int k = 0; k < 3; ++k) from.v[k] = balls.v[k] - link.o[k][lane];
  F8x3 result;
  for (int k = 0; k < 3; ++k) {
    result.v[k] = from.v[0] * link.R[3 * k][lane] + from.v[1] * link.R[3 * k + 1][lane] +
                  from.v[2] * link.R[3 * k + 2][lane];
  }
  return result;
}

[[gnu::always_inline]] inline int suspects_among_objects(const LaneScene& scene, int lane, int mover,
                                                         Suspect* found, int count, int most) {
  const LaneMover& body = scene.movers[mover];
  const float cx = scene.centres[mover][0][lane];
  const float cy = scene.centres[mover][1][lane];
  const float cz = scene.centres[mover][2][lane];
  const float* thresholds = scene.thresholds + mover * scene.blocks * 8;
  bool is_covered = false;
  F8x3 balls;
  for (int block = body.first_block; block < body.last_block; ++block) {
    const F8 x = load(scene.x + 8 * block) - cx;
    const F8 y = load(scene.y + 8 * block) - cy;
    const F8 z = load(scene.z + 8 * block) - cz;
    const F8 square = x * x + y * y + z * z;
    unsigned bits = mask_bits(square <= load(thresholds + 8 * block));
    if (bits == 0) continue;
    if (!is_covered) balls = cover_of(scene, mover, lane);
    is_covered = true;
    for (; bits != 0; bits &= bits - 1) {
      const int object = 8 * block + __builtin_ctz(bits);
      if (!touches(balls, load(body.cover[3]), scene.object_boxes[object], 0.0F)) continue;
      if (count < most) found[count++] = {mover, object, true, 0.0F};
    }
  }
  return count;
}

int suspects(const LaneScene& scene, int lane, Suspect* found, int most) {
  int count = 0;
  for (int i = 0; i < scene.mover_count; ++i) {
    count = suspects_among_objects(scene, lane, i, found, count, most);
  }
  for (int i = 0; i < scene.pair_count; ++i) {
    if ((scene.near_lanes[i] >> lane & 1) == 0) continue;
    const LanePair& pair = scene.pairs[i];
    const LaneLink& link = scene.links[scene.movers[pair.b].link];
    const F8x3 balls = seen_from(link, lane, cover_of(scene, pair.a, lane));
    if (!touches(balls, load(scene.movers[pair.a].cover[3]), scene.mover_boxes[pair.b], pair.margin))
      continue;
    if (count < most) found[count++] = {pair.a, pair.b, false, pair.margin};
  }
  return count;
}

}  // namespace
}  // namespace sinew::kernel
