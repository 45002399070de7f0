// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/collision/broad_kernel.h"

/// Eight configurations at once: forward kinematics and balls against balls by lanes of configurations; then,
/// for the few that are near, lanes of covering balls against boxes. Without branches where the answer is
/// open: a wrong guess of the processor costs more than the arithmetic.
namespace sinew::kernel {
namespace {

struct F8x3 {
  F8 v[3];
};

/// Adds column · s. Most constants of a robot are zero, and which ones is the same every time.
[[gnu::always_inline]] inline void add_scaled(F8x3& sum, const float (*column)[kBatch], float s) {
  if (s == 0.0F) return;
  for (int k = 0; k < 3; ++k) sum.v[k] += load(column[k]) * s;
}

/// R · p + o of a constant p.
[[gnu::always_inline]] inline F8x3 carried(const LaneLink& link, const float* p) {
  F8x3 result{{load(link.o[0]), load(link.o[1]), load(link.o[2])}};
  for (int j = 0; j < 3; ++j) add_scaled(result, link.R + 3 * j, p[j]);
  return result;
}

/// Column k of R · C.
[[gnu::always_inline]] inline F8x3 turned(const LaneLink& parent, const LaneStep& step, int k) {
  F8x3 result{};
  if (step.is_square) {
    const float(*column)[kBatch] = parent.R + step.column[k];
    for (int i = 0; i < 3; ++i) result.v[i] = load(column[i]) * step.sign[k];
  } else {
    for (int j = 0; j < 3; ++j) add_scaled(result, parent.R + 3 * j, step.C[3 * k + j]);
  }
  return result;
}

/// Sines and cosines of all steps' angles, or their slides: by themselves, so that the constants stay where
/// they are.
[[gnu::always_inline]] inline void set_turns(const LaneScene& scene, const float* q) {
  for (int i = 0; i < scene.step_count; ++i) {
    const LaneStep& step = scene.steps[i];
    if (step.position < 0) continue;
    F8 sine = load(q + step.position * kBatch) * step.factor + step.offset;
    F8 cosine = sine;
    if (step.is_revolute) sine_cosine<F8>(sine, sine, cosine);
    store(sine, scene.turns[i].sine);
    store(cosine, scene.turns[i].cosine);
  }
}

[[gnu::always_inline]] inline void follow(const LaneStep& step, const LaneTurn& turn, LaneLink* links) {
  const LaneLink& parent = links[step.parent];
  LaneLink& child = links[step.child];
  F8x3 x = turned(parent, step, 0);
  F8x3 y = turned(parent, step, 1);
  const F8x3 z = turned(parent, step, 2);
  F8x3 origin = carried(parent, step.p);
  if (step.position >= 0) {
    const F8 sine = load(turn.sine);
    const F8 cosine = load(turn.cosine);
    for (int k = 0; k < 3; ++k) {
      const F8 old = x.v[k];
      if (step.is_revolute) {
        x.v[k] = old * cosine + y.v[k] * sine;
        y.v[k] = y.v[k] * cosine - old * sine;
      } else {
        origin.v[k] += z.v[k] * sine;
      }
    }
  }
  for (int k = 0; k < 3; ++k) {
    store(x.v[k], child.R[k]);
    store(y.v[k], child.R[3 + k]);
    store(z.v[k], child.R[6 + k]);
    store(origin.v[k], child.o[k]);
  }
}

/// Balls of one mover against those of its objects.
[[gnu::always_inline]] inline void note_near_objects(const LaneScene& scene, int mover, const F8x3& c) {
  const F8 square = c.v[0] * c.v[0] + c.v[1] * c.v[1] + c.v[2] * c.v[2];
  const LaneRange range = scene.ranges[mover];
  const LaneMeeting* __restrict meetings = scene.meetings;
  unsigned char* __restrict near = scene.near;
  for (int i = range.first; i < range.last; ++i) {
    const LaneMeeting& m = meetings[i];
    const F8 beyond = ((square + m.k) + c.v[0] * m.x) + (c.v[1] * m.y + c.v[2] * m.z);
    // the sign says it
    near[i] = static_cast<unsigned char>(mask_bits(bits_of<F8>(beyond) < 0));
  }
}

[[gnu::always_inline]] inline void note_near_movers(const LaneScene& scene) {
  const LanePair* __restrict pairs = scene.pairs;
  const float(*__restrict centres)[3][kBatch] = scene.centres;
  unsigned char* __restrict near = scene.near;
  const int count = scene.pair_count;
  for (int i = scene.meeting_count; i < count; ++i) {
    const float(*a)[kBatch] = centres[pairs[i].mover];
    const float(*b)[kBatch] = centres[pairs[i].other];
    F8 square = all<F8>(-pairs[i].threshold);
    for (int k = 0; k < 3; ++k) {
      const F8 apart = load(a[k]) - load(b[k]);
      square += apart * apart;
    }
    near[i] = static_cast<unsigned char>(mask_bits(bits_of<F8>(square) < 0));
  }
}

unsigned place_lanes(const LaneScene& scene, const float* q) {
  I8 is_fine = I8{} - 1;
  for (int i = 0; i < scene.position_count; ++i) {
    const F8 value = load(q + i * kBatch);
    is_fine &= (value < scene.most[i]) & (value > -scene.most[i]);
  }
  set_turns(scene, q);
  for (int i = 0; i < scene.step_count; ++i) follow(scene.steps[i], scene.turns[i], scene.links);
  for (int i = 0; i < scene.mover_count; ++i) {
    const F8x3 centre = carried(scene.links[scene.movers[i].link], scene.movers[i].centre);
    for (int k = 0; k < 3; ++k) store(centre.v[k], scene.centres[i][k]);
    note_near_objects(scene, i, centre);
  }
  note_near_movers(scene);
  return mask_bits(is_fine);
}

/// Where eight balls of a link are in one configuration.
[[gnu::always_inline]] inline F8x3 placed_balls(const LaneLink& link, const LaneBalls& balls, int lane) {
  F8x3 result;
  for (int k = 0; k < 3; ++k) {
    result.v[k] = load(balls.at[0]) * link.R[k][lane] + load(balls.at[1]) * link.R[3 + k][lane] +
                  load(balls.at[2]) * link.R[6 + k][lane] + link.o[k][lane];
  }
  return result;
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

/// The squared distances of points from the core of a box, all in the same frame.
[[gnu::always_inline]] inline F8 squares_from(const F8x3& points, const LaneBox& box) {
  F8x3 from;
  for (int k = 0; k < 3; ++k) from.v[k] = points.v[k] - box.centre[k];
  F8 square = all<F8>(0.0F);
  for (int k = 0; k < 3; ++k) {
    const F8 along = from.v[0] * box.R[3 * k] + from.v[1] * box.R[3 * k + 1] + from.v[2] * box.R[3 * k + 2];
    const F8 out = larger(larger(along, -along) - box.half[k], all<F8>(0.0F));
    square += out * out;
  }
  return square;
}

/// The squared distances of some balls' centres of a pair's mover from the box of the other, in one lane.
[[gnu::always_inline]] inline F8 squares_of(const LaneScene& scene, int i, int lane, const LaneBalls& balls) {
  const LanePair& pair = scene.pairs[i];
  const F8x3 points = placed_balls(scene.links[scene.movers[pair.mover].link], balls, lane);
  if (i < scene.meeting_count) return squares_from(points, scene.object_boxes[pair.other]);
  const LaneLink& link = scene.links[scene.movers[pair.other].link];
  return squares_from(seen_from(link, lane, points), scene.mover_boxes[pair.other]);
}

[[gnu::always_inline]] inline const LaneBox& box_of(const LaneScene& scene, int i) {
  const LanePair& pair = scene.pairs[i];
  return i < scene.meeting_count ? scene.object_boxes[pair.other] : scene.mover_boxes[pair.other];
}

/// Whether any ball that covers the mover comes near.
[[gnu::always_inline]] inline bool may_be_near(const LaneScene& scene, int i, int lane) {
  const LaneBalls& cover = scene.movers[scene.pairs[i].mover].cover;
  const F8 reach = load(cover.at[3]) + (box_of(scene, i).reach + scene.pairs[i].margin);
  // so that what is no number counts as near
  return mask_bits(squares_of(scene, i, lane, cover) > reach * reach) != 0xffU;
}

/// Whether any ball inside the mover comes near.
[[gnu::always_inline]] inline bool is_near(const LaneScene& scene, int i, int lane) {
  const LaneBalls& inner = scene.movers[scene.pairs[i].mover].inner;
  const F8 reach = load(inner.at[3]) + (box_of(scene, i).inner_reach + scene.pairs[i].margin);
  return mask_bits((squares_of(scene, i, lane, inner) < reach * reach) & (reach > 0.0F)) != 0;
}

int suspects(const LaneScene& scene, unsigned lanes, Suspect* found, int most) {
  const unsigned long long wanted = 0x0101010101010101ULL * lanes;
  int count = 0;
  for (int i = 0; i < scene.pair_count; i += kBatch) {
    unsigned long long bits;
    __builtin_memcpy(&bits, scene.near + i, sizeof bits);
    for (bits &= wanted; bits != 0; bits &= bits - 1) {
      const int bit = __builtin_ctzll(bits);
      found[count] = {.pair = i + bit / kBatch, .lane = bit % kBatch, .is_hit = false};
      count += may_be_near(scene, i + bit / kBatch, bit % kBatch) ? 1 : 0;
      count = count < most ? count : most;
    }
  }
  for (int k = 0; k < count; ++k) found[k].is_hit = is_near(scene, found[k].pair, found[k].lane);
  return count;
}

}  // namespace
}  // namespace sinew::kernel
