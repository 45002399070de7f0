// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/schemas.h"

namespace sinew {

/// Where the hand shall be, in the arm's base.
struct HandTarget {
  double x = 0.0;      ///< [m] Of the grip point.
  double y = 0.0;      ///< [m]
  double z = 0.0;      ///< [m]
  double roll = 0.0;   ///< [rad] About the hand's own axis.
  double pitch = 0.0;  ///< [rad] Down is positive.
  double hand = -1.0;  ///< [m] Between the fingers, once the arm is there; below zero: as they are.
  double time = 0.0;   ///< [s] That the arm takes; 0: as fast as its limits allow.
};

/// A robot that runs, for small programs: where it is, and motions asked of it, each answered. One thread.
class LiveRobot {
 public:
  /// Refused when no such robot runs in the space.
  static Result<LiveRobot> open(const std::string& robot, const std::string& space = "default",
                                const std::string& who = "program");

  /// What the controller said last.
  Result<JointState> state();

  /// Brings the hand there; waits for it. What was not carried out is refused with the reason.
  Result<Reply> move_to(const HandTarget& target);

  /// Asks anything of the motion service and waits for its last reply.
  Result<Reply> ask(Request request, std::int64_t patience_ns = 600 * kSecond_ns);

 private:
  LiveRobot(std::string who, Reader<JointState> state, Writer<Request> request, Reader<Reply> reply)
      : who_(std::move(who)),
        state_(std::move(state)),
        request_(std::move(request)),
        reply_(std::move(reply)) {}

  std::string who_;
  Reader<JointState> state_;
  Writer<Request> request_;
  Reader<Reply> reply_;
};

}  // namespace sinew
