// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/homing_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kAtStop = 1e-3;  // [rad, m] so near to its limit a joint is at its end stop

}  // namespace

void HomingSearch::begin() SINEW_REALTIME {
  number_ = 0;
  phase_ = model_.homing.empty() ? Phase::Idle : Phase::Begin;
}

bool HomingSearch::is_closed(const HomeSwitch& home, double q) const SINEW_REALTIME {
  double above = q - home.edge;
  // the cam of a joint that turns without end comes by at each turn
  const bool is_endless = model_.joints[model_.positions[home.position]].kind == JointKind::Continuous;
  if (is_endless) above -= kTurn * std::floor(above / kTurn);
  return above >= 0.0 && above < home.width;
}

// Below the cam [rad, m]; of a joint that turns without end no further than to the middle between its two
// ends.
double HomingSearch::clearance_of(const HomeSwitch& home) const SINEW_REALTIME {
  const bool is_endless = model_.joints[model_.positions[home.position]].kind == JointKind::Continuous;
  return is_endless ? std::min(home.width, 0.5 * (kTurn - home.width)) : home.width;
}

void HomingSearch::enter(Phase phase, double q) SINEW_REALTIME {
  phase_ = phase;
  from_ = q;
}

HomingSearch::Phase HomingSearch::next_phase(const HomeSwitch& home, double q) const SINEW_REALTIME {
  const Joint& joint = model_.joints[model_.positions[home.position]];
  const bool is_on_cam = is_closed(home, q);
  // an endless joint has seen all after a turn
  const bool is_round = joint.kind == JointKind::Continuous && std::abs(q - from_) > kTurn + home.width;
  const bool is_at_upper = q >= joint.limits.upper - kAtStop;
  const bool is_at_lower = q <= joint.limits.lower + kAtStop;
  switch (phase_) {
    case Phase::Begin:
      return is_on_cam ? Phase::Through : Phase::Up;
    case Phase::Up:
      if (is_on_cam) return Phase::Through;
      if (is_round) return Phase::Lost;
      return is_at_upper ? Phase::Down : Phase::Up;
    case Phase::Down:
      if (is_on_cam) return Phase::Through;
      return is_at_lower ? Phase::Lost : Phase::Down;
    case Phase::Through:
      if (!is_on_cam) return Phase::Clear;
      return is_at_lower || is_round ? Phase::Lost : Phase::Through;
    case Phase::Clear:
      return from_ - q >= clearance_of(home) || is_at_lower ? Phase::Latch : Phase::Clear;
    case Phase::Latch:
      if (is_on_cam) return Phase::Begin;
      return is_at_upper || is_round ? Phase::Lost : Phase::Latch;
    case Phase::Idle:
    case Phase::Lost:
      break;
  }
  return phase_;
}

HomingSearch::Order HomingSearch::step(std::span<const double> q) SINEW_REALTIME {
  if (!is_searching()) return {};
  const HomeSwitch& home = model_.homing[number_];
  const Phase before = phase_;
  const Phase next = next_phase(home, q[home.position]);
  if (next != before) enter(next, q[home.position]);
  switch (phase_) {
    case Phase::Up:
      return {.joint = home.position, .velocity = home.speed};
    case Phase::Down:
    case Phase::Through:
    case Phase::Clear:
      return {.joint = home.position, .velocity = -home.speed};
    case Phase::Latch:
      return {.joint = home.position, .velocity = home.latch_speed};
    default:
      break;
  }
  if (phase_ == Phase::Lost) return {};
  // the edge of this one is here
  if (++number_ == model_.homing.size()) phase_ = Phase::Idle;
  return {.is_at_edge = home.position};
}

}  // namespace sinew
