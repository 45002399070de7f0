// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/stop_course.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/assert.h"

namespace sinew {

void StopCourse::set(const AxisProfile& stop) SINEW_REALTIME {
  const std::span<const ProfilePiece> pieces = stop.pieces();
  SINEW_ASSERT(pieces.size() <= kMostPieces && stop.end_velocity() == 0.0);
  duration_ = stop.duration();
  end_position_ = stop.end_position();
  count_ = pieces.size();
  std::copy(pieces.begin(), pieces.end(), pieces_.begin());
}

void StopCourse::rest_at(double position) SINEW_REALTIME {
  duration_ = 0.0;
  end_position_ = position;
  count_ = 0;
}

// count_: it rests
std::size_t StopCourse::piece_at(double time) const {
  if (!(time < duration_)) return count_;
  std::size_t i = 0;
  while (i + 1 < count_ && pieces_[i + 1].start_time <= time) ++i;
  return i;
}

double StopCourse::end_of(std::size_t piece) const {
  if (piece == count_) return std::numeric_limits<double>::infinity();
  return piece + 1 < count_ ? pieces_[piece + 1].start_time : duration_;
}

double StopCourse::jerk_on(std::size_t piece) const {
  return piece == count_ ? 0.0 : pieces_[piece].jerk;
}

AxisState StopCourse::state_on(std::size_t piece, double time) const {
  if (piece == count_) return {.position = end_position_};
  const ProfilePiece& on = pieces_[piece];
  return advance(on.start, on.jerk, std::max(0.0, time - on.start_time));
}

double StopCourse::position_at(double time) const SINEW_REALTIME {
  return state_on(piece_at(time), time).position;
}

// It is linear between those times when the jerk changes.
double StopCourse::largest_acceleration(double begin, double end) const SINEW_REALTIME {
  double largest = std::max(std::abs(state_on(piece_at(begin), begin).acceleration),
                            std::abs(state_on(piece_at(end), end).acceleration));
  for (const ProfilePiece& piece : pieces())
    if (piece.start_time > begin && piece.start_time < end)
      largest = std::max(largest, std::abs(piece.start.acceleration));
  return largest;
}

// On a piece the velocity has a low where the acceleration passes zero upwards, and nowhere else.
bool StopCourse::turns() const SINEW_REALTIME {
  if (count_ == 0) return false;
  const AxisState& first = pieces_.front().start;
  const double forward = std::copysign(1.0, first.velocity != 0.0 ? first.velocity : first.acceleration);
  for (std::size_t i = 0; i < count_; ++i) {
    const double ends_with = i + 1 < count_ ? pieces_[i + 1].start.acceleration : 0.0;
    const AxisState& start = pieces_[i].start;
    if (forward * start.velocity < 0.0) return true;
    if (forward * start.acceleration < 0.0 && forward * ends_with > 0.0) return true;
  }
  return false;
}

// Between two of the times when either jerk changes, the difference is off its chord by at most its largest
// second derivative, which is linear there, times the square of their distance over eight. It is itself a
// motion, and goes on with the difference of the jerks.
double most_apart(const StopCourse& a, double begin, const StopCourse& b) SINEW_REALTIME {
  std::size_t on_a = a.piece_at(begin);
  std::size_t on_b = b.piece_at(0.0);
  const AxisState of_a = a.state_on(on_a, begin);
  const AxisState of_b = b.state_on(on_b, 0.0);
  AxisState apart{.position = of_a.position - of_b.position,
                  .velocity = of_a.velocity - of_b.velocity,
                  .acceleration = of_a.acceleration - of_b.acceleration};
  double most = std::abs(apart.position);
  double time = 0.0;
  // each turn ends a piece of either
  while (on_a < a.count_ || on_b < b.count_) {
    const double end_of_a = a.end_of(on_a) - begin;
    const double end_of_b = b.end_of(on_b);
    const double next = std::min(end_of_a, end_of_b);
    const double length = next - time;
    const AxisState then = advance(apart, a.jerk_on(on_a) - b.jerk_on(on_b), length);
    const double bend = std::max(std::abs(apart.acceleration), std::abs(then.acceleration));
    most = std::max(
        most, std::max(std::abs(apart.position), std::abs(then.position)) + bend * length * length / 8.0);
    if (end_of_a <= next) ++on_a;
    if (end_of_b <= next) ++on_b;
    apart = then;
    time = next;
  }
  return most;
}

}  // namespace sinew
