// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sinew/base/assert.h"
#include "sinew/trajectory/axis.h"

namespace sinew {

/// One stretch of constant jerk.
struct ProfilePiece {
  double start_time = 0.0;  ///< [s] since the profile's begin.
  double jerk = 0.0;        ///< [rad/s³, m/s³]
  AxisState start;
};

/// The smallest and largest position that a profile passes.
struct PositionRange {
  double lowest = 0.0;   ///< [rad, m]
  double highest = 0.0;  ///< [rad, m]
};

/// The motion of one axis from a state to rest, or to a steady velocity: pieces of constant jerk, one after
/// the other. Position, velocity and acceleration are continuous. A value; does not allocate.
class AxisProfile {
 public:
  /// To rest: two to ease off before a position limit, one to bring the acceleration back, seven to the
  /// target. From state to state: four back into the limits, then two motions of seven pieces each, mixed.
  static constexpr std::size_t kMostPieces = 18;

  /// At rest at zero.
  AxisProfile() = default;

  /// At rest at `position` for all times.
  explicit AxisProfile(double position) SINEW_REALTIME : end_position_(position) {}

  /// How long until rest, or until the velocity is steady [s].
  double duration() const SINEW_REALTIME { return duration_; }

  /// Where it comes to rest, or is at duration() [rad, m].
  double end_position() const SINEW_REALTIME { return end_position_; }

  /// With which velocity it ends [rad/s, m/s]; zero for a motion to rest.
  double end_velocity() const SINEW_REALTIME { return end_velocity_; }

  /// The state `time` [s] after the begin. From duration() on exactly at end_position(), with no velocity and
  /// no acceleration; or, with a velocity, going on from there with that.
  AxisState at(double time) const SINEW_REALTIME;

  /// at(time).position
  double position_at(double time) const SINEW_REALTIME;

  /// The jerk `time` [s] after the begin.
  double jerk_at(double time) const SINEW_REALTIME;

  std::span<const ProfilePiece> pieces() const SINEW_REALTIME { return {pieces_.data(), count_}; }

  /// Which positions it passes, from begin to rest.
  PositionRange range() const SINEW_REALTIME;

  /// The same path `factor` times slower. Only meaningful for a motion that begins at rest: the begin of any
  /// other would change.
  void stretch(double factor) SINEW_REALTIME;

  /// For those who make profiles: begins anew.
  void clear() SINEW_REALTIME {
    count_ = 0;
    duration_ = 0.0;
  }

  /// For those who make profiles: appends `jerk` for `time` [s] to a motion that has come to `state`, and
  /// moves `state` on. Nothing where `time` is not positive.
  void append(AxisState& state, double jerk, double time) SINEW_REALTIME {
    if (!(time > 0.0)) return;
    SINEW_ASSERT(count_ < kMostPieces);
    pieces_[count_++] = {.start_time = duration_, .jerk = jerk, .start = state};
    state = advance(state, jerk, time);
    duration_ += time;
  }

  /// For those who make profiles: where the motion ends. What rounding has left is the difference to the end
  /// of the last piece.
  void end_at(double position) SINEW_REALTIME { end_position_ = position; }

  /// The same for a motion that ends with a velocity, at a time that is known better than as a sum of pieces.
  void end_moving(const AxisState& end, double duration) SINEW_REALTIME;

 private:
  std::array<ProfilePiece, kMostPieces> pieces_;
  std::size_t count_ = 0;
  double duration_ = 0.0;
  double end_position_ = 0.0;
  double end_velocity_ = 0.0;
};

}  // namespace sinew
