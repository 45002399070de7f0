// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/hanoi/hanoi_controller.h"
#include "sinew/kinematics/serial_chain.h"

#include "apps/lockstep/lockstep.h"

namespace sinew {

/// A round: the tower goes from one peg to another and back again.
struct HanoiRoundOptions {
  int discs = 3;
  std::uint64_t seed =
      1;  ///< Of all that is drawn: pegs, offsets, weights, friction, where the robot starts.
  bool is_assisted = false;  ///< The world holds fast what is gripped.
};

/// What came of it.
struct HanoiRound {
  bool is_solved = false;       ///< Both ways, and the tower stands at the end.
  std::vector<double> seconds;  ///< Simulated, of each way.
  double worst_offset = 0.0;    ///< [m] Of a disc from the axis of the peg, at the end of a way.
  double speed_share = 0.0;     ///< The most of a joint's speed limit that was sent.
  double tool_speed = 0.0;      ///< [m/s] The fastest that the fingertips were sent.
  int moves = 0;                ///< Discs put where they belong.
  int troubles = 0;             ///< HanoiController::troubles().
  std::uint64_t assisted = 0;   ///< Grasps that the world assisted.
  double simulated = 0.0;       ///< [s]
  std::string words;            ///< Why it was not solved.
};

/// Robot, board and discs of the world `hanoi` in lockstep, and the controller that solves it.
class HanoiRig {
 public:
  /// All offsets, weights and frictions drawn from the seed.
  static Result<std::unique_ptr<HanoiRig>> make(const HanoiRoundOptions& options);

  Lockstep& robot() { return *robot_; }
  const HanoiController& controller() const { return *controller_; }
  /// The peg, from 0, that the tower stands on at first, and the one that it goes to.
  std::size_t start() const { return start_; }
  std::size_t end() const { return end_; }

  /// A controller that knows nothing but the board, as after a restart.
  void begin(std::size_t goal);
  /// One cycle.
  void step();
  /// Steps until `holds`, at most for so long [s]; answers whether it does.
  bool step_until(const std::function<bool()>& holds, double seconds);
  /// Steps until the controller has ended; answers whether it has solved the puzzle.
  bool solve(double seconds = 1200.0);

  /// The board as it is now.
  Result<Board> board() const;
  /// How far the discs of a whole tower on `peg` are from its axis at most [m]; refused when it does not
  /// stand.
  Result<double> tower_offset(std::size_t peg) const;
  double speed_share() const { return speed_share_; }
  double tool_speed() const { return tool_speed_; }
  std::uint64_t assisted() const { return robot_->simulation().touch().grasp(0).assisted_grasps; }

 private:
  explicit HanoiRig(SerialChain arm) : arm_(std::move(arm)) {}
  void note_speeds(const JointCommand& command);

  SerialChain arm_;
  std::unique_ptr<Lockstep> robot_;
  std::unique_ptr<HanoiController> controller_;
  std::size_t start_ = 0;
  std::size_t end_ = 0;
  std::size_t replies_seen_ = 0;
  std::int64_t look_due_ns_ = 0;
  double speed_share_ = 0.0;
  double tool_speed_ = 0.0;
};

/// Refused only when the world cannot be made.
Result<HanoiRound> run_hanoi_round(const HanoiRoundOptions& options);

}  // namespace sinew
