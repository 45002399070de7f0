// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/messages/requests.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/motion/play_progress.h"
#include "sinew/motion/route_finder.h"
#include "sinew/motion/timed_points.h"
#include "sinew/motion/way_check.h"
#include "sinew/trajectory/playback.h"

namespace sinew {

/// How far a motion has come.
enum class MotionStage : std::uint8_t {
  Queued,    ///< Others that were asked for before it are not done yet.
  Waiting,   ///< For its joints to rest.
  Moving,    ///< Its pieces are being sent.
  Settling,  ///< All are sent and over; the joints arrive.
  Braking,   ///< It was answered; what is left comes to rest.
};

/// A motion that somebody has planned already.
struct PlannedMotion {
  std::uint64_t joint_mask = 0;
  Trajectory trajectory;        ///< Of the joints in the mask, in order; from rest where they are, to rest.
  Posture goal;                 ///< All positions of the robot at its end [rad, m].
  bool may_fall_short = false;  ///< Something between the fingers is no failure.
};

/// Fingers that are sent on and no longer move: something is between them.
struct HoldWatch {
  std::vector<double> positions;  ///< [rad, m] Where all joints were when these last moved.
  std::int64_t since_ns = 0;      ///< When that was.
};

/// A line or a circle that another runs into without a stop: a part of the same trajectory.
struct JoinedRequest {
  std::uint64_t number = 0;
  Request request;
  double end = 0.0;  ///< [s] Of the trajectory: when it counts as done.
};

/// A request that moves joints, from being asked to being over.
struct MotionInHand {
  std::uint64_t number = 0;
  std::uint64_t step = 0;  ///< Not zero: of a program, which asked for it under its own number.
  Request request;
  const ArmSolver* arm = nullptr;  ///< Null: the joints are given.
  std::uint64_t joint_mask = 0;
  MotionStage stage = MotionStage::Waiting;
  std::int64_t asked_ns = 0;
  bool has_halted = false;             ///< Its joints were told to stand still.
  std::int64_t began_ns = 0;           ///< To move at all.
  std::int64_t stage_ns = 0;           ///< This way, or this stage.
  std::uint64_t refusals_before = 0;   ///< Of the controller, when it began.
  int begins = 0;                      ///< How often its first piece has been sent.
  std::optional<PlannedMotion> given;  ///< Nothing to be planned.
  const Gripper* gripper = nullptr;    ///< RequestVerb::MoveGripper: which.
  bool may_fall_short = false;         ///< Something between the fingers is no failure.
  HoldWatch hold;
  std::optional<TimedPoints> points;  ///< A trajectory that somebody gave.
  std::vector<Posture> stops;         ///< The goal last; empty: not planned yet.
  std::optional<Trajectory> planned;  ///< Not begun yet.
  Playback playback;
  double wanted_rate = 0.0;     ///< The share of its speed that was last asked of it.
  bool has_lost_press = false;  ///< The press that held it is over: only another one lets it go on.
  PlayProgress progress;
  std::optional<WayConflict> conflict;  ///< What has come into its way, while it slows down towards it.
  std::int64_t waits_since_ns = 0;      ///< Before that.
  bool replans = false;                 ///< It comes to rest, and is planned anew.
  std::vector<JoinedRequest> joined;  ///< What it runs into, in order; each takes its place when it is done.
  double part_end = 0.0;              ///< [s] Of the trajectory: when what it runs into takes its place.
  std::uint64_t sent_as = 0;          ///< The number that its pieces carry.
  bool is_refused = false;            ///< By the controller, which plays what it has of it: no more is sent.
  ToolGoal goal;
  Posture
      counted_from;  ///< Where the robot was when it was first planned: a relative goal counts from there.
  std::uint32_t steps = 0;   ///< Of the solver.
  bool is_answered = false;  ///< For good.
  std::string failure;       ///< Why it has failed just now: those behind it are to be told.
  bool is_over = false;      ///< To be forgotten.

  /// Whether it is still to be done: neither over nor only braking.
  bool is_due() const { return !is_over && stage != MotionStage::Braking; }
};

}  // namespace sinew
