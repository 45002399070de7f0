// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_judge.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/language/interpreter.h"
#include "sinew/motion/program_device.h"

namespace sinew {
namespace {

using language::Judgement;
using language::Severity;

constexpr std::size_t kMostJudged = 3000;  // different moves
constexpr double kSamePlace = 1e-9;        // [rad, m]

bool is_error(const Judgement& judgement) {
  return judgement.severity == Severity::Error;
}

/// Numbers one after the other, as the key of what they lead to.
class KeyOfNumbers {
 public:
  void add(double number) {
    // the last bits of a posture differ from turn to turn of a loop
    const auto whole = static_cast<std::int64_t>(std::llround(std::clamp(number, -1e9, 1e9) / kSamePlace));
    text_.append(reinterpret_cast<const char*>(&whole), sizeof whole);
  }
  void add(const Vector3& v) {
    for (int i = 0; i < 3; ++i) add(v[i]);
  }
  void add(const Quaternion& r) {
    for (int i = 0; i < 4; ++i) add(r.coeffs()[i]);
  }
  void add(const Pose& X) {
    add(X.position);
    add(X.rotation);
  }
  void add(const std::optional<double>& number) {
    add(number ? 1.0 : 0.0);
    add(number.value_or(0.0));
  }
  void add(std::span<const double> numbers) {
    add(static_cast<double>(numbers.size()));
    for (const double number : numbers) add(number);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_move(const Move& move, KeyOfNumbers& key) {
  for (const int word :
       {static_cast<int>(move.kind), static_cast<int>(move.timing.law), static_cast<int>(move.is_relative),
        static_cast<int>(move.is_monotone), static_cast<int>(move.is_in_joints)})
    key.add(static_cast<double>(word));
  for (const MoveGoal& goal : move.goals) {
    if (const auto* q = std::get_if<MoveJoints>(&goal))
      key.add(std::span<const double>(*q));
    else
      key.add(std::get<Pose>(goal));
  }
  if (move.shift) {
    key.add(move.shift->translation);
    key.add(move.shift->rotation);
    key.add(move.shift->R_BA);
    key.add(move.shift->is_in_tool_axes ? 1.0 : 0.0);
  }
  key.add(move.X_FT);
  key.add(move.timing.speed);
  for (const auto& number : {move.arc, move.timing.duration, move.timing.acceleration, move.timing.tool_speed,
                             move.timing.tool_acceleration, move.timing.tool_jerk, move.timing.joint_speed,
                             move.timing.joint_acceleration, move.timing.joint_jerk})
    key.add(number);
  key.add(move.blend_radius);
}

}  // namespace

Result<std::unique_ptr<ProgramJudge>> ProgramJudge::make(ProgramRobot& robot, MovePlannerOptions options) {
  auto planner = MovePlanner::make(robot.model(), std::move(options));
  if (!planner) return planner.error();
  return std::unique_ptr<ProgramJudge>(new ProgramJudge(robot, *std::move(planner)));
}

std::vector<Judgement> ProgramJudge::judge(const language::MoveAction& action) {
  std::vector<Judgement> said;
  if (auto odd = compare_spline_start(action)) said.push_back(*std::move(odd));
  const Move move = carrying(move_from(action), load_);
  X_FT_ = move.X_FT;
  const bool begins_anywhere = move.kind == MoveKind::Joint && !move.is_relative && !move.shift;
  // what depends on where it begins says nothing after a move that was blocked
  if (is_lost_ && !begins_anywhere) return said;
  const std::vector<double> from = robot_.all_joints();
  if (chain_.empty()) chain_from_ = from;
  chain_.push_back(move);
  chain_places_.push_back(place_);
  Move alone = move;
  alone.blend_radius = 0.0;
  const Known& found = known(std::span(&alone, 1), from);
  for (const Said& one : found.said)
    chain_said_.push_back({one.judgement.severity, one.judgement.text, place_});
  is_lost_ = found.is_blocked;
  robot_.take_joints(found.end);
  // no longer than a run would look ahead
  const bool is_end = move.blend_radius == 0.0 || chain_.size() == language::kMostAhead;
  if (is_end) {
    for (Judgement& judgement : end_chain()) said.push_back(std::move(judgement));
  }
  return said;
}

std::vector<Judgement> ProgramJudge::judge(const language::OutputAction& action) {
  const auto command = command_of(robot_.model(), action);
  if (command) return {};
  return {{Severity::Error, command.error().message}};
}

std::vector<Judgement> ProgramJudge::judge(const language::PayloadAction& action) {
  load_.mass = action.mass;
  load_.X_FT = X_FT_;
  KeyOfNumbers key;
  key.add(action.mass);
  key.add(X_FT_ * action.p_TC);
  const auto [known, is_new] = loads_.try_emplace(key.take());
  if (is_new) {
    if (const Status bearable = check_load(load_, action.p_TC, robot_); !bearable)
      known->second = bearable.error().message;
  }
  if (known->second.empty()) return {};
  return {{Severity::Error, known->second}};
}

// The fingers stay where they are: what they hold then, nobody knows.
std::vector<Judgement> ProgramJudge::judge(const language::GripperAction& action) {
  const auto order = gripper_order(robot_.model(), action, robot_.all_joints());
  if (order && tell_grip_) tell_grip_(action, X_FT_);
  if (order) return {};
  return {{Severity::Error, order.error().message}};
}

std::vector<Judgement> ProgramJudge::stand(double seconds) {
  std::vector<Judgement> said = end_chain();
  time_ += seconds;
  if (tell_ && seconds > 0.0) tell_({.from = robot_.all_joints(), .seconds = seconds, .places = {place_}});
  return said;
}

std::optional<double> ProgramJudge::cycle_time() const {
  return is_possible_ ? std::optional(time_) : std::nullopt;
}

// The time of blended moves is that of all together, and so is what is wrong with them; where one of them
// cannot be even alone, that is told instead.
std::vector<Judgement> ProgramJudge::end_chain() {
  std::vector<Judgement> said = std::exchange(chain_said_, {});
  if (chain_.empty()) return said;
  chain_.back().blend_radius = 0.0;
  const Known& found = known(chain_, chain_from_);
  std::vector<Judgement> together;
  for (const Said& one : found.said)
    together.push_back({one.judgement.severity, one.judgement.text, chain_places_[one.move]});
  const bool is_wrong = std::ranges::any_of(together, is_error);
  const bool is_wrong_alone = std::ranges::any_of(said, is_error);
  if (is_wrong) {
    is_possible_ = false;
  } else {
    // it is run together: a move that would be too fast from rest to rest may be none here
    said.clear();
    robot_.take_joints(found.end);
    is_lost_ = false;
  }
  if (!is_wrong || !is_wrong_alone) std::ranges::move(together, std::back_inserter(said));
  time_ += found.duration;
  if (tell_ && found.planned != nullptr)
    tell_({.planned = found.planned.get(),
           .from = chain_from_,
           .seconds = found.duration,
           .places = chain_places_});
  chain_.clear();
  chain_places_.clear();
  return said;
}

const ProgramJudge::Known& ProgramJudge::known(std::span<const Move> chain, const std::vector<double>& from) {
  KeyOfNumbers key;
  key.add(from);
  for (const Move& move : chain) add_move(move, key);
  const std::string text = key.take();
  const auto found = judged_.find(text);
  if (found != judged_.end()) return found->second;
  if (judged_.size() < kMostJudged) return judged_.emplace(text, look(chain, from)).first->second;
  // forgotten at once, so that the memory stays bounded
  Known& unlooked = judged_[""];
  unlooked = {.said = {{{Severity::Warning,
                         fmt::format("not looked at: {} different moves before it were", kMostJudged)}}},
              .end = where_it_would_be(chain.back(), from)};
  is_possible_ = false;
  return unlooked;
}

ProgramJudge::Known ProgramJudge::look(std::span<const Move> chain, const std::vector<double>& from) {
  MovePlan plan = planner_->plan(chain, from);
  Known result;
  if (!plan) {
    result.said.push_back(
        {{Severity::Error, std::move(plan.refusal->words)}, std::min(plan.refusal->move, chain.size() - 1)});
    result.is_blocked = plan.refusal->fault == MoveFault::Blocked;
    result.end = result.is_blocked ? from : where_it_would_be(chain.back(), from);
    return result;
  }
  for (MoveNote& note : plan.planned.notes)
    result.said.push_back(
        {{Severity::Warning, std::move(note.words)}, std::min(note.move, chain.size() - 1)});
  result.duration = plan.planned.trajectory.length();
  result.end = plan.planned.postures.back();
  if (tell_) result.planned = std::make_shared<const PlannedMoves>(std::move(plan.planned));
  return result;
}

// After a move that cannot be: at its goal, if there is a posture for it, else where it was.
std::vector<double> ProgramJudge::where_it_would_be(const Move& move, const std::vector<double>& from) const {
  std::vector<double> q;
  for (const std::size_t position : planner_->planned()) q.push_back(from[position]);
  if (!move.goals.empty()) {
    if (const auto* joints = std::get_if<MoveJoints>(&move.goals.back())) {
      for (std::size_t i = 0; i < std::min(q.size(), joints->size()); ++i)
        q[i] = (move.is_relative ? q[i] : 0.0) + (*joints)[i];
    } else if (is_valid(std::get<Pose>(move.goals.back()))) {
      const IkResult found = ik_.solve(std::get<Pose>(move.goals.back()) * inverse(move.X_FT), q);
      if (found.status == IkStatus::Solved)
        q.assign(found.solutions[0].q.data(), found.solutions[0].q.data() + q.size());
    }
  }
  std::vector<double> all = from;
  if (!robot_.chain().is_within_limits(q, kSamePlace)) return all;
  for (std::size_t i = 0; i < q.size(); ++i) all[planner_->planned()[i]] = q[i];
  return all;
}

// A spline through points begins at the first of them: far from there, the robot has a way before it.
std::optional<Judgement> ProgramJudge::compare_spline_start(const language::MoveAction& action) const {
  if (action.through == language::Through::None || action.goals.empty()) return std::nullopt;
  const auto* first = std::get_if<language::JointValues>(&action.goals[0]);
  const std::vector<double>& q = robot_.joints();
  if (first == nullptr || first->q.size() != q.size()) return std::nullopt;
  std::size_t farthest = 0;
  for (std::size_t i = 0; i < q.size(); ++i)
    if (std::abs(first->q[i] - q[i]) > std::abs(first->q[farthest] - q[farthest])) farthest = i;
  constexpr double kSlack = 1e-3;
  const double way = std::abs(first->q[farthest] - q[farthest]);
  if (way < kSlack) return std::nullopt;
  const SerialChain& chain = robot_.chain();
  return Judgement{
      Severity::Warning,
      fmt::format(
          "the spline begins elsewhere than the robot is: joint '{}' is {} away; the way to the first "
          "point counts as part of it",
          robot_.model().joints[chain.joint(farthest)].name,
          chain.is_revolute(farthest) ? angle_text(way) : length_text(way))};
}

}  // namespace sinew
