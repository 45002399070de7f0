// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_runner.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/motion/program_device.h"

namespace sinew {

using language::Action;
using language::OutcomeKind;
using language::PauseReason;
using language::WatchVerdict;

Result<std::unique_ptr<ProgramRunner>> ProgramRunner::make(language::Program program, ProgramRobot robot,
                                                           MovePlanner& planner,
                                                           const ProgramOptions& options) {
  std::unique_ptr<ProgramRunner> runner(
      new ProgramRunner(std::make_unique<language::Program>(std::move(program)), std::move(robot), planner));
  runner->load_.rated = options.rated_payload;
  runner->interpreter_.set_breakpoints(options.breakpoints);
  runner->interpreter_.set_single_step(options.is_single_step);
  if (options.from_line != 0) {
    if (const Status started = runner->interpreter_.start_at(options.from_line); !started)
      return started.error();
  }
  runner->place_ = runner->interpreter_.place();
  return runner;
}

ProgramRunner::ProgramRunner(std::unique_ptr<language::Program> program, ProgramRobot robot,
                             MovePlanner& planner)
    : program_(std::move(program)),
      robot_(std::move(robot)),
      planner_(planner),
      interpreter_(*program_, robot_) {}

void ProgramRunner::take_robot(std::span<const double> q_all, const IoState& io, bool holds) {
  robot_.take_joints(q_all);
  robot_.take_io(io);
  robot_.take_hold(holds);
}

const ProgramOrders& ProgramRunner::step(std::int64_t now_ns, const ProgramMotionNews& motion) {
  orders_ = {};
  is_put_off_ = false;
  if (!is_held() && now_ns_ != 0) program_ns_ += now_ns - now_ns_;
  now_ns_ = now_ns;
  end_pulses(false);
  if (is_over()) return orders_;
  const bool has_failed = std::holds_alternative<Moving>(doing_) && motion.is_over && !motion.is_done;
  if (!is_halted() || has_failed || stop_reason_) go_on(motion);
  return orders_;
}

void ProgramRunner::go_on(const ProgramMotionNews& motion) {
  if (std::holds_alternative<Moving>(doing_)) move_on(motion);
  if (stop_reason_ && !std::holds_alternative<Moving>(doing_) && !is_over())
    return finish(ProgramPhase::Failed, fmt::format("{}: {}", place_text(), *stop_reason_));
  if (std::holds_alternative<Waiting>(doing_)) watch_wait();
  for (int i = 0; i < kMostActions; ++i) {
    const bool is_idle = std::holds_alternative<std::monostate>(doing_);
    const bool may_go_on = !is_held() || interpreter_.is_over();
    if (!is_idle || !may_go_on || is_over() || is_put_off_) return;
    begin_next();
  }
}

// ---- what is under way ----

void ProgramRunner::move_on(const ProgramMotionNews& motion) {
  Moving& moving = std::get<Moving>(doing_);
  if (motion.is_over) return end_moving(motion);
  if (moving.ending != Ending::None) return;
  report_passed(motion.nominal);
  if (stop_reason_) {
    moving.ending = Ending::Stop;
  } else {
    const WatchVerdict verdict = interpreter_.watch();
    if (verdict == WatchVerdict::Satisfied) moving.ending = Ending::Until;
    if (verdict == WatchVerdict::Interrupt) moving.ending = Ending::Interrupt;
  }
  orders_.ends_motion = moving.ending != Ending::None;
}

// A blended move counts as done when its blend is half over.
void ProgramRunner::report_passed(double nominal) {
  Moving& moving = std::get<Moving>(doing_);
  while (moving.reported + 1 < moving.spans.size() && nominal >= moving.spans[moving.reported].end) {
    report_first_move();
    ++moving.reported;
    place_ = moves_.front().place;
  }
}

void ProgramRunner::report_first_move() {
  interrupted_.erase(moves_.front().repeats);
  report(moves_.front().number, OutcomeKind::Done);
  moves_.pop_front();
}

void ProgramRunner::end_moving(const ProgramMotionNews& motion) {
  const Moving moving = std::move(std::get<Moving>(doing_));
  doing_ = std::monostate{};
  const bool is_gripper = moving.spans.empty();
  if (motion.is_done) {
    if (is_gripper) return report(current_, OutcomeKind::Done);
    for (std::size_t i = moving.reported; i < moving.spans.size(); ++i) report_first_move();
    return;
  }
  switch (moving.ending) {
    case Ending::None:
      if (motion.wants_other_way && !is_gripper) return plan_other_way(moving, motion.words);
      report(is_gripper ? current_ : moves_.front().number, OutcomeKind::Failed, motion.words);
      moves_.clear();
      return;
    case Ending::Until:
      return report_first_move();
    case Ending::Interrupt:
      if (!is_gripper) remember_rest(moving);
      moves_.clear();
      return;
    case Ending::Stop:
      moves_.clear();
      return;
  }
}

// A move that is interrupted goes where it was to go: not as far once more, and not once more round.
void ProgramRunner::remember_rest(const Moving& moving) {
  const Action& action = moves_.front();
  Move move = move_of(action);
  const auto moved = [&](const std::vector<double>& posture) {
    std::vector<double> q;
    for (const std::size_t position : planner_.planned()) q.push_back(posture[position]);
    return q;
  };
  const std::size_t at = moving.spans[moving.reported].posture;
  const std::vector<double>& begin = at == 0 ? moving.from : moving.postures[at - 1];
  const std::vector<double>& end = moving.postures[at];
  const Pose X_FT = move.X_FT;
  Move rest = rest_of(std::move(move), {.X_BT_begin = planner_.tool_pose(begin, X_FT),
                                        .X_BT = planner_.tool_pose(robot_.all_joints(), X_FT),
                                        .X_BT_end = planner_.tool_pose(end, X_FT),
                                        .q_begin = moved(begin),
                                        .q = moved(robot_.all_joints()),
                                        .q_end = moved(end)});
  interrupted_.erase(action.repeats);
  interrupted_.insert_or_assign(action.number, std::move(rest));
}

// From where it has come to rest, to the same goals; when there is no way, that is told as of any move.
void ProgramRunner::plan_other_way(const Moving& moving, const std::string& words) {
  remember_rest(moving);
  moves_.front().repeats = moves_.front().number;
  message_ = fmt::format("{}: {}; looking for another way", place_text(), words);
  orders_.messages.push_back(message_);
}

void ProgramRunner::watch_wait() {
  const Waiting& waiting = std::get<Waiting>(doing_);
  const WatchVerdict verdict = interpreter_.watch();
  const bool is_late = waiting.deadline_ns && program_ns_ >= *waiting.deadline_ns;
  const bool is_satisfied = verdict == WatchVerdict::Satisfied;
  if (verdict == WatchVerdict::GoOn && !is_late) return;
  const bool is_until = waiting.is_until;
  doing_ = std::monostate{};
  if (verdict == WatchVerdict::Interrupt) return;
  report(current_, is_satisfied || !is_until ? OutcomeKind::Done : OutcomeKind::TimedOut);
}

// ---- what comes next ----

void ProgramRunner::begin_next() {
  if (!moves_.empty()) return plan_moves();
  const Action action = interpreter_.next();
  if (action.place.line != 0) place_ = action.place;
  current_ = action.number;
  std::visit([&](const auto& body) { begin(action, body); }, action.body);
}

void ProgramRunner::begin(const Action& action, const language::MoveAction& /*move*/) {
  moves_.push_back(action);
  plan_moves();
}

void ProgramRunner::plan_moves() {
  look_ahead();
  place_ = moves_.front().place;
  std::vector<Move> chain;
  for (const Action& action : moves_) {
    chain.push_back(carrying(move_of(action), load_));
    load_.X_FT = chain.back().X_FT;
    if (chain.back().blend_radius == 0.0) break;
  }
  MovePlan plan;
  do {
    // what comes before a move that cannot be is done, and then it is told where it is
    if (plan.refusal) chain.resize(plan.refusal->move);
    plan = planner_.plan(chain, robot_.all_joints());
    is_put_off_ = !plan && plan.refusal->fault == MoveFault::Interrupted;
    if (is_put_off_) return;
  } while (!plan && plan.refusal->move > 0 && plan.refusal->move < chain.size());
  if (!plan) {
    report(moves_.front().number, OutcomeKind::Failed, plan.refusal->words);
    moves_.clear();
    return;
  }
  PlannedMoves& planned = plan.planned;
  Moving moving{.spans = planned.spans, .postures = planned.postures, .from = robot_.all_joints()};
  start({.joint_mask = planned.joint_mask,
         .trajectory = std::move(planned.trajectory),
         .goal = planned.postures[planned.spans.back().posture]},
        std::move(moving));
}

void ProgramRunner::look_ahead() {
  const auto is_blended = [](const Action& action) {
    return std::get<language::MoveAction>(action.body).timing.blend_radius > 0.0;
  };
  while (is_blended(moves_.back())) {
    auto ahead = interpreter_.next_move_ahead();
    if (!ahead) return;
    moves_.push_back(*std::move(ahead));
  }
}

Move ProgramRunner::move_of(const Action& action) const {
  const auto found = interrupted_.find(action.repeats);
  return found != interrupted_.end() ? found->second : move_from(std::get<language::MoveAction>(action.body));
}

void ProgramRunner::start(PlannedMotion motion, Moving moving) {
  const bool is_there = motion.trajectory.piece_count() == 0;
  doing_ = std::move(moving);
  if (is_there) return end_moving({.is_over = true, .is_done = true});
  orders_.motion = std::move(motion);
}

void ProgramRunner::begin(const Action& /*action*/, const language::WaitAction& wait) {
  doing_ = Waiting{.deadline_ns = program_ns_ + nanoseconds_from_seconds(wait.duration)};
}

void ProgramRunner::begin(const Action& /*action*/, const language::WaitUntilAction& wait) {
  Waiting waiting{.is_until = true};
  if (wait.timeout) waiting.deadline_ns = program_ns_ + nanoseconds_from_seconds(*wait.timeout);
  doing_ = waiting;
  watch_wait();
}

void ProgramRunner::begin(const Action& action, const language::OutputAction& output) {
  const auto command = command_of(robot_.model(), output);
  if (!command) return report(action.number, OutcomeKind::Failed, command.error().message);
  add_to(orders_.io, *command);
  if (output.pulse) {
    IoCommand off = *command;
    off.outputs = 0;
    off.analog_outputs.fill(0.0);
    pulses_[output.output] = {now_ns_ + nanoseconds_from_seconds(*output.pulse), off};
  } else {
    pulses_.erase(output.output);
  }
  report(action.number, OutcomeKind::Done);
}

void ProgramRunner::begin(const Action& action, const language::GripperAction& gripper) {
  auto order = gripper_order(robot_.model(), gripper, robot_.all_joints());
  if (!order) return report(action.number, OutcomeKind::Failed, order.error().message);
  add_to(orders_.io, order->io);
  if (order->joint_mask == 0) {
    doing_ = Waiting{.deadline_ns = program_ns_ + nanoseconds_from_seconds(order->time)};
    return;
  }
  start({.joint_mask = order->joint_mask,
         .trajectory = std::move(order->trajectory),
         .goal = std::move(order->goal),
         .may_fall_short = true},
        {});
}

// Moves from now on are done with it.
void ProgramRunner::begin(const Action& action, const language::PayloadAction& payload) {
  const Load load{.mass = payload.mass, .rated = load_.rated, .X_FT = load_.X_FT};
  if (const Status bearable = check_load(load, payload.p_TC, robot_); !bearable)
    return report(action.number, OutcomeKind::Failed, bearable.error().message);
  load_ = load;
  report(action.number, OutcomeKind::Done);
}

void ProgramRunner::begin(const Action& action, const language::MessageAction& message) {
  message_ = message.text;
  orders_.messages.push_back(message.text);
  report(action.number, OutcomeKind::Done);
}

void ProgramRunner::begin(const Action& /*action*/, const language::PauseAction& pause) {
  holding_ = pause.reason;
  if (pause.text.empty()) return;
  message_ = pause.text;
  orders_.messages.push_back(pause.text);
}

void ProgramRunner::begin(const Action& /*action*/, const language::EndAction& end) {
  const std::string where = end.is_failure ? place_text() + ": " : "";
  finish(end.is_failure ? ProgramPhase::Failed : ProgramPhase::Ended, where + end.text);
}

// ---- what is asked of it ----

void ProgramRunner::resume() {
  interpreter_.set_single_step(false);
  is_paused_ = false;
  holding_.reset();
}

void ProgramRunner::step_once() {
  interpreter_.set_single_step(true);
  is_paused_ = false;
  holding_.reset();
}

void ProgramRunner::stop(const std::string& why) {
  if (!stop_reason_) stop_reason_ = why;
}

ProgramPhase ProgramRunner::phase() const {
  if (is_over()) return phase_;
  if (holding_ == PauseReason::Breakpoint) return ProgramPhase::AtBreakpoint;
  if (holding_ == PauseReason::SingleStep) return ProgramPhase::Stepped;
  return is_held() ? ProgramPhase::Paused : ProgramPhase::Running;
}

std::string ProgramRunner::place_text() const {
  const std::string& file = program_->files[place_.file].name;
  return place_.line == 0 ? file : fmt::format("{}:{}:{}", file, place_.line, place_.column);
}

// ---- ends ----

void ProgramRunner::report(std::uint64_t number, OutcomeKind kind, std::string reason) {
  interpreter_.report({.number = number, .kind = kind, .reason = std::move(reason)});
}

void ProgramRunner::end_pulses(bool all) {
  std::erase_if(pulses_, [&](const auto& pulse) {
    const auto& [end_ns, off] = pulse.second;
    if (!all && now_ns_ < end_ns) return false;
    add_to(orders_.io, off);
    return true;
  });
}

void ProgramRunner::finish(ProgramPhase phase, std::string message) {
  phase_ = phase;
  doing_ = std::monostate{};
  holding_.reset();
  is_paused_ = false;
  ending_ = message;
  if (!message.empty()) message_ = std::move(message);
  end_pulses(true);
}

}  // namespace sinew
