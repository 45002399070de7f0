// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "sinew/base/result.h"
#include "sinew/processes/run_folder.h"

#include "apps/supervisor/wire.h"

namespace sinew::supervisor {

/// What is to happen when no supervisor runs.
enum class Launch {
  Never,   ///< The answer is NotFound.
  IfNone,  ///< One is started; it takes up whatever the last one left.
};

struct AskOptions {
  processes::RunFolder folder;
  Launch launch = Launch::Never;
  std::string program;                                ///< The supervisor's program.
  double silence = 60;                                ///< Longest time without a word from it [s].
  std::function<void(const std::string&)> on_news{};  ///< Told what happens meanwhile.
  bool waits_for_end = false;  ///< Returns when the supervisor has ended too, if it does.
};

/// Asks the supervisor of a space and waits for its last word. What it refuses is the error.
Result<Json> ask_supervisor(const Json& request, const AskOptions& options);

}  // namespace sinew::supervisor
