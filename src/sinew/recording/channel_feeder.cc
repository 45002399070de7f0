// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/channel_feeder.h"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <utility>

#include "sinew/base/time.h"

namespace sinew::recording {
namespace {

constexpr std::int64_t kShortestPause_ns = kMillisecond_ns / 5;
constexpr std::int64_t kLongestPause_ns = 5 * kMillisecond_ns;

}  // namespace

ChannelFeeder::ChannelFeeder(ChannelTap tap, Sink sink) : tap_(std::move(tap)), sink_(std::move(sink)) {
  // signals are the program's: none is delivered to this thread
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ChannelFeeder::~ChannelFeeder() {
  stop();
}

double ChannelFeeder::feed(std::int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  batch_.clear();
  const double fullest = tap_.poll(now_ns, batch_);
  if (!batch_.empty()) sink_(batch_);
  return fullest;
}

void ChannelFeeder::run() {
  std::int64_t pause_ns = kLongestPause_ns;
  while (!is_stopping_.load(std::memory_order_relaxed)) {
    const double fullest = feed(monotonic_now_ns());
    // a ring may fill three times as fast next time without a loss
    if (fullest > 0.25) pause_ns /= 2;
    if (fullest < 0.1) pause_ns += pause_ns / 4;
    pause_ns = std::clamp(pause_ns, kShortestPause_ns, kLongestPause_ns);
    const timespec pause{0, static_cast<long>(pause_ns)};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
  }
}

void ChannelFeeder::feed_now() {
  feed(kNever_ns);
}

void ChannelFeeder::stop() {
  if (!thread_.joinable()) return;
  is_stopping_.store(true);
  thread_.join();
  feed(kNever_ns);
}

std::vector<std::string> ChannelFeeder::problems() {
  const std::lock_guard lock(mutex_);
  return tap_.problems();
}

std::size_t ChannelFeeder::channel_count() {
  const std::lock_guard lock(mutex_);
  return tap_.channels().size();
}

}  // namespace sinew::recording
