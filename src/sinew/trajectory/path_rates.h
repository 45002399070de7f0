// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/trajectory/joint_path.h"

namespace sinew {

/// What a motion along a path asks of the joints: their derivatives, laid out for many questions. Inside this
/// room only.
class PathRates {
 public:
  /// `path` must outlive it; `sections` are its limits, at least one.
  PathRates(const JointPath& path, std::span<const LimitSection> sections);

  /// By how much the motion must be slower to keep the limits of velocity, acceleration and jerk where the
  /// path's coordinate and its derivatives by time are `s`; what is not above 1 says only that it keeps them.
  /// `piece` is a guess of the path's piece there, and is set to it.
  double needed_at(const CurvePoint& s, std::size_t& piece) const;

 private:
  const JointPath& path_;
  std::size_t stride_;
  std::vector<double> slope_;                            // [piece][power][joint]
  std::vector<double> ends_;                             // of the sections
  std::vector<double> slowness_, softness_, roundness_;  // [section][joint]
};

}  // namespace sinew
