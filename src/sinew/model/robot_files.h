// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/base/result.h"

namespace sinew {

/// The one door by which readers of robots (URDF, xacro, YAML, SRDF, meshes) get at files. Which files there
/// are is decided here: all of the machine, or those of one folder.
class RobotFiles {
 public:
  virtual ~RobotFiles() = default;

  /// What this user may read anywhere on the machine: for the command line.
  static const RobotFiles& all();

  /// Whether some files of the machine are left out.
  virtual bool is_confined() const { return false; }
  bool is_file(const std::filesystem::path& path) const;
  bool is_folder(const std::filesystem::path& path) const;
  /// All bytes of a plain file. `what` it is begins each refusal, "mesh" or nothing: of what is not there, no
  /// plain file, left out, or larger than `most_bytes`; `remedy` of the last ends that.
  struct Reading {
    std::string_view what;
    std::size_t most_bytes = 0;
    std::string_view remedy;
  };
  Result<std::string> read(const std::filesystem::path& path, const Reading& reading) const;

 protected:
  /// Opens with these flags of open(); a negative errno when that cannot be, -EXDEV for what is left out.
  virtual int open(const std::filesystem::path& path, int flags) const = 0;

 private:
  std::optional<struct stat> status_of(const std::filesystem::path& path) const;
};

/// Files of one folder and below, and no others: opened from the folder's own descriptor, through no symbolic
/// link (openat2 with RESOLVE_BENEATH, or a walk with O_NOFOLLOW where the kernel has none). For what comes
/// over the web.
class FolderFiles final : public RobotFiles {
 public:
  /// How paths are walked: by the kernel where it can, or always step by step.
  enum class Walk { Kernel, Steps };

  static Result<std::unique_ptr<FolderFiles>> of(const std::filesystem::path& folder,
                                                 Walk walk = Walk::Kernel);
  ~FolderFiles() override;
  FolderFiles(const FolderFiles&) = delete;
  FolderFiles& operator=(const FolderFiles&) = delete;

  bool is_confined() const override { return true; }

 protected:
  int open(const std::filesystem::path& path, int flags) const override;

 private:
  FolderFiles(std::filesystem::path folder, int descriptor, Walk walk)
      : folder_(std::move(folder)), descriptor_(descriptor), walk_(walk) {}

  std::filesystem::path folder_;  // from the root
  int descriptor_;
  Walk walk_;
};

}  // namespace sinew
