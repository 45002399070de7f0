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

// Kills the process that the lock file names; false when it is none or dead.
bool kill_supervisor(const RunFolder& folder) {
  const auto record = processes::read_pid_file(folder.lock());
  if (!record) return false;
  const auto watch = processes::watch_process(record->identity);
  if (!watch) return false;
  const bool is_killed = processes::signal_watched(*watch, SIGKILL);
  close(*watch);
  return is_killed;
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
    // with the lock, no process is on its way that is not in a pid file
    const auto lock = take_over(folder, count.had_supervisor);
    if (!lock) return lock.error();
    for (const fs::path& path : files_ending(folder, ".pid")) {
      const auto record = processes::read_pid_file(path.string());
      if (record && processes::is_alive(record->identity)) ++count.processes;
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
  count.channels = remove_unused_channels(folder.space, "");
  return count;
}

}  // namespace sinew::supervisor
