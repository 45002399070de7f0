// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/pid_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/time.h"

namespace sinew::processes {
namespace {

constexpr std::size_t kRecordSize = 128;
using RecordText = std::array<char, kRecordSize>;

// Tells this run of the machine from others: 36 characters.
std::array<char, 37> boot_id() {
  std::array<char, 37> id{"unknown"};
  const int descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return id;
  const ssize_t size = read(descriptor, id.data(), id.size() - 1);
  id[size > 0 ? static_cast<std::size_t>(size) : 0] = '\0';
  close(descriptor);
  return id;
}

bool write_record(int descriptor, const RecordText& text) {
  return pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

}  // namespace

Status make_pid_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  RecordText blank;
  blank.fill(' ');
  blank.back() = '\n';
  const bool is_made = descriptor >= 0 && write_record(descriptor, blank);
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (is_made) return Done{};
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot write {}: {}{}", path, std::strerror(reason),
                           reason == ENOSPC || reason == EDQUOT ? "; free some space there" : "")};
}

bool write_pid(int descriptor, const PidRecord& record) {
  RecordText text;
  text.fill(' ');
  const int size =
      std::snprintf(text.data(), text.size(), "%" PRId32 " %" PRIu64 " %" PRIu32 " %s ", record.identity.pid,
                    record.identity.start_ticks, record.restarts, boot_id().data());
  if (size <= 0 || size >= static_cast<int>(text.size())) return false;
  text[static_cast<std::size_t>(size)] = ' ';
  text.back() = '\n';
  return write_record(descriptor, text);
}

std::optional<PidRecord> read_pid_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return std::nullopt;
  std::array<char, kRecordSize + 1> text{};
  const ssize_t size = pread(descriptor, text.data(), kRecordSize, 0);
  close(descriptor);
  if (size != static_cast<ssize_t>(kRecordSize)) return std::nullopt;
  PidRecord record;
  std::array<char, 37> boot{};
  const int fields =
      std::sscanf(text.data(), "%" SCNd32 " %" SCNu64 " %" SCNu32 " %36s", &record.identity.pid,
                  &record.identity.start_ticks, &record.restarts, boot.data());
  if (fields != 4 || record.identity.pid <= 1 || boot != boot_id()) return std::nullopt;
  return record;
}

Result<LockFile> LockFile::take(const std::string& path, std::int64_t deadline_ns) {
  while (true) {
    LockFile file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (file.descriptor_ < 0)
      return Error{ErrorCode::SystemFailure, fmt::format("cannot open {}: {}", path, std::strerror(errno))};
    if (flock(file.descriptor_, LOCK_EX | LOCK_NB) == 0) {
      struct stat ours {};
      struct stat named {};
      const bool is_current = fstat(file.descriptor_, &ours) == 0 && stat(path.c_str(), &named) == 0 &&
                              ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
      const auto self = identity_of(getpid());
      if (is_current && (!self || !write_pid(file.descriptor_, {.identity = *self})))
        return Error{ErrorCode::SystemFailure,
                     fmt::format("cannot write {}: {}", path, std::strerror(errno))};
      // the one before may have taken the file's name away as it left
      if (is_current) return file;
      continue;
    }
    if (monotonic_now_ns() >= deadline_ns)
      return Error{ErrorCode::AlreadyExists, fmt::format("{} is held by another process", path)};
    usleep(2000);
  }
}

LockFile::LockFile(LockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

LockFile& LockFile::operator=(LockFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

LockFile::~LockFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace sinew::processes
