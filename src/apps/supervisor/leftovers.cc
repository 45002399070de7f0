// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/leftovers.h"

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/channels/channel_file.h"
#include "sinew/channels/inspect.h"
#include "sinew/messages/schemas.h"
#include "sinew/processes/identity.h"
#include "sinew/processes/log_file.h"
#include "sinew/processes/pid_file.h"

namespace sinew::supervisor {
namespace {

namespace fs = std::filesystem;
using processes::RunFolder;

constexpr std::int64_t kKilled_ns = 2 * kSecond_ns;

Json process_from_files(const RunFolder& folder, const std::string& robot, const std::string& role) {
  const auto record = processes::read_pid_file(folder.pid_file_of(robot, role));
  const bool is_running = record && processes::is_alive(record->identity);
  return {{"role", role},
          {"state", is_running ? "running" : "dead"},
          {"pid", is_running ? record->identity.pid : 0},
          {"start_ticks", record ? record->identity.start_ticks : 0},
          {"restarts", record ? record->restarts : 0},
          {"last_death", is_running ? "" : "ended, and there is no supervisor to start it anew"},
          {"note", is_running ? processes::note_in(folder.ready_file_of(robot, role)) : ""},
          {"log", folder.log_of(robot, role)}};
}

std::vector<fs::path> files_ending(const RunFolder& folder, std::string_view ending) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder.path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().string().ends_with(ending) && entry->path() != folder.lock())
      paths.push_back(entry->path());
  }
  return paths;
}

bool kill_process(const processes::ProcessIdentity& identity) {
  const auto watch = processes::watch_process(identity);
  if (!watch) return false;
  const bool is_killed = processes::signal_watched(*watch, SIGKILL);
  close(*watch);
  return is_killed;
}

// Kills the process that the lock file names; false when it is none or dead.
bool kill_supervisor(const RunFolder& folder) {
  const auto record = processes::read_pid_file(folder.lock());
  if (!record) return false;
  return kill_process(record->identity);
}

// Kills the supervisor, and another one that was waiting for its place, until the lock is ours.
Result<processes::LockFile> take_over(const RunFolder& folder, bool& had_supervisor) {
  const std::int64_t give_up_ns = monotonic_now_ns() + 5 * kSecond_ns;
  while (true) {
    had_supervisor = kill_supervisor(folder) || had_supervisor;
    auto lock = processes::LockFile::take(folder.lock(), monotonic_now_ns() + 50 * kMillisecond_ns);
    const bool is_held = !lock && lock.error().code == ErrorCode::AlreadyExists;
    if (!is_held || monotonic_now_ns() > give_up_ns) return lock;
  }
}

// Those who write alone and were started by hand may share their session with others: a shell, say.
void signal_part(const LivingPart& part, int signal) {
  if (part.channel.empty()) {
    processes::signal_session(part.identity, signal);
    return;
  }
  const auto watch = processes::watch_process(part.identity);
  if (!watch) return;
  processes::signal_watched(*watch, signal);
  close(*watch);
}

Status end_part(const LivingPart& part, std::int64_t grace_ns) {
  const auto resists = [&] {
    return Error{ErrorCode::Denied,
                 fmt::format("the {} lives and cannot be ended from here; end it where it was started",
                             part_text(part))};
  };
  if (part.identity.pid == 0) return resists();
  signal_part(part, SIGTERM);
  const std::int64_t kill_at_ns = monotonic_now_ns() + grace_ns;
  const std::int64_t give_up_ns = kill_at_ns + kKilled_ns;
  while (processes::is_alive(part.identity)) {
    if (monotonic_now_ns() > kill_at_ns) signal_part(part, SIGKILL);
    if (monotonic_now_ns() > give_up_ns) return resists();
    usleep(5000);
  }
  if (part.channel.empty()) processes::end_session(part.identity);
  return Done{};
}

// What no pid file tells of: the folder was removed, or somebody started it by hand.
void kill_found(const std::string& space, KillCount& count) {
  if (const auto seen = see_supervisor(space); seen && seen->is_alive)
    count.had_supervisor = kill_process(seen->identity) || count.had_supervisor;
  for (const LivingPart& part : living_parts(space, "")) {
    if (part.identity.pid == 0) continue;
    signal_part(part, SIGKILL);
    ++count.processes;
    for (int i = 0; i < 200 && processes::is_alive(part.identity); ++i) usleep(5000);
  }
  if (const auto seen = see_supervisor(space); seen && !seen->is_alive)
    static_cast<void>(channels::ChannelFile::remove(space, "supervisor"));
}

}  // namespace

void ask_for_hold(const std::string& space, const std::string& robot) {
  auto writer = Writer<ControlRequest>::open(
      {.name = robot + "/stop", .space = space, .sender = "supervisor", .may_create = false});
  if (!writer) return;
  ControlRequest request{.stamp_ns = monotonic_now_ns(), .verb = ControlVerb::Stop};
  set_text(request.who, "supervisor");
  set_text(request.reason, "sinew stop");
  // whether it is heard shows in what follows: the controller is asked to end
  [[maybe_unused]] const int status = writer->put(request);
}

std::size_t remove_unused_channels(const std::string& space, std::string_view prefix) {
  std::size_t count = 0;
  const auto listing = channels::list_channels(space);
  if (!listing) return 0;
  for (const channels::ChannelInfo& info : listing->channels) {
    if (!info.name.starts_with(prefix) || info.has_living_users()) continue;
    if (channels::ChannelFile::remove(space, info.name)) ++count;
  }
  if (const auto path = channels::space_folder(space)) rmdir(path->c_str());
  return count;
}

Json robots_from_files(const RunFolder& folder) {
  Json robots = Json::array();
  for (const std::string& name : processes::robots_in(folder)) {
    const auto saved = load_plan(folder.plan_of(name));
    if (!saved) {
      robots.push_back({{"name", name}, {"phase", "damaged"}, {"processes", Json::array()}});
      continue;
    }
    Json rows = Json::array();
    for (const auto& process : saved->plan.processes)
      rows.push_back(process_from_files(folder, name, process.role));
    robots.push_back({{"name", name},
                      {"robot", saved->plan.robot},
                      {"phase", saved->is_stopping ? "stopping" : "unsupervised"},
                      {"is_simulated", saved->plan.is_simulated},
                      {"processes", rows}});
  }
  return robots;
}

Result<KillCount> kill_space(const RunFolder& folder) {
  KillCount count;
  if (access(folder.path.c_str(), F_OK) == 0) {
    // what somebody else may have written there is not believed
    if (Status checked = make_run_folder(folder); !checked) return checked.error();
    if (const auto guardian = processes::read_pid_file(folder.guardian())) kill_process(guardian->identity);
    // with the lock, no process is on its way that is not in a pid file
    const auto lock = take_over(folder, count.had_supervisor);
    if (!lock) return lock.error();
    for (const fs::path& path : files_ending(folder, ".pid")) {
      const auto record = processes::read_pid_file(path.string());
      const bool is_part = path != folder.guardian();
      if (is_part && record && processes::is_alive(record->identity)) ++count.processes;
      if (record && !processes::end_session(record->identity)) {
        return Error{ErrorCode::SystemFailure,
                     fmt::format("process {} of {} does not end though it was killed", record->identity.pid,
                                 path.string())};
      }
      unlink(path.c_str());
    }
    for (const fs::path& path : files_ending(folder, ".ready")) unlink(path.c_str());
    for (const std::string& robot : processes::robots_in(folder)) unlink(folder.plan_of(robot).c_str());
    processes::forget_space(folder);
  }
  kill_found(folder.space, count);
  count.channels = remove_unused_channels(folder.space, "");
  return count;
}

Result<std::vector<LivingPart>> end_parts(const std::string& space, const std::string& robot,
                                          std::int64_t grace_ns) {
  auto parts = living_parts(space, robot);
  for (const LivingPart& part : parts) ask_for_hold(space, part.robot);
  Status all = Done{};
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    // one that resists does not save the others
    if (Status ended = end_part(*part, grace_ns); !ended) all = std::move(ended);
  }
  const auto seen = see_supervisor(space);
  if (seen && !seen->is_alive && living_parts(space, "").empty())
    static_cast<void>(channels::ChannelFile::remove(space, "supervisor"));
  if (!parts.empty()) remove_unused_channels(space, robot.empty() ? "" : robot + "/");
  if (!all) return all.error();
  return parts;
}

}  // namespace sinew::supervisor
