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

/// The two passes: `backward` fills `most` and the strips, `forward` the rest.
struct TimingKernels {
  void (*backward)(const TimingProblem&, const TimingScratch&) = nullptr;
  void (*forward)(const TimingProblem&, const TimingScratch&) = nullptr;
  /// Whether all of `values` are numbers of magnitude `most` at most; `count` is a multiple of kTimingLanes.
  bool (*are_within)(const double* values, int count, double most) = nullptr;
};

const TimingKernels& portable_timing_kernels();
/// Null where the processor has no AVX2.
const TimingKernels* avx2_timing_kernels();

}  // namespace sinew::kernel
