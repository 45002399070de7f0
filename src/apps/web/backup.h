// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

// All that people have made of a robot, in one JSON document: programs, users with the hashes of their
// passwords, limits and workspace of the site, and every NAME.json of the robot's folder (points, frames,
// tools, …). robot.yaml goes along for the record.

/// A backup has no more, and a document that has is refused.
inline constexpr std::size_t kMostBackupBytes = 16U << 20U;

struct BackupOptions {
  std::string folder;      ///< The robot's folder.
  std::string robot;       ///< Its name.
  std::string robot_yaml;  ///< Text of its robot.yaml, with limits and workspace; may be empty.
  std::string version;     ///< Of this program.
  std::int64_t wall_ns = 0;
};

/// The document. Refused, with the file: what cannot be read, is no UTF-8, or makes it too large.
Result<std::string> make_backup(const BackupOptions& options);

struct RestoreOptions {
  std::string folder;
  std::string robot;
  std::string robot_yaml;         ///< As it is now; a difference is told.
  bool has_users = true;          ///< False: the users that are there stay.
  bool is_for_any_robot = false;  ///< Also what was made of a robot of another name.
  /// What files must be besides JSON, by their name without ".json".
  std::map<std::string, std::function<Status(std::string_view)>> checks;
  std::function<Status(std::string_view)> site_check;  ///< What site.yaml must be; empty: anything.
};

struct Restored {
  std::size_t programs = 0;
  std::size_t files = 0;
  std::size_t users = 0;
  std::vector<std::string> notes;  ///< What people should know.
};

/// Puts what a document holds in the place of what is there, all of it or nothing, also when the machine
/// loses its power meanwhile. The document is checked as a whole first. What was there is kept: the folder as
/// it was in
/// `.before`, and programs that are replaced or gone in their history. May take a second.
Result<Restored> restore_backup(std::string_view document, const RestoreOptions& options);

/// Ends what was interrupted on a file system that cannot exchange two folders. To be called at the start.
Status mend_restore(const std::string& folder);

}  // namespace sinew
