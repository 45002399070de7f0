// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/base/time.h"

namespace sinew::accounts {

/// Something that somebody did, or was not let do.
struct AuditEvent {
  std::int64_t wall_ns = 0;  ///< Since 1970.
  std::string user;          ///< Empty: nobody who is known.
  std::string address;       ///< Where the request came from.
  std::string what;          ///< "login", "users/ada: role operator".
  std::string outcome;       ///< "done", or why not.
};

/// A time [ns since 1970] for records: "2026-01-31T12:00:00.123Z".
std::string utc_text(std::int64_t wall_ns);

/// One event as a line of JSON without its end: ASCII, no control characters, each text cut short.
std::string audit_line(const AuditEvent& event);

/// What was done, by whom: a file that is only appended to, one line of JSON each. Bounded: at `most_bytes`
/// it becomes FILE.1, in the place of the one before; and of the refusals, which strangers can cause, so many
/// a minute are written and the rest counted. One thread.
class AuditLog {
 public:
  struct Options {
    std::size_t most_bytes = 1U << 20U;
    int most_refusals = 120;  ///< A minute.
  };

  explicit AuditLog(std::string path) : AuditLog(std::move(path), Options{}) {}
  AuditLog(std::string path, const Options& options) : path_(std::move(path)), options_(options) {}

  /// Refused when it cannot be written; what was to be done need not wait for that.
  Status add(const AuditEvent& event);
  /// The same for what was refused.
  Status add_refusal(const AuditEvent& event);

  /// The last lines, oldest first.
  Result<std::vector<std::string>> last(std::size_t most) const;

 private:
  Status append(const AuditEvent& event);

  std::string path_;
  Options options_;
  std::int64_t minute_ = -1;
  int refusals_ = 0;
};

}  // namespace sinew::accounts
