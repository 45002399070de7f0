// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/collision_checker.h"

#include "apps/lockstep/lockstep.h"

namespace sinew {

/// The most that was seen of something that has a bound, and where.
struct SoakExtreme {
  double share = 0.0;     ///< Of the bound: above 1 it was passed.
  std::size_t joint = 0;  ///< Among the robot's positions.
  std::int64_t at_ns = 0;
};

/// What came of a soak.
struct SoakReport {
  std::uint64_t cycles = 0;
  std::uint64_t references = 0;   ///< Wishes of all programs.
  std::uint64_t held_cycles = 0;  ///< In which the guard held some joint back.
  SoakExtreme velocity;           ///< What was sent, by its limits.
  SoakExtreme acceleration;
  SoakExtreme jerk;
  double worst_tracking = 0.0;           ///< [rad, m] Measured from sent.
  std::size_t worst_tracking_joint = 0;  ///< Of that.
  double worst_overrun = 0.0;            ///< [rad, m] Measured beyond a joint limit.
  double nearest = 0.0;                  ///< [m] Measured, of two links, or of a link and an object.
  std::uint64_t resident_begin = 0;      ///< [bytes] Once all is warm.
  std::uint64_t resident_end = 0;        ///< [bytes]
  double control_s = 0.0;                ///< CPU time of the controller.
  double physics_s = 0.0;                ///< CPU time of the simulator.
  std::vector<std::string> violations;   ///< In words; empty: all went well. At most kMostViolations.
  static constexpr std::size_t kMostViolations = 20;
};

struct SoakOptions {
  std::uint64_t seed = 1;
  std::size_t programs = 3;  ///< That want things at once, each of joints drawn anew every time.
  double margin = 0.01;      ///< [m] What must stay between links, and between links and the world.
};

/// Controller, guard and physics in lockstep, wished at by random programs and judged in every cycle as
/// anyone would judge a recording: no bound on velocity, acceleration or jerk passed in what is sent, no
/// limit and no margin in what is measured, nothing of the robot touched, the controller running.
class Soak {
 public:
  /// `lockstep` must outlive this object, and know its world (Lockstep::show_world).
  Soak(Lockstep& lockstep, const SoakOptions& options);

  /// Goes on for so many simulated nanoseconds.
  void run(std::int64_t duration_ns);
  /// Takes the memory in use as what it must stay at.
  void note_warm();
  const SoakReport& report() const { return report_; }
  /// Ends the judgement: memory is looked at.
  void finish();

 private:
  void find_home();
  void wish();
  void step();
  void judge_command();
  void judge_state();
  void judge_places();
  void complain(std::string what);

  Lockstep& lockstep_;
  SoakOptions options_;
  CollisionChecker checker_;
  std::mt19937_64 random_;
  std::int64_t next_wish_ns_ = 0;
  std::array<JointArray, 4> sent_{};  ///< Positions of the last four cycles, newest last.
  SoakReport report_;
};

/// What of this process is in memory [bytes].
std::uint64_t resident_bytes();

}  // namespace sinew
