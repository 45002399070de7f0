// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/robot.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"

#include "apps/supervisor/event_log.h"

namespace sinew::supervisor {
namespace {

constexpr std::int64_t kGrace_ns = 5 * kSecond_ns;

std::string failure_of(const std::string& robot, const Child& child) {
  const std::string words = child.last_words();
  const std::string said = words.empty() ? fmt::format("It said nothing; its log is {}", child.log_path())
                                         : fmt::format("The end of {}:\n{}", child.log_path(), words);
  return fmt::format("{}: the {} {}. {}", robot, child.role(), child.word(), said);
}

}  // namespace

std::string_view phase_text(RobotPhase phase) {
  static constexpr std::array<std::string_view, 4> kTexts{"starting", "up", "stopping", "gone"};
  return kTexts[static_cast<std::size_t>(phase)];
}

Robot::Robot(const processes::RunFolder& folder, const processes::RobotPlan& plan, Origin origin)
    : folder_(folder), plan_(plan), origin_(origin), grace_ns_(kGrace_ns) {
  for (const processes::ProcessPlan& process : plan_.processes)
    children_.push_back(std::make_unique<Child>(folder_, plan_, process, origin == Origin::Asked));
  if (origin == Origin::Asked) return;
  for (const auto& child : children_) child->adopt(monotonic_now_ns());
}

void Robot::turn(std::int64_t now_ns) {
  for (const auto& child : children_) {
    child->look(now_ns);
    note_ready(*child);
  }
  if (phase_ == RobotPhase::Starting) go_on_starting(now_ns);
  if (phase_ == RobotPhase::Stopping) go_on_stopping(now_ns);
}

void Robot::note_ready(const Child& child) {
  const auto found = std::find(announced_.begin(), announced_.end(), &child);
  if (child.phase() == Phase::Running && found == announced_.end()) {
    announced_.push_back(&child);
    const std::string note = child.note();
    news_.push_back(fmt::format("{} {} is ready (pid {}){}{}", name(), child.role(), child.identity().pid,
                                note.empty() ? "" : ": ", note));
  } else if (child.phase() != Phase::Running && found != announced_.end()) {
    announced_.erase(found);
    if (child.phase() == Phase::Ended) news_.push_back(fmt::format("{} {} has ended", name(), child.role()));
  }
}

void Robot::go_on_starting(std::int64_t now_ns) {
  for (const auto& child : children_) {
    if (child->phase() == Phase::Pending) child->start(now_ns);
    const bool is_given_up = child->phase() == Phase::GaveUp;
    if (is_given_up && origin_ == Origin::Asked) {
      failure_ = failure_of(name(), *child);
      return stop(grace_ns_);
    }
    // the next is started when this one is ready; of a robot that was found, nobody ends for another's sake
    if (child->phase() != Phase::Running && !is_given_up) return;
  }
  for (const auto& child : children_) child->end_trial();
  phase_ = RobotPhase::Up;
  tell("{}: up", name());
}

void Robot::stop(std::int64_t grace_ns) {
  grace_ns_ = grace_ns;
  phase_ = RobotPhase::Stopping;
}

void Robot::go_on_stopping(std::int64_t now_ns) {
  for (auto child = children_.rbegin(); child != children_.rend(); ++child) {
    if ((*child)->phase() == Phase::Ended) continue;
    if ((*child)->phase() != Phase::Stopping) (*child)->ask_to_end(now_ns, grace_ns_);
    // those it stands on end after it
    if ((*child)->phase() != Phase::Ended) return;
  }
  phase_ = RobotPhase::Gone;
  tell("{}: gone", name());
}

void Robot::try_again(std::int64_t now_ns) {
  for (const auto& child : children_) child->try_again(now_ns);
}

bool Robot::is_ready() const {
  return phase_ == RobotPhase::Up && std::all_of(children_.begin(), children_.end(), [](const auto& child) {
           return child->phase() == Phase::Running;
         });
}

std::string Robot::failure() const {
  if (!failure_.empty()) return failure_;
  for (const auto& child : children_) {
    if (child->phase() == Phase::GaveUp) return failure_of(name(), *child);
  }
  return {};
}

std::vector<std::string> Robot::roles() const {
  std::vector<std::string> roles;
  for (const auto& child : children_) roles.push_back(child->role());
  return roles;
}

// Whether the next child to be started or ended has not been told yet: nothing else would wake us.
bool Robot::has_to_act() const {
  if (phase_ == RobotPhase::Starting) {
    const auto next = std::ranges::find_if(children_, [](const auto& child) {
      return child->phase() != Phase::Running && child->phase() != Phase::GaveUp;
    });
    return next == children_.end() || (*next)->phase() == Phase::Pending;
  }
  if (phase_ != RobotPhase::Stopping) return false;
  const auto last = std::find_if(children_.rbegin(), children_.rend(),
                                 [](const auto& child) { return child->phase() != Phase::Ended; });
  return last == children_.rend() || (*last)->phase() != Phase::Stopping;
}

std::int64_t Robot::next_look_ns() const {
  if (has_to_act()) return 0;
  std::int64_t next_ns = kNever_ns;
  for (const auto& child : children_) next_ns = std::min(next_ns, child->next_look_ns());
  return next_ns;
}

std::vector<std::string> Robot::take_news() {
  return std::exchange(news_, {});
}

Json json_of(const Robot& robot) {
  Json rows = Json::array();
  for (const auto& child : robot.children()) {
    rows.push_back({{"role", child->role()},
                    {"state", phase_text(child->phase())},
                    {"pid", child->watch() >= 0 ? child->identity().pid : 0},
                    {"start_ticks", child->identity().start_ticks},
                    {"restarts", child->restarts()},
                    {"last_death", child->word()},
                    {"note", child->note()},
                    {"log", child->log_path()}});
  }
  return {{"name", robot.name()},
          {"robot", robot.plan().robot},
          {"phase", phase_text(robot.phase())},
          {"is_simulated", robot.plan().is_simulated},
          {"processes", rows}};
}

}  // namespace sinew::supervisor
