// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The inner loops of PathTiming, on plain arrays, compiled once for every processor and once for AVX2 with
/// FMA. Inside this room only. No standard headers here: an inline function compiled for AVX2 must never
/// become the one copy that the linker keeps for all.
namespace sinew::kernel {

/// No bound; squares and products of it stay finite.
inline constexpr double kUnbounded = 1e60;

/// Rows side by side in one register; the count of rows is a multiple of it.
inline constexpr int kTimingLanes = 4;

/// A path and what bounds the motion along it. With x the squared speed and u the acceleration along the
/// path: lower <= a·u + b·x <= upper for each row at each point.
struct TimingProblem {
  int points = 0;
  int rows = 0;                   ///< Padded with rows of zeros.
  const double* s = nullptr;      ///< Of each point.
  const double* a = nullptr;      ///< [point][row]
  const double* b = nullptr;      ///< [point][row]
  const double* lower = nullptr;  ///< [point][row], not above zero
  const double* upper = nullptr;  ///< [point][row], not below zero
  int bounds_stride = 0;          ///< From point to point of the two; zero when they are the same everywhere.
  const double* slowness = nullptr;  ///< [row]: 1 / velocity limit; zero for rows without one.
};

/// The most rows, padded.
inline constexpr int kMostTimingRows = 128;

/// What the kernel works on and gives back, one entry for each point; [interval][strip] where said.
struct TimingScratch {
  double* most =
      nullptr;          ///< In: the bound of x by others. Out: the largest x from which the end is reached.
  double* x = nullptr;  ///< Out, but for x[0].
  double* speed = nullptr;        ///< Out: the square root of x.
  double* time = nullptr;         ///< Out: since the first point.
  double* next_factor = nullptr;  ///< [interval][strip]: x of the next point is at most factor·x + offset.
  double* next_offset = nullptr;
};

/// Joints on one piece of a path, and a motion along it: with s its coordinate, q'(s) = c[0] + c[1]·t + … +
/// c[4]·t⁴, t from the begin of the piece.
struct RateProblem {
  int rows = 0;                       ///< Padded with rows of zeros.
  const double* slope = nullptr;      ///< c: [power][row]
  const double* slowness = nullptr;   ///< [row]: 1 / velocity limit.
  const double* softness = nullptr;   ///< [row]: 1 / acceleration limit.
  const double* roundness = nullptr;  ///< [row]: 1 / jerk limit.
  double t = 0.0;
  double speed = 0.0;  ///< ds/dt, and its derivatives.
  double acceleration = 0.0;
  double jerk = 0.0;
};
/// The largest share that any joint uses of its limits; above 1 it passes one.
struct RateShares {
  double velocity = 0.0;
  double acceleration = 0.0;
  double jerk = 0.0;
};
/// Powers in RateProblem::slope.
inline constexpr int kSlopePowers = 5;

/// The two passes: `backward` fills `most` and the strips, `forward` the rest.
struct TimingKernels {
  void (*backward)(const TimingProblem&, const TimingScratch&) = nullptr;
  void (*forward)(const TimingProblem&, const TimingScratch&) = nullptr;
  /// Whether all of `values` are numbers of magnitude `most` at most; `count` is a multiple of kTimingLanes.
  bool (*are_within)(const double* values, int count, double most) = nullptr;
  /// What a motion along a path uses of the limits at one moment.
  RateShares (*rates)(const RateProblem&) = nullptr;
};

const TimingKernels& portable_timing_kernels();
/// Null where the processor has no AVX2.
const TimingKernels* avx2_timing_kernels();
/// The best that this processor has.
const TimingKernels& timing_kernels();

}  // namespace sinew::kernel
