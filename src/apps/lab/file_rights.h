// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::lab {

/// What a solution may read besides the system's programs and libraries. Gathered before the fork.
struct ReadableFiles {
  std::string folder;                 ///< Its names may be listed.
  std::vector<std::string> files;     ///< The solution, and what lies beside it: modules of its own.
  std::vector<std::string> packages;  ///< Folders beside it with modules of its own.
};

/// The file, those beside it, and folders beside it that are packages of Python (have an __init__.py). Other
/// folders stay shut: a solution may lie in one that has much else below it.
ReadableFiles readable_beside(const std::filesystem::path& file);

/// Whether this system can keep a process from files (Landlock, Linux 5.13 and newer).
bool can_bound_files();

/// Leaves this process, for good, nothing to read but those files and the system's, and nothing to write but
/// /dev/null. Makes only system calls. False: the system refuses.
bool bound_files(const ReadableFiles& readable);

}  // namespace sinew::lab
