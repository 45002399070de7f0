// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/recording/mcap_reader.h"

namespace sinew::recording {

struct ReplayOptions {
  std::string space = "default";      ///< Where the messages go.
  std::vector<std::string> patterns;  ///< Channels, as in TapOptions; empty: all.
  double speed = 1.0;                 ///< 2: twice as fast as it was.
  bool may_mix = false;               ///< Also into channels that somebody alive writes.
};

struct ReplayReport {
  std::uint64_t messages = 0;
  std::uint64_t skipped = 0;       ///< Could not be put: empty, or longer than the channel takes.
  std::int64_t worst_late_ns = 0;  ///< From when a message was due to when it was put.
};

/// Puts the messages of a recording again, with their timing, into channels of the recorded kind.
///
/// The bytes are those recorded, stamps within them included; number and stamps of the frame are new.
class Replayer {
 public:
  /// Opens all channels, makes those that are missing. Refused when a channel there carries something else,
  /// or somebody alive writes it. `reader` must outlive this object.
  static Result<Replayer> open(const McapReader& reader, const ReplayOptions& options);

  /// Puts everything once, each message when it is due; one that is late is put at once, so order and number
  /// hold. Ends early when `should_stop` says so, which it is asked before each message and on each signal.
  Result<ReplayReport> play(const std::function<bool()>& should_stop);

  std::size_t channel_count() const { return by_topic_.size(); }

  /// Channels that cannot be replayed, and chunks that could not be read.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  using Handle = std::unique_ptr<sinew_writer, channels::CloseWriter>;
  Replayer(const McapReader& reader, ReplayOptions options)
      : reader_(&reader), options_(std::move(options)) {}
  Status add(const McapChannel& channel);
  Status check_writers() const;

  const McapReader* reader_;
  ReplayOptions options_;
  std::map<std::string, Handle> by_topic_;
  std::map<std::uint16_t, sinew_writer*> writers_;  ///< By channel number in the file.
  std::vector<std::string> problems_;
};

}  // namespace sinew::recording
