// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/alarm_watch.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/control/safety_text.h"

namespace sinew {
namespace {

constexpr std::int64_t kBetweenLooks_ns = 50 * kMillisecond_ns;
constexpr std::int64_t kGoneAfter_ns = 5 * kSecond_ns;  // a restart takes less
constexpr int kMostWordsAtOnce = 256;
constexpr std::size_t kLookBack = 16;  // among how many an alarm that comes again is looked for

}  // namespace

std::optional<Alarm> alarm_of(const Safety& safety, const RobotModel& model, std::uint32_t fault_bits) {
  Safety told = safety;
  told.recording = {};  // has a place of its own
  Alarm alarm{.level = "warning",
              .state = std::string(state_text(safety.state)),
              .reason = std::string(reason_text(safety.reason)),
              .text = safety_text(told, &model, fault_bits),
              .who = std::string(text_of(safety.who))};
  switch (safety.state) {
    case ControlState::Stopped:
    case ControlState::Faulted:
      alarm.level = "alarm";
      [[fallthrough]];
    case ControlState::Held:
      alarm.key = fmt::format("{} {} {}", alarm.state, alarm.reason, safety.since_ns);
      return alarm;
    case ControlState::Starting:
    case ControlState::Homing:
      if (safety.reason == StopReason::None) return std::nullopt;
      alarm.key = fmt::format("{} {}", alarm.state, alarm.reason);
      return alarm;
    case ControlState::Running:
      break;
  }
  if (safety.held_mask != 0) {
    alarm.key = fmt::format("guard {} {} {}", alarm.reason, text_of(safety.link_a), text_of(safety.link_b));
    return alarm;
  }
  if (safety.is_overridden == 0) return std::nullopt;
  alarm.reason = "guard overridden";
  alarm.who = text_of(safety.overridden_by);
  alarm.key = fmt::format("override {}", safety.overrides);
  return alarm;
}

void AlarmKeeper::see(const std::optional<Alarm>& now, const std::string& recording, std::int64_t wall_ns) {
  if (!has_looked_) {
    has_looked_ = true;
    take_up(wall_ns);
    if (!now) recording_ = recording;
  }
  const Alarm* active = log_.find(active_);
  if (active != nullptr && (!now || now->key != active->key)) {
    clear(wall_ns);
    active = nullptr;
  }
  if (now && active == nullptr) begin(*now, wall_ns);
  if (now && active != nullptr && now->level == "alarm" && now->text != active->text) {
    // a device may tell of its faults one after the other
    Alarm changed = *active;
    changed.text = now->text;
    log_.change(changed);
  }
  if (now && now->state != state_text(ControlState::Running)) last_ = active_;
  note_recording(recording);
}

// What this process did not see the end of, because it was not there.
void AlarmKeeper::take_up(std::int64_t wall_ns) {
  std::vector<std::uint64_t> open;
  for (const Alarm& alarm : log_.all())
    if (alarm.cleared_wall_ns == 0) open.push_back(alarm.number);
  for (std::size_t i = 0; i < open.size(); ++i) {
    active_ = open[i];
    if (i + 1 < open.size()) clear(wall_ns);
  }
}

void AlarmKeeper::begin(const Alarm& alarm, std::int64_t wall_ns) {
  for (Alarm& known : log_.older_than(0, kLookBack)) {
    if (known.key != alarm.key || wall_ns - known.cleared_wall_ns > kSameFor_ns) continue;
    active_ = known.number;
    known.cleared_wall_ns = 0;
    ++known.count;
    return log_.change(known);
  }
  Alarm fresh = alarm;
  fresh.wall_ns = wall_ns;
  active_ = log_.add(std::move(fresh));
}

void AlarmKeeper::clear(std::int64_t wall_ns) {
  Alarm over = *log_.find(active_);
  over.cleared_wall_ns = wall_ns;
  log_.change(over);
  active_ = 0;
}

// The controller saves it after the stop, and keeps its name until the next.
void AlarmKeeper::note_recording(const std::string& recording) {
  if (recording.empty() || recording == recording_) return;
  recording_ = recording;
  const Alarm* last = log_.find(last_);
  const bool is_known =
      std::ranges::any_of(log_.all(), [&](const Alarm& alarm) { return alarm.recording == recording; });
  if (is_known || last == nullptr || !last->recording.empty()) return;
  Alarm changed = *last;
  changed.recording = recording;
  log_.change(changed);
}

std::int64_t AlarmWatch::look(std::int64_t now_ns, std::int64_t wall_ns) {
  const auto found = robot_.robot();
  if (!found) {
    miss(now_ns, wall_ns);
    return kBetweenLooks_ns;
  }
  const cli::RobotLink& link = (*found)->link;
  there_ns_ = now_ns;
  Frame<Safety> frame;
  if (!reader_ || opening_ != robot_.openings()) {
    reader_.reset();
    auto opened = Reader<Safety>::open(
        {.name = fmt::format("{}/safety", link.name()), .space = link.space(), .may_create = false});
    if (!opened) return kBetweenLooks_ns;
    reader_ = *std::move(opened);
    opening_ = robot_.openings();
    if (reader_->read_newest(frame) == SINEW_OK) see(frame.message, link, wall_ns);
  }
  for (int i = 0; i < kMostWordsAtOnce && reader_->read_next(frame) == SINEW_OK; ++i)
    see(frame.message, link, wall_ns);
  tell_trouble();
  return kBetweenLooks_ns;
}

void AlarmWatch::see(const Safety& safety, const cli::RobotLink& link, std::int64_t wall_ns) {
  const auto file = std::filesystem::path(text_of(safety.recording)).filename().string();
  keeper_.see(alarm_of(safety, link.model(), link.now().state.fault_bits), file, wall_ns);
}

void AlarmWatch::miss(std::int64_t now_ns, std::int64_t wall_ns) {
  if (there_ns_ == 0 || now_ns - there_ns_ < kGoneAfter_ns) return;
  keeper_.see(Alarm{.level = "alarm",
                    .state = "gone",
                    .reason = "gone",
                    .text = "the controller does not run any more",
                    .key = fmt::format("gone {}", opening_)},
              "", wall_ns);
  tell_trouble();
}

void AlarmWatch::tell_trouble() {
  if (log_.trouble() == told_trouble_) return;
  told_trouble_ = log_.trouble();
  if (!told_trouble_.empty()) fmt::print(stderr, "web: alarms are not kept: {}\n", told_trouble_);
}

}  // namespace sinew
