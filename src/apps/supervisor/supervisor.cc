// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/supervisor.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

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
constexpr std::int64_t kFolderEvery_ns = kSecond_ns;
// how long a caller may take to say what it wants, and a supervisor may be without anything to do
constexpr std::int64_t kSilence_ns = 3 * kSecond_ns;
constexpr std::size_t kMostConnections = 64;
constexpr double kLongestGrace = 600;  // [s]

// True when both would run the same processes.
bool is_same(const RobotPlan& a, const RobotPlan& b) {
  return a.robot == b.robot && a.folder == b.folder && a.processes == b.processes;
}

// What we say went into a file that nobody can find any more.
void take_up_log(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return;
  dup2(descriptor, STDOUT_FILENO);
  dup2(descriptor, STDERR_FILENO);
  close(descriptor);
}

}  // namespace

Supervisor::Supervisor(SupervisorParts parts)
    : folder_(parts.folder),
      lock_(std::move(parts.lock)),
      listener_(std::move(parts.listener)),
      signals_(parts.signals),
      presence_(parts.folder),
      guardian_(parts.folder, parts.quick_deaths),
      started_ns_(monotonic_now_ns()) {}

void Supervisor::adopt() {
  if (processes::robots_in(folder_).empty()) return;
  if (const Status claimed = presence_.claim(); !claimed)
    return tell("nothing is taken up: {}", claimed.error().message);
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
    if (is_done(now_ns)) {
      presence_.leave();
      return true;
    }
    wait(monotonic_now_ns());
    if (watched_[1].revents == 0) continue;
    // who is asked to leave is not brought back
    guardian_.end();
    return false;
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
  tell_presence(now_ns);
  look_after_logs(now_ns);
  look_after_folder(now_ns);
  for (const auto& connection : connections_) connection->flush();
  std::erase_if(connections_, [&](const auto& connection) {
    const bool is_silent =
        connection->wait == Connection::Wait::Request && now_ns - connection->since_ns() > kSilence_ns;
    return connection->is_over() || is_silent;
  });
}

void Supervisor::wait(std::int64_t now_ns) {
  watched_.clear();
  watched_.push_back({.fd = listener_.descriptor(), .events = POLLIN, .revents = 0});
  watched_.push_back({.fd = signals_, .events = POLLIN, .revents = 0});
  std::int64_t next_ns = now_ns + kLongestWait_ns;
  if (!robots_.empty()) {
    next_ns = std::min(next_ns, guardian_.next_look_ns());
    watched_.push_back({.fd = guardian_.watch(), .events = POLLIN, .revents = 0});
  }
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
  if (const auto descriptor = accept_same_user(listener_.descriptor())) {
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
    if (Status free = check_free(*plan); !free) return connection.fail(free.error().message);
    if (Status claimed = presence_.claim(); !claimed) return connection.fail(claimed.error().message);
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

// Nobody that we have not started may do the work of one of its processes.
Status Supervisor::check_free(const RobotPlan& plan) const {
  for (const LivingPart& part : living_parts(folder_.space, plan.name)) {
    const bool is_needed = std::ranges::any_of(plan.processes, [&](const processes::ProcessPlan& process) {
      return process.role == part.role || (part.channel.ends_with("/device/state") &&
                                           (process.role == "simulator" || process.role == "device"));
    });
    if (!is_needed) continue;
    return Error{
        ErrorCode::AlreadyExists,
        fmt::format("'{}' is driven already, by a process that this supervisor has not started: {}{}; "
                    "end it first, with 'sinew stop {}' or 'kill {}'",
                    plan.name, part_text(part),
                    part.channel.empty() ? "" : ", which alone writes " + part.channel, plan.name,
                    part.identity.pid)};
  }
  return Done{};
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
    if (robots_.empty()) {
      guardian_.end();
      presence_.leave();
    }
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

// Whoever looks for us from another environment finds us by the channels.
void Supervisor::tell_presence(std::int64_t now_ns) {
  if (robots_.empty()) return;
  guardian_.look(now_ns);
  Json rows = Json::array();
  for (const auto& robot : robots_) {
    Json processes = Json::array();
    for (const auto& child : robot->children()) {
      if (child->watch() < 0) continue;
      processes.push_back({{"role", child->role()},
                           {"pid", child->identity().pid},
                           {"start_ticks", child->identity().start_ticks}});
    }
    rows.push_back({{"name", robot->name()},
                    {"robot", robot->plan().robot},
                    {"is_simulated", robot->plan().is_simulated},
                    {"processes", processes}});
  }
  presence_.tell(rows);
}

// A cleaner may have removed the folder while we live; nobody finds us by it then.
void Supervisor::look_after_folder(std::int64_t now_ns) {
  if (now_ns < next_folder_ns_) return;
  next_folder_ns_ = now_ns + kFolderEvery_ns;
  const bool is_whole =
      access(folder_.socket().c_str(), F_OK) == 0 && access(folder_.lock().c_str(), F_OK) == 0;
  if (is_whole || robots_.empty()) return;
  const Status made = make_folder_again();
  if (!made && std::exchange(misses_folder_, true)) return;
  misses_folder_ = !made;
  tell("the run folder {} was removed{}", folder_.path,
       made ? " and has been made again" : ", and cannot be made again: " + made.error().message);
}

Status Supervisor::make_folder_again() {
  if (Status made = make_run_folder(folder_); !made) return made;
  take_up_log(folder_.supervisor_log());
  if (access(folder_.lock().c_str(), F_OK) != 0) {
    auto lock = processes::LockFile::take(folder_.lock(), monotonic_now_ns());
    if (!lock) return lock.error();
    lock_ = *std::move(lock);
  }
  for (const auto& robot : robots_) {
    const bool is_stopping = robot->phase() == RobotPhase::Stopping;
    if (Status saved = save_plan(folder_.plan_of(robot->name()), robot->plan(), is_stopping); !saved)
      return saved;
    for (const auto& child : robot->children()) child->write_files();
  }
  guardian_.end();
  auto listener = listen_at(folder_.socket());
  if (!listener) return listener.error();
  listener_ = *std::move(listener);
  return Done{};
}

bool Supervisor::is_done(std::int64_t now_ns) const {
  if (!robots_.empty()) return false;
  const bool is_asked = std::any_of(connections_.begin(), connections_.end(),
                                    [](const auto& c) { return c->has_to_send() && !c->is_broken(); });
  return !is_asked && (was_used_ || now_ns - started_ns_ > kSilence_ns);
}

}  // namespace sinew::supervisor
