// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/robot_files.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Nothing that is opened here waits: a pipe that nobody writes to is no file either.
int with_usual(int flags) {
  const bool is_path = (flags & O_PATH) != 0;
  return flags | O_CLOEXEC | (is_path ? 0 : O_NONBLOCK | O_NOCTTY);
}

/// A descriptor that is closed in the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

class AllFiles final : public RobotFiles {
 protected:
  int open(const fs::path& path, int flags) const override {
    const int opened = ::open(path.c_str(), with_usual(flags));
    return opened >= 0 ? opened : -errno;
  }
};

int open_by_kernel(int folder, const fs::path& rest, int flags) {
  struct open_how how {};
  how.flags = static_cast<std::uint64_t>(with_usual(flags));
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const auto opened = static_cast<int>(syscall(SYS_openat2, folder, rest.c_str(), &how, sizeof(how)));
  return opened >= 0 ? opened : -errno;
}

// One name after the other, each from the descriptor of the folder before, and none of them a link.
int open_by_steps(int folder, const fs::path& rest, int flags) {
  auto at = std::make_unique<Descriptor>(dup(folder));
  for (auto name = rest.begin(); name != rest.end(); ++name) {
    const bool is_last = std::next(name) == rest.end();
    const int how = (is_last ? flags : O_PATH) | O_NOFOLLOW;
    const int opened = openat(at->number(), name->c_str(), with_usual(how));
    if (opened < 0) return -errno;
    if (is_last) return opened;
    at = std::make_unique<Descriptor>(opened);
    struct stat status {};
    if (fstat(opened, &status) != 0) return -errno;
    if (S_ISLNK(status.st_mode)) return -ELOOP;
  }
  return -ENOENT;
}

// From the root, without '.' and '..'.
fs::path plain_path(const fs::path& path) {
  std::error_code error;
  fs::path plain = fs::absolute(path, error).lexically_normal();
  if (!plain.has_filename() && plain.has_relative_path()) plain = plain.parent_path();
  return plain;
}

Result<std::string> read_all(int file, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::read(file, bytes.data() + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Error{ErrorCode::SystemFailure, std::strerror(errno)};
    if (count == 0) return Error{ErrorCode::SystemFailure, "it was shortened meanwhile"};
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

}  // namespace

const RobotFiles& RobotFiles::all() {
  static const AllFiles files;
  return files;
}

std::optional<struct stat> RobotFiles::status_of(const fs::path& path) const {
  const Descriptor file(open(path, O_PATH));
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return std::nullopt;
  return status;
}

bool RobotFiles::is_file(const fs::path& path) const {
  const auto status = status_of(path);
  return status && S_ISREG(status->st_mode);
}

bool RobotFiles::is_folder(const fs::path& path) const {
  const auto status = status_of(path);
  return status && S_ISDIR(status->st_mode);
}

Result<std::string> RobotFiles::read(const fs::path& path, const Reading& reading) const {
  const auto refusal = [&](ErrorCode code, std::string_view why) {
    const std::string_view blank = reading.what.empty() ? "" : " ";
    return Error{code, fmt::format("{}{}{}: {}", reading.what, blank, path.string(), why)};
  };
  const auto missing = [&] {
    if (!reading.what.empty())
      return refusal(ErrorCode::NotFound, "there is no such file; check its name and --packages");
    return Error{ErrorCode::NotFound, fmt::format("there is no file {}; check the path", path.string())};
  };
  const Descriptor file(open(path, O_RDONLY));
  const int problem = -file.number();
  if (is_confined() && (problem == EXDEV || problem == ELOOP))
    return refusal(ErrorCode::Denied,
                   "it lies outside of the robot's own folder, or behind a link; a robot that comes over the "
                   "web may name only files that come with it");
  if (problem == ENOENT || problem == ENOTDIR) return missing();
  if (problem > 0)
    return refusal(ErrorCode::SystemFailure, fmt::format("cannot be opened: {}", std::strerror(problem)));
  struct stat status {};
  const bool is_file = fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode);
  if (!is_file && !reading.what.empty()) return missing();
  if (!is_file) return refusal(ErrorCode::InvalidInput, "it is not a file; name a file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > reading.most_bytes)
    return refusal(ErrorCode::OutOfLimits,
                   fmt::format("it has {}, more than the {} that are read; {}", bytes_text(size),
                               bytes_text(reading.most_bytes), reading.remedy));
  auto bytes = read_all(file.number(), size);
  if (!bytes)
    return refusal(ErrorCode::SystemFailure, fmt::format("cannot be read: {}", bytes.error().message));
  return bytes;
}

Result<std::unique_ptr<FolderFiles>> FolderFiles::of(const fs::path& folder, Walk walk) {
  const fs::path plain = plain_path(folder);
  const int opened = ::open(plain.c_str(), with_usual(O_PATH | O_DIRECTORY));
  if (opened < 0)
    return Error{ErrorCode::SystemFailure,
                 fmt::format("cannot open {}: {}", plain.string(), std::strerror(errno))};
  return std::unique_ptr<FolderFiles>(new FolderFiles(plain, opened, walk));
}

FolderFiles::~FolderFiles() {
  close(descriptor_);
}

int FolderFiles::open(const fs::path& path, int flags) const {
  const fs::path plain = plain_path(path);
  const auto [end, from] = std::mismatch(folder_.begin(), folder_.end(), plain.begin(), plain.end());
  if (end != folder_.end()) return -EXDEV;
  fs::path rest;
  for (auto name = from; name != plain.end(); ++name) rest /= *name;
  if (rest.empty()) rest = ".";
  if (walk_ == Walk::Kernel) {
    const int opened = open_by_kernel(descriptor_, rest, flags);
    // older than 5.6, or kept from us by a filter of system calls
    if (opened != -ENOSYS && opened != -EPERM) return opened;
  }
  return open_by_steps(descriptor_, rest, flags);
}

}  // namespace sinew
