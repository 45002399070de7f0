// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/processes/identity.h"

namespace sinew::processes {

struct SpawnOptions {
  std::vector<std::string> words;  ///< Command line; a program without '/' is looked for in PATH.
  std::string folder;              ///< Working folder.
  std::string log_path;            ///< For stdout and stderr, appended to.
  std::string ready_path = {};     ///< Opened anew as kReadyDescriptor; empty: none.
  std::string pid_path = {};   ///< The process writes itself into it before its program begins; empty: none.
  std::uint32_t restarts = 0;  ///< For the pid file.
};

struct Spawned {
  ProcessIdentity identity;
  std::string log_remark;  ///< Why nothing is logged; empty: it is.
};

/// Starts a process in a session of its own, with no descriptors but stdin (/dev/null), stdout, stderr and
/// the ready file. It outlives the caller. Refused when the program cannot be run. For single-threaded
/// programs.
Result<Spawned> spawn(const SpawnOptions& options);

}  // namespace sinew::processes
