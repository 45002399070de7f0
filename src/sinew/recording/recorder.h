// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/recording/channel_feeder.h"
#include "sinew/recording/recording_file.h"

namespace sinew::recording {

struct RecorderOptions {
  TapOptions channels;
  McapWriterOptions file;
  MessageEncoding encoding = MessageEncoding::Sinew;
  std::int64_t flush_ns = kSecond_ns / 2;  ///< At most so much is lost when the process is killed.
  std::size_t largest_backlog =
      256U << 20;  ///< Kept for a slow disk; beyond it, messages are missed [bytes].
};

/// Records channels into a file. A thread of its own reads them; the owner's thread packs and writes, by
/// calling write_pending() again and again, so that a slow disk makes nobody miss anything for a while.
class Recorder {
 public:
  static Result<std::unique_ptr<Recorder>> start(const RecorderOptions& options);
  ~Recorder();

  /// Waits until `deadline_ns` (monotonic) and writes what comes. Refused when the disk is: then finish().
  Status write_pending(std::int64_t deadline_ns);

  /// Reads what was put until now, writes it, and ends the file.
  Status finish();

  const RecordingFile& file() const { return file_; }
  std::vector<std::string> problems() { return feeder_.problems(); }
  std::size_t channel_count() { return feeder_.channel_count(); }

 private:
  Recorder(const RecorderOptions& options, ChannelTap tap, RecordingFile file);
  void let_feeder_go();
  void take(const MessageBatch& batch);
  Status write_batch();

  RecorderOptions options_;
  RecordingFile file_;
  MessageBatch writing_;
  std::int64_t flushed_ns_ = 0;
  std::mutex mutex_;  ///< Guards pending_ and is_finishing_.
  std::condition_variable changed_;
  MessageBatch pending_;
  bool is_finishing_ = false;
  ChannelFeeder feeder_;  ///< Last, because its thread uses all that stands above.
};

}  // namespace sinew::recording
