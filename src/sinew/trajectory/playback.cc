// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/playback.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/assert.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

constexpr double kSecond = 1e9;  // in nanoseconds
constexpr double kPiece = 1e-9 * static_cast<double>(Playback::kPiece_ns);
constexpr double kShortest = 2e-5;        // [s] a stretch between knots too short to matter
constexpr double kLimitTolerance = 1e-6;  // as a share of the limit, for times in whole nanoseconds
constexpr double kShortestJoined = 1e-3;  // [s]
constexpr int kJoinedLooks = 8;           // into how many parts a joined piece is divided to be looked at
constexpr std::size_t kBeginsKept = 64;
// [s] a quarter apart: so much longer than needed a stop may take
constexpr std::array kChangeTimes{0.05, 0.063, 0.08, 0.1,  0.125, 0.16, 0.2, 0.25, 0.32, 0.4, 0.5,
                                  0.63, 0.8,   1.0,  1.25, 1.6,   2.0,  2.5, 3.2,  4.0,  5.0, 6.4};

double to_seconds(std::int64_t time_ns) {
  return static_cast<double>(time_ns) / kSecond;
}

/// Up to the next whole nanosecond, at least one.
std::int64_t up_to_ns(double time) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(time * kSecond - 1e-3)));
}

AxisLimits widened(AxisLimits limits) {
  limits.velocity *= 1.0 + kLimitTolerance;
  limits.acceleration *= 1.0 + kLimitTolerance;
  limits.jerk *= 1.0 + kLimitTolerance;
  return limits;
}

bool is_at_rest(const Trajectory& trajectory, double t, std::span<const AxisLimits> limits) {
  for (std::size_t j = 0; j < trajectory.joint_count(); ++j) {
    const CurvePoint point = trajectory.at(j, t);
    if (std::abs(point.first) > 1e-6 * limits[j].velocity) return false;
    if (std::abs(point.second) > 1e-6 * limits[j].acceleration) return false;
  }
  return true;
}

}  // namespace

double Playback::RateChange::rate_at(double time) const {
  const double t = std::min(time / duration, 1.0);
  return from + t * duration * slope * (1.0 - t) * (1.0 - t) + (to - from) * t * t * (3.0 - 2.0 * t);
}

double Playback::RateChange::slope_at(double time) const {
  const double t = std::min(time / duration, 1.0);
  return slope * (1.0 - t) * (1.0 - 3.0 * t) + (to - from) / duration * 6.0 * t * (1.0 - t);
}

// the integral of rate_at
double Playback::RateChange::nominal_at(double time) const {
  const double t = std::min(time / duration, 1.0);
  const double by_slope = slope * duration * t * t * (0.5 - t * (2.0 / 3.0) + t * t * 0.25);
  const double by_difference = (to - from) * t * t * t * (1.0 - 0.5 * t);
  return begin + duration * (from * t + by_slope + by_difference);
}

Result<Playback> Playback::make(Trajectory trajectory, std::vector<AxisLimits> limits, std::int64_t start_ns,
                                double rate) {
  if (trajectory.piece_count() == 0) {
    return Error{ErrorCode::InvalidInput, "there is nothing to play: the trajectory has no pieces"};
  }
  const TrajectoryCheck check = check_trajectory(trajectory, limits);
  if (!check) return trajectory_status(check).error();
  if (!is_at_rest(trajectory, 0.0, limits) || !is_at_rest(trajectory, trajectory.length(), limits)) {
    return Error{ErrorCode::InvalidInput, "a trajectory to be played must begin and end at rest"};
  }
  Playback playback;
  playback.trajectory_ = std::move(trajectory);
  playback.limits_ = std::move(limits);
  playback.wanted_ = rate >= 0.0 ? std::min(rate, 1.0) : 0.0;
  // at rest it may begin at any rate
  playback.state_ = {.now_ns = start_ns, .rate = playback.wanted_};
  return playback;
}

void Playback::set_rate(double rate) {
  const double wanted = rate >= 0.0 ? std::min(rate, 1.0) : 0.0;
  if (ends_early_ || wanted == wanted_) return;
  wanted_ = wanted;
  has_new_wish_ = true;
}

void Playback::end_early() {
  if (ends_early_) return;
  wanted_ = 0.0;
  ends_early_ = true;
  has_new_wish_ = true;
}

bool Playback::take_back(std::int64_t from_ns) {
  if (!std::exchange(has_new_wish_, false)) return false;
  const State newest = state_;
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    if (begins_[i].now_ns < from_ns) continue;
    state_ = begins_[i];
    if (!consider_change()) continue;
    begins_.resize(i);
    return true;
  }
  state_ = newest;
  return false;
}

double Playback::rate() const {
  return state_.change ? state_.change->rate_at(time_in_change(state_)) : state_.rate;
}

double Playback::time_in_change(const State& state) const {
  return to_seconds(state.now_ns - state.change->begin_ns);
}

/// The next place where the trajectory is another polynomial, but none that is very near [s].
double Playback::next_knot(double nominal) const {
  const auto knots = trajectory_.knots();
  const auto knot = std::upper_bound(knots.begin(), knots.end(), nominal + kShortest);
  return knot == knots.end() ? knots.back() : *knot;
}

/// Value and derivatives by time of a joint.
CurvePoint Playback::point_of(const State& state, std::size_t joint) const {
  CurvePoint point = trajectory_.at(joint, state.nominal);
  const double time = state.change ? time_in_change(state) : 0.0;
  const double rate = state.change ? state.change->rate_at(time) : state.rate;
  const double slope = state.change ? state.change->slope_at(time) : 0.0;
  point.second = point.second * rate * rate + point.first * slope;
  point.first *= rate;
  return point;
}

/// At a constant rate: the trajectory's own polynomials, beginning where it has come to.
void Playback::give_steady_piece(State& state, PlayedPiece& piece) const {
  // a time just short of a knot is rounding: the piece before it is over
  const std::size_t index = trajectory_.piece_at(state.nominal + 1e-11);
  const double left = trajectory_.knots()[index + 1] - state.nominal;
  const bool reaches_knot = left <= state.rate * kPiece;
  piece.duration_ns = reaches_knot ? up_to_ns(left / state.rate) : kPiece_ns;
  for (std::size_t j = 0; j < trajectory_.joint_count(); ++j) {
    Coefficients c = shifted(trajectory_.polynomial(index, j), state.nominal - trajectory_.knots()[index]);
    double power = state.rate;
    for (std::size_t k = 1; k < c.size(); ++k, power *= state.rate) c[k] *= power;
    piece.polynomials[j] = c;
  }
  state.now_ns += piece.duration_ns;
  state.nominal += state.rate * to_seconds(piece.duration_ns);
}

/// While the rate changes: quintics between the states at both ends.
void Playback::give_changing_piece(State& state, PlayedPiece& piece) const {
  const State from = state;
  const RateChange change = *state.change;
  const double now = time_in_change(state);
  const double knot = next_knot(state.nominal);
  double end = std::min(now + kPiece, change.duration);
  if (change.nominal_at(end) > knot) {
    double before = now;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (before + end);
      (change.nominal_at(middle) < knot ? before : end) = middle;
    }
  }
  piece.duration_ns = up_to_ns(end - now);
  state.now_ns += piece.duration_ns;
  const double then = time_in_change(state);
  state.nominal = change.nominal_at(then) + change.to * std::max(0.0, then - change.duration);
  fit(from, state, piece);
  if (then >= change.duration) {
    state.rate = change.to;
    state.change.reset();
  }
}

/// `duration` [s] on, over all knots; no further than the end of the trajectory, or of a change of rate.
Playback::State Playback::state_after(const State& state, double duration) const {
  State after = state;
  if (state.change) {
    after.now_ns += up_to_ns(std::min(duration, state.change->duration - time_in_change(state)));
    after.nominal = state.change->nominal_at(time_in_change(after));
    return after;
  }
  const double left = (trajectory_.length() - state.nominal) / state.rate;
  const std::int64_t duration_ns = up_to_ns(std::min(duration, left));
  after.now_ns += duration_ns;
  after.nominal += state.rate * to_seconds(duration_ns);
  return after;
}

/// As many pieces of the trajectory as one quintic can stand for. False: there is nothing to join.
bool Playback::give_joined_piece(State& state, PlayedPiece& piece) const {
  // two pieces stay two: a single change of jerk is played as it is
  const double knot = next_knot(next_knot(state.nominal));
  for (double duration = kPiece; duration >= kShortestJoined; duration *= 0.5) {
    State after = state_after(state, duration);
    if (after.nominal <= knot) return false;
    // where a change of rate meets the end it takes the last stretch in its own way
    if (state.change && after.nominal >= trajectory_.length()) continue;
    piece.duration_ns = after.now_ns - state.now_ns;
    fit(state, after, piece);
    if (!keeps_limits(piece) || !stays_near(state, piece)) continue;
    if (after.change && time_in_change(after) >= after.change->duration) {
      after.rate = after.change->to;
      after.change.reset();
    }
    state = after;
    return true;
  }
  return false;
}

bool Playback::stays_near(const State& from, const PlayedPiece& piece) const {
  const double length = to_seconds(piece.duration_ns);
  for (int k = 1; k < kJoinedLooks; ++k) {
    const double time = length * k / kJoinedLooks;
    const double nominal =
        from.change ? from.change->nominal_at(time_in_change(from) + time) : from.nominal + from.rate * time;
    for (std::size_t j = 0; j < trajectory_.joint_count(); ++j) {
      const double off = evaluate(piece.polynomials[j], time).value - trajectory_.at(j, nominal).value;
      if (!(std::abs(off) <= kJoinedError)) return false;
    }
  }
  return true;
}

void Playback::fit(const State& from, const State& to, PlayedPiece& piece) const {
  const double length = to_seconds(piece.duration_ns);
  for (std::size_t j = 0; j < trajectory_.joint_count(); ++j) {
    piece.polynomials[j] = quintic_between(point_of(from, j), point_of(to, j), length);
  }
}

void Playback::give_piece(State& state, PlayedPiece& piece) const {
  piece.start_ns = state.now_ns;
  piece.polynomials.assign(trajectory_.joint_count(), {});
  const bool moves = state.change || state.rate > 0.0;
  if (moves && give_joined_piece(state, piece)) {
    // several pieces of the trajectory at once
  } else if (state.change) {
    give_changing_piece(state, piece);
  } else if (state.rate > 0.0) {
    give_steady_piece(state, piece);
  } else {
    piece.duration_ns = kPiece_ns;
    for (std::size_t j = 0; j < trajectory_.joint_count(); ++j) {
      piece.polynomials[j][0] = trajectory_.at(j, state.nominal).value;
    }
    state.now_ns += kPiece_ns;
  }
  state.is_over = state.nominal >= trajectory_.length() - 1e-12;
  piece.is_last = state.is_over;
}

bool Playback::keeps_limits(const PlayedPiece& piece) const {
  for (std::size_t j = 0; j < trajectory_.joint_count(); ++j) {
    const PolynomialSegment segment{.time = {.start_ns = 0, .duration_ns = piece.duration_ns},
                                    .coefficient = piece.polynomials[j]};
    if (check_segment(segment, widened(limits_[j])).fault != SegmentFault::None) return false;
  }
  return true;
}

/// Whether the limits are kept from now to the end of `change`.
bool Playback::can_take(const RateChange& change) {
  for (int i = 1; i < 16; ++i) {
    const double rate = change.rate_at(change.duration * i / 16.0);
    if (!(rate >= 0.0 && rate <= 1.0)) return false;
  }
  State state = state_;
  state.change = change;
  while (state.change && !state.is_over) {
    give_piece(state, tried_);
    if (!keeps_limits(tried_)) return false;
  }
  return true;
}

// Answers whether it goes towards what is wanted now.
bool Playback::consider_change() {
  const double towards = state_.change ? state_.change->to : state_.rate;
  if (wanted_ == towards) return true;
  RateChange change{.from = rate(), .to = wanted_, .begin = state_.nominal, .begin_ns = state_.now_ns};
  if (state_.change) change.slope = state_.change->slope_at(time_in_change(state_));
  for (const double duration : kChangeTimes) {
    change.duration = duration;
    if (!can_take(change)) continue;
    state_.change = change;
    return true;
  }
  return false;
}

const PlayedPiece& Playback::next() {
  SINEW_ASSERT(!state_.is_over);
  consider_change();
  if (begins_.size() == kBeginsKept) begins_.pop_front();
  begins_.push_back(state_);
  give_piece(state_, piece_);
  const bool is_paused = !state_.change && state_.rate == 0.0;
  if (ends_early_ && is_paused) state_.is_over = piece_.is_last = true;
  return piece_;
}

}  // namespace sinew
