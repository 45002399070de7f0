// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/channels/channel_file.h"
#include "sinew/channels/process_key.h"

namespace sinew::channels {

// Looking at channels without disturbing them: read-only mappings, no registration, no wake.

/// One who puts messages.
struct WriterInfo {
  std::uint32_t place = 0;
  std::uint32_t pid = 0;
  std::string name;
  std::uint64_t puts = 0;
  std::int64_t since_wall_ns = 0;
  Life life = Life::Unknown;
  bool is_sole = false;  ///< Writes alone: nobody else may while it lives.
};

/// One who has the channel mapped for reading only; alive by nature.
struct ReaderInfo {
  std::uint32_t pid = 0;
  std::string name;
};

/// All that can be seen of a channel.
struct ChannelInfo {
  std::string name;  ///< Within its space.
  std::string path;
  std::string message_name;  ///< Empty: bytes without meaning.
  std::uint32_t message_version = 0;
  std::uint64_t schema_hash = 0;
  std::string schema;
  std::uint32_t capacity = 0;
  std::uint32_t depth = 0;
  std::uint32_t writer_places = 0;
  std::uint64_t file_size = 0;    ///< [bytes]
  std::uint64_t memory_size = 0;  ///< What of it is really in memory [bytes].
  std::string owner;
  std::string group;
  std::uint32_t mode = 0;
  std::string creator;
  std::uint32_t creator_pid = 0;
  std::string creator_version;
  std::int64_t created_wall_ns = 0;
  std::uint64_t newest_sequence = 0;
  std::int64_t newest_stamp_ns = 0;
  std::optional<double> rate;  ///< [Hz] Over the messages kept; none while silent.
  std::vector<WriterInfo> writers;
  std::vector<ReaderInfo> readers;

  bool has_living_users() const;
};

/// A file in a space that is no channel, and why.
struct StrangeFile {
  std::string name;
  std::string reason;
};

struct Listing {
  std::vector<ChannelInfo> channels;  ///< By name.
  std::vector<StrangeFile> strange;
  bool sees_all_readers = false;  ///< False: processes of other users cannot be looked into.
};

/// Every channel of a space. A space that nobody has used is empty.
Result<Listing> list_channels(std::string_view space);

/// The names of the channels directly below `folder`, such as "mds/ref", sorted; opens none of them, so that
/// looking often costs little.
std::vector<std::string> channel_names(std::string_view space, std::string_view folder);

/// One channel of a space.
Result<ChannelInfo> inspect_channel(std::string_view space, std::string_view name);

/// Whether somebody who lives puts messages on it, as far as can be told. Looks at no process but its
/// writers.
bool is_written(std::string_view space, std::string_view name);

/// The one who writes a channel alone, if it lives or may; looks at no process else.
std::optional<WriterInfo> sole_writer(std::string_view space, std::string_view name);

/// The process that has place `place` of a channel's writers; 0: nobody.
ProcessKey writer_at(std::string_view space, std::string_view name, std::uint32_t place);

/// True when the caller may look into every process, so that no reader stays hidden.
bool sees_all_processes();

/// The messages a second at which the kept ones were put; none with fewer than two, or after a long silence.
std::optional<double> rate_of(const RingReader& ring, std::int64_t now_ns);

}  // namespace sinew::channels
