// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sinew/base/realtime.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// How a device finds out where its joints are: one after the other is led over its switch, and where the
/// switch closes, coming from below and slowly, the joint is at the switch's edge.
///
/// From beside the cam it first goes up, and at the end stop it turns round; then down through the cam, as
/// far below it as the cam is wide, and up again: so a joint that stands at its switch is looked for as any
/// other. A value that moves nothing itself; knows no physics and no clock.
class HomingSearch {
 public:
  /// `model` must outlive this object.
  explicit HomingSearch(const RobotModel& model) : model_(model) {}

  void begin() SINEW_REALTIME;
  void end() SINEW_REALTIME { phase_ = Phase::Idle; }

  bool is_searching() const SINEW_REALTIME { return phase_ != Phase::Idle && phase_ != Phase::Lost; }
  /// A switch was found nowhere between the end stops; until the next search.
  bool is_lost() const SINEW_REALTIME { return phase_ == Phase::Lost; }

  /// What is to be done next.
  struct Order {
    std::size_t joint = kNone;       ///< The position that moves; kNone: all stand.
    double velocity = 0.0;           ///< [rad/s, m/s]
    std::size_t is_at_edge = kNone;  ///< The position that stands at its switch's edge right now.
  };
  /// `q`: where the joints really are [rad, m], which no encoder tells yet, but their cams.
  Order step(std::span<const double> q) SINEW_REALTIME;

 private:
  enum class Phase : std::uint8_t {
    Idle,
    Begin,    ///< Of the next switch.
    Up,       ///< Towards the cam, or the upper end stop.
    Down,     ///< From there towards the cam.
    Through,  ///< Down until it is below the cam.
    Clear,    ///< On from there, until it is as far below as the cam is wide.
    Latch,    ///< Up to the edge.
    Lost,
  };
  void enter(Phase phase, double q) SINEW_REALTIME;
  Phase next_phase(const HomeSwitch& home, double q) const SINEW_REALTIME;
  double clearance_of(const HomeSwitch& home) const SINEW_REALTIME;
  bool is_closed(const HomeSwitch& home, double q) const SINEW_REALTIME;

  const RobotModel& model_;
  Phase phase_ = Phase::Idle;
  std::size_t number_ = 0;  ///< Of the switch that is looked for.
  double from_ = 0.0;       ///< [rad, m] Where this phase began.
};

}  // namespace sinew
