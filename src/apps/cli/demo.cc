// SPDX-License-Identifier: BSD-3-Clause
// sinew demo: a simulated SCORBOT-ER III solves the Towers of Hanoi, in the reader.
#include "apps/cli/demo.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/hanoi/board.h"
#include "sinew/web/listen_address.h"

#include "apps/cli/demo_process.h"
#include "apps/cli/demo_robot.h"
#include "apps/cli/read.h"
#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

constexpr const char* kHanoiRobot = "scorbot-er3";

/// The board as letters, as its world tells it.
class BoardPicture {
 public:
  static Result<BoardPicture> open(const std::string& space) {
    auto world = Reader<World>::open(
        {.name = std::string(kHanoiRobot) + "/world_truth", .space = space, .may_create = false});
    if (!world) return world.error();
    return BoardPicture(*std::move(world));
  }

  /// Each peg a column, each disc a bar twice as wide as its size.
  std::vector<std::string> lines() {
    static_cast<void>(world_.read_newest(*frame_));
    const auto board = read_board(frame_->message);
    if (!board) return {};
    const auto count = static_cast<int>(board->discs.size());
    const int width = 2 * count + 2;
    std::vector<std::string> rows{""};
    for (int level = count - 1; level >= 0; --level) {
      std::string row;
      for (const std::vector<int>& peg : board->towers.pegs) {
        const bool has_disc = level < static_cast<int>(peg.size());
        const int size = has_disc ? peg[static_cast<std::size_t>(level)] : 0;
        row += fmt::format("  {:^{}}", has_disc ? std::string(2 * static_cast<std::size_t>(size), '=') : "|",
                           width);
      }
      rows.push_back(std::move(row));
    }
    std::string ground;
    for (std::size_t peg = 0; peg < board->pegs.size(); ++peg)
      ground += fmt::format("  {:-^{}}", peg + 1, width);
    rows.push_back(std::move(ground));
    for (const BoardDisc& disc : board->discs)
      if (disc.is_astray) rows.push_back(fmt::format("  disc {} is on its way", disc.size));
    return rows;
  }

 private:
  explicit BoardPicture(Reader<World> world)
      : world_(std::move(world)), frame_(std::make_unique<Frame<World>>()) {}

  Reader<World> world_;
  std::unique_ptr<Frame<World>> frame_;  // too large for a stack
};

// A machine too busy for it may miss the device's watchdog.
Status reset_after_fault(RobotLink& robot) {
  return robot.now().safety.state == ControlState::Faulted ? robot.ask_controller(ControlVerb::Reset)
                                                           : Status(Done{});
}

Status run_hanoi_demo(const DemoOptions& options, std::ostream& out) {
  // Ctrl-C at any moment ends the robot, too
  const SignalWatch signals;
  DemoRobot running({.robot = kHanoiRobot,
                     .space = options.space,
                     .world = {"--world", "hanoi", "--discs", std::to_string(options.discs)},
                     .has_motion = true,
                     .web = options.web});
  auto robot = running.link(signals);
  if (!robot) return robot.error();
  auto board = BoardPicture::open(options.space);
  if (!board) return board.error();
  fmt::print(stderr, "in another terminal: ./sinew console --space {0}; ./sinew sim pause --space {0}\n",
             options.space);
  if (!options.web.empty()) fmt::print(stderr, "in a browser: http://{}\n", options.web);
  DemoProcess hanoi({"sinew-hanoi", "--robot", kHanoiRobot, "--space", options.space, "--times",
                     options.is_once ? "1" : "0"});
  const Status seen =
      read_live(*robot,
                {.seconds = options.seconds,
                 .is_text = options.is_headless,
                 .on_look = [&] { return reset_after_fault(*robot); },
                 .is_done = [&] { return hanoi.has_ended(); },
                 .lines_below =
                     [&] {
                       auto lines = board->lines();
                       if (!options.web.empty())
                         lines.insert(lines.end(), {"", "  in a browser: http://" + options.web});
                       return lines;
                     }},
                out);
  if (!seen) return seen;
  const bool is_solved = hanoi.has_succeeded();
  const bool has_failed = hanoi.has_ended() && !is_solved;
  hanoi.end();
  if (has_failed) return Error{ErrorCode::SystemFailure, "the tower was given up:\n" + hanoi.log_text()};
  if (options.is_once && !is_solved)
    return Error{ErrorCode::TimedOut,
                 fmt::format("the tower did not stand in {} s; --seconds gives it more time. It said:\n{}",
                             options.seconds, hanoi.log_text())};
  for (const std::string& line : board->lines()) out << line << "\n";
  if (is_solved) out << fmt::format("{} discs stand on peg 3.\n", options.discs);
  return Done{};
}

Status run_demo(const Words& words, std::ostream& out) {
  if (words.has("--emulate"))
    return Error{ErrorCode::NotFound,
                 "the emulated SCORBOT-ER III, with its serial line, comes with a later version; without "
                 "--emulate it is simulated"};
  const auto seconds = words.number("--seconds", 0, 86'400);
  if (!seconds) return seconds.error();
  const auto discs = words.whole("--discs", 1, 6);
  if (!discs) return discs.error();
  const auto address = web::listen_address_from(words.text("--web"));
  if (!address || address->port == 0) return usage_error("--web takes ADDRESS:PORT, such as 127.0.0.1:8080");
  if (!web::is_loopback(address->host))
    return usage_error("the demo has no accounts, so its page is for this machine only: a loopback address");
  // nobody looks at the page of a demo that runs by itself, unless it is asked for
  const bool has_web = !words.has("--no-web") && (!words.has("--headless") || words.has("--web"));
  const DemoOptions options{
      .space = words.has("--space") ? words.text("--space") : fmt::format("demo-{}", getpid()),
      .seconds = *seconds,
      .is_once = words.has("--once"),
      .is_headless = words.has("--headless"),
      .discs = *discs,
      .web = has_web ? words.text("--web") : ""};
  return words.has("--wave") ? run_wave_demo(options, out) : run_hanoi_demo(options, out);
}

}  // namespace

const Command kDemoCommand{
    .name = "demo",
    .summary = "Show a simulated robot that solves the Towers of Hanoi",
    .details =
        "Starts a world of physics with a SCORBOT-ER III, its controller and its motion service, in a space "
        "of "
        "its own, has the tower moved from peg to peg, and shows joints and board in the reader and "
        "in the browser. Ends it and "
        "leaves nothing behind. Without a terminal all comes as text once a second.",
    .options = {{.name = "--seconds",
                 .value_name = "S",
                 .help = "How long; 0: until q or Ctrl-C, which end it earlier, too.",
                 .fallback = "0"},
                {.name = "--once", .value_name = "", .help = "End when the tower stands on the third peg."},
                {.name = "--discs", .value_name = "N", .help = "1 to 6.", .fallback = "3"},
                {.name = "--headless", .value_name = "", .help = "As text, at a terminal too."},
                {.name = "--web",
                 .value_name = "ADDRESS:PORT",
                 .help = "Where a browser sees it, and may take over; a loopback address.",
                 .fallback = "127.0.0.1:8080"},
                {.name = "--no-web", .value_name = "", .help = "Without a page."},
                {.name = "--emulate",
                 .value_name = "",
                 .help = "The device by its emulated serial line; not there yet."},
                {.name = "--wave", .value_name = "", .help = "The two-armed robot mds waves instead."}},
    .examples = {"sinew demo", "sinew demo --discs 5", "sinew demo --headless --once"},
    .run = run_demo,
};

}  // namespace sinew::cli
