// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sinew/recording/crc32.h"
#include "sinew/recording/mcap_writer.h"

namespace sinew::recording {

Result<AppendFile> AppendFile::create(const std::string& path, bool may_replace) {
  AppendFile file;
  file.path_ = path;
  file.descriptor_ =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (may_replace ? O_TRUNC : O_EXCL), 0644);
  if (file.descriptor_ >= 0) return file;
  if (errno == EEXIST)
    return Error{ErrorCode::AlreadyExists,
                 fmt::format("{} is there already; choose another name, or overwrite it with --force", path)};
  const ErrorCode code = errno == EACCES || errno == EPERM ? ErrorCode::Denied
                         : errno == ENOENT                 ? ErrorCode::NotFound
                                                           : ErrorCode::SystemFailure;
  return Error{code, fmt::format("cannot make {}: {}", path, std::strerror(errno))};
}

AppendFile::AppendFile(AppendFile&& other) noexcept {
  *this = std::move(other);
}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  std::swap(crc_, other.crc_);
  return *this;
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status AppendFile::append(std::span<const std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int reason = errno;
      // half a record is of no use to anybody
      if (ftruncate(descriptor_, static_cast<off_t>(size_)) == 0)
        lseek(descriptor_, static_cast<off_t>(size_), SEEK_SET);
      return Error{ErrorCode::SystemFailure,
                   fmt::format("cannot write {} bytes to {} after {}: {}; what is there can be read",
                               bytes.size(), path_, size_, std::strerror(reason))};
    }
    done += static_cast<std::size_t>(count);
  }
  crc_ = crc32(bytes, crc_);
  size_ += bytes.size();
  return Done{};
}

Status AppendFile::sync() {
  if (fsync(descriptor_) == 0 || errno == EINVAL || errno == EROFS) return Done{};
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot bring {} onto its disk: {}", path_, std::strerror(errno))};
}

}  // namespace sinew::recording
