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
  bool is_square;  ///< Column k of C is an axis times sign[k], as on most robots.
  float factor;
  float offset;
  float C[9];  ///< Columns x, y, z.
  float p[3];
  int column[3];  ///< Where that axis begins in a LaneLink's R.
  float sign[3];
};

/// Sine and cosine of a step's angle; its slide, twice.
struct alignas(32) LaneTurn {
  float sine[kBatch];
  float cosine[kBatch];
};

/// Where a link is, in eight configurations: columns x, y, z of its rotation, and its origin.
struct alignas(32) LaneLink {
  float R[9][kBatch];
  float o[3][kBatch];
};

/// Eight balls in a link's frame: x, y, z, radius.
struct alignas(32) LaneBalls {
  float at[4][kBatch];
};

/// A body that moves: the ball around it, balls that cover it, and balls inside it.
struct LaneMover {
  LaneBalls cover;  ///< Unused ones repeat the first.
  LaneBalls inner;  ///< Unused ones have a radius below zero.
  float centre[3];
  float radius;
  int link;
};

/// An object as a mover meets it: the squared distance of their balls' centres, less that of which they are
/// near, is |c|² + k + x·c_x + y·c_y + z·c_z, c being where the mover's is.
struct alignas(16) LaneMeeting {
  float x;
  float y;
  float z;
  float k;
};

/// The meetings of a mover with what it may meet and can reach: first to last, not included.
struct LaneRange {
  int first;
  int last;
};

/// Two that may be too near: a mover and an object, or two movers.
struct LanePair {
  int mover;
  int other;
  float margin;     ///< [m] Of two movers; an object has it in its reach.
  float threshold;  ///< Of two movers: square of the distance of their centres from which on they are clear.
  float apart;      ///< [m] That distance, rounded up.
  int ancestor;     ///< Of two movers: the last link that both hang on. Of an object: the root.
};

/// A box with round corners that holds a solid: rows of R bring the world, or the link, into its axes.
struct LaneBox {
  float R[9];
  float centre[3];
  float half[3];
  float reach;          ///< Rounding and margin, rounded up.
  float inner_half[3];  ///< Of a box that with `inner_reach` around it lies within the solid and its margin.
  float inner_reach;    ///< Rounded down; far below zero when no such box is known.
  bool is_round;        ///< A cylinder: x and y are its radius.
};

/// All that a batch works on.
struct LaneScene {
  const LaneStep* steps;
  const LaneMover* movers;
  const LaneRange* ranges;      ///< Per mover: its meetings.
  const LaneMeeting* meetings;  ///< Of movers with objects.
  const LanePair* pairs;        ///< The pairs of the meetings, then those of two movers.
  const LaneBox* mover_boxes;   ///< Per mover, in its link's frame.
  const LaneBox* object_boxes;  ///< Per object that is fixed in the world.
  const int* step_of;           ///< Per link: the step that leads to it.
  const float* most;            ///< Per position: beyond this [rad, m] single precision is not trusted.
  LaneTurn* turns;              ///< Per step.
  LaneLink* links;
  float (*centres)[3][kBatch];  ///< Per mover: where its ball is.
  float (*travels)[kBatch];     ///< Per mover: how far it may go, as open_among() was told.
  unsigned char* near;          ///< Per pair: in which lanes the balls are near; to a whole word.
  int position_count;
  int step_count;
  int mover_count;
  int meeting_count;
  int pair_count;
};

/// A pair that may be too near in one lane.
struct Suspect {
  int pair;
  int lane;
  bool is_hit;  ///< It is.
};

/// A pair that may come too near around where the lanes are.
struct alignas(32) LaneOpen {
  float travel[kBatch];  ///< [m] By how much the two may come nearer from there.
  int pair;
  unsigned lanes;  ///< A bit for each.
};

/// The most that a turn may be [rad].
inline constexpr float kMostTurn = 1000.0F;

/// No pair.
inline constexpr unsigned kNoPair = ~0U;

struct CollisionKernels {
  const char* name;
  /// The wanted pairs whose balls are no further apart than `extra`, as i << 16 | j; returns their number.
  int (*near_pairs)(const BallTable&, float extra, unsigned* pairs);
  /// The wanted pair whose balls are nearest; kNoPair when none is wanted.
  unsigned (*nearest_pair)(const BallTable&);
  /// Forward kinematics of eight configurations, q[position · 8 + lane]. Returns a bit per lane whose numbers
  /// are all within `most`.
  unsigned (*follow_lanes)(const LaneScene&, const float* q);
  /// Where the lanes were placed last: which pairs are near.
  void (*note_near)(const LaneScene&);
  /// Where the lanes were placed last: which of `count` pairs is too near for certain in one of `lanes`, as
  /// its place in the list; negative: none. Needs no note_near().
  int (*hit_among)(const LaneScene&, unsigned lanes, const int* pairs, int count);
  /// Where the lanes were placed last: those of `lanes` in which one of `count` pairs is too near for
  /// certain. Needs no note_near().
  unsigned (*hit_lanes)(const LaneScene&, unsigned lanes, const int* pairs, int count);
  /// The near pairs in `lanes` that their covers cannot clear, at most `most`; returns their number. There
  /// must be room for one more.
  int (*suspects)(const LaneScene&, unsigned lanes, Suspect* found, int most);
  /// The same until the first that is a hit, which is then the last found. `first`: the pair to begin with.
  int (*suspects_to_hit)(const LaneScene&, unsigned lanes, int first, Suspect* found, int most);
  /// Of `count` pairs, or of all when there is no list: those that may come too near while each position
  /// goes up to `rates` (not negative) to either side of where the lanes were placed last; at most `most`.
  int (*open_among)(const LaneScene&, const float* rates, const int* pairs, int count, LaneOpen* found,
                    int most);
};

/// The best that this processor runs.
const CollisionKernels& collision_kernels();
/// The one that every processor runs.
const CollisionKernels& portable_collision_kernels();
/// The one for AVX2 and FMA; nullptr where it was not built or cannot run.
const CollisionKernels* avx2_collision_kernels();

}  // namespace sinew::kernel
