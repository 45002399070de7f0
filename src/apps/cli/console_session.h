// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/joint_motion.h"
#include "apps/cli/robot_link.h"

namespace sinew::cli {

using ConsoleWords = std::span<const std::string>;

class ConsoleInput;

struct ConsoleOptions {
  bool waits = false;             ///< Motions are followed to their end.
  bool is_forced = false;         ///< Nobody is asked whose motion may be ended.
  ConsoleInput* input = nullptr;  ///< Read while a command waits; must outlive the session. Null: nothing is.
};

/// What a person types at the console, carried out on a running robot.
class ConsoleSession {
 public:
  /// `robot` and `out` must outlive this object.
  ConsoleSession(RobotLink& robot, std::ostream& out, const ConsoleOptions& options);

  /// Carries out one line; an empty one does nothing.
  Status obey(std::string_view line);

  /// True once somebody has typed exit.
  bool is_over() const { return is_over_; }

  /// What may come after the words already typed.
  std::vector<std::string> candidates(ConsoleWords words) const;

  /// ">> mds-ach-console$ " for a robot called mds.
  std::string prompt() const;

 private:
  friend struct ConsoleVerb;

  Status move(ConsoleWords words);
  Status get(ConsoleWords words);
  Status get_pose(const std::string& arm);
  Status reach(ConsoleWords words);
  Status reach_three(ConsoleWords words);
  Status reach_five(ConsoleWords words);
  Status reach_here(std::size_t arm, const Request& goal);
  Status line(ConsoleWords words);
  Status jog(ConsoleWords words);
  Status zero_all(ConsoleWords words);
  Status stop(ConsoleWords words);
  Status reset(ConsoleWords words);
  Status home(ConsoleWords words);
  Status override_guard(ConsoleWords words);
  Status world(ConsoleWords words);
  Status list_world();
  Status take_control(ConsoleWords words);
  Status leave_control(ConsoleWords words);
  Status pause(ConsoleWords words);
  Status resume(ConsoleWords words);
  Status set_speed(ConsoleWords words);
  Status show_motion(ConsoleWords words);
  Status watch(ConsoleWords words);
  Status status(ConsoleWords words);
  Status help(ConsoleWords words);
  Status leave(ConsoleWords words);

  Status go(const JointGoal& goal);
  Status ask(const Request& request);
  /// Asks for what is done as soon as it is answered, and shows the answer.
  Status ask_at_once(const Request& request);

  using Awaited = std::function<Status(const Patience*)>;
  /// Runs a motion of these joints: refused when somebody else has control, and asked about first when it
  /// ends the motion of others. With dots while it lasts, and "done" at its end.
  Status move_with_dots(std::uint64_t joint_mask, const Awaited& motion);
  /// Waits, and hears a stop meanwhile. `shows_dots`: and "done" at its end.
  Status follow(const Awaited& what, bool shows_dots);
  Status may_move(std::uint64_t joint_mask, std::vector<std::string>& ended);
  Status wait_for(bool (*is_so)(const RobotSnapshot&), std::string_view what);
  Status wait_for_stop();
  void say_how_to_stop();

  RobotLink& robot_;
  std::ostream& out_;
  ConsoleOptions options_;
  bool is_over_ = false;
  bool knows_how_to_stop_ = false;
};

/// Words of a line; what stands in braces is one word.
std::vector<std::string> console_words(std::string_view line);

}  // namespace sinew::cli
