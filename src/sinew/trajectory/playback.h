// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// A piece of a motion that is being played: one polynomial of the time since its start [s] for each joint.
struct PlayedPiece {
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  bool is_last = false;  ///< It ends at rest, and so does the motion.
  std::vector<Coefficients> polynomials;
};

/// Plays a trajectory at a share of its speed that may be changed at any time, down to a pause: the joints
/// stay on their path, and no limit is exceeded while the speed changes.
///
/// Pieces of the trajectory that are shorter than kPiece_ns are joined, as many as one polynomial can stand
/// for within kJoinedError and the limits; where none can, they are given out as they are.
///
/// A change of speed is taken only as a whole that has been checked to the end, the quickest of a few; where
/// none keeps the limits, because the trajectory itself uses them in full just then, it is tried again with
/// the next piece. One thread; allocates.
class Playback {
 public:
  /// Longest piece, and so the longest that a pause has to wait before it begins.
  static constexpr std::int64_t kPiece_ns = 20 * kMillisecond_ns;
  /// By how much a joint may be off its trajectory where pieces were joined [rad, m].
  static constexpr double kJoinedError = 1e-6;
  /// Plan trajectories within this share of the limits: the rest is room for rounding while speed changes.
  static constexpr double kUsableShare = 0.999;

  /// Nothing to play.
  Playback() = default;
  /// Begins at `start_ns`, at the share `rate` of its speed, which may be zero. Refuses a trajectory that
  /// does not keep `limits`, one entry for each joint, or does not begin and end at rest.
  static Result<Playback> make(Trajectory trajectory, std::vector<AxisLimits> limits, std::int64_t start_ns,
                               double rate = 1.0);

  /// What share of its speed is wanted: 0 pauses, 1 is as planned; what lies outside counts as the nearest.
  void set_rate(double rate);

  /// Comes to rest on its path as soon as it can, and is over there.
  void end_early();

  /// After a change of mind: takes back pieces that begin at `from_ns` or later, as far as the change can
  /// then begin with the next piece. False when nothing is taken back: it begins when it can.
  bool take_back(std::int64_t from_ns);

  bool is_over() const { return state_.is_over; }
  /// The next piece, beginning where the last one ended. Must not be called when it is over.
  const PlayedPiece& next();

  /// Up to when pieces have been given out.
  std::int64_t end_ns() const { return state_.now_ns; }
  /// The share of the speed at that time.
  double rate() const;
  /// The time of the trajectory as planned that it then has come to [s].
  double nominal_time() const { return state_.nominal; }
  double nominal_duration() const { return trajectory_.length(); }
  const Trajectory& trajectory() const { return trajectory_; }

 private:
  /// From one rate to another: a cubic, whose slope is `slope` at the begin and zero at the end.
  struct RateChange {
    double from = 1.0;
    double slope = 0.0;  ///< [1/s]
    double to = 1.0;
    double duration = 0.0;  ///< [s]
    double begin = 0.0;     ///< Nominal time when it begins [s].
    std::int64_t begin_ns = 0;

    double rate_at(double time) const;
    double slope_at(double time) const;
    double nominal_at(double time) const;
  };
  struct State {
    std::int64_t now_ns = 0;
    double nominal = 0.0;  ///< [s]
    double rate = 1.0;     ///< When it does not change.
    std::optional<RateChange> change;
    bool is_over = false;
  };

  double time_in_change(const State& state) const;
  double next_knot(double nominal) const;
  void give_steady_piece(State& state, PlayedPiece& piece) const;
  void give_changing_piece(State& state, PlayedPiece& piece) const;
  bool give_joined_piece(State& state, PlayedPiece& piece) const;
  State state_after(const State& state, double duration) const;
  bool stays_near(const State& from, const PlayedPiece& piece) const;
  void give_piece(State& state, PlayedPiece& piece) const;
  void fit(const State& from, const State& to, PlayedPiece& piece) const;
  CurvePoint point_of(const State& state, std::size_t joint) const;
  bool keeps_limits(const PlayedPiece& piece) const;
  bool can_take(const RateChange& change);
  bool consider_change();

  Trajectory trajectory_;
  std::vector<AxisLimits> limits_;
  double wanted_ = 1.0;
  bool ends_early_ = false;
  bool has_new_wish_ = false;
  State state_{.is_over = true};
  std::deque<State> begins_;  // of the newest pieces
  PlayedPiece piece_;
  PlayedPiece tried_;
};

}  // namespace sinew
