// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sinew/base/realtime.h"
#include "sinew/trajectory/axis_profile.h"

namespace sinew {

/// The way of one joint to a stop. As small as can be: the cycle reads those of all joints, and a millisecond
/// after the last one they are far from its caches. A value; does not allocate.
class StopCourse {
 public:
  /// As many as plan_stop() makes: one to bring the acceleration back, two to ease off, three to rest.
  static constexpr std::size_t kMostPieces = 6;

  /// Of plan_stop().
  void set(const AxisProfile& stop) SINEW_REALTIME;
  /// At rest at `position` [rad, m].
  void rest_at(double position) SINEW_REALTIME;

  double duration() const SINEW_REALTIME { return duration_; }
  double end_position() const SINEW_REALTIME { return end_position_; }

  /// Where the joint is, `time` [s] after the begin [rad, m].
  double position_at(double time) const SINEW_REALTIME;
  /// The largest acceleration between two times [rad/s², m/s²].
  double largest_acceleration(double begin, double end) const SINEW_REALTIME;
  /// False: the velocity never changes its sign. True: it may.
  bool turns() const SINEW_REALTIME;

  /// A bound of how far two are apart at any time: `a` from `begin` [s] on, and `b` from its own begin
  /// [rad, m].
  friend double most_apart(const StopCourse& a, double begin, const StopCourse& b) SINEW_REALTIME;

 private:
  std::span<const ProfilePiece> pieces() const { return {pieces_.data(), count_}; }
  std::size_t piece_at(double time) const;
  double end_of(std::size_t piece) const;
  double jerk_on(std::size_t piece) const;
  AxisState state_on(std::size_t piece, double time) const;

  double duration_ = 0.0;      // [s]
  double end_position_ = 0.0;  // [rad, m]
  std::size_t count_ = 0;
  std::array<ProfilePiece, kMostPieces> pieces_;
};

double most_apart(const StopCourse& a, double begin, const StopCourse& b) SINEW_REALTIME;

}  // namespace sinew
