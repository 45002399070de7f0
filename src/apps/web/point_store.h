// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/result.h"

#include "apps/web/kept_list.h"

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
  PointStore(std::filesystem::path file, std::filesystem::path programs);
  PointStore(const PointStore&) = delete;
  PointStore& operator=(const PointStore&) = delete;

  /// As KeptList has it.
  Status load() { return points_.load(); }
  Status reload() { return points_.reload(); }
  /// What the text of such a file says. Refused as replace() would, and what is no such file.
  static Result<TaughtPoints> parse(std::string_view text);

  const TaughtPoints& points() const { return points_.items(); }
  /// A letter, then letters, digits and '_', at most 32: a name that a program can use.
  static Status check_name(std::string_view name);

  /// All of them anew: what was there before can be had back by undo(). Refused as a whole: a bad or double
  /// name, no joints, a value that is no number.
  Status replace(TaughtPoints points);
  /// Adds one, or changes the one of that name.
  Status put(TaughtPoint point);
  Status remove(std::string_view name);

  Status undo() { return points_.undo(); }
  Status redo() { return points_.redo(); }
  std::size_t undo_count() const { return points_.undo_count(); }
  std::size_t redo_count() const { return points_.redo_count(); }

  /// Counts up with every change.
  std::uint64_t changes() const { return points_.changes(); }

  /// The points as lines of a program.
  static std::string program_text(const TaughtPoints& points, std::string_view arm,
                                  const std::vector<std::string>& lengths);
  /// Joints that are lengths and not angles; without them all are taken for angles.
  void set_lengths(std::vector<std::string> joints) { lengths_ = std::move(joints); }

 private:
  Status write_programs(const TaughtPoints& points) const;

  std::filesystem::path programs_;
  std::vector<std::string> lengths_;
  KeptList<TaughtPoint> points_;
};

}  // namespace sinew
