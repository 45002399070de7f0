// SPDX-License-Identifier: BSD-3-Clause
// sinew run
#include "apps/cli/program_run.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/motion/program_file.h"

#include "apps/cli/program_check.h"
#include "apps/cli/program_view.h"
#include "apps/cli/read.h"
#include "apps/cli/robot_link.h"
#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

constexpr std::int64_t kBetweenRunLooks_ns = 20 * kMillisecond_ns;
constexpr std::int64_t kRunAnswers_ns = 5 * kSecond_ns;
constexpr double kSlowestRun = 0.01;
constexpr double kOverrideStep = 0.1;

void rest_a_little() {
  const timespec pause{.tv_sec = 0, .tv_nsec = kBetweenRunLooks_ns};
  nanosleep(&pause, nullptr);
}

/// A program of a running robot, as the one who started it sees it.
class ProgramRun {
 public:
  ProgramRun(RobotLink& robot, Reader<MotionState> motion, ProgramView& view)
      : robot_(robot), motion_(std::move(motion)), view_(view) {}

  /// Asks and waits for the answer.
  Result<Reply> ask(const Request& request) {
    const auto number = robot_.ask_motion(request);
    if (!number) return number.error();
    const std::int64_t deadline_ns = monotonic_now_ns() + kRunAnswers_ns;
    while (monotonic_now_ns() < deadline_ns) {
      if (const auto reply = robot_.next_reply(*number)) return *reply;
      rest_a_little();
    }
    return Error{ErrorCode::TimedOut, "the motion service does not answer; 'sinew status' tells more"};
  }

  Status begin(const Request& request) {
    const auto reply = ask(request);
    if (!reply) return reply.error();
    if (reply->status != ReplyStatus::Accepted)
      return Error{ErrorCode::InvalidInput, std::string(text_of(reply->reason))};
    number_ = reply->request;
    return Done{};
  }

  /// Until it is over, or the robot is gone.
  Status follow(Keys& keys, const SignalWatch& signals) {
    while (true) {
      if (const Status alive = robot_.refresh(); !alive) return alive;
      look();
      while (const auto reply = robot_.next_reply(number_)) {
        const std::string words(text_of(reply->reason));
        if (reply->status == ReplyStatus::Accepted) {
          view_.say(words);
          continue;
        }
        look();
        const bool is_well = reply->status == ReplyStatus::Done;
        view_.end(is_well, words);
        return is_well ? Status(Done{}) : Status(Error{ErrorCode::Interrupted, words});
      }
      if (!robot_.has_motion_service())
        return Error{ErrorCode::Gone, "the motion service has ended; 'sinew status' tells more"};
      if (signals.has_come()) stop();
      obey(keys.next());
      rest_a_little();
    }
  }

 private:
  void look() {
    Frame<MotionState> frame;
    while (motion_.read_next(frame) == SINEW_OK) {
      if (frame.message.program_request != number_) continue;
      now_ = frame.message;
      view_.see(now_);
    }
  }

  // Its answers do not matter: what comes of it is seen.
  void tell(RequestVerb verb, double speed = 1.0) {
    static_cast<void>(robot_.ask_motion({.verb = verb, .speed = speed}));
  }

  // The controller brakes at once; whoever plans may be busy, and has then only to end the program.
  void stop() {
    if (std::exchange(is_stopping_, true)) return;
    static_cast<void>(robot_.ask_controller(ControlVerb::Halt));
    tell(RequestVerb::Stop);
  }

  void obey(char key) {
    const bool is_running = now_.program_phase == ProgramPhase::Running;
    switch (key) {
      case ' ':
        return tell(is_running ? RequestVerb::Pause : RequestVerb::Resume);
      case 's':
        // what runs is paused first; the next one steps
        return tell(is_running ? RequestVerb::Pause : RequestVerb::StepProgram);
      case 'q':
        return stop();
      case '+':
      case '-': {
        const double step = key == '+' ? kOverrideStep : -kOverrideStep;
        const double share = std::round((now_.override_share + step) * 10.0) / 10.0;
        return tell(RequestVerb::SetOverride, std::clamp(share, kSlowestRun, 1.0));
      }
      default:
        return;
    }
  }

  RobotLink& robot_;
  Reader<MotionState> motion_;
  ProgramView& view_;
  std::uint64_t number_ = 0;
  MotionState now_;
  bool is_stopping_ = false;
};

// ---- what was typed ----

Result<Request> program_request(const std::string& path, const ProgramText& program, const Words& words) {
  Request request{.verb = words.has("--step") ? RequestVerb::StepProgram : RequestVerb::RunProgram};
  const auto line = words.whole("--from", 0, 1'000'000);
  if (!line) return line.error();
  request.number = *line;
  const std::string text = fmt::format("{:016x} {}", program.hash, path);
  if (text.size() >= request.text.size())
    return Error{ErrorCode::OutOfLimits, fmt::format("the path {} is too long for a request", path)};
  set_text(request.text, text);
  set_text(request.arm, words.text("--arm"));
  return request;
}

Result<Request> breakpoint_request(const Words& words) {
  const auto lines = words.numbers("--break");
  if (!lines) return lines.error();
  Request request{.verb = RequestVerb::SetBreakpoints};
  const std::string text = fmt::format("{}", fmt::join(*lines, " "));
  const bool are_lines =
      std::ranges::all_of(*lines, [](double line) { return line >= 1.0 && line == std::floor(line); });
  if (!are_lines || text.size() >= request.text.size())
    return usage_error("--break takes numbers of lines, from 1");
  set_text(request.text, text);
  return request;
}

Status prepare_run(ProgramRun& run, const Words& words) {
  const auto breakpoints = breakpoint_request(words);
  if (!breakpoints) return breakpoints.error();
  if (const auto set = run.ask(*breakpoints); !set) return set.error();
  if (!words.has("--override")) return Done{};
  const auto percent = words.number("--override", 1.0, 100.0);
  if (!percent) return percent.error();
  const auto set = run.ask({.verb = RequestVerb::SetOverride, .speed = *percent / 100.0});
  return set ? Status(Done{}) : Status(set.error());
}

Status check_before_run(const std::string& path, RobotLink& robot, const Words& words) {
  if (robot.model().arms.empty())
    return Error{
        ErrorCode::NotFound,
        fmt::format("robot '{}' has no arm; name one under arms: in its robot.yaml", robot.model().name)};
  if (words.has("--no-check")) return Done{};
  const auto& sent = robot.now().processed.position;
  const std::unique_ptr<World> world = robot.world();
  const std::unique_ptr<World> seen = robot.seen_world();
  const auto line = words.whole("--from", 0, 1'000'000);
  if (!line) return line.error();
  const auto errors = count_errors(path, {.robot = robot.model_name(), .arm = words.text("--arm")},
                                   {.q_all = std::span(sent).first(robot.model().positions.size()),
                                    .world = world.get(),
                                    .seen = seen.get(),
                                    .site = robot.files().site,
                                    .from_line = static_cast<std::uint32_t>(*line)},
                                   words.has("--json"));
  if (!errors) return errors.error();
  if (*errors == 0) return Done{};
  return Error{ErrorCode::Damaged,
               fmt::format("{} error{}: nothing was moved; --no-check runs it all the same", *errors,
                           *errors == 1 ? "" : "s")};
}

Status run_program_file(const Words& words, std::ostream& out) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(words.argument(0), error).lexically_normal().string();
  const auto program = read_program(path);
  if (!program) return program.error();
  const auto request = program_request(path, *program, words);
  if (!request) return request.error();
  auto robot = RobotLink::open({.robot = words.text("--robot"),
                                .space = words.text("--space"),
                                .model = words.text("--model"),
                                .who = "run"});
  if (!robot) return robot.error();
  if (const Status checked = check_before_run(path, *robot, words); !checked) return checked;
  auto motion = Reader<MotionState>::open(
      {.name = robot->name() + "/motion", .space = robot->space(), .may_create = false}, SINEW_START_NOW);
  if (!motion) return motion.error();

  const SignalWatch signals;
  Keys keys;
  const bool is_live = keys.is_terminal() && is_at_terminal();
  ProgramView view(words.has("--json") ? ProgramShow::Json
                   : is_live           ? ProgramShow::Live
                                       : ProgramShow::Text,
                   program->text, out);
  ProgramRun run(*robot, *std::move(motion), view);
  if (const Status prepared = prepare_run(run, words); !prepared) return prepared;
  if (const Status begun = run.begin(*request); !begun) return begun;
  if (words.has("--detach")) {
    fmt::print(stderr, "it runs by itself; 'sinew console -c stop' stops it\n");
    return Done{};
  }
  return run.follow(keys, signals);
}

}  // namespace

Command run_command() {
  Command command{
      .name = "run",
      .summary = "Run a robot program on a running robot",
      .details =
          "Checks the program from where the robot stands and among what stands around it, then runs it and "
          "shows which line it is at. In a "
          "terminal: space pauses and resumes, s takes one statement, + and - change the speed, q or Ctrl-C "
          "brakes at once and ends it. What the program prints goes to stdout. It exits with 0 only when the "
          "program has "
          "ended well. When this command dies, the program is stopped; with --detach it goes on alone.",
      .arguments = {{.name = "FILE",
                     .help = "A program; its name ends in .prog.",
                     .completion = Completion::File}},
      .options = robot_options(),
      .examples = {"sinew run programs/listing_4_corrected.prog",
                   "sinew run weld.prog --robot kr60 --from 12 --override 20",
                   "sinew run weld.prog --break 14 20 --json"},
      .run = run_program_file,
  };
  const std::vector<Option> own{
      {.name = "--arm", .value_name = "NAME", .help = "Which arm it moves; needed when there are several."},
      {.name = "--from",
       .value_name = "LINE",
       .help = "Begin there; what is set before it is set, nothing before it is done.",
       .fallback = "0"},
      {.name = "--break", .value_name = "LINE…", .help = "Pause before these lines.", .most_values = 64},
      {.name = "--step", .value_name = "", .help = "Pause before each statement."},
      {.name = "--override", .value_name = "P", .help = "Run at P percent of the speed, 1 to 100."},
      {.name = "--detach", .value_name = "", .help = "End as soon as it has begun; it runs by itself."},
      {.name = "--no-check", .value_name = "", .help = "Run it without checking it first."},
      {.name = "--json", .value_name = "", .help = "Tell events as JSON, one a line."}};
  command.options.insert(command.options.end(), own.begin(), own.end());
  return command;
}

}  // namespace sinew::cli
