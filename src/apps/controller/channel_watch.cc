// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/channel_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/channels/futex.h"
#include "sinew/channels/layout.h"
#include "sinew/channels/place_name.h"

namespace sinew {
namespace {

/// New writers are found this often, and the end of this object; deaths and removals are told at once.
constexpr int kBetweenLooks_ms = 10;
/// Where the system tells of no change, files are looked at this often.
constexpr std::int64_t kBetweenFileLooks_ns = 250 * kMillisecond_ns;

/// Channels by which something is asked of the robot: whoever has one open that was removed asks in vain.
constexpr std::array kAsked{"stop", "command", "override", "segments",  "request",
                            "jog",  "hold",    "clutch",   "io_command"};
/// Channels by which the robot speaks, and its device.
constexpr std::array kSpoken{"state", "processed", "safety", "device/request"};
/// Without these nobody can stop or move the robot, or see what it does.
constexpr std::array kNeeded{"stop", "command", "segments", "state", "processed", "safety"};

constexpr int kWatchPriority = 1;

int open_process(std::uint32_t pid) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
#else
  return -1;
#endif
}

bool is_readable(int descriptor) {
  pollfd waited{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&waited, 1, 0) == 1 && (waited.revents & POLLIN) != 0;
}

// Whether the channel that is open is no longer the one of that name.
bool is_gone(const channels::ChannelFile& file) {
  struct stat ours {};
  struct stat named {};
  if (file.is_removed() || fstat(file.descriptor(), &ours) != 0) return true;
  return stat(file.path().c_str(), &named) != 0 || named.st_ino != ours.st_ino || named.st_dev != ours.st_dev;
}

}  // namespace

ChannelWatch::ChannelWatch(std::string robot, std::string space)
    : robot_(std::move(robot)), space_(std::move(space)) {
  open_files();
  if (const auto path = channels::channel_path(space_, robot_ + "/segments"))
    if (auto file = channels::ChannelFile::open_path(*path, channels::Access::Read))
      segments_ = *std::move(file);
  watch_folders();
  look_at_writers();
  thread_ = std::thread([this] { run(); });
}

ChannelWatch::~ChannelWatch() {
  is_ending_.store(true);
  thread_.join();
  for (const Watched& watched : watched_)
    if (watched.descriptor >= 0) close(watched.descriptor);
  if (inotify_ >= 0) close(inotify_);
}

void ChannelWatch::run() {
  // it has next to nothing to do, and that must not wait for ordinary programs
  const sched_param priority{.sched_priority = kWatchPriority};
  static_cast<void>(sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority));
  while (!is_ending_.load()) {
    look_at_writers();
    look_at_files();
    wait();
  }
}

bool ChannelWatch::take_death(Death& death) SINEW_REALTIME {
  const std::uint64_t news = news_.load(std::memory_order_acquire);
  if (news == 0) return false;
  death.place = static_cast<std::uint32_t>(std::countr_zero(news));
  death.who = graves_[death.place].who;
  news_.fetch_and(~(std::uint64_t{1} << death.place), std::memory_order_acq_rel);
  return true;
}

bool ChannelWatch::is_of_dead(const sinew_frame& message) const SINEW_REALTIME {
  if (message.writer >= kWatchedWriters) return false;
  const Grave& grave = graves_[message.writer];
  return message.sequence <= grave.last.load(std::memory_order_acquire) &&
         message.sender_pid == grave.pid.load(std::memory_order_relaxed);
}

void ChannelWatch::look_at_writers() {
  if (!segments_) return;
  const std::uint32_t count = std::min<std::uint32_t>(segments_->memory().layout.writers, kWatchedWriters);
  for (std::uint32_t place = 0; place < count; ++place) look_at_writer(place);
}

void ChannelWatch::look_at_writer(std::uint32_t place) {
  Watched& watched = watched_[place];
  const channels::ProcessKey owner = segments_->memory().place(place).owner.load(std::memory_order_acquire);
  if (owner != watched.owner) {
    // only a dead one's place is taken over; one that was given back is free in between
    if (owner != 0 && watched.owner != 0 && !watched.is_dead &&
        channels::life_of(watched.owner) == channels::Life::Dead)
      bury(place);
    if (watched.descriptor >= 0) close(watched.descriptor);
    watched = {.owner = owner};
    // a number of another container's process means somebody else here
    if (owner == 0 || channels::life_of(owner) == channels::Life::Unknown) return;
    watched.descriptor = open_process(channels::pid_of(owner));
  }
  if (watched.owner == 0 || watched.is_dead) return;
  // where the descriptor is readable the process is over; the key tells whether it was the one meant
  if (watched.descriptor >= 0 && !is_readable(watched.descriptor)) return;
  if (channels::life_of(watched.owner) == channels::Life::Dead) bury(place);
}

// Tells the cycle; what the dead one has put until now is all that it ever will.
void ChannelWatch::bury(std::uint32_t place) {
  const std::uint64_t bit = std::uint64_t{1} << place;
  // the one before it has not been told of: that takes no longer than a cycle
  if ((news_.load(std::memory_order_acquire) & bit) != 0) return;
  Grave& grave = graves_[place];
  set_text(grave.who, text_of(segments_->memory().place(place).name));
  grave.pid.store(channels::pid_of(watched_[place].owner), std::memory_order_relaxed);
  grave.last.store(channels::sequence_of(segments_->header().head.load(std::memory_order_acquire)),
                   std::memory_order_release);
  news_.fetch_or(bit, std::memory_order_acq_rel);
  watched_[place].is_dead = true;
}

void ChannelWatch::wait() {
  std::array<pollfd, kWatchedWriters + 1> waited{};
  nfds_t count = 0;
  if (inotify_ >= 0) waited[count++] = {.fd = inotify_, .events = POLLIN, .revents = 0};
  for (const Watched& watched : watched_)
    if (watched.descriptor >= 0 && !watched.is_dead)
      waited[count++] = {.fd = watched.descriptor, .events = POLLIN, .revents = 0};
  static_cast<void>(poll(waited.data(), count, kBetweenLooks_ms));
  if (inotify_ < 0) return;
  std::array<char, 4096> events{};
  while (read(inotify_, events.data(), events.size()) > 0) looked_ns_ = 0;
}

void ChannelWatch::watch_folders() {
  const auto path = channels::channel_path(space_, robot_ + "/stop");
  const auto space_folder = channels::space_folder(space_);
  if (!path || !space_folder) return;
  inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (inotify_ < 0) return;
  constexpr std::uint32_t kRemoved = IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF;
  for (const std::string& folder : {*space_folder, path->substr(0, path->rfind('/'))})
    static_cast<void>(inotify_add_watch(inotify_, folder.c_str(), kRemoved));
}

void ChannelWatch::look_at_files() {
  const std::int64_t now_ns = monotonic_now_ns();
  if (are_channels_gone() || (looked_ns_ != 0 && now_ns - looked_ns_ < kBetweenFileLooks_ns)) return;
  looked_ns_ = now_ns;
  const bool is_any_gone = std::ranges::any_of(kNeeded, [&](const char* name) {
    const auto file = files_.find(name);
    return file != files_.end() && is_gone(file->second);
  });
  if (!is_any_gone) return open_files();
  are_gone_.store(true, std::memory_order_relaxed);
  mark(false);
}

// Others make some of them later.
void ChannelWatch::open_files() {
  const auto open_one = [&](const char* name) {
    if (files_.contains(name)) return;
    const auto path = channels::channel_path(space_, fmt::format("{}/{}", robot_, name));
    if (!path) return;
    auto file = channels::ChannelFile::open_path(*path, channels::Access::Write);
    if (file) files_.emplace(name, *std::move(file));
  };
  std::ranges::for_each(kAsked, open_one);
  std::ranges::for_each(kSpoken, open_one);
}

// As whoever removes a channel in order does.
void ChannelWatch::mark(bool also_spoken) {
  const auto mark_one = [&](const char* name) {
    const auto file = files_.find(name);
    if (file == files_.end()) return;
    file->second.memory().header().removed.store(1, std::memory_order_release);
    channels::wake_all(file->second.memory().header().head);
  };
  std::ranges::for_each(kAsked, mark_one);
  if (also_spoken) std::ranges::for_each(kSpoken, mark_one);
}

void ChannelWatch::tell_of_removal() {
  if (are_channels_gone()) mark(true);
}

}  // namespace sinew
