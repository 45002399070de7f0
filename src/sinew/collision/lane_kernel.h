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
[[gnu::always_inline]] inline void note_near_objects(const LaneScene& scene, int mover) {
  const float(*at)[kBatch] = scene.centres[mover];
  const F8x3 c{{load(at[0]), load(at[1]), load(at[2])}};
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

/// Returns a bit per lane whose numbers are all within `most`.
[[gnu::always_inline]] inline unsigned follow_steps(const LaneScene& scene, const float* q) {
  I8 is_fine = I8{} - 1;
  for (int i = 0; i < scene.position_count; ++i) {
    const F8 value = load(q + i * kBatch);
    is_fine &= (value < scene.most[i]) & (value > -scene.most[i]);
  }
  set_turns(scene, q);
  for (int i = 0; i < scene.step_count; ++i) follow(scene.steps[i], scene.turns[i], scene.links);
  return mask_bits(is_fine);
}

/// Where the ball around a mover is.
[[gnu::always_inline]] inline void place_centre(const LaneScene& scene, int mover) {
  const F8x3 centre = carried(scene.links[scene.movers[mover].link], scene.movers[mover].centre);
  for (int k = 0; k < 3; ++k) store(centre.v[k], scene.centres[mover][k]);
}

unsigned follow_lanes(const LaneScene& scene, const float* q) {
  const unsigned is_fine = follow_steps(scene, q);
  for (int i = 0; i < scene.mover_count; ++i) place_centre(scene, i);
  return is_fine;
}

void note_near(const LaneScene& scene) {
  for (int i = 0; i < scene.mover_count; ++i) note_near_objects(scene, i);
  note_near_movers(scene);
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

/// The squared distances of points from the core of a box, or the one inside it, all in the same frame.
[[gnu::always_inline]] inline F8 squares_from(const F8x3& points, const LaneBox& box, const float* half) {
  F8x3 from;
  for (int k = 0; k < 3; ++k) from.v[k] = points.v[k] - box.centre[k];
  F8 square = all<F8>(0.0F);
  for (int k = 0; k < 3; ++k) {
    const F8 along = from.v[0] * box.R[3 * k] + from.v[1] * box.R[3 * k + 1] + from.v[2] * box.R[3 * k + 2];
    const F8 out = larger(larger(along, -along) - half[k], all<F8>(0.0F));
    square += out * out;
  }
  return square;
}

[[gnu::always_inline]] inline const LaneBox& box_of(const LaneScene& scene, int i) {
  const LanePair& pair = scene.pairs[i];
  return i < scene.meeting_count ? scene.object_boxes[pair.other] : scene.mover_boxes[pair.other];
}

/// Where some balls of a pair's mover are in one lane, in the frame of the other's box.
[[gnu::always_inline]] inline F8x3 points_of(const LaneScene& scene, int i, int lane,
                                             const LaneBalls& balls) {
  const LanePair& pair = scene.pairs[i];
  const F8x3 points = placed_balls(scene.links[scene.movers[pair.mover].link], balls, lane);
  if (i < scene.meeting_count) return points;
  return seen_from(scene.links[scene.movers[pair.other].link], lane, points);
}

/// Whether any ball that covers the mover comes near, or may when the two come nearer by `travel`.
[[gnu::always_inline]] inline bool may_be_near(const LaneScene& scene, int i, int lane, float travel = 0.0F) {
  const LaneBalls& cover = scene.movers[scene.pairs[i].mover].cover;
  const LaneBox& box = box_of(scene, i);
  const F8 reach = load(cover.at[3]) + (box.reach + scene.pairs[i].margin + travel);
  // so that what is no number counts as near
  return mask_bits(squares_from(points_of(scene, i, lane, cover), box, box.half) > reach * reach) != 0xffU;
}

/// Whether any ball inside the mover comes near what is inside the other.
[[gnu::always_inline]] inline bool is_near(const LaneScene& scene, int i, int lane) {
  const LaneBalls& inner = scene.movers[scene.pairs[i].mover].inner;
  const LaneBox& box = box_of(scene, i);
  const F8 reach = load(inner.at[3]) + (box.inner_reach + scene.pairs[i].margin);
  const F8 square = squares_from(points_of(scene, i, lane, inner), box, box.inner_half);
  return mask_bits((square < reach * reach) & (reach > 0.0F)) != 0;
}

/// The same of points in eight configurations, as seen from the link in each.
[[gnu::always_inline]] inline F8x3 seen_by_lanes(const LaneLink& link, const F8x3& points) {
  F8x3 from;
  for (int k = 0; k < 3; ++k) from.v[k] = points.v[k] - load(link.o[k]);
  F8x3 result;
  for (int k = 0; k < 3; ++k) {
    result.v[k] = from.v[0] * load(link.R[3 * k]) + from.v[1] * load(link.R[3 * k + 1]) +
                  from.v[2] * load(link.R[3 * k + 2]);
  }
  return result;
}

/// The lanes in which the ball around a pair's mover comes near the other's box. Long and flat things, whose
/// own balls are near everything, are mostly far by this.
[[gnu::always_inline]] inline unsigned near_lanes(const LaneScene& scene, int i, F8 travel) {
  const LanePair& pair = scene.pairs[i];
  const LaneBox& box = box_of(scene, i);
  const float(*at)[kBatch] = scene.centres[pair.mover];
  F8x3 centre{{load(at[0]), load(at[1]), load(at[2])}};
  if (i >= scene.meeting_count) centre = seen_by_lanes(scene.links[scene.movers[pair.other].link], centre);
  const F8 reach = travel + (scene.movers[pair.mover].radius + box.reach + pair.margin);
  // so that what is no number counts as near
  return ~mask_bits(squares_from(centre, box, box.half) > reach * reach);
}

/// Calls visit(pair, lanes) for the near pairs among the eight from `first` on, until it returns true.
template <class Visit>
[[gnu::always_inline]] inline bool visit_near(const LaneScene& scene, unsigned lanes, int first,
                                              const Visit& visit) {
  unsigned long long bits;
  __builtin_memcpy(&bits, scene.near + first, sizeof bits);
  for (bits &= 0x0101010101010101ULL * lanes; bits != 0;) {
    const int shift = __builtin_ctzll(bits) / kBatch * kBatch;
    const int pair = first + shift / kBatch;
    const unsigned balls = static_cast<unsigned>(bits >> shift) & 0xffU;
    bits &= ~(0xffULL << shift);
    if (visit(pair, balls & near_lanes(scene, pair, all<F8>(0.0F)))) return true;
  }
  return false;
}

int suspects(const LaneScene& scene, unsigned lanes, Suspect* found, int most) {
  int count = 0;
  const auto note = [&](int pair, unsigned near) {
    for (; near != 0; near &= near - 1) {
      const int lane = __builtin_ctz(near);
      found[count] = {.pair = pair, .lane = lane, .is_hit = false};
      count += may_be_near(scene, pair, lane) ? 1 : 0;
      count = count < most ? count : most;
    }
    return false;
  };
  for (int first = 0; first < scene.pair_count; first += kBatch) visit_near(scene, lanes, first, note);
  for (int k = 0; k < count; ++k) found[k].is_hit = is_near(scene, found[k].pair, found[k].lane);
  return count;
}

int hit_among(const LaneScene& scene, unsigned lanes, const int* pairs, int count) {
  for (int k = 0; k < count; ++k) {
    unsigned near = lanes & near_lanes(scene, pairs[k], all<F8>(0.0F));
    for (; near != 0; near &= near - 1) {
      if (is_near(scene, pairs[k], __builtin_ctz(near))) return k;
    }
  }
  return -1;
}

/// Those of the lanes `near` in which a pair is too near for certain.
[[gnu::always_inline]] inline unsigned hits_of(const LaneScene& scene, int pair, unsigned near) {
  unsigned hits = 0;
  for (; near != 0; near &= near - 1) {
    const int lane = __builtin_ctz(near);
    hits |= is_near(scene, pair, lane) ? 1U << lane : 0U;
  }
  return hits;
}

unsigned hit_lanes(const LaneScene& scene, unsigned lanes, const int* pairs, int count) {
  // a lane that is hit needs no further look
  unsigned left = lanes;
  for (int k = 0; k < count && left != 0; ++k) {
    left &= ~hits_of(scene, pairs[k], left & near_lanes(scene, pairs[k], all<F8>(0.0F)));
  }
  return lanes & ~left;
}

int suspects_to_hit(const LaneScene& scene, unsigned lanes, int first, Suspect* found, int most) {
  int count = 0;
  const auto note = [&](int pair, unsigned near) {
    for (; near != 0; near &= near - 1) {
      const int lane = __builtin_ctz(near);
      if (!may_be_near(scene, pair, lane)) continue;
      found[count] = {.pair = pair, .lane = lane, .is_hit = is_near(scene, pair, lane)};
      count = count < most ? count + 1 : most;
      if (found[count - 1].is_hit) return true;
    }
    return false;
  };
  const int words = (scene.pair_count + kBatch - 1) / kBatch;
  int word = first / kBatch;
  for (int k = 0; k < words; ++k) {
    if (visit_near(scene, lanes, word * kBatch, note)) return count;
    word = word + 1 < words ? word + 1 : 0;
  }
  return count;
}

}  // namespace
}  // namespace sinew::kernel
