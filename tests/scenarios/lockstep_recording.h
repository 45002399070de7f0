// SPDX-License-Identifier: BSD-3-Clause
// For scenarios that run in lockstep: what would have been on the robot's channels, in a file, and read again
// by a judge that knows nothing else of the run.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/result.h"
#include "sinew/messages/grasp.h"
#include "sinew/messages/schemas.h"
#include "sinew/recording/mcap_reader.h"
#include "sinew/recording/recording_file.h"

#include "apps/lockstep/lockstep.h"

namespace sinew {

/// A scenario goes on only with what it needs.
template <class T>
T must(Result<T> result) {
  if (result) return *std::move(result);
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(1);
}
inline void must_be(bool is_true, const std::string& words) {
  if (is_true) return;
  fmt::print(stderr, "{}\n", words);
  std::exit(1);
}

/// Writes every cycle of a run: `processed`, `state`, `safety`, and each touch that begins or ends in a step
/// of the physics.
class LockstepRecording {
 public:
  /// `lockstep` must outlive this object.
  LockstepRecording(const std::string& path, Lockstep& lockstep)
      : lockstep_(lockstep),
        file_(must(recording::RecordingFile::create(
            {.path = path, .may_replace = true}, {.space = "lockstep", .started_ns = lockstep.now_ns()}))) {}

  /// One cycle, and what came of it.
  void step() {
    const ControlOutput output = lockstep_.control();
    write("processed", output.command);
    write("state", lockstep_.state());
    write("safety", output.safety);
    lockstep_.pass_time();
    for (const ContactEvent& event : lockstep_.simulation().touch().events()) write("sensor/contacts", event);
  }

  /// Puts a reference as `ref/programN`, and keeps it.
  void put(std::size_t source, const JointReference& reference) {
    lockstep_.put(source, reference);
    write(fmt::format("ref/program{}", source), reference);
  }

  template <class Message>
  void write(const std::string& name, const Message& message) {
    recording::TappedChannel& channel = channels_[name];
    if (channel.name.empty())
      channel = {.number = channels_.size(),
                 .name = lockstep_.robot_name() + "/" + name,
                 .schema = std::string(SchemaOf<Message>::kSchema.text),
                 .message_name = std::string(SchemaOf<Message>::kSchema.name),
                 .capacity = sizeof(Message)};
    must(file_.write({.channel = &channel,
                      .sequence = ++numbers_[name],
                      .stamp_ns = lockstep_.now_ns(),
                      .bytes = std::as_bytes(std::span(&message, 1))}));
  }

  void close() { must(file_.close()); }

 private:
  Lockstep& lockstep_;
  recording::RecordingFile file_;
  std::map<std::string, recording::TappedChannel> channels_;
  std::map<std::string, std::uint64_t> numbers_;
};

/// Gives each message of a recording to `take`, in the order of their time.
inline void read_recording(const std::string& path,
                           const std::function<void(std::string_view, std::span<const std::byte>)>& take) {
  const auto reader = must(recording::McapReader::open(path));
  must_be(reader.contents().is_whole && reader.check().empty(), path + " is not whole");
  recording::McapMessages messages(reader);
  while (const auto message = messages.next())
    take(reader.contents().channels.at(message->channel_id).topic, message->bytes);
  must_be(messages.problems().empty(), path + " cannot be read to its end");
}

template <class Message>
std::unique_ptr<Message> message_from(std::span<const std::byte> bytes) {
  must_be(bytes.size() == sizeof(Message), fmt::format("a message has {} bytes", bytes.size()));
  auto message = std::make_unique<Message>();
  std::memcpy(message.get(), bytes.data(), sizeof(Message));
  return message;
}

}  // namespace sinew
