// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lab/file_rights.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <system_error>

namespace sinew::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 2000;  // beside a solution; more stay shut

// Landlock's rights, as in linux/landlock.h, which not every system has
constexpr std::uint64_t kExecute = 1U << 0U;
constexpr std::uint64_t kWrite = 1U << 1U;
constexpr std::uint64_t kRead = 1U << 2U;
constexpr std::uint64_t kList = 1U << 3U;
constexpr std::uint64_t kFirstRights = (1U << 13U) - 1;  // those of version 1
constexpr std::uint64_t kRefer = 1U << 13U;              // from version 2
constexpr std::uint64_t kTruncate = 1U << 14U;           // from version 3

constexpr int kPathBeneath = 1;
struct [[gnu::packed]] PathRule {
  std::uint64_t rights;
  std::int32_t folder;
};

constexpr const char* kSystemFolders[] = {
    "/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/sys/devices/system/cpu"};
constexpr const char* kSystemFiles[] = {"/etc/ld.so.cache", "/etc/localtime", "/proc/cpuinfo",
                                        "/proc/meminfo",    "/dev/urandom",   "/dev/random",
                                        "/dev/zero"};

int landlock_version() {
  constexpr unsigned kAskVersion = 1;
  return static_cast<int>(syscall(__NR_landlock_create_ruleset, nullptr, 0, kAskVersion));
}

// What is not there needs no rule.
bool allow(int rules, const char* path, std::uint64_t rights) {
  const int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return true;
  const PathRule rule{.rights = rights, .folder = file};
  const bool is_added = syscall(__NR_landlock_add_rule, rules, kPathBeneath, &rule, 0) == 0;
  close(file);
  return is_added;
}

bool allow_all(int rules, const ReadableFiles& readable) {
  for (const char* folder : kSystemFolders)
    if (!allow(rules, folder, kRead | kList | kExecute)) return false;
  for (const char* file : kSystemFiles)
    if (!allow(rules, file, kRead)) return false;
  for (const std::string& file : readable.files)
    if (!allow(rules, file.c_str(), kRead)) return false;
  for (const std::string& folder : readable.packages)
    if (!allow(rules, folder.c_str(), kRead | kList)) return false;
  return allow(rules, "/dev/null", kRead | kWrite) && allow(rules, readable.folder.c_str(), kList);
}

}  // namespace

ReadableFiles readable_beside(const fs::path& file) {
  ReadableFiles readable{.folder = file.parent_path().string(), .files = {file.string()}};
  std::error_code error;
  for (fs::directory_iterator entry(file.parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown)) readable.files.push_back(entry->path().string());
    if (entry->is_directory(unknown) && fs::is_regular_file(entry->path() / "__init__.py", unknown))
      readable.packages.push_back(entry->path().string());
    if (readable.files.size() + readable.packages.size() >= kMostFiles) break;
  }
  return readable;
}

bool can_bound_files() {
  return landlock_version() > 0;
}

bool bound_files(const ReadableFiles& readable) {
  const int version = landlock_version();
  if (version < 1) return false;
  const std::uint64_t handled = kFirstRights | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0);
  const int rules = static_cast<int>(syscall(__NR_landlock_create_ruleset, &handled, sizeof(handled), 0));
  if (rules < 0) return false;
  const bool is_bound = allow_all(rules, readable) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                        syscall(__NR_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return is_bound;
}

}  // namespace sinew::lab
