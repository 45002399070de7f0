// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/trajectory/path_timing.h"

namespace sinew {

/// How far along a path at each time, of a timing that has been solved, averaged over a window of time: which
/// bounds the jerk, because the acceleration then changes evenly. Inside this room only.
class AveragedLaw {
 public:
  /// Where the last question was, so that the next one near to it is answered at once.
  struct Cursor {
    std::size_t now = 0;
    std::size_t then = 0;
  };

  /// Of `timing`, over `window` [s]. Keeps its memory.
  void take(const PathTiming& timing, double window);

  double window() const { return window_; }                           ///< [s]
  double duration() const { return moments_.back().time + window_; }  ///< [s]

  /// Where it is, with three derivatives by time.
  CurvePoint at(double time) const;
  /// The same; `cursor` is moved there.
  CurvePoint at(double time, Cursor& cursor) const;
  /// Moves `cursor` to `time`: what at() says there follows from moments() `then` to `now` + 1 alone.
  void move_to(double time, Cursor& cursor) const;

  /// When it is at `s` [s].
  double time_at(double s) const;

  /// What is averaged.
  const std::vector<PathMoment>& moments() const { return moments_; }

 private:
  struct Point {
    double integral = 0.0;
    double s = 0.0;
    double speed = 0.0;
    double acceleration = 0.0;
  };
  Cursor cursor_at(double time) const;
  double part(std::size_t i, double t) const;
  Point raw(double time, std::size_t at) const;

  std::vector<PathMoment> moments_;
  std::vector<double> integral_;  // of s, at each moment
  double window_ = 0.0;
};

}  // namespace sinew
