// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include "sinew/base/result.h"

namespace sinew::bench {

/// iceoryx's daemon, which all its processes need. It ends with this object, and with the process that
/// started it, whatever ends that.
class RouDi {
 public:
  RouDi() = default;
  ~RouDi() { stop(); }
  RouDi(const RouDi&) = delete;
  RouDi& operator=(const RouDi&) = delete;

  /// Starts `iox-roudi` and waits until it takes clients.
  Status start();

  /// Asks it to end, so that it removes its files, and waits until it has.
  void stop();

 private:
  Status wait_until_ready();

  pid_t pid_ = -1;
  int output_ = -1;  ///< What it prints, in memory.
};

}  // namespace sinew::bench
