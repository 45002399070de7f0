// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/axis_profile.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

void widen(PositionRange& range, double position) noexcept {
  range.lowest = std::min(range.lowest, position);
  range.highest = std::max(range.highest, position);
}

// where the velocity of a piece vanishes between its ends, the position turns
void widen_by_turns(PositionRange& range, const ProfilePiece& piece, double length) noexcept {
  const double v = piece.start.velocity;
  const double a = piece.start.acceleration;
  const double discriminant = a * a - 2.0 * piece.jerk * v;
  if (discriminant < 0.0) return;
  const double q = -(a + std::copysign(std::sqrt(discriminant), a));
  for (const double time : {piece.jerk != 0.0 ? q / piece.jerk : -1.0, q != 0.0 ? 2.0 * v / q : -1.0}) {
    if (time > 0.0 && time < length) widen(range, advance(piece.start, piece.jerk, time).position);
  }
}

}  // namespace

AxisState AxisProfile::at(double time) const noexcept {
  if (!(time < duration_)) {
    if (end_velocity_ == 0.0) return {.position = end_position_};
    return {.position = end_position_ + (time - duration_) * end_velocity_, .velocity = end_velocity_};
  }
  std::size_t i = 0;
  while (i + 1 < count_ && pieces_[i + 1].start_time <= time) ++i;
  const ProfilePiece& piece = pieces_[i];
  return advance(piece.start, piece.jerk, std::max(0.0, time - piece.start_time));
}

double AxisProfile::position_at(double time) const noexcept {
  if (!(time < duration_)) return end_position_ + std::max(0.0, time - duration_) * end_velocity_;
  std::size_t i = 0;
  while (i + 1 < count_ && pieces_[i + 1].start_time <= time) ++i;
  const ProfilePiece& piece = pieces_[i];
  return advance(piece.start, piece.jerk, std::max(0.0, time - piece.start_time)).position;
}

double AxisProfile::jerk_at(double time) const noexcept {
  if (!(time < duration_)) return 0.0;
  std::size_t i = 0;
  while (i + 1 < count_ && pieces_[i + 1].start_time <= time) ++i;
  return pieces_[i].jerk;
}

PositionRange AxisProfile::range() const noexcept {
  PositionRange range{.lowest = end_position_, .highest = end_position_};
  for (std::size_t i = 0; i < count_; ++i) {
    widen(range, pieces_[i].start.position);
    const double end_time = i + 1 < count_ ? pieces_[i + 1].start_time : duration_;
    widen_by_turns(range, pieces_[i], end_time - pieces_[i].start_time);
  }
  return range;
}

void AxisProfile::stretch(double factor) noexcept {
  duration_ *= factor;
  end_velocity_ /= factor;
  for (std::size_t i = 0; i < count_; ++i) {
    ProfilePiece& piece = pieces_[i];
    piece.start_time *= factor;
    piece.start.velocity /= factor;
    piece.start.acceleration /= factor * factor;
    piece.jerk /= factor * factor * factor;
  }
}

void AxisProfile::end_moving(const AxisState& end, double duration) noexcept {
  end_position_ = end.position;
  end_velocity_ = end.velocity;
  duration_ = duration;
}

}  // namespace sinew
