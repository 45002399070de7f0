// SPDX-License-Identifier: BSD-3-Clause
// sinew console
#include "apps/cli/console.h"

#include <iostream>
#include <optional>

#include <fmt/format.h>

#include "apps/cli/console_line.h"
#include "apps/cli/console_session.h"
#include "apps/cli/read.h"
#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

// A person at a terminal: what is refused is said, and the console goes on.
Status talk(ConsoleSession& session) {
  LineEditor lines(session.prompt(), [&](ConsoleWords words) { return session.candidates(words); });
  while (!session.is_over()) {
    const auto line = lines.next();
    if (!line) break;
    if (Status done = session.obey(*line); !done) fmt::print(stderr, "{}\n", done.error().message);
  }
  return Done{};
}

// Lines from a file or a pipe: the first that is refused ends it.
Status obey_lines(ConsoleSession& session) {
  std::string line;
  for (int number = 1; !session.is_over() && std::getline(std::cin, line); ++number) {
    const Status done = session.obey(line);
    if (!done) return Error{done.error().code, fmt::format("line {}: {}", number, done.error().message)};
  }
  return Done{};
}

Status run_console(const Words& words, std::ostream& out) {
  if (words.has("--wait") && !words.has("--command")) return usage_error("--wait goes with -c COMMAND");
  auto robot = open_robot(words);
  if (!robot) return robot.error();
  if (words.has("--command")) {
    ConsoleSession session(*robot, out, words.has("--wait"));
    return session.obey(words.text("--command"));
  }
  ConsoleSession session(*robot, out, true);
  return is_at_terminal() ? talk(session) : obey_lines(session);
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
          "typed before. Lines may come from a file; the first that is refused ends it.",
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
       .help = "End when the motion has: 0 if reached, 1 with the reason if not."}};
  command.options.insert(command.options.end(), own.begin(), own.end());
  return command;
}();

}  // namespace sinew::cli
