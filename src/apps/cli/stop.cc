// SPDX-License-Identifier: BSD-3-Clause
// sinew stop | kill | killall | resetbus
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"
#include "sinew/model/load_robot.h"
#include "sinew/processes/run_folder.h"

#include "apps/cli/start_stop_commands.h"
#include "apps/supervisor/client.h"
#include "apps/supervisor/leftovers.h"

namespace sinew::cli {
namespace {

Status run_stop(const Words& words, std::ostream& out) {
  const auto grace = words.number("--timeout", 0, 600);
  if (!grace) return grace.error();
  const std::string name = words.argument(0);
  if (Status stopped = stop_robots(words.text("--space"), name, *grace); !stopped) return stopped;
  out << fmt::format("{} stopped\n",
                     name.empty() ? fmt::format("space '{}' is", words.text("--space")) : name + " is");
  return Done{};
}

std::string text_of(const supervisor::KillCount& count) {
  return fmt::format("{}{} processes ended, {} channels removed",
                     count.had_supervisor ? "supervisor and " : "", count.processes, count.channels);
}

Status kill_one(const std::string& space, std::ostream& out) {
  const auto folder = supervisor::folder_in_use(space);
  if (!folder) return folder.error();
  const auto count = supervisor::kill_space(*folder);
  if (!count) return count.error();
  out << fmt::format("space '{}': {}\n", space, text_of(*count));
  return Done{};
}

Status run_kill(const Words& words, std::ostream& out) {
  return kill_one(words.text("--space"), out);
}

Status run_killall(const Words&, std::ostream& out) {
  const std::vector<std::string> spaces = processes::spaces_of_user();
  if (spaces.empty()) out << "nothing runs\n";
  Status all = Done{};
  for (const std::string& space : spaces) {
    // one that resists does not save the others
    if (Status killed = kill_one(space, out); !killed) all = std::move(killed);
  }
  return all;
}

Status run_resetbus(const Words& words, std::ostream&) {
  const auto robot = load_robot(words.argument(0));
  if (!robot) return robot.error();
  const auto kind = robot->settings.driver.find("kind");
  if (kind == robot->settings.driver.end()) {
    return Error{ErrorCode::NotFound,
                 fmt::format("robot '{}' has no bus: its robot.yaml names no driver", words.argument(0))};
  }
  return Error{
      ErrorCode::NotFound,
      fmt::format("driver '{}' has no bus that can be reset; with one, 'resetbus' takes the bus down and "
                  "up again with its bit rate and queue, the controller held meanwhile",
                  kind->second)};
}

}  // namespace

Status stop_robots(const std::string& space, const std::string& name, double grace) {
  const auto folder = supervisor::folder_in_use(space);
  if (!folder) return folder.error();
  // what a dead supervisor left is taken up by a new one, which then stops it
  const bool is_left = !processes::robots_in(*folder).empty();
  const auto answer = supervisor::ask_supervisor(
      {{"verb", "stop"}, {"name", name}, {"grace", grace}},
      {.folder = *folder,
       .launch = is_left ? supervisor::Launch::IfNone : supervisor::Launch::Never,
       .program = supervisor_program(),
       .silence = grace + 30,
       .on_news = [](const std::string& news) { fmt::print(stderr, "{}\n", news); },
       .waits_for_end = true});
  if (!answer && answer.error().code == ErrorCode::TimedOut) {
    return Error{
        ErrorCode::TimedOut,
        answer.error().message + fmt::format("; 'sinew kill --space {}' ends everything at once", space)};
  }
  // what no supervisor has started, or whose supervisor is dead and its folder gone
  const auto ended = supervisor::end_parts(space, name, nanoseconds_from_seconds(grace));
  if (!ended) return ended.error();
  for (const supervisor::LivingPart& part : *ended)
    fmt::print(stderr, "{} has ended; no supervisor knew it\n", part_text(part));
  if (answer || !ended->empty()) return Done{};
  if (answer.error().code != ErrorCode::NotFound) return answer.error();
  fmt::print(stderr, "nothing runs in space '{}'\n", space);
  if (name.empty()) return Done{};
  return Error{ErrorCode::NotFound, fmt::format("there is no robot '{}' in space '{}'", name, space)};
}

const Command kStopCommand{
    .name = "stop",
    .summary = "Hold a robot, then end its processes",
    .details =
        "They are asked to end in the reverse order of their start, and killed when the time is over; so is "
        "what "
        "was started by hand or from another environment and is found by its channels. Channels that nobody "
        "uses "
        "are removed; with the last robot the supervisor ends, too. Logs stay.",
    .arguments = {{.name = "NAME",
                   .help = "As given to start; none: all robots of the space.",
                   .is_optional = true}},
    .options = {{.name = "--timeout",
                 .value_name = "SECONDS",
                 .help = "How long each process may take to end.",
                 .fallback = "5"}},
    .examples = {"sinew stop", "sinew stop mds"},
    .run = run_stop,
};

const Command kKillCommand{
    .name = "kill",
    .summary = "End all processes of the space at once",
    .details =
        "With SIGKILL, the supervisor first: for when 'sinew stop' does not help. The device stops by its "
        "own "
        "watchdog.",
    .examples = {"sinew kill", "sinew kill --space lab"},
    .run = run_kill,
};

const Command kKillAllCommand{
    .name = "killall",
    .summary = "End all processes of all spaces of this user at once, whatever --space says",
    .examples = {"sinew killall"},
    .run = run_killall,
};

const Command kResetBusCommand{
    .name = "resetbus",
    .summary = "Take a robot's bus down and up again",
    .arguments = {{.name = "ROBOT",
                   .help = "Name, folder, robot.yaml or URDF.",
                   .completion = Completion::File}},
    .examples = {"sinew resetbus mds"},
    .run = run_resetbus,
};

}  // namespace sinew::cli
