// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/recording_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".mcap";
constexpr std::size_t kMostName = 128;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-+.:").find(c) != std::string_view::npos;
}

/// What is there under this very name; nothing but plain files count, so no link leads out of a folder.
bool is_file(const fs::path& path, struct stat& facts) {
  return lstat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

/// A file that is open to be read, and closed at the end.
struct OpenFile {
  explicit OpenFile(const fs::path& path)
      : descriptor(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor;
};

}  // namespace

Status RecordingStore::check_name(std::string_view name) {
  const bool is_good = name.ends_with(kEnding) && name.size() > kEnding.size() &&
                       name.size() <= kMostName + kEnding.size() && name.front() != '.' &&
                       std::ranges::all_of(name, is_plain);
  if (is_good) return Done{};
  return Error{ErrorCode::InvalidInput,
               fmt::format("a recording's name has letters, digits and '_-+.:', at most {}, then {}",
                           kMostName, kEnding)};
}

std::vector<RecordingStore::Entry> RecordingStore::list() const {
  std::vector<Entry> entries;
  for (const fs::path& folder : folders_) {
    std::error_code error;
    for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
      const std::string name = file.path().filename().string();
      struct stat facts {};
      const bool is_known = std::ranges::find(entries, name, &Entry::name) != entries.end();
      if (is_known || !check_name(name) || !is_file(file.path(), facts)) continue;
      entries.push_back({.name = name,
                         .bytes = static_cast<std::uint64_t>(facts.st_size),
                         .changed_s = facts.st_mtim.tv_sec});
    }
  }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.changed_s != b.changed_s ? a.changed_s > b.changed_s : a.name > b.name;
  });
  if (entries.size() > kMostListed) entries.resize(kMostListed);
  return entries;
}

Result<fs::path> RecordingStore::path_of(std::string_view name) const {
  if (Status good = check_name(name); !good) return good.error();
  struct stat facts {};
  for (const fs::path& folder : folders_)
    if (is_file(folder / name, facts)) return folder / name;
  return Error{ErrorCode::NotFound, fmt::format("there is no recording '{}'", name)};
}

Result<std::string> RecordingStore::read(std::string_view name) const {
  const auto path = path_of(name);
  if (!path) return path.error();
  const OpenFile file(*path);
  struct stat facts {};
  // the file that is open, whatever has become of its name meanwhile
  if (file.descriptor < 0 || fstat(file.descriptor, &facts) != 0 || !S_ISREG(facts.st_mode))
    return Error{ErrorCode::Denied, fmt::format("'{}' cannot be read", name)};
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (size > kMostBytes)
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("'{}' has {}; by this way {} at most: copy the file itself", name,
                             bytes_text(size), bytes_text(kMostBytes))};
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(file.descriptor, bytes.data() + filled, bytes.size() - filled);
    if (count <= 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace sinew
