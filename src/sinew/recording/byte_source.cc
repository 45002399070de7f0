// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace sinew::recording {

Result<ByteSource> ByteSource::open(const std::string& path) {
  ByteSource source;
  source.name_ = path;
  source.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status {};
  if (source.descriptor_ < 0 || fstat(source.descriptor_, &status) != 0) {
    const ErrorCode code = errno == ENOENT   ? ErrorCode::NotFound
                           : errno == EACCES ? ErrorCode::Denied
                                             : ErrorCode::SystemFailure;
    return Error{code, fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  }
  if (!S_ISREG(status.st_mode))
    return Error{ErrorCode::InvalidInput, fmt::format("{} is no regular file, so it is no recording", path)};
  source.size_ = static_cast<std::uint64_t>(status.st_size);
  return source;
}

ByteSource ByteSource::of(Buffer bytes) {
  ByteSource source;
  source.name_ = "memory";
  source.size_ = bytes.size();
  source.bytes_ = std::move(bytes);
  return source;
}

ByteSource::ByteSource(ByteSource&& other) noexcept {
  *this = std::move(other);
}

ByteSource& ByteSource::operator=(ByteSource&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}

ByteSource::~ByteSource() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ByteSource::read(std::uint64_t offset, std::uint64_t size, Buffer& out) const {
  if (offset > size_ || size > size_ - offset) return false;
  const auto wanted = static_cast<std::size_t>(size);
  if (descriptor_ < 0) {
    const auto start = bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
    out.assign(start, start + static_cast<std::ptrdiff_t>(wanted));
    return true;
  }
  out.resize(wanted);
  std::size_t done = 0;
  while (done < wanted) {
    const ssize_t count =
        pread(descriptor_, out.data() + done, wanted - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace sinew::recording
