// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/language/interpreter.h"
#include "sinew/messages/io.h"
#include "sinew/messages/motion.h"
#include "sinew/motion/motion_in_hand.h"
#include "sinew/motion/move_planner.h"
#include "sinew/motion/program_move.h"
#include "sinew/motion/program_robot.h"

namespace sinew {

/// How far the motion is that a program has ordered.
struct ProgramMotionNews {
  bool is_over = false;  ///< At rest, or given up.
  bool is_done = false;  ///< It got where it was to go; else `words` say why not.
  /// It did not, because something has come into its way: another may lead there.
  bool wants_other_way = false;
  double nominal = 0.0;  ///< [s] Time of the trajectory that has been played.
  std::string words;
};

/// What a program wants done now.
struct ProgramOrders {
  std::optional<PlannedMotion> motion;  ///< To be begun; there is none under way.
  bool ends_motion = false;             ///< What is under way comes to rest on its path.
  IoCommand io;                         ///< Outputs to be set, where a mask is not empty.
  std::vector<std::string> messages;    ///< What it says to people.
};

struct ProgramOptions {
  std::uint32_t from_line = 0;  ///< Where it begins; 0: at the beginning.
  bool is_single_step = false;  ///< It pauses before the first statement, and before each after it.
  std::set<std::uint32_t> breakpoints;
  double rated_payload = 0.0;  ///< [kg] As in MotionSettings.
};

/// A program that is being run: asks the interpreter what comes next, plans moves, those that are blended
/// ahead of time, and says what the robot shall do. Takes values and gives values; knows no channel and no
/// clock; the same answers give the same orders. One thread.
class ProgramRunner {
 public:
  /// `planner` moves the arm that `robot` is, and must outlive this object, as must the robot's model.
  /// Refused: a line that the program cannot begin at.
  static Result<std::unique_ptr<ProgramRunner>> make(language::Program program, ProgramRobot robot,
                                                     MovePlanner& planner, const ProgramOptions& options);

  /// Where all joints are sent to [rad, m], the inputs, and whether a gripper holds something.
  void take_robot(std::span<const double> q_all, const IoState& io, bool holds = false);

  /// One step. `motion`: of what was ordered last. The orders live until the next call.
  const ProgramOrders& step(std::int64_t now_ns, const ProgramMotionNews& motion);

  /// Stands still after what is being slowed down by others; times of WAIT stand still as well.
  void pause() { is_paused_ = true; }
  /// The same while the key that lets it run is not held; to be said before each step.
  void set_let_go(bool is_let_go) { is_let_go_ = is_let_go; }
  /// Goes on, also from a PAUSE, a breakpoint or a single step.
  void resume();
  /// Goes on to the next statement.
  void step_once();
  void set_breakpoints(std::set<std::uint32_t> lines) { interpreter_.set_breakpoints(std::move(lines)); }
  /// Ends it as failed, once at rest.
  void stop(const std::string& why);

  ProgramPhase phase() const;
  bool is_over() const { return phase_ == ProgramPhase::Ended || phase_ == ProgramPhase::Failed; }
  /// Whether resume() or step_once() would do something.
  bool is_held() const { return is_halted() || holding_.has_value(); }
  /// The line of the program itself that it is at; inside of an included file, 0.
  std::uint32_t line() const { return place_.file == 0 ? place_.line : 0; }
  /// "weld.prog:12:1".
  std::string place_text() const;
  /// The last that it said; once it is over, how it ended.
  const std::string& message() const { return message_; }
  /// Once it is over: why, or what its STOP said; empty at the plain end.
  const std::string& ending() const { return ending_; }

  /// Actions carried out in one step() at most, so that it comes back soon.
  static constexpr int kMostActions = 64;

 private:
  /// Why a motion is being ended.
  enum class Ending { None, Until, Interrupt, Stop };
  struct Moving {
    std::vector<MoveSpan> spans;  ///< One for each of moves_, from the front; none: a gripper moves.
    std::vector<std::vector<double>> postures;  ///< PlannedMoves::postures.
    std::vector<double> from;                   ///< All positions of the robot where it began.
    std::size_t reported = 0;                   ///< How many of them are done, and no longer in moves_.
    Ending ending = Ending::None;
  };
  struct Waiting {
    bool is_until = false;
    std::optional<std::int64_t> deadline_ns;  ///< In program time.
  };
  bool is_halted() const { return is_paused_ || is_let_go_; }
  ProgramRunner(std::unique_ptr<language::Program> program, ProgramRobot robot, MovePlanner& planner);

  void go_on(const ProgramMotionNews& motion);
  void move_on(const ProgramMotionNews& motion);
  void end_moving(const ProgramMotionNews& motion);
  void report_passed(double nominal);
  void watch_wait();
  void begin_next();
  void begin(const language::Action& action, const language::MoveAction& move);
  void begin(const language::Action& action, const language::WaitAction& wait);
  void begin(const language::Action& action, const language::WaitUntilAction& wait);
  void begin(const language::Action& action, const language::OutputAction& output);
  void begin(const language::Action& action, const language::GripperAction& gripper);
  void begin(const language::Action& action, const language::PayloadAction& payload);
  void begin(const language::Action& action, const language::MessageAction& message);
  void begin(const language::Action& action, const language::PauseAction& pause);
  void begin(const language::Action& action, const language::EndAction& end);
  void look_ahead();
  void plan_moves();
  Move move_of(const language::Action& action) const;
  void start(PlannedMotion motion, Moving moving);
  void remember_rest(const Moving& moving);
  void plan_other_way(const Moving& moving, const std::string& words);
  void report_first_move();
  void report(std::uint64_t number, language::OutcomeKind kind, std::string reason = {});
  void end_pulses(bool all);
  void finish(ProgramPhase phase, std::string message);

  std::unique_ptr<language::Program> program_;
  ProgramRobot robot_;
  MovePlanner& planner_;
  language::Interpreter interpreter_;
  ProgramOrders orders_;
  std::deque<language::Action> moves_;  ///< Asked for and not done, in order.
  std::variant<std::monostate, Moving, Waiting> doing_;
  std::uint64_t current_ = 0;  ///< The number of the last action that next() gave.
  std::optional<language::PauseReason> holding_;
  std::map<std::uint64_t, Move> interrupted_;  ///< What is left of moves, by Action::number.
  std::map<std::string, std::pair<std::int64_t, IoCommand>> pulses_;  ///< When they end, and how.
  Load load_;
  std::int64_t now_ns_ = 0;
  std::int64_t program_ns_ = 0;  ///< Time that has passed without a pause.
  bool is_paused_ = false;
  bool is_let_go_ = false;
  bool is_put_off_ = false;  ///< Planning, in this step.
  std::optional<std::string> stop_reason_;
  language::Place place_;
  ProgramPhase phase_ = ProgramPhase::Running;
  std::string message_;
  std::string ending_;
};

}  // namespace sinew
