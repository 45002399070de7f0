// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/whole_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::accounts {
namespace {

Error refusal(std::string_view what, const std::string& path, int reason) {
  const ErrorCode code = reason == ENOENT                      ? ErrorCode::NotFound
                         : reason == EACCES || reason == EPERM ? ErrorCode::Denied
                                                               : ErrorCode::SystemFailure;
  return {code, fmt::format("cannot {} {}: {}", what, path, std::strerror(reason))};
}

// A file that is open; closed at the end.
struct OpenFile {
  int descriptor = -1;

  explicit OpenFile(int number) : descriptor(number) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
};

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool is_robot_name(std::string_view text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= 64 && text.front() != '.' && std::ranges::all_of(text, is_allowed);
}

}  // namespace

Result<std::string> read_whole_file(const std::string& path, std::size_t most) {
  // a pipe or a device in its place must not be waited for
  const OpenFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.descriptor < 0) return refusal("open", path, errno);
  struct stat status {};
  if (fstat(file.descriptor, &status) != 0) return refusal("read", path, errno);
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::Denied, fmt::format("{} is no plain file", path)};
  std::string text;
  while (text.size() <= most) {
    const std::size_t before = text.size();
    text.resize(std::min(most + 1, before + 65536));
    const ssize_t count = read(file.descriptor, text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(0, count)));
    if (count == 0) return text;
    if (count < 0 && errno != EINTR) return refusal("read", path, errno);
  }
  return Error{ErrorCode::OutOfLimits, fmt::format("{} has more than {}", path, bytes_text(most))};
}

Status replace_whole_file(const std::string& path, std::string_view text) {
  std::string unfinished = path + ".XXXXXX";
  const OpenFile file(mkostemp(unfinished.data(), O_CLOEXEC));
  if (file.descriptor < 0) return refusal("make", path, errno);
  // mkostemp() makes it 0600
  const bool is_there = write_all(file.descriptor, text) && fsync(file.descriptor) == 0 &&
                        rename(unfinished.c_str(), path.c_str()) == 0;
  if (is_there) return sync_folder(folder_of(path));
  const int reason = errno;
  unlink(unfinished.c_str());
  return refusal("write", path, reason);
}

Status sync_folder(const std::string& folder) {
  const OpenFile opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.descriptor < 0) return refusal("open", folder, errno);
  // some file systems know no such thing
  if (fsync(opened.descriptor) == 0 || errno == EINVAL) return Done{};
  return refusal("write", folder, errno);
}

Result<FolderLock> FolderLock::take(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return refusal("open", folder, errno);
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return FolderLock(descriptor);
  const int reason = errno;
  close(descriptor);
  if (reason != EWOULDBLOCK) return refusal("lock", folder, reason);
  return Error{ErrorCode::TimedOut,
               fmt::format("another program changes {} at this moment; try again", folder)};
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<std::string> data_folder_of(std::string_view robot) {
  if (!is_robot_name(robot))
    return Error{ErrorCode::InvalidInput, fmt::format("'{}' is no name of a robot", shown_text(robot))};
  const char* config = std::getenv("XDG_CONFIG_HOME");  // NOLINT(concurrency-mt-unsafe)
  if (config != nullptr && config[0] == '/') return fmt::format("{}/sinew/web/{}", config, robot);
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
  if (home != nullptr && home[0] == '/') return fmt::format("{}/.config/sinew/web/{}", home, robot);
  return Error{ErrorCode::NotFound, "this user has no home to keep accounts in; say where with --data"};
}

Status make_private_folder(const std::string& path) {
  const std::string above = folder_of(path);
  if (above != path && access(above.c_str(), F_OK) != 0)
    if (Status made = make_private_folder(above); !made) return made;
  if (mkdir(path.c_str(), 0700) == 0) return Done{};
  const int reason = errno;
  struct stat status {};
  if (reason != EEXIST || stat(path.c_str(), &status) != 0) return refusal("make the folder", path, reason);
  if (S_ISDIR(status.st_mode) && status.st_uid == geteuid() && (status.st_mode & 022) == 0) return Done{};
  return Error{ErrorCode::Denied,
               fmt::format("{} must be a folder that belongs to user {} and that nobody else may write; it "
                           "belongs to {} with mode {:04o}",
                           path, geteuid(), status.st_uid, status.st_mode & 07777)};
}

}  // namespace sinew::accounts
