// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/audit_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <fmt/format.h>

#include "sinew/accounts/strict_json.h"
#include "sinew/accounts/whole_file.h"

namespace sinew::accounts {
namespace {

constexpr std::size_t kMostLetters = 200;
constexpr std::int64_t kMinute_ns = 60 * kSecond_ns;

Error failed(const std::string& path) {
  return {ErrorCode::SystemFailure, fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

}  // namespace

std::string utc_text(std::int64_t wall_ns) {
  const std::time_t seconds = wall_ns / kSecond_ns;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     wall_ns % kSecond_ns / kMillisecond_ns);
}

std::string audit_line(const AuditEvent& event) {
  const auto cut = [](const std::string& text) { return text.substr(0, kMostLetters); };
  return line_of({{"time", utc_text(event.wall_ns)},
                  {"user", cut(event.user)},
                  {"address", cut(event.address)},
                  {"what", cut(event.what)},
                  {"outcome", cut(event.outcome)}});
}

Status AuditLog::append(const AuditEvent& event) {
  waiting_.push_back(audit_line(event) + "\n");
  if (waiting_.size() > options_.most_waiting) {
    waiting_.pop_front();
    if (lost_++ == 0) lost_since_ns_ = event.wall_ns;
  }
  return write_waiting();
}

void AuditLog::retry() {
  if (!waiting_.empty()) static_cast<void>(write_waiting().has_value());
}

// Oldest first; after what was lost it says so, in the place of that.
Status AuditLog::write_waiting() {
  Status written = Done{};
  if (lost_ > 0) {
    written =
        write(audit_line({.wall_ns = lost_since_ns_,
                          .what = "audit log",
                          .outcome = fmt::format("{} events could not be written and are lost", lost_)}) +
              "\n");
    if (written) lost_ = 0;
  }
  while (written && !waiting_.empty()) {
    written = write(waiting_.front());
    if (written) waiting_.pop_front();
  }
  trouble_ = written ? ""
                     : fmt::format("{}; {} events of the audit log are in memory only, and {} are lost",
                                   written.error().message, waiting_.size(), lost_);
  return written;
}

Status AuditLog::write(const std::string& line) {
  struct stat status {};
  const bool is_full = stat(path_.c_str(), &status) == 0 &&
                       static_cast<std::size_t>(status.st_size) + line.size() > options_.most_bytes;
  if (is_full && std::rename(path_.c_str(), (path_ + ".1").c_str()) != 0) return failed(path_);
  const int file = open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return failed(path_);
  const std::string bytes = (is_torn_ && !is_full ? "\n" : "") + line;
  const ssize_t written = ::write(file, bytes.data(), bytes.size());
  const bool is_written = written == static_cast<ssize_t>(bytes.size());
  // what was cut off fills the disk to its last byte, without saying why
  if (written >= 0 && !is_written) errno = ENOSPC;
  Status outcome = is_written ? Status(Done{}) : Status(failed(path_));
  is_torn_ = is_written ? false : is_torn_ || written > 0;
  close(file);
  return outcome;
}

Status AuditLog::add(const AuditEvent& event) {
  return append(event);
}

Status AuditLog::add_refusal(const AuditEvent& event) {
  const std::int64_t minute = event.wall_ns / kMinute_ns;
  if (minute != minute_) {
    const int left_out = refusals_ - options_.most_refusals;
    minute_ = minute;
    refusals_ = 0;
    if (left_out > 0)
      if (Status told = append({.wall_ns = event.wall_ns,
                                .what = "refusals",
                                .outcome = fmt::format("{} more were not written down", left_out)});
          !told)
        return told;
  }
  return ++refusals_ > options_.most_refusals ? Status(Done{}) : append(event);
}

Result<std::vector<std::string>> AuditLog::last(std::size_t most) const {
  std::vector<std::string> lines;
  for (const std::string& path : {path_ + ".1", path_}) {
    // a line that was appended by another program may make it a little longer than we would
    const auto text = read_whole_file(path, 2 * options_.most_bytes);
    if (!text && text.error().code == ErrorCode::NotFound) continue;
    if (!text) return text.error();
    for (std::size_t start = 0; start < text->size();) {
      const std::size_t end = text->find('\n', start);
      // the last one may be half there after a loss of power
      if (end == std::string::npos) break;
      lines.push_back(text->substr(start, end - start));
      start = end + 1;
    }
  }
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return lines;
}

}  // namespace sinew::accounts
