// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/requests.h"
#include "sinew/motion/motion_service.h"

namespace sinew {

/// Motors, as a box that counts turns knows them: move by counts, speed 0 to 9, where, done?, home offset and
/// home switch. Counts come from the robot's actuation model, so they are the same on any device, and motors
/// that share joints are moved together. Takes values and gives values. One thread.
class MotorService {
 public:
  /// `model` and `motion` must outlive it.
  MotorService(const RobotModel& model, MotionService& motion);

  /// True: it was about motors, and is answered by the next step(), or by the motion service when the motor
  /// has arrived. False: somebody else has to answer it.
  bool take_request(std::uint64_t number, const Request& request, std::int64_t now_ns);

  /// What it answers lives until the next call.
  const std::vector<Reply>& step();

  /// The most that a motor is turned by in one request, as the SCORBOT's box has it [counts].
  static constexpr double kMostCounts = 8000.0;
  /// How near to its home a motor presses the switch there [counts].
  static constexpr double kSwitchCounts = 25.0;

 private:
  /// What is answered at once: a number, and words.
  struct Told {
    double value = 0.0;
    std::string words;
  };

  Result<std::size_t> motor_of(const Request& request) const;
  Result<Told> tell(const Request& request) const;
  Status set(const Request& request);
  Status move(std::uint64_t number, const Request& request, std::int64_t now_ns);
  bool has_switch(std::size_t motor) const;
  std::vector<double> counts() const;

  const RobotModel& model_;
  MotionService& motion_;
  std::vector<unsigned> speeds_;  ///< 0 is the fastest.
  std::vector<double> offsets_;   ///< [counts]
  std::vector<Reply> output_;
  std::vector<Reply> collected_;  // for the next step()
};

}  // namespace sinew
