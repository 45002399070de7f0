// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/log_file.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace sinew::processes {
namespace {

constexpr std::uint64_t kMostShown = 8192;
constexpr std::string_view kNote = "note: ";
constexpr std::size_t kLongestNote = 200;

// Copies the last `size` bytes of one file to another.
bool copy_end(int from, int to, std::uint64_t whole, std::uint64_t size) {
  auto offset = static_cast<off_t>(whole - std::min(whole, size));
  while (offset < static_cast<off_t>(whole)) {
    const ssize_t sent = sendfile(to, from, &offset, whole - static_cast<std::uint64_t>(offset));
    if (sent <= 0) return false;
  }
  return true;
}

}  // namespace

std::uint64_t log_size(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

Status rotate_log(const std::string& path, std::uint64_t limit) {
  const std::uint64_t size = log_size(path);
  if (size <= limit) return Done{};
  const std::string older = path + ".1";
  const int from = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (from < 0)
    return Error{ErrorCode::SystemFailure, fmt::format("cannot open {}: {}", path, std::strerror(errno))};
  const int to = open(older.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  const bool is_copied = to >= 0 && copy_end(from, to, size, limit);
  const int reason = errno;
  if (to >= 0) close(to);
  if (!is_copied) unlink(older.c_str());
  // who writes it appends, and goes on at the new end
  const bool is_emptied = ftruncate(from, 0) == 0;
  close(from);
  if (is_copied && is_emptied) return Done{};
  return Error{ErrorCode::SystemFailure, fmt::format("log {} had {} bytes and was cut without a copy: {}",
                                                     path, size, std::strerror(reason))};
}

std::string last_lines(const std::string& path, std::size_t most_lines, std::uint64_t from_byte) {
  const std::uint64_t size = log_size(path);
  // a log that was emptied since is read from its beginning
  const std::uint64_t first = from_byte <= size ? from_byte : 0;
  const std::uint64_t start = std::max(first, size - std::min(size, kMostShown));
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return {};
  std::string text(size - std::min(size, start), '\0');
  const ssize_t count = pread(descriptor, text.data(), text.size(), static_cast<off_t>(start));
  close(descriptor);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::size_t begin = text.size();
  for (std::size_t lines = 0; lines < most_lines && begin != std::string::npos && begin > 0; ++lines)
    begin = text.rfind('\n', begin - 1);
  return begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
}

std::string note_in(const std::string& path) {
  const std::string line = last_lines(path, 1);
  if (!line.starts_with(kNote)) return {};
  std::string note = line.substr(kNote.size(), kLongestNote);
  // anybody's program may have written it, and it is shown on terminals
  std::replace_if(
      note.begin(), note.end(), [](char c) { return c >= '\0' && c < ' '; }, '?');
  return note;
}

}  // namespace sinew::processes
