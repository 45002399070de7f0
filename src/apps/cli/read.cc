// SPDX-License-Identifier: BSD-3-Clause
// sinew read
#include "apps/cli/read.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"

#include "apps/cli/read_view.h"
#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

constexpr int kBetweenLooks_ms = 50;
constexpr std::int64_t kBetweenTexts_ns = kSecond_ns;
constexpr std::string_view kKeys = "q leave   a all joints   arrows, PgUp, PgDn scroll";

/// The reader on a terminal.
class LiveTable {
 public:
  LiveTable(RobotLink& robot, bool shows_all) : robot_(robot) {
    options_.shows_all = shows_all;
    options_.has_colour = true;
  }

  void draw(const std::vector<std::string>& below) {
    const TerminalSize size = terminal_size();
    options_.rows = size.rows - static_cast<int>(below.size());
    // the last column stays free: what is written there makes terminals wait for the next line
    options_.columns = size.columns - 1;
    options_.first_joint = std::clamp(options_.first_joint, 0, last_first_joint(robot_, options_));
    std::string picture = "\033[H";
    auto lines = view_lines(robot_, options_);
    lines.insert(lines.end(), below.begin(), below.end());
    for (const std::string& line : lines) picture += line + "\033[K\r\n";
    picture += "\033[J";
    // the keys on the last line, where there is room
    if (static_cast<int>(lines.size()) < size.rows)
      picture += fmt::format("\033[{};1H\033[2m{:.{}}\033[0m\033[K", size.rows, kKeys, size.columns - 1);
    std::fwrite(picture.data(), 1, picture.size(), stdout);
    std::fflush(stdout);
  }

  /// False: leave.
  bool obey(int key) {
    const int page = std::max(1, options_.rows - 6);
    switch (key) {
      case 'q':
      case 'Q':
        return false;
      case 'a':
        options_.shows_all = !options_.shows_all;
        break;
      case 'k':
      case kKeyUp:
        options_.first_joint -= 1;
        break;
      case 'j':
      case kKeyDown:
        options_.first_joint += 1;
        break;
      case kKeyPageUp:
        options_.first_joint -= page;
        break;
      case ' ':
      case kKeyPageDown:
        options_.first_joint += page;
        break;
      default:
        break;
    }
    return true;
  }

 private:
  RobotLink& robot_;
  ViewOptions options_;
};

Status read_on_screen(RobotLink& robot, const ReadOptions& options, std::int64_t end_ns,
                      const SignalWatch& signals) {
  Screen screen;
  LiveTable table(robot, options.shows_all);
  while (!signals.has_come() && monotonic_now_ns() < end_ns) {
    if (Status read = robot.refresh(); !read) return read;
    if (Status done = options.on_look(); !done) return done;
    table.draw(options.lines_below());
    if (options.is_done()) break;
    if (!table.obey(screen.key(kBetweenLooks_ms))) break;
  }
  return Done{};
}

void print_text(const RobotLink& robot, bool shows_all, std::ostream& out) {
  for (const std::string& line : view_lines(robot, {.columns = 120, .shows_all = shows_all}))
    out << line << "\n";
}

void print_once(const RobotLink& robot, const ReadOptions& options, std::ostream& out) {
  if (options.is_json) {
    out << view_json(robot).dump() << "\n";
  } else {
    print_text(robot, options.shows_all, out);
    for (const std::string& line : options.lines_below()) out << line << "\n";
  }
  out.flush();
}

Status read_as_text(RobotLink& robot, const ReadOptions& options, std::int64_t end_ns,
                    const SignalWatch& signals, std::ostream& out) {
  std::int64_t due_ns = 0;
  while (!signals.has_come() && monotonic_now_ns() < end_ns) {
    if (Status read = robot.refresh(); !read) return read;
    if (Status done = options.on_look(); !done) return done;
    if (monotonic_now_ns() >= due_ns) {
      if (due_ns > 0 && !options.is_json) out << "\n";
      print_once(robot, options, out);
      // programs read as fast as people look
      due_ns = monotonic_now_ns() + (options.is_json ? 0 : kBetweenTexts_ns);
    }
    if (options.is_done()) break;
    const timespec pause{.tv_sec = 0, .tv_nsec = kBetweenLooks_ms * kMillisecond_ns};
    nanosleep(&pause, nullptr);
  }
  return Done{};
}

Status run_read(const Words& words, std::ostream& out) {
  const auto seconds = words.number("--seconds", 0, 1e9);
  if (!seconds) return seconds.error();
  auto robot = open_robot(words);
  if (!robot) return robot.error();
  const ReadOptions options{
      .seconds = *seconds, .shows_all = words.has("--all"), .is_json = words.has("--json")};
  if (!words.has("--once")) return read_live(*robot, options, out);
  print_once(*robot, options, out);
  return Done{};
}

}  // namespace

Status read_live(RobotLink& robot, const ReadOptions& options, std::ostream& out) {
  const std::int64_t end_ns =
      options.seconds > 0 ? deadline_after_ns(monotonic_now_ns(), nanoseconds_from_seconds(options.seconds))
                          : kNever_ns;
  const SignalWatch signals;
  if (is_at_terminal() && !options.is_json && !options.is_text)
    return read_on_screen(robot, options, end_ns, signals);
  return read_as_text(robot, options, end_ns, signals, out);
}

std::vector<Option> robot_options() {
  return {{.name = "--robot",
           .value_name = "NAME",
           .help = "Which running robot; may be left out while only one runs."},
          {.name = "--model",
           .value_name = "ROBOT",
           .help = "Its model by name or path, where its own name does not tell."}};
}

Result<RobotLink> open_robot(const Words& words) {
  return RobotLink::open(
      {.robot = words.text("--robot"), .space = words.text("--space"), .model = words.text("--model")});
}

const Command kReadCommand = [] {
  Command command{
      .name = "read",
      .summary = "Show live where a robot's joints are",
      .details =
          "A table of the joints, 20 times a second: what is wanted of each, what was sent to its motor, "
          "where "
          "it is. Positions in rad and m. On a terminal q leaves, a shows all joints, the arrows scroll; "
          "elsewhere the table comes as text once a second.",
      .options = robot_options(),
      .examples = {"sinew read", "sinew read --once --json", "sinew read --robot mds --all"},
      .run = run_read,
  };
  const std::vector<Option> own{
      {.name = "--all", .value_name = "", .help = "Joints whose motors are not in use, too."},
      {.name = "--once", .value_name = "", .help = "Once, then end."},
      {.name = "--seconds", .value_name = "S", .help = "End after so long; 0: never.", .fallback = "0"},
      {.name = "--json", .value_name = "", .help = "Print JSON, a line for each look."}};
  command.options.insert(command.options.end(), own.begin(), own.end());
  return command;
}();

}  // namespace sinew::cli
