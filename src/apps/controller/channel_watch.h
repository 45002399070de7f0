// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "sinew/base/realtime.h"
#include "sinew/channels/channel_file.h"
#include "sinew/channels/process_key.h"
#include "sinew/channels/sinew_channel.h"

namespace sinew {

/// Places for writers of `segments` that are watched; those beyond are not.
inline constexpr std::size_t kWatchedWriters = 64;

/// Watches, beside the cycle, what may be taken from it at any time: the programs that write `segments`, by
/// pidfd, and the files of its channels, by inotify and their link counts. In a thread of its own, because
/// what must be told at once cannot wait for what takes its time. Hands over without a lock.
///
/// A writer that closes its channel in order has not died: what it sent stays in force.
class ChannelWatch {
 public:
  /// The channels must be there.
  ChannelWatch(std::string robot, std::string space);
  ~ChannelWatch();
  ChannelWatch(const ChannelWatch&) = delete;
  ChannelWatch& operator=(const ChannelWatch&) = delete;

  /// A program that has died.
  struct Death {
    std::uint32_t place = 0;  ///< Its place among the writers of `segments`.
    std::array<char, 32> who{};
  };
  /// For the cycle: the next death that it has not been told of, if there is one.
  bool take_death(Death& death) SINEW_REALTIME;
  /// For the cycle: whether a message of `segments` was put by a program that is known to be dead.
  bool is_of_dead(const sinew_frame& message) const SINEW_REALTIME;
  /// After the cycle, where channels were removed: tells all who still have them open, so that they open them
  /// anew or end.
  void tell_of_removal();

  /// For the cycle: channels of the controller have been removed.
  bool are_channels_gone() const SINEW_REALTIME { return are_gone_.load(std::memory_order_relaxed); }

 private:
  /// What is told of one place; `who` belongs to the cycle while the place is among the news.
  struct Grave {
    std::array<char, 32> who{};
    std::atomic<std::uint32_t> pid{0};
    std::atomic<std::uint64_t> last{0};  // no later message can be of that process
  };
  /// A writer as it is watched.
  struct Watched {
    channels::ProcessKey owner = 0;
    int descriptor = -1;   // a pidfd; -1: none could be had, and it is looked at again and again
    bool is_dead = false;  // told, or nothing to be told of
  };

  void run();
  void look_at_writers();
  void look_at_writer(std::uint32_t place);
  void bury(std::uint32_t place);
  void wait();
  void watch_folders();
  void look_at_files();
  void open_files();
  void mark(bool also_spoken);

  std::string robot_;
  std::string space_;
  std::map<std::string, channels::ChannelFile> files_;  // by name
  std::optional<channels::ChannelFile> segments_;
  std::array<Watched, kWatchedWriters> watched_;
  std::array<Grave, kWatchedWriters> graves_;
  std::atomic<std::uint64_t> news_{0};  // places of which the cycle has not been told
  std::atomic<bool> are_gone_{false};
  int inotify_ = -1;
  std::int64_t looked_ns_ = 0;  // when the files were looked at last
  std::atomic<bool> is_ending_{false};
  std::thread thread_;
};

}  // namespace sinew
