// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

#include "apps/web/stream.h"

namespace sinew {

/// Streams by their order; what is shared never changes.
using Streams = std::vector<std::shared_ptr<const Stream>>;

/// The motions that were recorded, kept in a file, with undo and redo. One thread.
class StreamStore {
 public:
  static constexpr std::size_t kMostStreams = 100;
  static constexpr std::size_t kMostBytes = 6U << 20U;  ///< Of the file: a backup holds it, too.
  static constexpr std::size_t kMostUndone = 50;

  explicit StreamStore(std::filesystem::path file) : file_(std::move(file)) {}

  /// Reads them. A file that is damaged is refused and stays as it is; nothing is written over it.
  Status load();
  /// The same after somebody else has written the file; what was known before can be had back by undo().
  Status reload();
  /// What the text of such a file says.
  static Result<Streams> parse(std::string_view text);

  const Streams& streams() const { return streams_; }
  Result<std::shared_ptr<const Stream>> find(std::string_view name) const;
  /// Whether one of this name can be added.
  Status check_new(std::string_view name) const;

  Status add(Stream stream);
  /// Changes the one called `name`, which may get another name and other ends.
  Status change(std::string_view name, Stream stream);
  Status remove(std::string_view name);

  Status undo() { return turn(past_, future_, "there is nothing to undo"); }
  Status redo() { return turn(future_, past_, "there is nothing to do again"); }
  std::size_t undo_count() const { return past_.size(); }
  std::size_t redo_count() const { return future_.size(); }

  /// Counts up with every change.
  std::uint64_t changes() const { return changes_; }

 private:
  Status replace(Streams streams);
  Status save(const Streams& streams);
  Status turn(std::deque<Streams>& from, std::deque<Streams>& to, const char* nothing);

  std::filesystem::path file_;
  Streams streams_;
  std::deque<Streams> past_;
  std::deque<Streams> future_;
  bool is_damaged_ = false;
  std::uint64_t changes_ = 1;
};

}  // namespace sinew
