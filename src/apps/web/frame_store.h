// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/spatial/pose.h"

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

  /// Reads them. A file that is damaged is refused and stays as it is; nothing is written over it.
  Status load();
  /// The same after somebody else has written the file.
  Status reload();
  /// What the text of such a file says. Refused: no such file, and frames that put() would refuse.
  static Result<std::vector<TaughtFrame>> parse(Kind kind, std::string_view text);
  const std::vector<TaughtFrame>& all() const { return frames_; }

  /// Adds one, or changes the one of that name. Refused: no name for a program, numbers that cannot be.
  Status put(TaughtFrame frame);
  Status remove(std::string_view name);

  /// Takes the last change back, or does again what was taken back. NothingNew: there is none.
  Status undo();
  Status redo();
  std::size_t undo_count() const { return past_.size(); }
  std::size_t redo_count() const { return future_.size(); }

  /// Counts up with every change.
  std::uint64_t changes() const { return changes_; }
  /// They as lines of a program.
  std::string program_text() const;

 private:
  using Frames = std::vector<TaughtFrame>;

  Status save(Frames frames);
  /// save(), and what was there can be had back.
  Status change(Frames frames);
  Status step(std::deque<Frames>& from, std::deque<Frames>& to);
  void keep(Frames frames);

  Kind kind_;
  std::filesystem::path file_;
  std::filesystem::path program_;
  Frames frames_;
  std::deque<Frames> past_;    // the newest at the end
  std::deque<Frames> future_;  // the next at the end
  bool is_damaged_ = false;
  std::uint64_t changes_ = 1;
};

}  // namespace sinew
