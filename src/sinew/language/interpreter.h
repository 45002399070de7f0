// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/language/action.h"
#include "sinew/language/code.h"
#include "sinew/language/evaluator.h"
#include "sinew/language/world.h"

namespace sinew::language {

inline constexpr std::size_t kMostCalls = 64;
inline constexpr std::size_t kMostConditions = 32;
/// Of all SUBs that are being run together.
inline constexpr std::size_t kMostVariables = 5000;
/// How many moves may be asked for ahead of the one that is being carried out …
inline constexpr std::size_t kMostAhead = 256;
/// … and how many variables may be kept for going back to where these were asked for: of a program that has
/// many, fewer moves are asked for ahead, but 16 always.
inline constexpr std::size_t kMostKeptVariables = 16 * kMostVariables;

struct InterpreterOptions {
  /// Steps without an action after which a program is told to be stuck.
  std::uint64_t most_steps = 200000;
  /// False: ON is checked but never acts, as for a walk without a robot.
  bool watches_conditions = true;
};

/// How an action ended.
enum class OutcomeKind { Done, TimedOut, Failed };
struct Outcome {
  std::uint64_t number = 0;  ///< Action::number.
  OutcomeKind kind = OutcomeKind::Done;
  std::string reason;  ///< Failed: for people.
};

/// What to do with the action under way.
enum class WatchVerdict {
  GoOn,
  Satisfied,  ///< The UNTIL of a WAIT or a move holds: end it smoothly and report it done.
  Interrupt,  ///< An ON holds: stop smoothly, drop what is under way without a report, and call next().
};

/// A program being run, one action at a time. It does nothing itself: it says what is to be done, and is told
/// what came of it. The same answers give the same actions.
///
///   while (true) { action = next(); if it is an EndAction: over; carry it out; report(its outcome); }
///
/// While an action is under way, call watch() in every cycle. A move with a blend radius wants the next one
/// early: next_move_ahead() gives it, before the first is reported. Belongs to one thread. Memory and steps
/// are bounded whatever the program says.
class Interpreter {
 public:
  /// `program`, parsed without errors, and `world` must outlive this object.
  Interpreter(const Program& program, const ProgramWorld& world, const InterpreterOptions& options = {});

  /// The next thing to do. After an EndAction it is that again.
  Action next();

  /// The next thing to do if it is a move that follows from nothing outside (no input, no position); else
  /// nothing, and the program stays where it is.
  std::optional<Action> next_move_ahead();

  /// What came of an action. Moves asked for ahead are reported in their order.
  void report(const Outcome& outcome);

  /// Looks at the conditions that matter now.
  WatchVerdict watch();

  /// next() gives a PauseAction before the next statement.
  void pause() { is_pause_asked_ = true; }
  /// next() gives a PauseAction before every statement.
  void set_single_step(bool is_on) { is_single_step_ = is_on; }
  /// next() gives a PauseAction before statements on these lines of the program's first file.
  void set_breakpoints(std::set<std::uint32_t> lines) { breakpoints_ = std::move(lines); }

  /// Begins at a line instead of the first: tools, frames, units, speeds and variables that are set before it
  /// are set, but nothing is moved, waited for or switched. The line must hold a statement outside of all
  /// blocks. Only before the first next().
  Status start_at(std::uint32_t line);

  /// Where the program is.
  Place place() const;
  /// Variables that can be seen from there, with their values for people.
  std::vector<std::pair<std::string, std::string>> variables() const;
  bool is_over() const { return state_.end.has_value(); }

 private:
  struct Loop {
    double from = 0.0;
    double step = 1.0;
    double turns = 0.0;
    double turn = 0.0;
  };
  using Variables = std::map<std::string, Value, std::less<>>;
  struct State;
  /// An action that was asked for.
  struct Pending {
    Action action;
    std::size_t at = 0;  ///< The instruction that it came from.
    /// The program as it was before it looked further ahead than this; null: it has not.
    std::shared_ptr<const State> then{};
    std::size_t kept_variables = 0;  ///< In `then`.
  };
  struct Frame {
    const SubCode* sub = nullptr;  ///< Null: the program itself.
    std::uint64_t number = 0;      ///< Of all calls; zero: the program itself.
    Variables variables;
    std::map<const Statement*, Loop> loops;
    std::size_t return_to = 0;
    std::optional<std::string> result;  ///< The caller's variable.
    Place call_place;
    std::vector<Pending> repeat;  ///< What an ON interrupted, to be asked for again.
  };
  /// An ON: it means units, tool and frame as they are where it is written, and the variables of its SUB,
  /// also when that has been left.
  struct Condition {
    const Statement* statement = nullptr;
    std::uint64_t number = 0;  ///< Of all ON that were run.
    Evaluator::Setting setting{};
    std::uint64_t frame = 0;                    ///< Frame::number of its SUB.
    std::shared_ptr<const Variables> locals{};  ///< As its SUB left them.
  };
  struct Rates {
    std::optional<Rate> speed;
    std::optional<Rate> acceleration;
  };
  /// Everything that a step changes: a look ahead is a copy.
  struct State {
    std::size_t at = 0;
    std::vector<Frame> frames;
    FrameChoice tool{"flange", {}};
    FrameChoice frame{"B", {}};
    std::map<std::string, Pose, std::less<>> tools;
    std::map<std::string, Pose, std::less<>> own_frames;
    Units units;
    Rates joint_rates;
    Rates line_rates;
    double blend_radius = 0.0;
    std::vector<Condition> conditions;
    std::vector<Pending> pending;  ///< Asked for and not reported.
    std::vector<Pending> repeat;   ///< To be asked for again before the program goes on.
    std::uint64_t next_number = 1;
    std::uint64_t next_frame = 1;
    std::uint64_t next_condition = 1;
    std::optional<Action> end;
    bool has_looked_outside = false;
    std::size_t resumed_at = SIZE_MAX;  ///< The instruction that a pause stood before.
  };

  Action run();
  Action run_again();
  std::optional<Action> step();
  std::optional<Action> step_for(const Instruction& instruction, bool is_begin);
  bool begin_loop(const Statement& statement);
  std::optional<Action> step_call(const Statement& statement, const CallStatement& call,
                                  std::size_t return_to, Evaluator values);
  std::optional<Action> step_return(const Instruction& instruction);
  std::optional<Action> run_statement(const Statement& statement);
  std::optional<PauseReason> reason_to_pause(const Instruction& instruction) const;
  std::optional<Action> interrupt();
  std::optional<Action> react(const Statement& statement, const EndingStatement& ending,
                              std::optional<Evaluator> condition);
  WatchVerdict watch_until(const Pending& pending);
  void go_back();

  std::optional<Action> perform(const Statement& s, const MoveStatement& move);
  std::optional<Action> perform(const Statement& s, const AssignStatement& assign);
  std::optional<Action> perform(const Statement& s, const EndingStatement& ending);
  std::optional<Action> perform(const Statement& s, const WaitStatement& wait);
  std::optional<Action> perform(const Statement& s, const WaitUntilStatement& wait);
  std::optional<Action> perform(const Statement& s, const OutputStatement& output);
  std::optional<Action> perform(const Statement& s, const GripperStatement& gripper);
  std::optional<Action> perform(const Statement& s, const PrintStatement& print);
  std::optional<Action> perform(const Statement& s, const FrameStatement& frame);
  std::optional<Action> perform(const Statement& s, const UnitsStatement& units);
  std::optional<Action> perform(const Statement& s, const SpeedStatement& speed);
  std::optional<Action> perform(const Statement& s, const BlendStatement& blend);
  std::optional<Action> perform(const Statement& s, const PayloadStatement& payload);
  std::optional<Action> perform(const Statement& s, const OnStatement& on);
  std::optional<Action> perform(const Statement& s, const OffStatement& off);
  template <class Body>
  std::optional<Action> perform(const Statement& /*s*/, const Body& /*body*/) {
    return {};
  }

  // moves
  bool fill_goals(const MoveStatement& move, Evaluator& evaluator, MoveAction& action);
  std::optional<MoveGoal> goal_of(const MoveStatement& move, const GoalValues& values, Evaluator& evaluator,
                                  const Pose& X_BU);
  bool fill_timing(const MoveStatement& move, Evaluator& evaluator, MoveAction& action);
  bool fill_option(const MoveOption& option, Evaluator& evaluator, MoveAction& action) const;
  std::optional<FrameChoice> find_tool(const Place& place, const std::string& name,
                                       Evaluator& evaluator) const;
  std::optional<FrameChoice> find_frame(const Place& place, const std::string& name,
                                        Evaluator& evaluator) const;

  Place loop_place() const;
  const State& seen() const;
  Evaluator evaluator();
  Evaluator evaluator_with(const Units& units, const Pose& X_FT, const Pose& X_BU);
  Evaluator evaluator_of(const State& state, const Evaluator::Setting& setting);
  Evaluator evaluator_of(const State& state, const Condition& condition);
  std::optional<double> time_of(const Expression& expression, std::string_view what,
                                Evaluator& evaluator) const;
  const Value* find_variable(const std::string& name, const Variables* locals,
                             const Variables& globals) const;
  bool set_variable(const Place& place, const std::string& name, Value value, Evaluator& evaluator);
  Variables& scope_of(const std::string& name);
  Action make(const Statement& statement, ActionBody body);
  Action fail(const Evaluator& evaluator);
  Action fail(const Place& place, std::string text);
  Action finish(const Place& place, EndAction end);

  const Program& program_;
  const ProgramWorld& world_;
  InterpreterOptions options_;
  Code code_;
  State state_;
  std::optional<Condition> interrupting_;  ///< An ON that holds.
  std::set<std::uint64_t> held_;           ///< Condition::number of those that held when last looked at.
  bool is_pause_asked_ = false;
  bool is_single_step_ = false;
  std::set<std::uint32_t> breakpoints_;
};

/// What is wrong with a goal of `count` numbers, by the motion and how many joints there are (zero: not
/// known); nothing when it is right.
std::optional<std::string> goal_complaint(const MotionWord& motion, std::size_t count,
                                          std::size_t joint_count);

}  // namespace sinew::language
