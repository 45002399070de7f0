// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "sinew/processes/identity.h"
#include "sinew/processes/run_folder.h"

namespace sinew::supervisor {

/// A small process that sees to it that its supervisor is brought back when it dies, as the supervisor sees
/// to it that there is a guardian: whichever of the two is killed, the other one starts it anew. Driven by
/// look().
class Guardian {
 public:
  /// `quick_deaths`: of supervisors before this one, in a row.
  Guardian(const processes::RunFolder& folder, unsigned quick_deaths);
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  /// Starts it where there is none.
  void look(std::int64_t now_ns);
  /// Ends it: from here on nobody brings the supervisor back.
  void end();

  /// Readable when it has died; -1: there is none.
  int watch() const { return watch_; }
  std::int64_t next_look_ns() const;

 private:
  void start(std::int64_t now_ns);
  void bury();

  processes::RunFolder folder_;
  unsigned quick_deaths_;
  processes::ProcessIdentity identity_;
  int watch_ = -1;
  std::int64_t due_ns_ = 0;
};

/// The life of a guardian: waits for the death of `ward`, then becomes a supervisor of the space itself.
/// Returns only when that cannot be.
int guard(const std::string& space, const processes::ProcessIdentity& ward, unsigned quick_deaths);

}  // namespace sinew::supervisor
