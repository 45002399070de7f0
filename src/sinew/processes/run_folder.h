// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew::processes {

/// Where the files of one space's processes lie: sockets, pid files, logs. Only the user may look in.
///
/// $XDG_RUNTIME_DIR/sinew/SPACE; for root without it /run/sinew/SPACE; else /tmp/sinew-UID/SPACE.
struct RunFolder {
  std::string space;
  std::string path;

  std::string socket() const { return path + "/supervisor.socket"; }
  std::string lock() const { return path + "/supervisor.pid"; }
  std::string guardian() const { return path + "/guardian.pid"; }
  std::string robots() const { return path + "/robots"; }
  std::string logs() const { return path + "/logs"; }
  std::string plan_of(std::string_view robot) const;
  std::string pid_file_of(std::string_view robot, std::string_view role) const;
  std::string ready_file_of(std::string_view robot, std::string_view role) const;
  std::string log_of(std::string_view robot, std::string_view role) const;
  std::string supervisor_log() const { return logs() + "/supervisor.log"; }
};

/// The folder of a space, whether it is there or not.
Result<RunFolder> run_folder(std::string_view space);

/// Makes the folder and those in it, mode 0700. One that belongs to somebody else is refused.
Status make_run_folder(const RunFolder& folder);

/// The spaces of this user that have a folder, sorted.
std::vector<std::string> spaces_of_user();

/// Names of the robots that have a plan in the folder, sorted.
std::vector<std::string> robots_in(const RunFolder& folder);

/// Takes away what belongs to a robot: plan, pid and ready files. Logs stay.
void forget_robot(const RunFolder& folder, std::string_view robot, const std::vector<std::string>& roles);

/// Takes away socket, lock file and empty folders. For the one who holds the lock, last of all.
void forget_space(const RunFolder& folder);

}  // namespace sinew::processes
