// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/channels/place_name.h"
#include "sinew/channels/ring.h"

namespace sinew::channels {

/// What a channel is to be when it is made, and what an opener expects of it.
struct ChannelOptions {
  std::string space = std::string(kDefaultSpace);
  std::string name;
  std::string schema;          ///< Text; empty: bytes without meaning, or whatever is there.
  std::string sender;          ///< Who opens it; empty: the program's name.
  std::uint32_t capacity = 0;  ///< Largest message [bytes]; 0: the schema's size, or 1024.
  std::uint32_t depth = 16;    ///< Messages kept; rounded up to a power of two.
  std::uint32_t writers = 16;  ///< Places for writers.
  std::uint32_t mode = 0644;   ///< Rights of the file.
  bool may_create = false;     ///< Opening makes it when it is not there.
};

enum class Access { Read, Write };

/// A channel's file, open and mapped, its header checked. Closed when destroyed.
class ChannelFile {
 public:
  /// Makes a channel. It appears under its name complete or not at all, whatever happens to the maker.
  static Status create(const ChannelOptions& options);

  /// Opens a channel and refuses whatever is not one, or carries another message than `options.schema`.
  static Result<ChannelFile> open(const ChannelOptions& options, Access access);

  /// Opens the channel file at `path`, whatever message it carries.
  static Result<ChannelFile> open_path(const std::string& path, Access access);

  /// Takes the name away, tells those who have it open, and wakes them.
  static Status remove(std::string_view space, std::string_view name);

  ChannelFile() = default;
  ChannelFile(ChannelFile&& other) noexcept;
  ChannelFile& operator=(ChannelFile&& other) noexcept;
  ~ChannelFile();

  const RingMemory& memory() const { return memory_; }
  const ChannelHeader& header() const { return memory_.header(); }
  std::string_view schema() const { return {memory_.schema(), memory_.layout.schema_size}; }
  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }

  /// True when the channel no longer has a name.
  bool is_removed() const;

 private:
  std::string path_;
  RingMemory memory_;
  int descriptor_ = -1;
};

}  // namespace sinew::channels
