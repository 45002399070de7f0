// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/kinematics/inverse_dynamics.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// What one position needs at most, anywhere within its limits, and what its motor gives [N·m, N]. Friction
/// and damping are included.
struct JointTorque {
  std::size_t position = kNone;
  double available = 0.0;  ///< Its effort limit.
  double holding = 0.0;    ///< To hold still, in the worst posture.
  double alone = 0.0;      ///< To accelerate or brake at its own limits, the others at rest.
  double together = 0.0;   ///< When all joints set out at once, each at its acceleration limit.
  /// The acceleration [rad/s², m/s²] that the motor has left for `alone`, in the worst posture; zero: none.
  double acceleration = 0.0;
  std::vector<double> worst;  ///< The posture in which holding is worst: one number per position [rad, m].
};

/// Whether the limits of a robot can be reached with the efforts of its motors.
struct TorqueCheck {
  std::vector<JointTorque> joints;     ///< The enabled positions whose effort is known, in order.
  std::vector<std::string> unweighed;  ///< Links that have a shape and no mass: then nothing is checked.
  std::vector<std::size_t> motorless;  ///< Enabled positions whose effort is missing or zero.
};

/// A mass at the end of an arm, or elsewhere.
struct Payload {
  std::size_t link = kNone;
  double mass = 0.0;               ///< [kg]
  Vector3 p_LC = Vector3::Zero();  ///< Its centre on the link [m].
};

struct TorqueCheckOptions {
  Vector3 gravity = kStandardGravity;  ///< In the axes of the root link [m/s²].
  std::optional<Payload> payload = std::nullopt;
  bool is_static = false;  ///< True: only what it takes to hold is looked for.
  std::uint64_t seed = 1;  ///< Of the postures that are drawn.
};

/// Looks for the worst postures: draws some, then climbs from the worst of them. The same for the same seed.
TorqueCheck check_torques(const RobotModel& model, const TorqueCheckOptions& options = {});

/// A servo needs something in hand: so much of its effort may be planned with [1].
inline constexpr double kPlannedEffort = 0.95;

/// What is wrong, and what is not known, one sentence each, with joint, needed and available torque.
struct TorqueRemark {
  bool cannot_hold = false;  ///< The robot falls; otherwise it lags behind, or nothing is known.
  std::string what;
  std::string remedy;
};
std::vector<TorqueRemark> torque_remarks(const RobotModel& model, const TorqueCheck& check);

/// The payload of `mass` at the tip of an arm: at the origin of its first tool, or of its tip link.
Payload payload_at_tip(const RobotModel& model, std::size_t arm, double mass);
/// A payload with its centre at `p_FC` in the flange of a chain.
Payload payload_at_flange(const SerialChain& flange, const RobotModel& model, double mass,
                          const Vector3& p_FC);
/// Which joint could not hold the payload in its worst posture, and what it needs and has; empty: all can, or
/// it is not known. Joints that cannot hold the robot even without it are not named.
std::string too_heavy_sentence(const RobotModel& model, const Payload& payload);

/// Links that joints move and that have a shape, but no mass.
std::vector<std::string> unweighed_links(const RobotModel& model);
bool is_effort_known(const JointLimits& limits);

}  // namespace sinew
