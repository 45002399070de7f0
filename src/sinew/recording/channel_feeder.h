// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sinew/recording/channel_tap.h"

namespace sinew::recording {

/// A thread that follows channels and hands on what it reads. It looks as often as the fullest ring demands,
/// from every 5 ms down to every 0.2 ms.
class ChannelFeeder {
 public:
  /// Called from the feeder's thread with messages by time. May wait; what is put meanwhile and overwritten
  /// is counted as missed.
  using Sink = std::function<void(const MessageBatch&)>;

  ChannelFeeder(ChannelTap tap, Sink sink);
  ~ChannelFeeder();
  ChannelFeeder(const ChannelFeeder&) = delete;
  ChannelFeeder& operator=(const ChannelFeeder&) = delete;

  /// Reads once more, in the caller's thread, all that was put until now.
  void feed_now();

  /// Ends the thread after a last look.
  void stop();

  std::vector<std::string> problems();
  std::size_t channel_count();

 private:
  void run();
  double feed(std::int64_t now_ns);

  std::mutex mutex_;  ///< Guards the tap and the batch.
  ChannelTap tap_;
  Sink sink_;
  MessageBatch batch_;
  std::atomic<bool> is_stopping_{false};
  std::thread thread_;
};

}  // namespace sinew::recording
