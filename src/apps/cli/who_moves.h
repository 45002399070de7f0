// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/messages/motion.h"
#include "sinew/messages/requests.h"
#include "sinew/model/robot_model.h"

#include "apps/cli/robot_link.h"

namespace sinew::cli {

/// A request to the motion service that moves something and has not ended.
struct OpenRequest {
  std::uint64_t number = 0;
  std::string who;
  std::uint64_t joint_mask = 0;
};

/// Those that are open, from what is still kept of requests and replies, each in its order. `numbers`: of the
/// requests.
std::vector<OpenRequest> open_requests(const RobotModel& model, std::span<const std::uint64_t> numbers,
                                       std::span<const Request> requests, std::span<const Reply> replies);

/// Who else moves joints of the mask now, or is about to: by requests, a program, a key that is held, or a
/// reference of their own. Each once, never `robot.who()`.
std::vector<std::string> who_moves(RobotLink& robot, std::uint64_t joint_mask);

/// The joints that a request or an arm is about; all where it does not say.
std::uint64_t joints_of_arm(const RobotModel& model, std::string_view arm);

/// "'a', 'b'"
std::string quoted(std::span<const std::string> names);

}  // namespace sinew::cli
