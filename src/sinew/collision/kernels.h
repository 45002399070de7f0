// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The inner loops of collision checks, on plain arrays, compiled once for every processor and once for AVX2
/// with FMA, as those of kinematics are and by the same rules. Inside this room only.
namespace sinew::kernel {

/// Balls around all bodies, and which pairs of them matter. Arrays are padded to whole blocks of eight.
struct BallTable {
  const float* x;
  const float* y;
  const float* z;
  const float* radius;
  const unsigned char* wanted;        ///< count rows of `blocks` bytes: bit j of byte b for body 8 b + j.
  const unsigned short* first_block;  ///< Per body: the first block with a bit; `blocks` when there is none.
  int count;
  int blocks;
};

/// Eight configurations side by side, or eight balls, or eight objects.
inline constexpr int kBatch = 8;

/// A joint on the way out, between frames whose z axes are the joints': child = parent · T(p) · C · Rz(angle)
/// or · Tz(slide).
struct LaneStep {
  int parent;
  int child;
  int position;  ///< Into q; negative: fixed.
  bool is_revolute;
  float factor;
  float offset;
  float C[9];  ///< Columns x, y, z.
  float p[3];
};

/// Where a link is, in eight configurations: columns x, y, z of its rotation, and its origin.
struct alignas(32) LaneLink {
  float R[9][kBatch];
  float o[3][kBatch];
};

/// A body that moves: the ball around it and the balls that cover it, in its link's frame.
struct alignas(32) LaneMover {
  float cover[4][kBatch];  ///< x, y, z, radius; unused ones repeat the first.
  float centre[3];
  float radius;
  int link;
  int first_block;  ///< Its blocks of objects: those that it may meet and can reach.
  int last_block;
};

/// Balls around eight objects as one mover meets them: their squared distance from c, less that of which they
/// are near, is |c|² + k + x·c_x + y·c_y + z·c_z.
struct alignas(32) LaneBlock {
  float x[kBatch];
  float y[kBatch];
  float z[kBatch];
  float k[kBatch];
  int object[kBatch];
  int mover;
};

/// Lanes in which the balls of a pair are near.
struct NearPair {
  int pair;
  unsigned lanes;
};

/// A box with round corners that holds a solid: rows of R bring the world, or the link, into its axes.
struct LaneBox {
  float R[9];
  float centre[3];
  float half[3];
  float reach;    ///< Rounding and margin.
  bool is_round;  ///< A cylinder: x and y are its radius.
};

/// Two movers.
struct LanePair {
  int a;
  int b;
  float threshold;  ///< Square of the distance of their centres from which on they are clear.
  float margin;
};

/// All that a batch works on.
struct LaneScene {
  const LaneStep* steps;
  const LaneMover* movers;
  const LanePair* pairs;
  const LaneBox* mover_boxes;   ///< Per mover, in its link's frame.
  const LaneBox* object_boxes;  ///< Per object that is fixed in the world.
  const LaneBlock* blocks;
  LaneLink* links;
  float (*centres)[4][kBatch];  ///< Per mover: where its ball is, and the negative square of that.
  NearPair* near_pairs;
  int* near_count;
  int position_count;
  int step_count;
  int mover_count;
  int pair_count;
  int block_count;
};

/// A pair that may be too near: a mover and an object (is_object) or another mover.
struct Suspect {
  int mover;
  int other;
  bool is_object;
  float margin;
};

/// Beyond this [rad, m] single precision is not trusted.
inline constexpr float kMostTurn = 1000.0F;

/// No pair.
inline constexpr unsigned kNoPair = ~0U;

struct CollisionKernels {
  const char* name;
  /// The wanted pairs whose balls are no further apart than `extra`, as i << 16 | j; returns their number.
  int (*near_pairs)(const BallTable&, float extra, unsigned* pairs);
  /// The wanted pair whose balls are nearest; kNoPair when none is wanted.
  unsigned (*nearest_pair)(const BallTable&);
  /// Forward kinematics of eight configurations, q[position · 8 + lane], and which pairs of movers are near.
  /// Returns a bit per lane whose numbers are all below kMostTurn.
  unsigned (*place_lanes)(const LaneScene&, const float* q);
  /// The pairs of one lane that their covers cannot clear, at most `most`; returns their number.
  int (*suspects)(const LaneScene&, int lane, Suspect* found, int most);
};

/// The best that this processor runs.
const CollisionKernels& collision_kernels();
/// The one that every processor runs.
const CollisionKernels& portable_collision_kernels();
/// The one for AVX2 and FMA; nullptr where it was not built or cannot run.
const CollisionKernels* avx2_collision_kernels();

}  // namespace sinew::kernel
