// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <set>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/channels/channel_file.h"
#include "sinew/recording/message_batch.h"

namespace sinew::recording {

/// Which channels are followed.
struct TapOptions {
  std::string space = "default";
  std::vector<std::string>
      patterns;  ///< Names, or patterns of the shell such as "mds/*"; empty: every channel.
};

/// True when `name` fits one of `patterns`, or there are none.
bool fits_patterns(const std::string& name, const std::vector<std::string>& patterns);

/// Reads every message of the channels of a space, those that appear later included, without being noticed:
/// its mappings cannot write. Of a channel that is there at the start it gives the newest message and all
/// that follow; of one that appears later, all. One thread.
class ChannelTap {
 public:
  static Result<ChannelTap> open(const TapOptions& options);

  /// Appends to `out` what was put since the last call and up to `now_ns` (monotonic), by time. Messages
  /// younger than that wait for the next call, so that the order holds from call to call; kNever_ns takes
  /// all. Answers how full the fullest ring had become, 0 to 1: when it is 1, messages may have been missed.
  double poll(std::int64_t now_ns, MessageBatch& out);

  /// Every channel met so far; each lives as long as this object, wherever that is moved.
  const std::deque<TappedChannel>& channels() const { return channels_; }

  /// Channels that fit but cannot be read, and why.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Follower {
    channels::ChannelFile file;
    channels::RingReader ring;
    std::uint64_t seen = 0;
    const TappedChannel* channel = nullptr;
  };
  explicit ChannelTap(TapOptions options, std::string folder);
  void discover();
  void discover_in(const std::string& folder, const std::string& prefix, int depth);
  void follow(const std::string& path, const std::string& name);
  double read_all(Follower& follower);

  TapOptions options_;
  std::string folder_;
  std::deque<TappedChannel> channels_;
  std::list<Follower> followers_;
  std::set<std::string> followed_;  ///< Names.
  std::set<std::string> refused_;   ///< Names.
  std::vector<std::string> problems_;
  MessageBatch fresh_;  ///< Read, and not yet given out.
  MessageBatch later_;
  Buffer buffer_;
  std::int64_t next_discovery_ns_ = 0;
  bool has_discovered_ = false;
};

}  // namespace sinew::recording
