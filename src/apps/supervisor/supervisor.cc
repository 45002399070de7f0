// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/supervisor.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"
#include "sinew/processes/log_file.h"

#include "apps/supervisor/event_log.h"
#include "apps/supervisor/leftovers.h"

namespace sinew::supervisor {
namespace {

using processes::RobotPlan;

constexpr std::int64_t kShortestWait_ns = 4 * kMillisecond_ns;
constexpr std::int64_t kLongestWait_ns = kSecond_ns;
constexpr std::int64_t kLogsEvery_ns = kSecond_ns;
// how long a caller may take to say what it wants, and a supervisor may be without anything to do
constexpr std::int64_t kSilence_ns = 3 * kSecond_ns;
constexpr std::size_t kMostConnections = 64;
constexpr double kLongestGrace = 600;  // [s]

// True when both would run the same processes.
bool is_same(const RobotPlan& a, const RobotPlan& b) {
  return a.robot == b.robot && a.folder == b.folder && a.processes == b.processes;
}

}  // namespace

Supervisor::Supervisor(const processes::RunFolder& folder, int listener, int signals)
    : folder_(folder), listener_(listener), signals_(signals), started_ns_(monotonic_now_ns()) {}

void Supervisor::adopt() {
  for (const std::string& name : processes::robots_in(folder_)) {
    const auto saved = load_plan(folder_.plan_of(name));
    if (!saved) {
      tell("{} is passed over: {}", name, saved.error().message);
      continue;
    }
    robots_.push_back(std::make_unique<Robot>(folder_, saved->plan, Robot::Origin::Found));
    if (saved->is_stopping) robots_.back()->stop(kSecond_ns);
    was_used_ = true;
  }
}

bool Supervisor::run() {
  while (true) {
    const std::int64_t now_ns = monotonic_now_ns();
    turn(now_ns);
    if (is_done(now_ns)) return true;
    wait(monotonic_now_ns());
    if (watched_[1].revents != 0) return false;
  }
}

void Supervisor::turn(std::int64_t now_ns) {
  // the robots first, so that callers are told what is, not what was
  for (const auto& robot : robots_) {
    robot->turn(now_ns);
    tell_news(*robot);
  }
  take_callers(now_ns);
  for (const auto& robot : robots_) answer_starts(*robot);
  forget_gone();
  look_after_logs(now_ns);
  for (const auto& connection : connections_) connection->flush();
  std::erase_if(connections_, [&](const auto& connection) {
    const bool is_silent =
        connection->wait == Connection::Wait::Request && now_ns - connection->since_ns() > kSilence_ns;
    return connection->is_over() || is_silent;
  });
}

void Supervisor::wait(std::int64_t now_ns) {
  watched_.clear();
  watched_.push_back({.fd = listener_, .events = POLLIN, .revents = 0});
  watched_.push_back({.fd = signals_, .events = POLLIN, .revents = 0});
  std::int64_t next_ns = now_ns + kLongestWait_ns;
  for (const auto& robot : robots_) {
    next_ns = std::min(next_ns, robot->next_look_ns());
    for (const auto& child : robot->children()) {
      if (child->watch() >= 0) watched_.push_back({.fd = child->watch(), .events = POLLIN, .revents = 0});
    }
  }
  for (const auto& connection : connections_) {
    const int events = POLLIN | (connection->has_to_send() ? POLLOUT : 0);
    watched_.push_back({.fd = connection->descriptor(), .events = static_cast<short>(events), .revents = 0});
  }
  const std::int64_t wait_ns = std::max(next_ns - now_ns, kShortestWait_ns);
  if (poll(watched_.data(), watched_.size(), static_cast<int>(wait_ns / kMillisecond_ns)) < 0)
    watched_[1].revents = 0;
}

void Supervisor::take_callers(std::int64_t now_ns) {
  // one a turn, so that a crowd does not keep us from the robots
  if (const auto descriptor = accept_same_user(listener_)) {
    connections_.push_back(std::make_unique<Connection>(*descriptor, now_ns));
    if (connections_.size() > kMostConnections) connections_.erase(connections_.begin());
  }
  for (const auto& connection : connections_) {
    const auto line = connection->take_line();
    if (!line) continue;
    if (connection->wait == Connection::Wait::Request) answer(*connection, *line, now_ns);
  }
}

void Supervisor::answer(Connection& connection, const std::string& line, std::int64_t now_ns) {
  const auto request = parse_line(line);
  if (!request) return connection.fail(fmt::format("not understood: {}", request.error().message));
  const std::string verb = text_in(*request, "verb");
  if (verb == "status") return tell_status(connection);
  if (verb == "start") return start(connection, *request, now_ns);
  if (verb == "stop") return stop(connection, *request);
  connection.fail(fmt::format("there is no verb '{}'; there are start, stop and status", verb.substr(0, 40)));
}

Robot* Supervisor::find(const std::string& name) {
  for (const auto& robot : robots_) {
    if (robot->name() == name) return robot.get();
  }
  return nullptr;
}

void Supervisor::start(Connection& connection, const Json& request, std::int64_t now_ns) {
  const auto member = request.find("plan");
  auto plan = plan_from(member != request.end() ? *member : Json());
  if (!plan) return connection.fail(plan.error().message);
  Robot* robot = find(plan->name);
  if (robot == nullptr) {
    if (Status saved = save_plan(folder_.plan_of(plan->name), *plan, false); !saved)
      return connection.fail(saved.error().message);
    tell("{}: starts with {} processes", plan->name, plan->processes.size());
    robots_.push_back(std::make_unique<Robot>(folder_, *plan, Robot::Origin::Asked));
    was_used_ = true;
  } else if (robot->phase() == RobotPhase::Stopping) {
    return connection.fail(fmt::format("'{}' is being stopped; start it when that is done", plan->name));
  } else if (!is_same(robot->plan(), *plan)) {
    return connection.fail(
        fmt::format("'{}' runs already with other settings; 'sinew stop {}' first, or give --name",
                    plan->name, plan->name));
  } else {
    connection.send(
        {{"news", fmt::format("{} {}", plan->name,
                              robot->is_ready() ? "is running already" : "has been started already")}});
    if (robot->phase() == RobotPhase::Up) robot->try_again(now_ns);
  }
  connection.wait = Connection::Wait::Start;
  connection.robots = {plan->name};
}

void Supervisor::stop(Connection& connection, const Json& request) {
  const std::string name = text_in(request, "name");
  const double grace = std::clamp(number_in(request, "grace", 5), 0.0, kLongestGrace);
  if (!name.empty() && find(name) == nullptr)
    return connection.fail(fmt::format("there is no robot '{}' in space '{}'", name, folder_.space));
  connection.wait = Connection::Wait::Stop;
  for (const auto& robot : robots_) {
    if (!name.empty() && robot->name() != name) continue;
    connection.robots.insert(robot->name());
    begin_to_stop(*robot, nanoseconds_from_seconds(grace));
  }
  if (connection.robots.empty()) connection.finish({{"done", true}, {"channels", 0}});
}

void Supervisor::begin_to_stop(Robot& robot, std::int64_t grace_ns) {
  if (robot.phase() == RobotPhase::Stopping) return;
  tell("{}: is stopped", robot.name());
  // should we die now, the next supervisor goes on stopping
  if (Status saved = save_plan(folder_.plan_of(robot.name()), robot.plan(), true); !saved)
    tell("{}: {}", robot.name(), saved.error().message);
  ask_for_hold(folder_.space, robot.name());
  robot.stop(grace_ns);
}

void Supervisor::tell_status(Connection& connection) const {
  Json robots = Json::array();
  for (const auto& robot : robots_) robots.push_back(json_of(*robot));
  connection.finish({{"done", true}, {"pid", getpid()}, {"robots", robots}});
}

void Supervisor::tell_news(Robot& robot) {
  for (const std::string& news : robot.take_news()) {
    for (const auto& connection : connections_) {
      if (connection->robots.contains(robot.name())) connection->send({{"news", news}});
    }
  }
}

void Supervisor::answer_starts(const Robot& robot) {
  // a start that failed is told when all is cleared away
  const bool is_answer = robot.is_ready() || robot.phase() == RobotPhase::Gone ||
                         (robot.phase() == RobotPhase::Up && !robot.failure().empty());
  if (!is_answer) return;
  for (const auto& connection : connections_) {
    if (connection->wait != Connection::Wait::Start || !connection->robots.contains(robot.name())) continue;
    if (robot.is_ready()) {
      connection->finish({{"done", true}, {"robot", json_of(robot)}});
    } else {
      const std::string failure = robot.failure();
      connection->fail(failure.empty() ? fmt::format("'{}' was stopped meanwhile", robot.name()) : failure);
    }
  }
}

void Supervisor::forget_gone() {
  for (auto robot = robots_.begin(); robot != robots_.end();) {
    if ((*robot)->phase() != RobotPhase::Gone) {
      ++robot;
      continue;
    }
    const std::string name = (*robot)->name();
    processes::forget_robot(folder_, name, (*robot)->roles());
    robot = robots_.erase(robot);
    // with the last robot go the channels that belong to none
    const std::size_t removed = remove_unused_channels(folder_.space, robots_.empty() ? "" : name + "/");
    for (const auto& connection : connections_) {
      if (connection->wait != Connection::Wait::Stop || connection->robots.erase(name) == 0) continue;
      connection->channels += removed;
      if (connection->robots.empty())
        connection->finish({{"done", true}, {"channels", connection->channels}});
    }
  }
}

void Supervisor::look_after_logs(std::int64_t now_ns) {
  if (now_ns < next_logs_ns_) return;
  next_logs_ns_ = now_ns + kLogsEvery_ns;
  for (const auto& robot : robots_) {
    for (const auto& child : robot->children()) {
      if (Status rotated = processes::rotate_log(child->log_path()); !rotated)
        tell("{}", rotated.error().message);
    }
  }
  // our own, too; if that fails there is nowhere left to say so
  [[maybe_unused]] const Status rotated = processes::rotate_log(folder_.supervisor_log());
}

bool Supervisor::is_done(std::int64_t now_ns) const {
  if (!robots_.empty()) return false;
  const bool is_asked = std::any_of(connections_.begin(), connections_.end(),
                                    [](const auto& c) { return c->has_to_send() && !c->is_broken(); });
  return !is_asked && (was_used_ || now_ns - started_ns_ > kSilence_ns);
}

}  // namespace sinew::supervisor
