// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/processes/identity.h"
#include "sinew/processes/run_folder.h"

#include "apps/supervisor/wire.h"

namespace sinew::supervisor {

// Who is there, told beside the channels: a run folder depends on the environment and may be removed, the
// channels of a space are where its robots are.

/// The word of a space's supervisor on its channel `supervisor`: its run folder and what it has started. It
/// writes there alone, so a space has one supervisor, wherever it was started.
class Presence {
 public:
  explicit Presence(const processes::RunFolder& folder) : folder_(folder) {}

  /// Refused while another supervisor of the space lives. Safe to call again.
  Status claim();

  /// Puts `robots`, rows with `name` and `processes`, if they differ from what was put last. Makes the
  /// channel again where somebody has removed it.
  void tell(const Json& robots);

  /// Takes the channel away: nothing is run here any more.
  void leave();

 private:
  processes::RunFolder folder_;
  std::unique_ptr<sinew_writer, channels::CloseWriter> writer_;
  std::string told_;
};

/// A process of a robot that lives, whoever has started it.
struct LivingPart {
  std::string robot;
  std::string role;     ///< As it calls itself, such as "controller".
  std::string channel;  ///< The one that it writes alone; empty: a supervisor has said that it started it.
  processes::ProcessIdentity identity;  ///< pid 0: in another PID namespace, or of another user.
  std::string program;
  std::int64_t since_wall_ns = 0;  ///< 0: not known.
};

/// What the supervisor of a space has said last.
struct SeenSupervisor {
  processes::ProcessIdentity identity;
  bool is_alive = false;
  std::string folder;               ///< Its run folder.
  std::vector<LivingPart> started;  ///< What it has started, dead or alive.
};
std::optional<SeenSupervisor> see_supervisor(const std::string& space);

/// The processes of robot `robot` that live, or of all robots of the space when it is empty: in the order in
/// which they were started, as far as that is known.
std::vector<LivingPart> living_parts(const std::string& space, const std::string& robot);

/// "controller of mds (pid 12, program sinew-controller, since 2026-11-19 21:30:00)".
std::string part_text(const LivingPart& part);

/// The run folder of the space's supervisor where one lives, also of one that was started from another
/// environment; else the one of this environment. A folder that was removed is waited for: its supervisor
/// makes it again.
Result<processes::RunFolder> folder_in_use(const std::string& space);

}  // namespace sinew::supervisor
