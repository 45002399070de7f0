// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// A posture that somebody has taught, under a name.
struct TaughtPoint {
  std::string name;
  std::string arm;
  std::string note;
  std::vector<std::pair<std::string, double>> joints;  ///< [rad, m] By name, of that arm.

  bool operator==(const TaughtPoint&) const = default;
};

using TaughtPoints = std::vector<TaughtPoint>;

/// The points that were taught, kept in a file, with undo and redo. Programs have them too: for each arm the
/// file points_ARM.prog in the programs' folder gives each its name, and with one arm points.prog does. One
/// thread.
class PointStore {
 public:
  static constexpr std::size_t kMostPoints = 1000;
  static constexpr std::size_t kMostUndone = 100;

  /// `file`: where they are kept; `programs`: where programs look for them.
  PointStore(std::filesystem::path file, std::filesystem::path programs)
      : file_(std::move(file)), programs_(std::move(programs)) {}

  /// Reads them. A file that is damaged is refused and stays as it is; nothing is written over it.
  Status load();
  /// The same after somebody else has written the file; what was known before can be had back by undo().
  Status reload();
  /// What the text of such a file says. Refused as replace() would, and what is no such file.
  static Result<TaughtPoints> parse(std::string_view text);

  const TaughtPoints& points() const { return points_; }
  /// A letter, then letters, digits and '_', at most 32: a name that a program can use.
  static Status check_name(std::string_view name);

  /// All of them anew: what was there before can be had back by undo(). Refused as a whole: a bad or double
  /// name, no joints, a value that is no number.
  Status replace(TaughtPoints points);
  /// Adds one, or changes the one of that name.
  Status put(TaughtPoint point);
  Status remove(std::string_view name);

  Status undo();
  Status redo();
  std::size_t undo_count() const { return past_.size(); }
  std::size_t redo_count() const { return future_.size(); }

  /// Counts up with every change.
  std::uint64_t changes() const { return changes_; }

  /// The points as lines of a program.
  static std::string program_text(const TaughtPoints& points, std::string_view arm,
                                  const std::vector<std::string>& lengths);
  /// Joints that are lengths and not angles; without them all are taken for angles.
  void set_lengths(std::vector<std::string> joints) { lengths_ = std::move(joints); }

 private:
  Status save(const TaughtPoints& points);

  std::filesystem::path file_;
  std::filesystem::path programs_;
  std::vector<std::string> lengths_;
  TaughtPoints points_;
  std::deque<TaughtPoints> past_;
  std::deque<TaughtPoints> future_;
  bool is_damaged_ = false;
  std::uint64_t changes_ = 1;
};

}  // namespace sinew
