// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/base/realtime.h"
#include "sinew/drivers/io_board.h"
#include "sinew/messages/joints.h"
#include "sinew/model/robot_model.h"
#include "sinew/simulation/command_rhythm.h"
#include "sinew/simulation/encoders.h"
#include "sinew/simulation/homing_search.h"

namespace sinew {

/// Where one joint's servo is to be now.
struct ServoReference {
  double position = 0.0;      ///< [rad, m]
  double velocity = 0.0;      ///< [rad/s, m/s]
  double acceleration = 0.0;  ///< [rad/s^2, m/s^2]
};

/// The electronics of a simulated robot: takes commands, turns them into references for the servos, watches
/// over their coming, and reports what the encoders count. Knows no physics; time is an argument.
///
/// A reference goes on with its velocity for one period more than the controller's own, 2 ms at least; then
/// the joint brakes, harder than its acceleration limit, and holds. After the watchdog's time the device is
/// at fault until it is reset. `load` is the joint's effort at 1 A per N·m or N.
///
/// Where robot.yaml has `homing`, it is switched on without knowing where the joints with a switch are: it
/// takes them to be at `home`, says kFaultNotHomed, and looks for the switches when it is asked to.
class SimulatedDevice {
 public:
  struct Options {
    std::int64_t watchdog_ns = 100 * kMillisecond_ns;
    SensorNoise noise;
    std::uint64_t seed = 1;
  };

  /// `model` must outlive this object; `start` holds one number per position [rad, m].
  SimulatedDevice(const RobotModel& model, std::span<const double> start, const Options& options);

  /// Takes a command; one that is not sound sets kFaultNonsense and is dropped.
  void take(const JointCommand& command) SINEW_REALTIME;
  void reset() SINEW_REALTIME;
  /// Begins to look for the switches, if there are any; an enabled command, or none at all, ends it. A switch
  /// that is nowhere, and a joint that is kept from moving, is a kFaultDrive.
  void home() SINEW_REALTIME;
  /// Brakes, holds, and no longer expects commands.
  void stop() SINEW_REALTIME;
  /// As if switched off, brought to `start` [rad, m], and switched on: at rest, and at fault (kFaultLost)
  /// until it is reset, so that no command from before moves it.
  void restart(std::span<const double> start);

  /// Whether it would take its controller for silent in the next step: it is driven, commands came regularly,
  /// and the next one is late.
  bool misses_command(std::int64_t step_ns) const;

  /// Moves the references on by one step of the physics.
  void advance(std::int64_t step_ns);

  /// Measures the joints: one number per position [rad, m; per s; N·m, N].
  void measure(std::int64_t now_ns, std::span<const double> q, std::span<const double> v,
               std::span<const double> effort);

  std::span<const ServoReference> references() const { return references_; }
  const JointState& state() const SINEW_REALTIME { return state_; }
  std::int64_t watchdog_ns() const { return options_.watchdog_ns; }

  /// Its inputs and outputs: those that robot.yaml names. Inputs are as somebody last set them.
  IoBoard& io() SINEW_REALTIME { return io_; }
  const IoBoard& io() const SINEW_REALTIME { return io_; }
  /// Sets outputs; a device that was stopped by its watchdog takes none.
  void take(const IoCommand& command) SINEW_REALTIME;

 private:
  void follow(const JointCommand& command);
  void coast(std::size_t joint, double dt);
  /// Looks for the switches; answers the joint that it moves, kNone when all stand.
  std::size_t search(double dt);
  void lead(std::size_t joint, double velocity, double dt);
  /// As if it had been switched on with the joints at `start` [rad, m].
  void switch_on(std::span<const double> start);
  std::int64_t command_life_ns() const;

  const RobotModel& model_;
  Options options_;
  Encoders encoders_;
  std::vector<ServoReference> references_;
  std::vector<double> brake_;   ///< [rad/s^2, m/s^2] How hard each joint brakes by itself.
  std::vector<double> q_;       ///< [rad, m] Where the joints really are.
  std::vector<double> offset_;  ///< [rad, m] And how far from where the device takes them to be.
  HomingSearch homing_;
  bool is_homed_ = true;
  std::uint64_t enabled_mask_ = 0;
  JointState state_;
  IoBoard io_;
  JointCommand command_;
  CommandRhythm rhythm_;
  bool is_fresh_ = false;          ///< command_ has come and is not followed yet.
  std::uint64_t driven_mask_ = 0;  ///< The joints that the last command moved.
  std::int64_t silent_ns_ = -1;    ///< Since the last command; negative: none is expected.
};

/// How hard a joint brakes when nobody commands it [rad/s^2, m/s^2].
double brake_deceleration(const JointLimits& limits);

}  // namespace sinew
