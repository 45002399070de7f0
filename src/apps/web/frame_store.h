// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/spatial/pose.h"

#include "apps/web/kept_list.h"

namespace sinew {

/// A tool on an arm's flange, or a frame in an arm's base, that somebody has taught.
struct TaughtFrame {
  std::string name;
  std::string arm;
  Pose X;                          ///< Of the tool at the flange, or of the frame in the base.
  double mass = 0.0;               ///< [kg] Of a tool and what it carries; zero: not said.
  Vector3 p_TC = Vector3::Zero();  ///< Centre of that mass, in the tool [m].
};

/// Taught tools, or taught frames, kept in a file; what programs include beside them gives them their names:
/// tools.prog and frames.prog. One thread.
class FrameStore {
 public:
  enum class Kind { Tools, Frames };
  static constexpr std::size_t kMost = 100;
  static constexpr std::size_t kMostUndone = 50;

  /// `folder`: where the file is kept; `programs`: where programs look for them.
  FrameStore(Kind kind, const std::filesystem::path& folder, const std::filesystem::path& programs);
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  /// As KeptList has it.
  Status load() { return frames_.load(); }
  Status reload() { return frames_.reload(); }
  /// What the text of such a file says. Refused: no such file, and frames that put() would refuse.
  static Result<std::vector<TaughtFrame>> parse(Kind kind, std::string_view text);
  const std::vector<TaughtFrame>& all() const { return frames_.items(); }

  /// Adds one, or changes the one of that name. Refused: no name for a program, numbers that cannot be.
  Status put(TaughtFrame frame);
  Status remove(std::string_view name);

  Status undo() { return frames_.undo(); }
  Status redo() { return frames_.redo(); }
  std::size_t undo_count() const { return frames_.undo_count(); }
  std::size_t redo_count() const { return frames_.redo_count(); }

  /// Counts up with every change.
  std::uint64_t changes() const { return frames_.changes(); }
  /// They as lines of a program.
  std::string program_text() const;

 private:
  Status write_program() const;

  Kind kind_;
  std::filesystem::path program_;
  KeptList<TaughtFrame> frames_;
};

}  // namespace sinew
