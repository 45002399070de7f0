// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/web/routes.h"
#include "sinew/web/server.h"

#include "apps/cli/robot_link.h"

namespace sinew {

/// Where requests of the web meet a running robot: asks its motion service, waits for the answers, and tells
/// its state. A robot that is not up, or has gone, is looked for again. One thread.
class RobotDesk {
 public:
  explicit RobotDesk(cli::RobotLink::Options options) : options_(std::move(options)) {}

  /// Asks for the motion; answered when it is over, or after the time it wants and kLongestWait_ns.
  void move(const web::ArmTarget& target, web::Server::Answer answer, std::int64_t now_ns);
  /// Joints, safety, and who controls.
  web::HttpAnswer state();
  /// What there is, in words.
  web::HttpAnswer front_page();

  /// Hands on what the motion service has answered, and gives up on what takes too long. Answers when to look
  /// again [ns].
  std::int64_t look(std::int64_t now_ns);

  static constexpr std::size_t kMostWaiting = 16;
  static constexpr std::int64_t kLongestWait_ns = 120 * kSecond_ns;

 private:
  struct Waiting {
    std::uint64_t number = 0;
    web::ArmTarget target;
    web::Server::Answer answer;
    std::int64_t since_ns = 0;
    std::int64_t until_ns = 0;
  };

  /// The robot, with what it says now; or why it cannot be had.
  Result<cli::RobotLink*> robot();

  cli::RobotLink::Options options_;
  std::optional<cli::RobotLink> link_;
  std::vector<Waiting> waiting_;
};

}  // namespace sinew
