// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/joint_motion.h"
#include "apps/cli/robot_link.h"

namespace sinew::cli {

using ConsoleWords = std::span<const std::string>;

/// What a person types at the console, carried out on a running robot.
class ConsoleSession {
 public:
  /// `waits`: motions are followed to their end. `robot` and `out` must outlive this object.
  ConsoleSession(RobotLink& robot, std::ostream& out, bool waits);

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
  /// Runs a motion with dots while it lasts, and "done" at its end.
  template <class Motion>
  Status with_dots(Motion motion);
  Status wait_for(bool (*is_so)(const RobotSnapshot&), std::string_view what);

  RobotLink& robot_;
  std::ostream& out_;
  bool waits_;
  bool is_over_ = false;
};

/// Words of a line; what stands in braces is one word.
std::vector<std::string> console_words(std::string_view line);

}  // namespace sinew::cli
