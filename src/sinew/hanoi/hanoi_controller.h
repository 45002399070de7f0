// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/time.h"
#include "sinew/hanoi/board.h"
#include "sinew/hanoi/hand_ways.h"
#include "sinew/messages/grasp.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/world.h"

namespace sinew {

struct HanoiOptions {
  std::size_t goal = 2;       ///< The peg that all discs shall be on, from 0.
  std::string who = "hanoi";  ///< In whose name it asks.
  Pose X_WB;                  ///< Where the base of the arm stands in the world.
  double speed = 1.0;         ///< Share of the robot's limits, over 0 to 1.
  double open_width = 0.075;  ///< [m] Of the gripper.
  double tolerance = 0.0015;  ///< [m] A disc further from its peg's axis is put down once more.
  int most_troubles = 8;      ///< So many in one move, and it gives up.
};

enum class HanoiPhase : std::uint8_t { Solving, Waiting, Solved, Failed };

/// Solves the Towers of Hanoi with an arm whose tool points along its x axis and whose fingers close along
/// its y axis, by nothing but requests, their answers, and where the discs really are.
///
/// It keeps no plan: before each move it looks at the board, and the next move follows from that. So it goes
/// on after a stop, after it was started anew, and after somebody has moved a disc. Each grip, each lift and
/// each placement is judged by where the disc is. Takes values; knows no channel and no clock: the same code
/// runs in lockstep and on channels.
class HanoiController {
 public:
  /// Asks the motion service; answers the request's number, zero when it could not be asked.
  using Ask = std::function<std::uint64_t(const Request&)>;

  HanoiController(const HanoiOptions& options, Ask ask) : options_(options), ask_(std::move(ask)) {}

  /// What the channels `world_truth`, `sensor/grasp`, `safety` and `reply` say.
  void take(const World& world);
  void take(const GraspState& grasp) { grasp_ = grasp; }
  void take(const Safety& safety) { safety_ = safety.state; }
  void take(const Reply& reply);

  /// Goes on with what is to be done at robot time `now_ns`.
  void step(std::int64_t now_ns);

  HanoiPhase phase() const { return phase_; }
  /// What it does, or why it has failed, for people.
  const std::string& message() const { return message_; }
  /// Discs that were put where they belong.
  int moves() const { return moves_; }
  /// Grips that held nothing, discs put down beside, motions that failed.
  int troubles() const { return troubles_; }
  /// As it was last seen; nothing before the first look.
  const std::optional<Board>& board() const { return board_; }

 private:
  /// The parts of one move, in order.
  enum class Step : std::uint8_t {
    Look,      ///< What is to be done?
    Retreat,   ///< After trouble: away from everything, along the hand.
    Climb,     ///< To where the way is free.
    Approach,  ///< Over the disc; meanwhile the fingers open.
    Reach,     ///< Down to it.
    Close,     ///< Until it is held.
    Lift,      ///< To where the way is free.
    Carry,     ///< Over the peg.
    Lower,     ///< Until it all but lies.
    Release,   ///< The fingers open.
    Leave,     ///< Up again.
  };
  /// The disc on its way, and whither.
  struct Task {
    int disc = 0;
    std::size_t peg = 0;
    bool is_in_hand = false;  ///< It is held already.
  };
  void look();
  std::optional<Task> next_task();
  std::optional<Task> mending_task();
  std::optional<int> held_disc() const;
  void begin(Step step);
  void begin_arm(Step step);
  void finish_step();
  Step step_after() const;
  void judge_grip(const Reply& reply);
  bool is_disc_in_hand() const;
  void judge_placement();
  void note_trouble(const std::string& what);
  void trouble(const std::string& what);
  void fail(const std::string& why);

  const BoardDisc& disc() const { return board_->disc(task_.disc); }
  double free_width() const;
  double leaving_height() const;
  void retreat();
  void send_to(HandPlace goal, double z, RequestVerb verb = RequestVerb::MoveLine);
  void move_gripper(double width);
  void ask(Request request);

  HanoiOptions options_;
  Ask ask_;
  std::optional<Board> board_;
  std::optional<GraspState> grasp_;
  ControlState safety_ = ControlState::Starting;
  HanoiPhase phase_ = HanoiPhase::Waiting;
  Step step_ = Step::Retreat;  ///< Under way; with no open requests, to be begun.
  std::int64_t now_ns_ = 0;
  std::int64_t look_after_ns_ = 0;   ///< The next step needs a board newer than this.
  std::vector<std::uint64_t> open_;  ///< Requests that are not answered for good.
  Task task_;
  std::optional<HandPlace> hand_;  ///< Where it is sent, or is; nothing when it did not get there.
  bool has_put_down_ = false;      ///< The disc was let go, and not looked at since.
  int troubles_here_ = 0;          ///< Since the last disc that came to where it belongs.
  int moves_ = 0;
  int troubles_ = 0;
  std::string message_ = "waits for the robot";
};

}  // namespace sinew
