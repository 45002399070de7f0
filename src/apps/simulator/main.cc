// SPDX-License-Identifier: BSD-3-Clause
// sinew-simulator: a world with its robots, each a device on its channels.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"

#include "apps/cli/program.h"
#include "apps/cli/sim_control.h"
#include "apps/cli/terminal.h"
#include "apps/simulator/simulator.h"
#include "apps/simulator/world_choice.h"

namespace sinew {
namespace {

// the one thing that a signal may change
std::atomic<bool> stop_requested{false};

void request_stop(int /*signal*/) {
  stop_requested.store(true);
}

void obey(char key, Simulator& simulator) {
  switch (key) {
    case ' ':
      simulator.pause(!simulator.is_paused());
      break;
    case '.':
      simulator.pause(true);
      simulator.step();
      break;
    case '+':
      simulator.set_speed(std::min(2.0 * simulator.speed(), cli::kFastestWorld));
      break;
    case '-':
      simulator.set_speed(std::max(0.5 * simulator.speed(), cli::kSlowestWorld));
      break;
    case 'r':
      if (const Status done = simulator.reset(); !done)
        fmt::print(stderr, "\nsimulator: {}\n", done.error().message);
      break;
    case 'q':
      stop_requested.store(true);
      break;
    default:
      break;
  }
}

void show_line(const Simulator& simulator, std::int64_t began_ns) {
  fmt::print(
      stderr,
      "\r\033[K{:.2f} s  x{:.2f}{}  contacts {}  lost {}  [space] pause [.] step [+-] speed [r]eset [q]uit",
      seconds_from_nanoseconds(simulator.simulation().now_ns() - began_ns), simulator.rate(),
      simulator.is_paused() ? " paused" : "", simulator.simulation().contacts().size(),
      duration_text(simulator.lost_ns()));
}

Status run_until_stopped(Simulator& simulator, std::int64_t end_ns) {
  const cli::Keys keys;
  const std::int64_t began_ns = simulator.simulation().now_ns();
  std::int64_t shown_ns = 0;
  while (!stop_requested.load() && monotonic_now_ns() < end_ns) {
    simulator.turn();
    if (!simulator.simulation().is_stable())
      return Error{
          ErrorCode::Damaged,
          "the physics came to numbers that cannot be, and everything fell back to its start; a smaller "
          "time_step in world.yaml may help"};
    if (simulator.is_cut_off())
      return Error{ErrorCode::Gone,
                   "the channels of a robot were removed while it ran: whoever starts this anew makes them"};
    const std::int64_t now_ns = monotonic_now_ns();
    if (!keys.is_terminal() || now_ns - shown_ns < 100 * kMillisecond_ns) continue;
    obey(keys.next(), simulator);
    show_line(simulator, began_ns);
    shown_ns = now_ns;
  }
  if (keys.is_terminal()) fmt::print(stderr, "\n");
  return Done{};
}

void say_ready(int descriptor, const Simulator& simulator) {
  for (const SceneRobot& robot : simulator.simulation().scene().robots)
    fmt::print(stderr, "simulator: {} is up: {} joints\n", robot.name, robot.model.positions.size());
  for (const std::string& remark : simulator.simulation().remarks())
    fmt::print(stderr, "simulator: {}\n", remark);
  for (const std::string& remark : simulator.remarks()) fmt::print(stderr, "simulator: {}\n", remark);
  if (descriptor > 0 && write(descriptor, "ready\n", 6) != 6)
    fmt::print(stderr, "simulator: nobody listens on descriptor {}\n", descriptor);
}

Status run_simulator(const cli::Words& words, std::ostream& /*out*/) {
  const auto speed = cli::world_speed(words.text("--speed"));
  if (!speed) return speed.error();
  const auto seconds = words.number("--seconds", 0, 1e9);
  if (!seconds) return seconds.error();
  const auto ready = words.whole("--ready-fd", 0, 65535);
  if (!ready) return ready.error();
  auto scene = choose_world(words);
  if (!scene) return scene.error();
  auto simulator = Simulator::make(*std::move(scene), {.space = words.text("--space"),
                                                       .speed = *speed == 0.0 ? kAsFastAsItCan : *speed,
                                                       .is_paused = words.has("--paused")});
  if (!simulator) return simulator.error();
  signal(SIGTERM, request_stop);
  signal(SIGINT, request_stop);
  say_ready(static_cast<int>(*ready), **simulator);
  const std::int64_t end_ns =
      *seconds > 0 ? deadline_after_ns(monotonic_now_ns(), nanoseconds_from_seconds(*seconds)) : kNever_ns;
  return run_until_stopped(**simulator, end_ns);
}

cli::Command simulator_command() {
  std::vector<cli::Option> options = world_options();
  options.push_back({.name = "--speed",
                     .value_name = "X",
                     .help = "Simulated seconds per second, 0.01 to 100; max: as fast as it can.",
                     .fallback = "1"});
  options.push_back({.name = "--paused", .value_name = "", .help = "Stand still until told to go on."});
  options.push_back(
      {.name = "--seconds", .value_name = "S", .help = "End after that long; 0: never.", .fallback = "0"});
  options.push_back({.name = "--ready-fd",
                     .value_name = "N",
                     .help = "Descriptor to write 'ready' to once the world is up.",
                     .fallback = "0"});
  return {.name = "simulator",
          .summary = "A world with its robots, each a device on its channels; 'sinew sim' runs it",
          .options = std::move(options),
          .examples = {"sinew-simulator --world table --robot panda"},
          .run = run_simulator};
}

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  return sinew::cli::run_program(sinew::simulator_command(),
                                 std::vector<std::string>(words + 1, words + count));
}
