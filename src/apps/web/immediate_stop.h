// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/accounts/stop_rights.h"
#include "sinew/drivers/robot_clock.h"
#include "sinew/web/http.h"
#include "sinew/web/server.h"

#include "apps/web/stop_presses.h"

namespace sinew {

/// STOP at once: from a request or a message of a socket to the controller's channel, past all that others
/// have asked for. What it cannot decide at once (who is not known yet, a body that is odd, a robot that does
/// not run) goes the ordinary way, where it is refused or told.
///
/// Used in the thread that waits for bytes; set_rights() in any.
class ImmediateStop {
 public:
  struct Options {
    std::string robot;
    std::string space;
    std::vector<std::string> host_names;  ///< Of this machine: see web/visitor.h.
  };
  explicit ImmediateStop(Options options);

  /// Who may stop, from now on.
  void set_rights(accounts::StopRights rights);
  /// The answer to POST /api/stop.
  std::optional<web::HttpAnswer> answer(const web::HttpRequest& request);
  /// Whether it was {"op": "stop"}, and is done.
  bool take(const web::HttpRequest& opened_by, const web::SocketMessage& message);

  web::Server::Options::AtOnce at_once();

 private:
  bool stop(const web::HttpRequest& from, std::uint64_t press);
  bool tell_controller(const std::string& who);

  Options options_;
  RobotClock clock_;
  StopPresses presses_;
  std::mutex mutex_;
  accounts::StopRights rights_;
};

}  // namespace sinew
