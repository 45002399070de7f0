// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/channels/test/channel_fixture.h"
#include "sinew/messages/schemas.h"
#include "sinew/recording/channel_tap.h"
#include "sinew/recording/test/file_fixture.h"

namespace sinew::recording {

/// A message with bytes of its own, as a tap gave it.
struct Tapped {
  std::string channel;
  std::uint64_t sequence = 0;
  std::uint64_t missed = 0;
  std::uint64_t number = 0;  ///< What put() was given.

  bool operator==(const Tapped&) const = default;
};

/// A space and a folder of its own for every test.
class RecordingTest : public channels::ChannelTest {
 protected:
  static std::vector<Tapped> poll(ChannelTap& tap, std::int64_t now_ns = kNever_ns) {
    MessageBatch batch;
    tap.poll(now_ns, batch);
    std::vector<Tapped> all;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const TappedMessage message = batch[i];
      std::uint64_t number = 0;
      std::memcpy(&number, message.bytes.data(), sizeof number);
      all.push_back({message.channel->name, message.sequence, message.missed, number});
    }
    return all;
  }

  channels::WriterHandle writer_of(const char* name, std::uint32_t depth = 4, std::uint32_t capacity = 64) {
    sinew_options chosen = options(name);
    chosen.depth = depth;
    chosen.capacity = capacity;
    auto writer = open_writer(chosen);
    EXPECT_NE(writer, nullptr) << error_.text;
    return writer;
  }

  Folder folder_;
};

}  // namespace sinew::recording
