// SPDX-License-Identifier: BSD-3-Clause
// sinew sim pause | resume | step | speed | input | reset: a running world, over its channels.
#include "apps/cli/sim_control.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/channels/inspect.h"
#include "sinew/drivers/robot_clock.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"
#include "sinew/messages/world.h"
#include "sinew/model/robot_model.h"

#include "apps/cli/robot_link.h"

namespace sinew::cli {
namespace {

constexpr std::int64_t kAnswers_ns = 5 * kSecond_ns;
constexpr std::string_view kClock = "/clock";

/// A robot of a world that runs, and the process that runs it.
struct SimulatedRobot {
  std::string name;
  std::uint32_t simulator_pid = 0;
};

std::vector<SimulatedRobot> simulated_robots(const std::string& space) {
  std::vector<SimulatedRobot> robots;
  const auto listing = channels::list_channels(space);
  if (!listing) return robots;
  for (const channels::ChannelInfo& info : listing->channels) {
    if (!info.name.ends_with(kClock) || info.message_name != "Clock") continue;
    const auto living = std::ranges::find_if(
        info.writers, [](const channels::WriterInfo& writer) { return writer.life != channels::Life::Dead; });
    if (living == info.writers.end()) continue;
    robots.push_back({info.name.substr(0, info.name.size() - kClock.size()), living->pid});
  }
  return robots;
}

Result<SimulatedRobot> choose_simulated(const std::vector<SimulatedRobot>& robots, const Words& words) {
  std::vector<std::string> names;
  for (const SimulatedRobot& robot : robots) names.push_back(robot.name);
  if (robots.empty())
    return Error{
        ErrorCode::NotFound,
        fmt::format("no world runs in the space '{}'; 'sinew start ROBOT --sim' or 'sinew sim' starts one",
                    words.text("--space"))};
  if (!words.has("--robot")) {
    // robots of one world are asked alike
    const bool is_one_world = std::ranges::all_of(
        robots, [&](const SimulatedRobot& r) { return r.simulator_pid == robots.front().simulator_pid; });
    if (is_one_world) return robots.front();
    return Error{ErrorCode::NotFound,
                 fmt::format("several worlds run; choose one by a robot of it with --robot: {}",
                             fmt::join(names, ", "))};
  }
  const auto found = std::ranges::find(robots, words.text("--robot"), &SimulatedRobot::name);
  if (found != robots.end()) return *found;
  return Error{
      ErrorCode::NotFound,
      fmt::format("no simulated robot '{}' in the space '{}'{}; there is {}", words.text("--robot"),
                  words.text("--space"), did_you_mean(words.text("--robot"), names), fmt::join(names, ", "))};
}

/// A world that runs, as seen from one of its robots.
class WorldLink {
 public:
  static Result<WorldLink> open(const std::string& robot, const std::string& space) {
    auto clock = Reader<Clock>::open({.name = clock_channel(robot), .space = space, .may_create = false});
    if (!clock) return clock.error();
    auto requests = Writer<SimulationRequest>::open(
        {.name = simulation_channel(robot), .space = space, .sender = "sim", .may_create = false});
    if (!requests) return requests.error();
    return WorldLink(*std::move(clock), *std::move(requests));
  }

  /// Asks, and waits until it is done: as long as the world moves, and some seconds more.
  Result<Clock> ask(SimulationRequest request) {
    static_cast<void>(clock_.read_newest(now_));
    const std::uint64_t refusals = now_.message.refusals;
    request.stamp_ns = now_.message.stamp_ns;
    set_text(request.who, "sim");
    std::uint64_t number = 0;
    if (const int status = requests_.put(request, &number); status != SINEW_OK)
      return error_from_status(status, "asking the world");
    std::int64_t deadline_ns = monotonic_now_ns() + kAnswers_ns;
    while (now_.message.last_request < number) {
      const std::int64_t before_ns = now_.message.stamp_ns;
      if (clock_.wait(deadline_ns) != SINEW_OK || clock_.read_newest(now_) != SINEW_OK ||
          monotonic_now_ns() > deadline_ns)
        return Error{ErrorCode::TimedOut, "the world does not answer: does its simulator still run?"};
      if (now_.message.stamp_ns != before_ns) deadline_ns = monotonic_now_ns() + kAnswers_ns;
    }
    if (now_.message.refusals != refusals)
      return Error{ErrorCode::InvalidInput, "the world has refused; its simulator's log may tell why"};
    return now_.message;
  }

 private:
  WorldLink(Reader<Clock> clock, Writer<SimulationRequest> requests)
      : clock_(std::move(clock)), requests_(std::move(requests)) {}

  Reader<Clock> clock_;
  Writer<SimulationRequest> requests_;
  Frame<Clock> now_{};
};

struct Answered {
  SimulatedRobot robot;
  std::vector<SimulatedRobot> all;
  Clock clock;
};

Result<Answered> ask_world(const Words& words, const SimulationRequest& request) {
  Answered answered{.all = simulated_robots(words.text("--space"))};
  const auto robot = choose_simulated(answered.all, words);
  if (!robot) return robot.error();
  answered.robot = *robot;
  auto world = WorldLink::open(robot->name, words.text("--space"));
  if (!world) return world.error();
  const auto clock = world->ask(request);
  if (!clock) return clock.error();
  answered.clock = *clock;
  return answered;
}

void tell(const Answered& answered, std::string_view what, std::ostream& out) {
  out << fmt::format("{}: {} at {:.3f} s of robot time\n", answered.robot.name, what,
                     seconds_from_nanoseconds(answered.clock.stamp_ns));
}

Status run_pause(const Words& words, std::ostream& out) {
  const auto answered = ask_world(words, {.verb = SimulationVerb::Pause});
  if (!answered) return answered.error();
  tell(*answered, "paused", out);
  return Done{};
}

Status run_resume(const Words& words, std::ostream& out) {
  const auto answered = ask_world(words, {.verb = SimulationVerb::Resume});
  if (!answered) return answered.error();
  tell(*answered, "goes on", out);
  return Done{};
}

Status run_step(const Words& words, std::ostream& out) {
  constexpr std::uint32_t kMostSteps = 1'000'000'000;
  std::uint32_t steps = 1;
  if (!words.arguments().empty()) {
    const std::string& text = words.arguments().front();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), steps);
    if (error != std::errc() || end != text.data() + text.size() || steps < 1 || steps > kMostSteps)
      return usage_error(fmt::format("'{}' is no number of steps; give 1 to {}", text, kMostSteps));
  }
  const auto answered = ask_world(words, {.verb = SimulationVerb::Step, .steps = steps});
  if (!answered) return answered.error();
  tell(*answered, fmt::format("{} {} taken, paused", steps, steps == 1 ? "step" : "steps"), out);
  return Done{};
}

Status run_speed(const Words& words, std::ostream& out) {
  const auto speed = world_speed(words.argument(0));
  if (!speed) return speed.error();
  const auto answered = ask_world(words, {.verb = SimulationVerb::Speed, .speed = *speed});
  if (!answered) return answered.error();
  tell(*answered, *speed == 0.0 ? "goes as fast as it can" : fmt::format("goes at speed {}", *speed), out);
  return Done{};
}

/// Which input a name or a number means, and what it is to be.
Result<SimulationRequest> input_request(const std::string& robot, const Words& words) {
  const std::string& value = words.argument(1);
  SimulationRequest request{.verb = SimulationVerb::SetInput};
  const bool is_switch = value == "on" || value == "off";
  if (is_switch) {
    request.value = value == "on" ? 1.0 : 0.0;
  } else {
    const auto number = number_from(value);
    if (!number) return usage_error(fmt::format("'{}' is neither on, off nor a number", value));
    request.verb = SimulationVerb::SetAnalogInput;
    request.value = *number;
  }
  auto link = RobotLink::open({.robot = robot, .space = words.text("--space"), .who = "sim"});
  if (!link) return link.error();
  const IoPort* port = find_port(link->model().inputs, words.argument(0), !is_switch);
  if (port == nullptr) {
    std::vector<std::string> names;
    for (const IoPort& known : link->model().inputs)
      if (known.is_analog != is_switch) names.push_back(known.name);
    return Error{ErrorCode::NotFound,
                 fmt::format("'{}' has no {} input '{}'{}; robot.yaml names {}", robot,
                             is_switch ? "digital" : "analog", words.argument(0),
                             did_you_mean(words.argument(0), names),
                             names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
  }
  request.port = port->number;
  return request;
}

Status run_input(const Words& words, std::ostream& out) {
  const auto robot = choose_simulated(simulated_robots(words.text("--space")), words);
  if (!robot) return robot.error();
  const auto request = input_request(robot->name, words);
  if (!request) return request.error();
  auto world = WorldLink::open(robot->name, words.text("--space"));
  if (!world) return world.error();
  const auto clock = world->ask(*request);
  if (!clock) return clock.error();
  out << fmt::format("{}: input {} is {}\n", robot->name, words.argument(0), words.argument(1));
  return Done{};
}

/// After its world was reset a controller finds its device at fault, and wants a reset. False: none runs.
Result<bool> reset_controller(const std::string& robot, const std::string& space) {
  auto safety = Reader<Safety>::open({.name = robot + "/safety", .space = space, .may_create = false});
  auto command = Writer<ControlRequest>::open(
      {.name = robot + "/command", .space = space, .sender = "sim", .may_create = false});
  if (!safety || !command) return false;
  ControlRequest request{.verb = ControlVerb::Reset};
  set_text(request.who, "sim");
  bool is_asked = false;
  Frame<Safety> now{};
  const std::int64_t deadline_ns = monotonic_now_ns() + kAnswers_ns;
  while (monotonic_now_ns() < deadline_ns) {
    static_cast<void>(safety->read_newest(now));
    if (is_asked && now.message.state == ControlState::Running) return true;
    if (!is_asked && now.message.state == ControlState::Faulted) {
      request.stamp_ns = now.message.stamp_ns;
      is_asked = command->put(request) == SINEW_OK;
    }
    static_cast<void>(safety->wait(deadline_ns));
  }
  return Error{
      ErrorCode::TimedOut,
      fmt::format("the controller of '{}' has not come up again; 'sinew console -c reset' may bring it up, "
                  "'sinew status' tells more",
                  robot)};
}

Status run_reset(const Words& words, std::ostream& out) {
  const auto answered = ask_world(words, {.verb = SimulationVerb::Reset});
  if (!answered) return answered.error();
  tell(*answered, "everything is back where it started", out);
  if (answered->clock.rate == 0.0) {
    out << "paused: once the world goes on, its controllers want a reset ('sinew console -c reset')\n";
    return Done{};
  }
  for (const SimulatedRobot& robot : answered->all) {
    if (robot.simulator_pid != answered->robot.simulator_pid) continue;
    const auto is_up = reset_controller(robot.name, words.text("--space"));
    if (!is_up) return is_up.error();
    if (*is_up) out << fmt::format("{}: its controller runs again\n", robot.name);
  }
  return Done{};
}

const Option kOfRobot{.name = "--robot",
                      .value_name = "NAME",
                      .help = "The world that this robot is in; needed when several run."};

}  // namespace

Result<double> world_speed(const std::string& text) {
  if (text == "max") return 0.0;
  const auto speed = number_from(text);
  if (speed && *speed >= kSlowestWorld && *speed <= kFastestWorld) return *speed;
  return usage_error(
      fmt::format("'{}' is no speed; give {} to {}, or max", text, kSlowestWorld, kFastestWorld));
}

std::vector<Command> sim_control_commands() {
  return {
      {.name = "sim pause",
       .summary = "Let a running world stand still, robot time included",
       .details = "The robots' controllers wait with it: nothing is at fault. NAME/clock tells the rate 0.",
       .options = {kOfRobot},
       .examples = {"sinew sim pause"},
       .run = run_pause},
      {.name = "sim resume",
       .summary = "Let a paused world go on",
       .options = {kOfRobot},
       .examples = {"sinew sim resume"},
       .run = run_resume},
      {.name = "sim step",
       .summary = "Take steps of the physics, then stand still",
       .details = "Each step, a millisecond unless world.yaml says otherwise, waits until the controllers "
                  "have answered "
                  "the one before. Returns when all have been taken.",
       .arguments = {{.name = "N", .help = "How many; 1 when not given.", .is_optional = true}},
       .options = {kOfRobot},
       .examples = {"sinew sim step", "sinew sim step 500"},
       .run = run_step},
      {.name = "sim speed",
       .summary = "Let a world go faster or slower",
       .details = "Above 1, each step waits until the controllers have answered the one before, so a world "
                  "goes as fast "
                  "as they can follow; NAME/clock tells the rate that comes of it.",
       .arguments = {{.name = "X", .help = "Robot seconds per second, 0.01 to 100; max: as fast as it can."}},
       .options = {kOfRobot},
       .examples = {"sinew sim speed 0.1", "sinew sim speed max"},
       .run = run_speed},
      {.name = "sim input",
       .summary = "Set an input of a simulated robot, as if a button were pressed",
       .arguments = {{.name = "NAME", .help = "The input's name in robot.yaml, or its number."},
                     {.name = "VALUE", .help = "on or off; a number for an analog input."}},
       .options = {kOfRobot},
       .examples = {"sinew sim input door on", "sinew sim input pressure 0.4"},
       .run = run_input},
      {.name = "sim reset",
       .summary = "Put everything in a world back to where it started",
       .details = "Robot time goes on. The devices are as if switched off and on, and the controllers are "
                  "reset; what was "
                  "wanted before is forgotten.",
       .options = {kOfRobot},
       .examples = {"sinew sim reset"},
       .run = run_reset},
  };
}

}  // namespace sinew::cli
