// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
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
    int most_refusals = 120;          ///< A minute.
    std::size_t most_waiting = 1000;  ///< Lines that could not be written yet.
  };

  explicit AuditLog(std::string path) : AuditLog(std::move(path), Options{}) {}
  AuditLog(std::string path, const Options& options) : path_(std::move(path)), options_(options) {}

  /// Refused when it cannot be written; what was to be done need not wait for that. What could not be written
  /// is when there is room again: with the next one, or by retry().
  Status add(const AuditEvent& event);
  /// The same for what was refused.
  Status add_refusal(const AuditEvent& event);

  /// Tries again to write what could not be written. To be called now and then.
  void retry();
  /// What could not be written, why, and what becomes of it; empty: nothing.
  const std::string& trouble() const { return trouble_; }

  /// The last lines, oldest first.
  Result<std::vector<std::string>> last(std::size_t most) const;

 private:
  Status append(const AuditEvent& event);
  Status write_waiting();
  Status write(const std::string& line);

  std::string path_;
  Options options_;
  std::int64_t minute_ = -1;
  int refusals_ = 0;
  std::deque<std::string> waiting_;
  std::size_t lost_ = 0;
  std::int64_t lost_since_ns_ = 0;
  bool is_torn_ = false;  // the file ends in the middle of a line
  std::string trouble_;
};

}  // namespace sinew::accounts
