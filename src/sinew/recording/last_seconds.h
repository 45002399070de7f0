// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/recording/channel_feeder.h"
#include "sinew/recording/compression.h"
#include "sinew/recording/recording_file.h"

namespace sinew::recording {

struct LastSecondsOptions {
  TapOptions channels;
  std::string folder = "stops";              ///< Where save() writes; made when missing.
  std::int64_t window_ns = 10 * kSecond_ns;  ///< How far back.
  std::size_t most_memory = 32U << 20;       ///< Messages kept, oldest given up first [bytes].
  std::size_t keep = 100;                    ///< Files of ours in the folder; the oldest are deleted.
  Compression compression = default_compression();
};

/// Keeps what happened just now on some channels, to be saved when something goes wrong.
///
/// A thread of its own reads the channels, and packs what it has read: ten seconds of a robot's cycles take
/// some megabytes. save() may be called from any thread but that of a control cycle:
/// it allocates, locks and writes a file.
class LastSeconds {
 public:
  static Result<std::unique_ptr<LastSeconds>> start(const LastSecondsOptions& options);

  /// Writes the window up to now, and of a channel silent throughout it the last message before, to
  /// FOLDER/2026-11-16T01-30-00Z-REASON.mcap. The file appears whole or not at all. Answers its path.
  Result<std::string> save(std::string_view reason);

  /// Memory that the messages take at the moment [bytes].
  std::size_t memory() const;

 private:
  explicit LastSeconds(LastSecondsOptions options, ChannelTap tap);
  using Blocks = std::deque<std::shared_ptr<const PackedBatch>>;

  void take(const MessageBatch& batch);
  void put_away();
  void forget_before(std::int64_t oldest_ns);
  std::string free_name(const std::string& stem);
  Status write(const std::string& path, const RecordingFacts& facts);

  LastSecondsOptions options_;
  mutable std::mutex mutex_;  ///< Guards what stands between here and `saving_`.
  Compressor compressor_;
  Blocks blocks_;                               ///< By time.
  std::size_t memory_ = 0;                      ///< Of the blocks [bytes].
  MessageBatch open_;                           ///< Newer than they; the next block.
  std::map<std::size_t, MessageBatch> before_;  ///< By channel: its last message that was forgotten.
  std::mutex saving_;                           ///< One save at a time; guards the two below.
  std::string last_stem_;
  std::uint64_t last_number_ = 0;
  ChannelFeeder feeder_;  ///< Last, because its thread uses all that stands above.
};

/// A time since 1970 as file names have it: "2026-11-16T01-30-00Z".
std::string file_time_text(std::int64_t wall_ns);

/// `text` as part of a file name: small letters, digits and dashes, at most 60; "stop" when nothing is left.
std::string file_word(std::string_view text);

}  // namespace sinew::recording
