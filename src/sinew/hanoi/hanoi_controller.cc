// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/hanoi/hanoi_controller.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"

namespace sinew {
namespace {

constexpr double kWidthSlack = 0.0015;                    // [m]
constexpr double kFlatShare = 0.98;                       // of its diameter a disc has between flat sides
constexpr double kHeldSlack = 0.008;                      // [m] how far a disc may shift while it is gripped
constexpr double kRetreat = 0.03;                         // [m]
constexpr std::int64_t kCalm_ns = 300 * kMillisecond_ns;  // for what fell to come to rest

}  // namespace

// ---- what is told ----

void HanoiController::take(const World& world) {
  auto board = read_board(world);
  if (board && options_.goal >= board->pegs.size())
    return fail(fmt::format("there is no peg {}: the board has {}", options_.goal + 1, board->pegs.size()));
  if (!board) return fail(board.error().message);
  board_ = *std::move(board);
}

void HanoiController::take(const Reply& reply) {
  const auto found = std::ranges::find(open_, reply.request);
  if (found == open_.end() || reply.status == ReplyStatus::Accepted) return;
  open_.erase(found);
  // a robot that was stopped ends everything: that is no trouble, and step() sees to it
  if (safety_ != ControlState::Running) return;
  if (reply.status != ReplyStatus::Done) {
    hand_.reset();
    // there may be no room to retreat into, and then none is needed
    if (step_ == Step::Retreat) return finish_step();
    return trouble(std::string(text_of(reply.reason)));
  }
  if (step_ == Step::Close) return judge_grip(reply);
  if (open_.empty()) finish_step();
}

void HanoiController::step(std::int64_t now_ns) {
  now_ns_ = now_ns;
  if (phase_ == HanoiPhase::Solved || phase_ == HanoiPhase::Failed) return;
  if (safety_ != ControlState::Running) {
    // whatever was under way was ended; what is to be done is seen when the robot runs again
    if (phase_ == HanoiPhase::Solving) {
      message_ =
          "waits until the robot runs again: 'sinew status' tells why it does not, 'sinew console -c reset' "
          "lets it";
      look_after_ns_ = now_ns + kCalm_ns;
    }
    phase_ = HanoiPhase::Waiting;
    open_.clear();
    hand_.reset();
    step_ = Step::Retreat;
    return;
  }
  phase_ = HanoiPhase::Solving;
  if (!open_.empty() || !board_ || board_->stamp_ns <= look_after_ns_) return;
  begin(step_);
}

// ---- what is to be done ----

void HanoiController::look() {
  if (std::exchange(has_put_down_, false)) judge_placement();
  if (phase_ == HanoiPhase::Failed) return;
  const auto task = next_task();
  if (!task) return;
  task_ = *task;
  message_ = fmt::format("disc {} to peg {}", task_.disc, task_.peg + 1);
  begin(task_.is_in_hand ? Step::Lift : Step::Approach);
}

std::optional<HanoiController::Task> HanoiController::next_task() {
  if (const auto mending = mending_task()) return mending;
  if (phase_ == HanoiPhase::Failed) return std::nullopt;
  const auto way = shortest_way(board_->towers, options_.goal);
  if (!way) {
    fail("the discs lie in an order that no moves can mend");
    return std::nullopt;
  }
  if (!way->empty()) return Task{.disc = way->front().disc, .peg = way->front().to};
  phase_ = HanoiPhase::Solved;
  message_ = fmt::format("{} discs on peg {}", board_->discs.size(), options_.goal + 1);
  return std::nullopt;
}

// What comes before the next move: a disc in the hand, one beside the pegs, one that was put down badly.
std::optional<HanoiController::Task> HanoiController::mending_task() {
  const std::optional<int> held = held_disc();
  std::optional<int> stray = held;
  for (const BoardDisc& disc : board_->discs)
    if (!held && disc.is_astray) stray = disc.size;
  if (stray) {
    const auto peg = best_peg_for(*stray, board_->towers, options_.goal);
    if (peg) return Task{.disc = *stray, .peg = *peg, .is_in_hand = held.has_value()};
    fail(fmt::format("disc {} lies beside the pegs, and none may take it", *stray));
    return std::nullopt;
  }
  if (task_.disc == 0) return std::nullopt;
  const std::vector<int>& tower = board_->towers.pegs[task_.peg];
  const bool is_on_top = !tower.empty() && tower.back() == task_.disc;
  if (is_on_top && board_->offset(disc(), task_.peg) > options_.tolerance)
    return Task{.disc = task_.disc, .peg = task_.peg};
  return std::nullopt;
}

// One that lies on a peg is let go rather than carried.
std::optional<int> HanoiController::held_disc() const {
  if (!grasp_) return std::nullopt;
  for (std::size_t i = 0; i < std::min<std::size_t>(grasp_->gripper_count, kMaxGrippers); ++i) {
    const GripperGrasp& gripper = grasp_->grippers[i];
    for (const BoardDisc& disc : board_->discs)
      if (gripper.phase == GraspPhase::Holding && disc.is_astray && text_of(gripper.object) == disc.name)
        return disc.size;
  }
  return std::nullopt;
}

void HanoiController::begin(Step step) {
  step_ = step;
  look_after_ns_ = 0;
  switch (step) {
    case Step::Look:
      return look();
    case Step::Retreat:
      return retreat();
    case Step::Close:
      return move_gripper(0.0);
    case Step::Release:
      return move_gripper(free_width());
    case Step::Approach:
      move_gripper(free_width());
      return begin_arm(step);
    default:
      return begin_arm(step);
  }
}

void HanoiController::begin_arm(Step step) {
  const bool carries = step == Step::Carry || step == Step::Lower;
  if (carries && !is_disc_in_hand()) return trouble(fmt::format("disc {} is not in the hand", task_.disc));
  const Vector3 place = disc().X_WO.position;
  const HandPlace over_disc{.p_WT = {place.x(), place.y(), disc().bottom() + kTipDepth},
                            .heading = grip_heading(disc(), options_.X_WB)};
  // after a stop it is not known where the hand is, but it is where it would hold the disc
  const HandPlace held = hand_.value_or(over_disc);
  const HandPlace over_peg = hand_for_disc_over(*board_, task_.peg, disc(), held, options_.X_WB);
  const double depth = held.p_WT.z() - disc().bottom();
  switch (step) {
    case Step::Climb:
      return send_to(*hand_, free_height(*board_, hand_, place));
    case Step::Approach:
      if (hand_ && hand_->p_WT.z() < free_height(*board_, hand_, place) - 1e-3) {
        step_ = Step::Climb;
        return begin_arm(step_);
      }
      return send_to(over_disc, free_height(*board_, hand_, place), RequestVerb::MoveTool);
    case Step::Reach:
      return send_to(over_disc, over_disc.p_WT.z());
    case Step::Lift:
      return send_to(held, kTipDepth + free_height(*board_, hand_, board_->pegs[task_.peg], task_.disc));
    case Step::Carry:
      return send_to(over_peg, held.p_WT.z(), RequestVerb::MoveTool);
    case Step::Lower:
      return send_to(over_peg, board_->level(task_.peg) + kDrop + depth);
    case Step::Leave:
      return send_to(*hand_, leaving_height());
    default:
      return;
  }
}

void HanoiController::finish_step() {
  step_ = step_after();
  has_put_down_ |= step_ == Step::Leave;
  // these depend on where the discs are now
  const bool needs_look = step_ == Step::Look || step_ == Step::Carry || step_ == Step::Lower;
  if (needs_look) look_after_ns_ = std::max(look_after_ns_, now_ns_);
}

HanoiController::Step HanoiController::step_after() const {
  switch (step_) {
    case Step::Climb:
      return Step::Approach;
    case Step::Retreat:
    case Step::Leave:
      return Step::Look;
    default:
      return static_cast<Step>(static_cast<int>(step_) + 1);
  }
}

// ---- what has come of it ----

void HanoiController::judge_grip(const Reply& reply) {
  const double width = reply.position_error;
  const double most = 2.0 * disc().radius + kWidthSlack;
  const double least = 2.0 * kFlatShare * disc().radius - kWidthSlack;
  if (width >= least && width <= most) return finish_step();
  trouble(fmt::format("closed to {} where disc {} is {} wide", length_text(width), task_.disc,
                      length_text(2.0 * disc().radius)));
}

bool HanoiController::is_disc_in_hand() const {
  if (!hand_) return false;
  const Vector3 held(disc().X_WO.position.x(), disc().X_WO.position.y(), disc().bottom() + kTipDepth);
  return (held - hand_->p_WT).cwiseAbs().maxCoeff() < kHeldSlack;
}

void HanoiController::judge_placement() {
  const double off = board_->offset(disc(), task_.peg);
  if (!disc().is_astray && off <= options_.tolerance) {
    ++moves_;
    troubles_here_ = 0;
    return;
  }
  note_trouble(fmt::format("disc {} came to lie {} from the middle of peg {}", task_.disc, length_text(off),
                           task_.peg + 1));
}

void HanoiController::note_trouble(const std::string& what) {
  ++troubles_;
  message_ = what;
  if (++troubles_here_ > options_.most_troubles)
    fail(fmt::format("gives up after {} troubles with disc {}; the last: {}", troubles_here_, task_.disc,
                     what));
}

// Away from everything, and then another look.
void HanoiController::trouble(const std::string& what) {
  note_trouble(what);
  open_.clear();
  hand_.reset();
  has_put_down_ = false;
  step_ = Step::Retreat;
  look_after_ns_ = now_ns_ + kCalm_ns;
}

void HanoiController::fail(const std::string& why) {
  phase_ = HanoiPhase::Failed;
  message_ = why;
}

// ---- what is asked ----

double HanoiController::free_width() const {
  return std::min(options_.open_width, 2.0 * (disc().radius + kFingerRoom));
}

// As high as the way to the next disc will need, if all is as it should be.
double HanoiController::leaving_height() const {
  Towers towers = board_->towers;
  for (std::vector<int>& peg : towers.pegs) std::erase(peg, task_.disc);
  towers.pegs[task_.peg].push_back(task_.disc);
  const double over_own = hand_->p_WT.z() - kTipDepth + disc().height + kClearance;
  const auto way = shortest_way(towers, options_.goal);
  if (!way || way->empty()) return over_own;
  const Vector3 next = board_->disc(way->front().disc).X_WO.position;
  return std::max(over_own, free_height(*board_, hand_, next, task_.disc));
}

void HanoiController::retreat() {
  Request back{.verb = RequestVerb::MoveLine, .frame = RequestFrame::Tool};
  back.position = {-kRetreat, 0, 0};
  hand_.reset();
  ask(back);
}

void HanoiController::send_to(HandPlace goal, double z, RequestVerb verb) {
  goal.p_WT.z() = z;
  hand_ = goal;
  const Vector3 p_BT = inverse(options_.X_WB) * goal.p_WT;
  const Vector3 x_W = options_.X_WB.rotation * Vector3::UnitX();
  Request request{.verb = verb};
  request.position = {p_BT.x(), p_BT.y(), p_BT.z()};
  request.rpy = {0, 0.5 * std::numbers::pi, goal.heading - std::atan2(x_W.y(), x_W.x())};
  ask(request);
}

void HanoiController::move_gripper(double width) {
  Request request{.verb = RequestVerb::MoveGripper};
  request.position = {width, 0, 0};
  ask(request);
}

void HanoiController::ask(Request request) {
  request.stamp_ns = now_ns_;
  request.speed = options_.speed;
  set_text(request.who, options_.who);
  const std::uint64_t number = ask_(request);
  // nobody would ever answer it
  if (number == 0) return trouble("its request could not be put on the channel 'request'");
  open_.push_back(number);
}

}  // namespace sinew
