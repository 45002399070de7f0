// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/place_name.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace sinew::channels {
namespace {

constexpr std::string_view kRoot = "/dev/shm";

Status make_folder(const std::string& folder) {
  if (mkdir(folder.c_str(), 0755) == 0) {
    // whatever the umask takes away: the rights of a channel are decided by its file
    if (chmod(folder.c_str(), 0755) == 0) return Done{};
    return Error{errno == ENOENT ? ErrorCode::NotFound : ErrorCode::SystemFailure,
                 fmt::format("cannot set the rights of {}: {}", folder, std::strerror(errno))};
  }
  if (errno != EEXIST) {
    const std::string reason = std::strerror(errno);
    const ErrorCode code = errno == EACCES   ? ErrorCode::Denied
                           : errno == ENOENT ? ErrorCode::NotFound
                                             : ErrorCode::SystemFailure;
    return Error{code, fmt::format("cannot make the folder {}: {}; {}", folder, reason,
                                   rights_text(folder.substr(0, folder.rfind('/'))))};
  }
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0)
    return Error{errno == ENOENT ? ErrorCode::NotFound : ErrorCode::SystemFailure,
                 fmt::format("cannot look at {}: {}", folder, std::strerror(errno))};
  if (!S_ISDIR(status.st_mode))
    return Error{ErrorCode::Damaged, fmt::format("{} is no folder; remove it", folder)};
  const bool is_open_to_all = (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
  if (is_open_to_all) {
    return Error{ErrorCode::Denied, fmt::format("anybody could replace the channels in {}: {}; chmod o-w it",
                                                folder, rights_text(folder))};
  }
  return Done{};
}

}  // namespace

bool is_word(std::string_view text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= 64 && text.front() != '.' &&
         std::all_of(text.begin(), text.end(), is_allowed);
}

Result<std::string> space_folder(std::string_view space) {
  if (is_word(space)) return fmt::format("{}/sinew-{}", kRoot, space);
  return Error{ErrorCode::InvalidInput, fmt::format("'{}' is no name for a space: use letters, digits, '.', "
                                                    "'-' and '_', at most 64, not beginning with '.'",
                                                    space.substr(0, 80))};
}

Result<std::string> channel_path(std::string_view space, std::string_view name) {
  auto folder = space_folder(space);
  if (!folder) return folder;
  bool is_good = name.size() <= 200;
  for (std::string_view rest = name; is_good;) {
    const std::size_t slash = rest.find('/');
    is_good = is_word(rest.substr(0, slash));
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  if (is_good) return fmt::format("{}/{}", *folder, name);
  return Error{ErrorCode::InvalidInput,
               fmt::format("'{}' is no name for a channel: use words of letters, digits, '.', '-' and '_' "
                           "with '/' between, as in mds/state",
                           name.substr(0, 80))};
}

Status make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', kRoot.size() + 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (Status made = make_folder(path.substr(0, slash)); !made) return made;
  }
  return Done{};
}

std::string user_name(unsigned id) {
  std::array<char, 1024> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  getpwuid_r(id, &entry, buffer.data(), buffer.size(), &found);
  return found != nullptr ? std::string(found->pw_name) : fmt::format("uid {}", id);
}

std::string group_name(unsigned id) {
  std::array<char, 4096> buffer{};
  group entry{};
  group* found = nullptr;
  getgrgid_r(id, &entry, buffer.data(), buffer.size(), &found);
  return found != nullptr ? std::string(found->gr_name) : fmt::format("gid {}", id);
}

std::string rights_text(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    return fmt::format("{} cannot be looked at: {}", path, std::strerror(errno));
  return fmt::format("{} belongs to {}:{} with mode {:04o}, and you are {}", path, user_name(status.st_uid),
                     group_name(status.st_gid), status.st_mode & 07777, user_name(geteuid()));
}

}  // namespace sinew::channels
