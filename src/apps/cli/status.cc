// SPDX-License-Identifier: BSD-3-Clause
// sinew status
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/control/safety_text.h"
#include "sinew/drivers/robot_clock.h"
#include "sinew/messages/schemas.h"
#include "sinew/processes/identity.h"
#include "sinew/processes/pid_file.h"
#include "sinew/processes/run_folder.h"

#include "apps/cli/start_stop_commands.h"
#include "apps/cli/status_gathering.h"
#include "apps/cli/status_words.h"
#include "apps/supervisor/client.h"
#include "apps/supervisor/leftovers.h"
#include "apps/supervisor/presence.h"

namespace sinew::cli {
namespace {

using processes::ProcessIdentity;
using supervisor::Json;
using supervisor::number_in;
using supervisor::text_in;

constexpr double kOld = 2.0;  // [s] A controller says how it is ten times a second.
constexpr unsigned kSample_us = 100'000;

ProcessIdentity identity_in(const Json& process) {
  return {.pid = static_cast<std::int32_t>(number_in(process, "pid")),
          .start_ticks = process.value("start_ticks", std::uint64_t{0})};
}

// The newest Health of each process on the robot's channel.
std::map<std::uint32_t, Health> read_health(const std::string& space, const std::string& robot) {
  std::map<std::uint32_t, Health> newest;
  auto reader = Reader<Health>::open({.name = robot + "/health", .space = space, .may_create = false},
                                     SINEW_START_OLDEST);
  if (!reader) return newest;
  Frame<Health> frame{};
  while (reader->read_next(frame) == SINEW_OK) newest[frame.message.process_id] = frame.message;
  return newest;
}

template <class Message>
std::optional<Frame<Message>> read_newest(const std::string& space, const std::string& channel) {
  auto reader = Reader<Message>::open({.name = channel, .space = space, .may_create = false});
  Frame<Message> frame{};
  if (!reader || reader->read_newest(frame) != SINEW_OK) return std::nullopt;
  return frame;
}

double age_of(std::int64_t stamp_ns) {
  return seconds_from_nanoseconds(monotonic_now_ns() - stamp_ns);
}

Json json_of_health(const Health& health) {
  return {{"age", age_of(health.stamp_ns)},
          {"rate", health.period_ns > 0 ? 1e9 / static_cast<double>(health.period_ns) : 0.0},
          {"cycles", health.cycles},
          {"late_cycles", health.late_cycles},
          {"wake_p99", seconds_from_nanoseconds(health.wake_p99_ns)},
          {"worst_wake", seconds_from_nanoseconds(health.worst_wake_latency_ns)},
          {"busy_p99", seconds_from_nanoseconds(health.busy_p99_ns)},
          {"refusals", health.refusals},
          {"bus_load", health.bus_load},
          {"is_realtime", health.is_realtime != 0}};
}

Json json_of_safety(const Safety& safety, std::uint32_t fault_bits, std::int64_t stamp_ns) {
  return {{"state", state_text(safety.state)},
          {"reason", reason_text(safety.reason)},
          {"text", safety_text(safety, nullptr, fault_bits)},
          {"age", age_of(stamp_ns)},
          {"since", age_of(safety.since_ns)},
          {"who", text_of(safety.who)},
          {"link_a", text_of(safety.link_a)},
          {"link_b", text_of(safety.link_b)},
          {"distance", safety.distance},
          {"is_overridden", safety.is_overridden != 0},
          {"overridden_by", text_of(safety.overridden_by)},
          {"refusals", safety.refusals},
          {"recording", text_of(safety.recording)}};
}

// What the robots' processes take and say, put into the rows that the supervisor gave.
void add_use(Json& robots) {
  std::map<std::int32_t, std::int64_t> cpu_before_ns;
  const std::int64_t begun_ns = monotonic_now_ns();
  const auto for_each = [&](auto visit) {
    for (Json& robot : robots) {
      for (Json& process : robot["processes"]) visit(process, processes::use_of(identity_in(process)));
    }
  };
  for_each([&](Json& process, const auto& use) {
    if (use) cpu_before_ns[identity_in(process).pid] = use->cpu_ns;
  });
  if (!cpu_before_ns.empty()) usleep(kSample_us);
  for_each([&](Json& process, const auto& use) {
    const double passed = seconds_from_nanoseconds(monotonic_now_ns() - begun_ns);
    process["uptime"] = use ? Json(seconds_from_nanoseconds(use->age_ns)) : Json(nullptr);
    process["memory_bytes"] = use ? Json(use->memory_bytes) : Json(nullptr);
    process["cpu"] = nullptr;
    if (use && cpu_before_ns.contains(identity_in(process).pid)) {
      const std::int64_t taken_ns = use->cpu_ns - cpu_before_ns[identity_in(process).pid];
      process["cpu"] = 100 * seconds_from_nanoseconds(taken_ns) / passed;
    }
  });
}

void add_channels(const std::string& space, Json& robots) {
  for (Json& robot : robots) {
    const std::string name = text_in(robot, "name");
    const auto health = read_health(space, name);
    for (Json& process : robot["processes"]) {
      const auto found = health.find(static_cast<std::uint32_t>(identity_in(process).pid));
      process["health"] =
          found != health.end() && found->first != 0 ? json_of_health(found->second) : Json(nullptr);
    }
    const auto state = read_newest<JointState>(space, name + "/state");
    const auto safety = read_newest<Safety>(space, name + "/safety");
    // a world that stands says nothing new, and needs not
    RobotClock clock(name, space);
    clock.look();
    const bool stands = clock.rate(monotonic_now_ns()) == 0.0;
    robot["is_old"] = safety && !stands && age_of(safety->info.stamp_ns) > kOld;
    robot["state_age"] = state ? Json(age_of(state->info.stamp_ns)) : Json(nullptr);
    robot["device_faults"] = state ? Json(faults_text(state->message.fault_bits)) : Json(nullptr);
    const std::uint32_t fault_bits = state ? state->message.fault_bits : 0;
    robot["safety"] =
        safety ? json_of_safety(safety->message, fault_bits, safety->info.stamp_ns) : Json(nullptr);
  }
}

Json& row_of(Json& robots, const std::string& name) {
  for (Json& robot : robots)
    if (text_in(robot, "name") == name) return robot;
  robots.push_back({{"name", name}, {"phase", "unsupervised"}, {"processes", Json::array()}});
  return robots.back();
}

// Those that live though nobody in the run folder knows them: started by hand or from another environment, or
// what is left where the folder was removed. Whether there are any.
bool add_found(const std::string& space, const std::string& folder, Json& robots) {
  bool is_any = false;
  for (const supervisor::LivingPart& part : supervisor::living_parts(space, "")) {
    Json& processes = row_of(robots, part.robot)["processes"];
    const bool is_listed = std::ranges::any_of(
        processes, [&](const Json& process) { return identity_in(process) == part.identity; });
    if (is_listed) continue;
    is_any = true;
    processes.push_back(
        {{"role", part.role},
         {"state", "running"},
         {"pid", part.identity.pid},
         {"start_ticks", part.identity.start_ticks},
         {"restarts", 0},
         {"last_death", ""},
         {"note", fmt::format("{} was not found in the run folder {}{}{}", part.program, folder,
                              part.channel.empty() ? "" : "; it alone writes ", part.channel)},
         {"is_found", true},
         {"log", ""}});
  }
  return is_any;
}

// The first thing that is not well, in words; empty: all is.
std::string complaint_about(const Json& status) {
  const std::string space = text_in(status, "space");
  if (status["robots"].empty())
    return fmt::format("nothing runs in space '{}'; 'sinew start ROBOT' starts a robot", space);
  if (std::string problem = text_in(status["supervisor"], "problem"); !problem.empty()) return problem;
  for (const Json& robot : status["robots"]) {
    const std::string name = text_in(robot, "name");
    for (const Json& process : robot["processes"]) {
      const std::string state = text_in(process, "state");
      if (process.value("is_found", false))
        return fmt::format("{} {} lives (pid {:.0f}), and no supervisor has started it; 'sinew stop' ends it",
                           name, text_in(process, "role"), number_in(process, "pid"));
      if (state != "running") {
        const std::string death = text_in(process, "last_death");
        return fmt::format("{} {} is not running: {}{}{}", name, text_in(process, "role"), state,
                           death.empty() ? "" : "; ", death);
      }
    }
    if (robot.value("is_old", false))
      return fmt::format("{} has said nothing for {}: how it is now is not known", name,
                         duration_text(nanoseconds_from_seconds(number_in(robot["safety"], "age"))));
    if (robot["safety"].is_object() && text_in(robot["safety"], "state") == state_text(ControlState::Faulted))
      return fmt::format("{} is faulted: {}", name, text_in(robot["safety"], "reason"));
  }
  return {};
}

Json supervisor_from_files(const processes::RunFolder& folder, const std::string& reason) {
  const auto record = processes::read_pid_file(folder.lock());
  const bool is_there = record && processes::is_alive(record->identity);
  const std::string problem =
      is_there ? fmt::format("the supervisor (pid {}) does not answer: {}; 'sinew kill' ends everything",
                             record->identity.pid, reason)
               : "no supervisor watches over these processes; 'sinew start' with the same robot brings one";
  return {{"pid", is_there ? record->identity.pid : 0}, {"problem", problem}};
}

}  // namespace

Result<Json> gather_status(const std::string& space) {
  const auto folder = supervisor::folder_in_use(space);
  if (!folder) return folder.error();
  Json status{{"space", space}, {"is_well", false}, {"supervisor", Json()}, {"robots", Json::array()}};
  const auto answer = supervisor::ask_supervisor({{"verb", "status"}}, {.folder = *folder, .silence = 3});
  if (answer) {
    status["supervisor"] = {{"pid", (*answer)["pid"]}, {"problem", ""}};
    status["robots"] = (*answer)["robots"];
  } else {
    status["supervisor"] = supervisor_from_files(*folder, answer.error().message);
    status["robots"] = supervisor::robots_from_files(*folder);
  }
  status["supervisor"]["folder"] = folder->path;
  const auto own = processes::run_folder(space);
  status["supervisor"]["is_elsewhere"] = own && own->path != folder->path;
  if (add_found(space, folder->path, status["robots"]) && number_in(status["supervisor"], "pid") == 0)
    status["supervisor"]["problem"] = "no supervisor has started what lives here; 'sinew stop' ends it";
  add_use(status["robots"]);
  add_channels(space, status["robots"]);
  status["is_well"] = complaint_about(status).empty();
  return status;
}

namespace {

Status run_status(const Words& words, std::ostream& out) {
  const auto status = gather_status(words.text("--space"));
  if (!status) return status.error();
  if (words.has("--json")) {
    out << status->dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else if (!(*status)["robots"].empty()) {
    print_status(*status, out);
  }
  const std::string complaint = complaint_about(*status);
  if (complaint.empty()) return Done{};
  return Error{ErrorCode::NotFound, complaint};
}

}  // namespace

const Command kStatusCommand{
    .name = "status",
    .summary = "Show the processes of the robots that run, and how they are",
    .details =
        "Rate, late cycles and wake-up latency are what a process says of itself on the channel 'health'; "
        "state "
        "and reason come from 'safety'. Exits with 0 when all processes run and no robot is faulted.",
    .options = {{.name = "--json", .value_name = "", .help = "Print JSON."}},
    .examples = {"sinew status", "sinew status --json"},
    .run = run_status,
};

std::vector<Command> start_stop_commands() {
  return {kStartCommand, kStopCommand,    kStatusCommand,   kMakeCommand,
          kKillCommand,  kKillAllCommand, kResetBusCommand, kChangeRobotCommand};
}

}  // namespace sinew::cli
