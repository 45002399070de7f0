// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/run_folder.h"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace sinew::processes {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlanEnding = ".json";

bool is_space_name(std::string_view text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= 64 && text.front() != '.' &&
         std::all_of(text.begin(), text.end(), is_allowed);
}

// The folder above all spaces of this user.
std::string root_folder() {
  // the one place where the session says where such files go
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe)
  if (runtime != nullptr && runtime[0] == '/') return fmt::format("{}/sinew", runtime);
  return geteuid() == 0 ? std::string("/run/sinew") : fmt::format("/tmp/sinew-{}", geteuid());
}

Status make_own_folder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0) return Done{};
  const int reason = errno;
  struct stat status {};
  if (reason != EEXIST || lstat(path.c_str(), &status) != 0) {
    return Error{reason == EACCES ? ErrorCode::Denied : ErrorCode::SystemFailure,
                 fmt::format("cannot make the folder {}: {}", path, std::strerror(reason))};
  }
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 022) != 0) {
    return Error{ErrorCode::Denied,
                 fmt::format("{} must be a folder that belongs to user {} and that nobody else may write; it "
                             "belongs to {} with mode {:04o}: remove it",
                             path, geteuid(), status.st_uid, status.st_mode & 07777)};
  }
  return Done{};
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string RunFolder::plan_of(std::string_view robot) const {
  return fmt::format("{}/{}{}", robots(), robot, kPlanEnding);
}
std::string RunFolder::pid_file_of(std::string_view robot, std::string_view role) const {
  return fmt::format("{}/{}-{}.pid", path, robot, role);
}
std::string RunFolder::ready_file_of(std::string_view robot, std::string_view role) const {
  return fmt::format("{}/{}-{}.ready", path, robot, role);
}
std::string RunFolder::log_of(std::string_view robot, std::string_view role) const {
  return fmt::format("{}/{}-{}.log", logs(), robot, role);
}

Result<RunFolder> run_folder(std::string_view space) {
  if (!is_space_name(space)) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' is no name for a space: use letters, digits, '.', "
                             "'-' and '_', at most 64, not beginning with '.'",
                             space.substr(0, 80))};
  }
  RunFolder folder{.space = std::string(space), .path = fmt::format("{}/{}", root_folder(), space)};
  if (folder.socket().size() >= sizeof(sockaddr_un::sun_path)) {
    return Error{
        ErrorCode::OutOfLimits,
        fmt::format("the socket {} has {} characters and may have {}; set XDG_RUNTIME_DIR to a shorter "
                    "path",
                    folder.socket(), folder.socket().size(), sizeof(sockaddr_un::sun_path) - 1)};
  }
  return folder;
}

Status make_run_folder(const RunFolder& folder) {
  const std::string root = folder.path.substr(0, folder.path.rfind('/'));
  for (const std::string& path : {root, folder.path, folder.robots(), folder.logs()}) {
    if (Status made = make_own_folder(path); !made) return made;
  }
  return Done{};
}

std::vector<std::string> spaces_of_user() {
  std::vector<std::string> spaces;
  for (const std::string& name : names_in(root_folder())) {
    if (is_space_name(name)) spaces.push_back(name);
  }
  return spaces;
}

std::vector<std::string> robots_in(const RunFolder& folder) {
  std::vector<std::string> robots;
  for (const std::string& name : names_in(folder.robots())) {
    if (name.ends_with(kPlanEnding)) robots.push_back(name.substr(0, name.size() - kPlanEnding.size()));
  }
  return robots;
}

void forget_robot(const RunFolder& folder, std::string_view robot, const std::vector<std::string>& roles) {
  for (const std::string& role : roles) {
    unlink(folder.pid_file_of(robot, role).c_str());
    unlink(folder.ready_file_of(robot, role).c_str());
  }
  // last, so that who is killed before leaves a robot that can still be found
  unlink(folder.plan_of(robot).c_str());
}

void forget_space(const RunFolder& folder) {
  unlink(folder.socket().c_str());
  unlink(folder.guardian().c_str());
  rmdir(folder.robots().c_str());
  unlink(folder.lock().c_str());
  // stays while there are logs in it
  rmdir(folder.logs().c_str());
  rmdir(folder.path.c_str());
}

}  // namespace sinew::processes
