// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/alarm_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/accounts/strict_json.h"
#include "sinew/accounts/whole_file.h"

#include "apps/web/alarm_json.h"

namespace sinew {
namespace {

using accounts::Json;

constexpr std::size_t kMostAlarmLines = 2 * AlarmLog::kMost;  // then what was replaced is left out
constexpr std::size_t kMostAlarmBytes = 16U << 20U;

std::int64_t whole_at(const Json& json, const std::string& key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::string words_at(const Json& json, const std::string& key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string()
             ? found->get<std::string>().substr(0, AlarmLog::kMostLetters)
             : std::string();
}

std::string line_for(const Alarm& alarm) {
  const auto cut = [](const std::string& text) { return text.substr(0, AlarmLog::kMostLetters); };
  return accounts::line_of({{"number", alarm.number},
                            {"wall_ns", alarm.wall_ns},
                            {"level", cut(alarm.level)},
                            {"state", cut(alarm.state)},
                            {"reason", cut(alarm.reason)},
                            {"text", cut(alarm.text)},
                            {"who", cut(alarm.who)},
                            {"key", cut(alarm.key)},
                            {"recording", cut(alarm.recording)},
                            {"count", alarm.count},
                            {"cleared_wall_ns", alarm.cleared_wall_ns},
                            {"seen_by", cut(alarm.seen_by)},
                            {"seen_wall_ns", alarm.seen_wall_ns}}) +
         "\n";
}

// Number zero: the line is no alarm.
Alarm alarm_in(std::string_view line) {
  const auto json = accounts::strict_json(line);
  if (!json || !json->is_object()) return {};
  const auto count_at = [&](const std::string& key) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole_at(*json, key)));
  };
  return {.number = count_at("number"),
          .wall_ns = whole_at(*json, "wall_ns"),
          .level = words_at(*json, "level"),
          .state = words_at(*json, "state"),
          .reason = words_at(*json, "reason"),
          .text = words_at(*json, "text"),
          .who = words_at(*json, "who"),
          .key = words_at(*json, "key"),
          .recording = words_at(*json, "recording"),
          .count = std::max<std::uint64_t>(1, count_at("count")),
          .cleared_wall_ns = whole_at(*json, "cleared_wall_ns"),
          .seen_by = words_at(*json, "seen_by"),
          .seen_wall_ns = whole_at(*json, "seen_wall_ns")};
}

}  // namespace

Json alarm_json(const Alarm& alarm) {
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  const auto time_or_null = [](std::int64_t wall_ns) {
    const std::int64_t wall_ms = wall_ns / 1'000'000;
    return wall_ms == 0 ? Json(nullptr) : Json(static_cast<double>(wall_ms) * 1e-3);
  };
  return {{"number", alarm.number},
          {"time", time_or_null(alarm.wall_ns)},
          {"level", alarm.level},
          {"state", alarm.state},
          {"reason", alarm.reason},
          {"text", alarm.text},
          {"who", text_or_null(alarm.who)},
          {"recording", text_or_null(alarm.recording)},
          {"count", alarm.count},
          {"cleared", time_or_null(alarm.cleared_wall_ns)},
          {"acknowledged_by", text_or_null(alarm.seen_by)},
          {"acknowledged", time_or_null(alarm.seen_wall_ns)}};
}

Status AlarmLog::load() {
  const auto text = accounts::read_whole_file(file_.string(), kMostAlarmBytes);
  if (!text && text.error().code == ErrorCode::NotFound) return Done{};
  if (!text) {
    std::error_code error;
    std::filesystem::rename(file_, file_.string() + ".damaged", error);
    return Error{ErrorCode::Damaged,
                 fmt::format("{}: {}; it was put aside", file_.string(), text.error().message)};
  }
  bool is_clean = text->empty() || text->back() == '\n';
  for (std::size_t start = 0; start < text->size();) {
    const std::size_t end = std::min(text->find('\n', start), text->size());
    Alarm alarm = alarm_in(std::string_view(*text).substr(start, end - start));
    is_clean = is_clean && alarm.number != 0;
    if (alarm.number != 0) take(std::move(alarm));
    ++lines_;
    start = end + 1;
  }
  // after half a line, the next one would be lost with it
  return is_clean ? Status(Done{}) : write_anew();
}

void AlarmLog::take(Alarm alarm) {
  newest_ = std::max(newest_, alarm.number);
  const auto place = std::ranges::lower_bound(alarms_, alarm.number, {}, &Alarm::number);
  if (place != alarms_.end() && place->number == alarm.number)
    *place = std::move(alarm);
  else
    alarms_.insert(place, std::move(alarm));
  if (alarms_.size() > kMost) alarms_.pop_front();
}

std::uint64_t AlarmLog::add(Alarm alarm) {
  alarm.number = newest_ + 1;
  take(alarm);
  keep(alarm);
  return alarm.number;
}

void AlarmLog::change(const Alarm& alarm) {
  if (find(alarm.number) == nullptr) return;
  take(alarm);
  keep(alarm);
}

const Alarm* AlarmLog::find(std::uint64_t number) const {
  const auto place = std::ranges::lower_bound(alarms_, number, {}, &Alarm::number);
  return place != alarms_.end() && place->number == number ? &*place : nullptr;
}

std::size_t AlarmLog::acknowledge(std::uint64_t up_to, std::string_view who, std::int64_t wall_ns) {
  std::size_t count = 0;
  for (Alarm& alarm : alarms_) {
    if (alarm.number > up_to || !alarm.seen_by.empty()) continue;
    alarm.seen_by = who;
    alarm.seen_wall_ns = wall_ns;
    ++count;
  }
  if (count == 0) return 0;
  ++changes_;
  lines_ = alarms_.size();
  note(write_anew());
  return count;
}

Status AlarmLog::acknowledge_one(std::uint64_t number, std::string_view who, std::int64_t wall_ns) {
  const Alarm* known = find(number);
  if (known == nullptr) return Error{ErrorCode::NotFound, fmt::format("there is no alarm {}", number)};
  if (!known->seen_by.empty()) return Done{};
  Alarm alarm = *known;
  alarm.seen_by = who;
  alarm.seen_wall_ns = wall_ns;
  change(alarm);
  return Done{};
}

std::vector<Alarm> AlarmLog::older_than(std::uint64_t before, std::size_t most) const {
  std::vector<Alarm> found;
  for (auto alarm = alarms_.rbegin(); alarm != alarms_.rend() && found.size() < most; ++alarm)
    if (before == 0 || alarm->number < before) found.push_back(*alarm);
  return found;
}

std::size_t AlarmLog::unseen() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(alarms_, [](const Alarm& alarm) { return alarm.seen_by.empty(); }));
}

void AlarmLog::keep(const Alarm& alarm) {
  ++changes_;
  // what is missing in the file, or half there, comes with the whole of it
  const bool is_whole_due = ++lines_ > kMostAlarmLines || unwritten_ > 0;
  if (is_whole_due) lines_ = alarms_.size();
  note(is_whole_due ? write_anew() : append(line_for(alarm)));
}

void AlarmLog::note(const Status& written) {
  unwritten_ = written ? 0 : unwritten_ + 1;
  trouble_ = written ? ""
                     : fmt::format(
                           "{}; {} changes of alarms are in memory only and lost if this process "
                           "ends before there is room again",
                           written.error().message, unwritten_);
}

void AlarmLog::retry() {
  if (unwritten_ == 0) return;
  const std::size_t before = unwritten_;
  lines_ = alarms_.size();
  note(write_anew());
  if (unwritten_ > 0) unwritten_ = before;
}

Status AlarmLog::append(const std::string& line) const {
  const int file = open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0)
    return Error{ErrorCode::SystemFailure,
                 fmt::format("cannot write {}: {}", file_.string(), std::strerror(errno))};
  // by one call: a process that is killed has written all of it or nothing
  const bool is_written = write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const int reason = errno;
  close(file);
  if (is_written) return Done{};
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot write {}: {}", file_.string(), std::strerror(reason))};
}

Status AlarmLog::write_anew() const {
  std::string text;
  for (const Alarm& alarm : alarms_) text += line_for(alarm);
  return accounts::replace_whole_file(file_.string(), text);
}

}  // namespace sinew
