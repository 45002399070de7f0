// SPDX-License-Identifier: BSD-3-Clause
// sinew console
#include "apps/cli/console.h"

#include <optional>

#include <fmt/format.h>

#include "apps/cli/console_input.h"
#include "apps/cli/console_line.h"
#include "apps/cli/console_session.h"
#include "apps/cli/read.h"
#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

// A person at a terminal: what is refused is said, and the console goes on.
Status talk(ConsoleSession& session, ConsoleInput& input) {
  LineEditor lines(session.prompt(), [&](ConsoleWords words) { return session.candidates(words); });
  while (!session.is_over()) {
    auto line = input.typed_line();
    if (line) {
      fmt::print("{}{}\n", session.prompt(), *line);
    } else {
      lines.begin_with(input.take_begun());
      line = lines.next();
    }
    if (!line) break;
    if (Status done = session.obey(*line); !done) fmt::print(stderr, "{}\n", done.error().message);
  }
  return Done{};
}

// Lines from a file or a pipe: the first that is refused ends it.
Status obey_lines(ConsoleSession& session, ConsoleInput& input) {
  for (int number = 1; !session.is_over(); ++number) {
    const auto line = input.next_line();
    if (!line) break;
    const Status done = session.obey(*line);
    if (!done) return Error{done.error().code, fmt::format("line {}: {}", number, done.error().message)};
  }
  return Done{};
}

Status run_console(const Words& words, std::ostream& out) {
  const bool has_command = words.has("--command");
  if (words.has("--wait") && !has_command) return usage_error("--wait goes with -c COMMAND");
  auto robot = open_robot(words);
  if (!robot) return robot.error();
  ConsoleInput input(ConsoleInput::stdin_kind(!has_command));
  ConsoleSession session(
      *robot, out,
      {.waits = !has_command || words.has("--wait"), .is_forced = words.has("--force"), .input = &input});
  if (has_command) return session.obey(words.text("--command"));
  return is_at_terminal() ? talk(session, input) : obey_lines(session, input);
}

}  // namespace

const Command kConsoleCommand = [] {
  Command command{
      .name = "console",
      .summary = "Talk to a running robot",
      .details =
          "At the prompt: goto [filter] JOINT VALUE … (rad, or as in 30deg), goto POSTURE, get JOINT, get fk "
          "ARM, ik [--legacy] ARM DOF P1 … PN, line [by] X Y Z, jog JOINT BY, jog tool z 10mm, zeroall, "
          "stop, "
          "reset, home, override SECONDS, world add …, world move NAME X Y Z, world remove NAME, world list, "
          "watch, status, help, exit. Tab completes, the arrows "
          "go through what was "
          "typed before. Lines may come from a file or a pipe; the first that is refused ends it. While a "
          "command waits, 'stop', the space bar at the beginning of a line, and Ctrl-C stop the robot at "
          "once; "
          "what else is typed is done afterwards. A 'stop' from a pipe does not wait for its turn either. "
          "Before a command ends the motion of somebody else, you are asked; where nobody can be asked it is "
          "refused, unless --force is given.",
      .options = robot_options(),
      .examples = {"sinew console", "sinew console -c \"goto LSP -0.123\" --wait",
                   "sinew console -c \"ik left 3 0.3 0.2 0.0\" --wait",
                   "sinew console -c \"line by 0 0 50mm\" --wait", "sinew console -c stop"},
      .run = run_console,
  };
  const std::vector<Option> own{
      {.name = "--command", .value_name = "COMMAND", .help = "Do this one and end.", .short_name = "-c"},
      {.name = "--wait",
       .value_name = "",
       .help = "End when the motion has: 0 if reached, 1 with the reason if not."},
      {.name = "--force",
       .value_name = "",
       .help = "End what others have under way without asking; who has control is obeyed all the same."}};
  command.options.insert(command.options.end(), own.begin(), own.end());
  return command;
}();

}  // namespace sinew::cli
