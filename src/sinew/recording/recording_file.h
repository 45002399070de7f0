// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/schema.h"
#include "sinew/recording/mcap_writer.h"
#include "sinew/recording/message_batch.h"

namespace sinew::recording {

/// How messages are written.
enum class MessageEncoding {
  Sinew,  ///< As they are, with our schema text: exact, small, for replay.
  Json,   ///< As JSON with a JSON Schema: for tools that know nothing of us.
};

/// What is said of a recording as a whole.
struct RecordingFacts {
  std::string space;
  std::int64_t started_ns = 0;     ///< Messages put earlier are logged as of then (monotonic).
  std::int64_t wall_ahead_ns = 0;  ///< Wall clock minus monotonic clock, once for all messages.
  MessageEncoding encoding = MessageEncoding::Sinew;
  TextMap more;  ///< Further facts, such as the reason of a stop.
};

/// What became of a channel.
struct RecordedChannel {
  std::string name;
  std::string message_name;
  std::uint64_t messages = 0;
  std::uint64_t missed = 0;
};

/// Facts with both clocks compared now, and `started_ns` now.
RecordingFacts facts_now(std::string space);

/// Writes tapped messages into an MCAP file. One thread.
class RecordingFile {
 public:
  static Result<RecordingFile> create(const McapWriterOptions& options, const RecordingFacts& facts);

  Status write(const TappedMessage& message);

  /// Notes that a channel exists, though nothing may come on it.
  Status note(const TappedChannel& channel);

  /// See McapWriter.
  Status flush() { return writer_.flush(); }

  /// Writes the counts of the missed and ends the file.
  Status close();

  std::vector<RecordedChannel> channels() const;
  std::uint64_t messages() const { return writer_.statistics().message_count; }
  std::uint64_t missed() const { return missed_; }
  std::uint64_t size() const { return writer_.size(); }  ///< [bytes]
  const std::string& path() const { return writer_.path(); }

 private:
  struct Entry {
    std::uint16_t id = 0;
    RecordedChannel counts;
    std::optional<Schema> schema;  ///< For JSON.
  };
  RecordingFile(McapWriter writer, const RecordingFacts& facts) : writer_(std::move(writer)), facts_(facts) {}
  Result<Entry*> entry_for(const TappedChannel& channel);
  Result<std::uint16_t> add_schema(const TappedChannel& channel, const Entry& entry);

  McapWriter writer_;
  RecordingFacts facts_;
  std::map<std::size_t, Entry> entries_;  ///< By TappedChannel::number.
  std::string json_;
  std::uint64_t missed_ = 0;
};

}  // namespace sinew::recording
