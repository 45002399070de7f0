// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/processes/run_folder.h"

#include "apps/supervisor/presence.h"
#include "apps/supervisor/wire.h"

namespace sinew::supervisor {

/// Asks the controller of a robot, if its channel `stop` is there, to brake and stand.
void ask_for_hold(const std::string& space, const std::string& robot);

/// Removes the channels of a space whose names begin with `prefix` and that nobody uses; then the space's
/// folder if it is empty. Answers how many.
std::size_t remove_unused_channels(const std::string& space, std::string_view prefix);

/// What runs in a space as its files tell, in the form of the supervisor's own status: for when there is no
/// supervisor, or one that does not answer.
Json robots_from_files(const processes::RunFolder& folder);

/// What was there to end.
struct KillCount {
  std::size_t processes = 0;
  bool had_supervisor = false;
  std::size_t channels = 0;
};

/// Ends everything of a space at once with SIGKILL, the supervisor first, and takes away what they leave;
/// also what is found by its channels alone.
Result<KillCount> kill_space(const processes::RunFolder& folder);

/// Ends the processes of a robot, or of all when `robot` is empty, that live without a supervisor: the motion
/// is stopped first, then each is asked to end, in the reverse order of their start, and killed after
/// `grace_ns`. Answers who has ended, or who resists.
Result<std::vector<LivingPart>> end_parts(const std::string& space, const std::string& robot,
                                          std::int64_t grace_ns);

}  // namespace sinew::supervisor
