// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sinew/base/result.h"
#include "sinew/processes/identity.h"

namespace sinew::processes {

/// What a pid file says. Always of the same length, so that a full disk cannot keep it from being rewritten.
struct PidRecord {
  ProcessIdentity identity;
  std::uint32_t restarts = 0;  ///< How often the process was started anew after a death.
};

/// Makes the file and fills its place, so that write_pid() needs no more room.
Status make_pid_file(const std::string& path);

/// Writes `record` over what the open file says. Safe between fork and exec of a single-threaded process.
bool write_pid(int descriptor, const PidRecord& record);

/// What the file says; none when there is none, it is not whole, or it was written before the machine came
/// up.
std::optional<PidRecord> read_pid_file(const std::string& path);

/// A file that one process at a time can hold: proof that there is one supervisor. The lock passes to
/// children until they exec, so whoever takes it sees the pid files of all of them.
class LockFile {
 public:
  /// Waits until `deadline_ns` (monotonic) for the lock and writes this process into the file.
  static Result<LockFile> take(const std::string& path, std::int64_t deadline_ns);

  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&& other) noexcept;
  ~LockFile();

 private:
  explicit LockFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace sinew::processes
