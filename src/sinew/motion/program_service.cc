// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_service.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/motion/program_file.h"

namespace sinew {
namespace {

constexpr std::size_t kHashDigits = 16;

/// "0123456789abcdef /home/me/weld.prog", or the path alone.
struct ProgramName {
  std::optional<std::uint64_t> hash;
  std::string path;
};

ProgramName name_from(std::string_view text) {
  if (text.size() <= kHashDigits || text[kHashDigits] != ' ') return {.path = std::string(text)};
  std::uint64_t hash = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + kHashDigits, hash, 16);
  if (error != std::errc() || end != text.data() + kHashDigits) return {.path = std::string(text)};
  return {.hash = hash, .path = std::string(text.substr(kHashDigits + 1))};
}

// "4 17"
Result<std::set<std::uint32_t>> lines_from(std::string_view text) {
  std::set<std::uint32_t> lines;
  const char* at = text.data();
  const char* const last = text.data() + text.size();
  while (at != last) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    std::uint32_t line = 0;
    const auto [end, error] = std::from_chars(at, last, line);
    if (error != std::errc() || line == 0 || (end != last && *end != ' '))
      return Error{ErrorCode::InvalidInput,
                   fmt::format("'{}' are no lines; write their numbers, such as \"4 17\"", text)};
    lines.insert(line);
    at = end;
  }
  return lines;
}

}  // namespace

ProgramService::ProgramService(const RobotModel& model, MotionService& motion, ProgramSettings settings)
    : model_(model), motion_(motion), settings_(std::move(settings)) {}

// ---- what is asked ----

bool ProgramService::take_request(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  const Status allowed = motion_.allows(text_of(request.who));
  switch (request.verb) {
    case RequestVerb::RunProgram:
    case RequestVerb::StepProgram:
    case RequestVerb::SetBreakpoints:
      if (!allowed) {
        answer(number, ReplyStatus::Refused, allowed.error().message, now_ns);
      } else if (request.verb == RequestVerb::SetBreakpoints) {
        set_breakpoints(number, request, now_ns);
      } else if (request.verb == RequestVerb::StepProgram && request.text[0] == '\0') {
        step_program(number, request, now_ns);
      } else {
        run(number, request, now_ns);
      }
      return true;
    case RequestVerb::Stop:
      if (is_busy())
        runner_->stop(fmt::format("stopped by request {} of '{}'", number, text_of(request.who)));
      return false;
    case RequestVerb::Pause:
      if (is_busy() && allowed) runner_->pause();
      return false;
    case RequestVerb::Resume:
      return is_busy() && allowed && resume(number, request, now_ns);
    default:
      return false;
  }
}

void ProgramService::run(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  if (const Status begun = begin(number, request, now_ns); !begun)
    return answer(number, ReplyStatus::Refused, begun.error().message, now_ns);
  answer(number, ReplyStatus::Accepted, "running", now_ns);
}

// Answers whether it is answered: what else is paused goes on as well.
bool ProgramService::resume(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  const bool is_about_other = request.hold != 0 && request.number != number_;
  if (is_about_other) return false;
  if (const Status taken = take_press(request, now_ns); !taken) {
    answer(number, ReplyStatus::Refused, taken.error().message, now_ns);
    return true;
  }
  const bool was_held = runner_->is_held();
  runner_->resume();
  if (motion_.is_paused()) {
    resume_moves(number, now_ns);
    return true;
  }
  const bool is_own = was_held || request.hold != 0;
  if (is_own) answer(number, ReplyStatus::Done, "the program goes on", now_ns);
  return is_own;
}

void ProgramService::resume_moves(std::uint64_t number, std::int64_t now_ns) {
  Request request{.verb = RequestVerb::Resume};
  set_text(request.who, who_);
  motion_.take_request(number, request, now_ns);
}

// What runs only while a key is held goes on with another press only.
Status ProgramService::take_press(const Request& request, std::int64_t now_ns) {
  if (request.hold == 0 && hold_ != 0)
    return Error{ErrorCode::Denied, fmt::format("{} goes on only while its key is held", path_)};
  if (const Status held = motion_.check_hold(request, now_ns); !held) return held;
  if (request.hold != 0) motion_.tie(number_, request.hold);
  hold_ = request.hold;
  has_lost_press_ = false;
  return Done{};
}

void ProgramService::mind_press(std::int64_t now_ns) {
  const HoldBook& holds = motion_.holds();
  has_lost_press_ |= hold_ != 0 && holds.is_over(hold_, now_ns);
  runner_->set_let_go(has_lost_press_ || (hold_ != 0 && !holds.is_held(hold_, now_ns)));
}

Status ProgramService::begin(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  if (is_busy())
    return Error{ErrorCode::Denied,
                 fmt::format("'{}' runs {}; stop it first", who_.empty() ? "somebody" : who_, path_)};
  if (const Status held = motion_.check_hold(request, now_ns); !held) return held;
  const ProgramName name = name_from(text_of(request.text));
  auto program = read_program(name.path);
  if (!program) return program.error();
  if (name.hash && *name.hash != program->hash)
    return Error{ErrorCode::Mismatch,
                 fmt::format("{} is not what was checked: it has changed since; check it again", name.path)};
  if (program->parsed.findings.has_errors()) {
    const auto& all = program->parsed.findings.all();
    const auto first = std::ranges::find(all, language::Severity::Error, &language::Finding::severity);
    return Error{ErrorCode::Damaged, finding_text(*first, program->parsed.program.file_names())};
  }
  auto robot = ProgramRobot::make(model_, text_of(request.arm));
  if (!robot) return robot.error();
  const auto planner = planner_of(std::string(text_of(request.arm)));
  if (!planner) return planner.error();
  robot->take_joints(motion_.robot().sent());
  robot->take_io(io_);
  robot->ask_for_objects(settings_.objects);
  auto runner = ProgramRunner::make(std::move(program->parsed.program), *std::move(robot), **planner,
                                    {.from_line = static_cast<std::uint32_t>(request.number),
                                     .is_single_step = request.verb == RequestVerb::StepProgram,
                                     .breakpoints = breakpoints_,
                                     .rated_payload = settings_.payload});
  if (!runner) return runner.error();
  runner_ = *std::move(runner);
  planner_ = *planner;
  path_ = name.path;
  who_ = text_of(request.who);
  number_ = number;
  hold_ = request.hold;
  has_lost_press_ = false;
  step_answer_.reset();
  return Done{};
}

Result<MovePlanner*> ProgramService::planner_of(const std::string& arm) {
  const auto known = planners_.find(arm);
  if (known != planners_.end()) return known->second.get();
  auto made = MovePlanner::make(model_, {.arm = arm,
                                         .margin = settings_.margin,
                                         .mesh_points = settings_.mesh_points,
                                         .with_measures = false,
                                         .interruption = settings_.interruption});
  if (!made) return made.error();
  return planners_.emplace(arm, *std::move(made)).first->second.get();
}

void ProgramService::step_program(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  if (!is_busy()) return answer(number, ReplyStatus::Refused, "no program runs", now_ns);
  if (!runner_->is_held())
    return answer(number, ReplyStatus::Refused, "the program runs; pause it first", now_ns);
  if (const Status taken = take_press(request, now_ns); !taken)
    return answer(number, ReplyStatus::Refused, taken.error().message, now_ns);
  // the rest of a move that was paused belongs to the step
  if (motion_.is_paused()) {
    resume_moves(number, now_ns);
  } else {
    answer(number, ReplyStatus::Done, "one statement", now_ns);
  }
  runner_->step_once();
}

void ProgramService::set_breakpoints(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  const auto lines = lines_from(text_of(request.text));
  if (!lines) return answer(number, ReplyStatus::Refused, lines.error().message, now_ns);
  breakpoints_ = *lines;
  if (is_busy()) runner_->set_breakpoints(*lines);
  answer(number, ReplyStatus::Done,
         lines->empty() ? "no breakpoints" : fmt::format("pauses before {}", fmt::join(*lines, ", ")),
         now_ns);
}

// ---- what is done ----

const ProgramOutput& ProgramService::step(std::int64_t now_ns) {
  if (is_busy()) {
    if (const Status allowed = motion_.allows(who_); !allowed) runner_->stop(allowed.error().message);
    mind_press(now_ns);
    runner_->take_robot(motion_.robot().sent(), io_, motion_.holds_something());
    take_world();
    carry_out(runner_->step(now_ns, news(now_ns)), now_ns);
  }
  output_ = std::exchange(collected_, {});
  return output_;
}

// What the planner points to goes with the service's world, so it has the next one before it plans again.
void ProgramService::take_world() {
  const auto taken = taken_worlds_.find(planner_);
  if (taken != taken_worlds_.end() && taken->second == motion_.world_number()) return;
  const Status fits = planner_->set_world(motion_.obstacles());
  if (!fits) return runner_->stop(fits.error().message);
  taken_worlds_[planner_] = motion_.world_number();
}

void ProgramService::carry_out(const ProgramOrders& orders, std::int64_t now_ns) {
  for (const std::string& text : orders.messages) answer(number_, ReplyStatus::Accepted, text, now_ns);
  if (orders.io.output_mask != 0 || orders.io.analog_output_mask != 0) {
    IoCommand& io = collected_.io.emplace(orders.io);
    io.stamp_ns = now_ns;
    set_text(io.who, who_);
  }
  if (orders.ends_motion) motion_.end_step(step_, "ended by the program", now_ns);
  if (orders.motion) {
    Request request{.stamp_ns = now_ns, .hold = hold_};
    set_text(request.who, who_);
    step_answer_.reset();
    motion_.take_step(number_, ++step_, request, *orders.motion, now_ns);
  }
  if (!runner_->is_over()) return;
  const bool is_well = runner_->phase() == ProgramPhase::Ended;
  answer(number_, is_well ? ReplyStatus::Done : ReplyStatus::Aborted,
         runner_->ending().empty() ? "the program has ended" : runner_->ending(), now_ns);
}

// A step is over when the service has answered it and nothing of it moves.
ProgramMotionNews ProgramService::news(std::int64_t now_ns) const {
  const std::optional<double> time = motion_.step_time(step_, now_ns);
  if (time || !step_answer_) return {.nominal = time.value_or(0.0)};
  return {.is_over = true,
          .is_done = step_answer_->reply.status == ReplyStatus::Done,
          .wants_other_way = step_answer_->wants_other_way,
          .words = std::string(text_of(step_answer_->reply.reason))};
}

void ProgramService::take_answers(const MotionOutput& output) {
  for (const StepReply& answered : output.step_replies)
    if (answered.step == step_ && answered.reply.status != ReplyStatus::Accepted) step_answer_ = answered;
}

void ProgramService::tell(MotionState& state) const {
  if (runner_ == nullptr) return;
  state.program_phase = runner_->phase();
  state.program_line = runner_->line();
  state.program_request = number_;
  set_text(state.program, path_);
  set_text(state.program_message, runner_->message());
}

void ProgramService::answer(std::uint64_t number, ReplyStatus status, std::string_view words,
                            std::int64_t now_ns) {
  Reply& reply = collected_.replies.emplace_back();
  reply.stamp_ns = now_ns;
  reply.request = number;
  reply.status = status;
  set_text(reply.reason, words);
}

}  // namespace sinew
