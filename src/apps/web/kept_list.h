// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/accounts/whole_file.h"
#include "sinew/base/result.h"

namespace sinew {

/// Things that people have taught, kept in a file as a whole, with undo and redo. Whoever changes them has
/// looked before whether they can be. One thread.
template <class Item>
class KeptList {
 public:
  using Items = std::vector<Item>;

  /// How they are written, and read again.
  struct Form {
    std::function<Result<Items>(std::string_view)> parse;
    std::function<std::string(const Items&)> text;
    /// Writes what others read of them, after the file that counts.
    std::function<Status(const Items&)> publish;
    std::size_t most_bytes = 0;   ///< Of the file.
    std::size_t most_undone = 0;  ///< Changes that can be taken back.
  };

  KeptList(std::filesystem::path file, Form form) : file_(std::move(file)), form_(std::move(form)) {}

  /// Reads them. A file that is damaged or cannot be read is refused and stays as it is; nothing is written
  /// over it.
  Status load() {
    const auto text = accounts::read_whole_file(file_.string(), form_.most_bytes);
    is_damaged_ = !text && text.error().code != ErrorCode::NotFound;
    if (!text) return is_damaged_ ? Status(text.error()) : Status(Done{});
    auto items = form_.parse(*text);
    is_damaged_ = !items;
    if (is_damaged_)
      return Error{ErrorCode::Damaged,
                   fmt::format("{}: {}; it is left as it is", file_.string(), items.error().message)};
    items_ = *std::move(items);
    return Done{};
  }

  /// The same after somebody else has written the file; what was known before can be had back by undo().
  Status reload() {
    keep(std::exchange(items_, {}));
    ++changes_;
    return load();
  }

  const Items& items() const { return items_; }

  /// All of them anew; what was there before can be had back by undo(). They have changed also when only
  /// what others read could not be written, which is said.
  Status change(Items items) {
    Items before = items_;
    bool is_kept = false;
    Status saved = save(std::move(items), is_kept);
    if (is_kept) keep(std::move(before));
    return saved;
  }

  /// Writes what others read, if that failed the last time.
  Status publish_missing() { return is_published_ ? Status(Done{}) : publish(); }

  /// Takes the last change back, or does again what was taken back. NothingNew: there is none.
  Status undo() {
    if (past_.empty()) return Error{ErrorCode::NothingNew, "there is nothing to undo"};
    return step(past_, future_);
  }
  Status redo() {
    if (future_.empty()) return Error{ErrorCode::NothingNew, "there is nothing to do again"};
    return step(future_, past_);
  }
  std::size_t undo_count() const { return past_.size(); }
  std::size_t redo_count() const { return future_.size(); }

  /// Counts up with every change.
  std::uint64_t changes() const { return changes_; }

 private:
  Status save(Items items, bool& is_kept) {
    if (is_damaged_)
      return Error{ErrorCode::Damaged,
                   fmt::format("{} could not be read and is not written over; move it away", file_.string())};
    if (Status saved = accounts::replace_whole_file(file_.string(), form_.text(items)); !saved) return saved;
    is_kept = true;
    items_ = std::move(items);
    ++changes_;
    return publish();
  }

  Status publish() {
    Status published = form_.publish(items_);
    is_published_ = published.has_value();
    return published;
  }

  Status step(std::deque<Items>& from, std::deque<Items>& to) {
    Items before = items_;
    bool is_kept = false;
    Status saved = save(from.back(), is_kept);
    if (!is_kept) return saved;
    from.pop_back();
    to.push_back(std::move(before));
    return saved;
  }

  void keep(Items before) {
    past_.push_back(std::move(before));
    if (past_.size() > form_.most_undone) past_.pop_front();
    future_.clear();
  }

  std::filesystem::path file_;
  Form form_;
  Items items_;
  std::deque<Items> past_;    // the newest at the end
  std::deque<Items> future_;  // the next at the end
  bool is_damaged_ = false;
  bool is_published_ = true;
  std::uint64_t changes_ = 1;
};

}  // namespace sinew
