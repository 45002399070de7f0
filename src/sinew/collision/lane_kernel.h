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

/// P · C of a constant C.
[[gnu::always_inline]] inline F8x3 turned(const F8 (&P)[9], const float* column) {
  F8x3 result;
  for (int k = 0; k < 3; ++k) result.v[k] = P[k] * column[0] + P[3 + k] * column[1] + P[6 + k] * column[2];
  return result;
}

[[gnu::always_inline]] inline void follow(const LaneStep& step, LaneLink* links, const float* q) {
  const LaneLink& parent = links[step.parent];
  LaneLink& child = links[step.child];
  F8 P[9];
  for (int k = 0; k < 9; ++k) P[k] = load(parent.R[k]);
  F8x3 x = turned(P, step.C);
  F8x3 y = turned(P, step.C + 3);
  const F8x3 z = turned(P, step.C + 6);
  F8x3 origin = turned(P, step.p);
  for (int k = 0; k < 3; ++k) origin.v[k] += load(parent.o[k]);
  if (step.position >= 0) {
    const F8 joint = load(q + step.position * kBatch) * step.factor + step.offset;
    if (step.is_revolute) {
      F8 sine;
      F8 cosine;
      sine_cosine<F8>(joint, sine, cosine);
      for (int k = 0; k < 3; ++k) {
        const F8 old = x.v[k];
        x.v[k] = old * cosine + y.v[k] * sine;
        y.v[k] = y.v[k] * cosine - old * sine;
      }
    } else {
      for (int k = 0; k < 3; ++k) origin.v[k] += z.v[k] * joint;
    }
  }
  for (int k = 0; k < 3; ++k) {
    store(x.v[k], child.R[k]);
    store(y.v[k], child.R[3 + k]);
    store(z.v[k], child.R[6 + k]);
    store(origin.v[k], child.o[k]);
  }
}

[[gnu::always_inline]] inline void note_near_pairs(const LaneScene& scene) {
  int count = 0;
  for (int i = 0; i < scene.pair_count; ++i) {
    const LanePair& pair = scene.pairs[i];
    F8 square = all<F8>(0.0F);
    for (int k = 0; k < 3; ++k) {
      const F8 apart = load(scene.centres[pair.a][k]) - load(scene.centres[pair.b][k]);
      square += apart * apart;
    }
    const unsigned lanes = mask_bits(square <= pair.threshold);
    if (lanes != 0) scene.near_pairs[count++] = {i, lanes};
  }
  *scene.near_count = count;
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
    F8 square = all<F8>(0.0F);
    for (int k = 0; k < 3; ++k) {
      store(centre.v[k], scene.centres[i][k]);
      square += centre.v[k] * centre.v[k];
    }
    store(-square, scene.centres[i][3]);
  }
  note_near_pairs(scene);
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

/// How far beyond near the objects of a block are, as squares less |c|².
[[gnu::always_inline]] inline F8 beyond(const LaneBlock& block, float x, float y, float z) {
  return load(block.k) + load(block.x) * x + load(block.y) * y + load(block.z) * z;
}

/// Adds the objects near a mover that its cover does not clear.
[[gnu::noinline]] int look_closer(const LaneScene& scene, int lane, int mover, Suspect* found, int count,
                                  int most) {
  const LaneMover& body = scene.movers[mover];
  const float(*c)[kBatch] = scene.centres[mover];
  F8x3 balls;
  bool is_covered = false;
  for (int i = body.first_block; i < body.last_block; ++i) {
    const LaneBlock& block = scene.blocks[i];
    unsigned bits = mask_bits(beyond(block, c[0][lane], c[1][lane], c[2][lane]) - c[3][lane] <= 0.0F);
    if (bits != 0 && !is_covered) {
      balls = cover_of(scene, mover, lane);
      is_covered = true;
    }
    for (; bits != 0; bits &= bits - 1) {
      const int object = block.object[__builtin_ctz(bits)];
      if (!touches(balls, load(body.cover[3]), scene.object_boxes[object], 0.0F)) continue;
      if (count < most) found[count++] = {mover, object, true, 0.0F};
    }
  }
  return count;
}

/// Whether any mover is near any object: all blocks in one go, because almost always none is.
[[gnu::always_inline]] inline bool has_near_object(const LaneScene& scene, int lane) {
  F8 least = all<F8>(1.0F);
  for (int i = 0; i < scene.block_count; ++i) {
    const LaneBlock& block = scene.blocks[i];
    const float(*c)[kBatch] = scene.centres[block.mover];
    least = smaller(F8(beyond(block, c[0][lane], c[1][lane], c[2][lane]) - c[3][lane]), least);
  }
  return mask_bits(least <= 0.0F) != 0;
}

int suspects(const LaneScene& scene, int lane, Suspect* found, int most) {
  int count = 0;
  if (has_near_object(scene, lane)) {
    for (int i = 0; i < scene.mover_count; ++i) count = look_closer(scene, lane, i, found, count, most);
  }
  for (int i = 0; i < *scene.near_count; ++i) {
    if ((scene.near_pairs[i].lanes >> lane & 1U) == 0) continue;
    const LanePair& pair = scene.pairs[scene.near_pairs[i].pair];
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
