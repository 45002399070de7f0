// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/live_robot.h"

#include <utility>

#include "sinew/base/fixed_string.h"

namespace sinew {

Result<LiveRobot> LiveRobot::open(const std::string& robot, const std::string& space,
                                  const std::string& who) {
  const auto place = [&](const char* name) {
    return ChannelPlace{.name = robot + "/" + name, .space = space, .sender = who, .may_create = false};
  };
  auto state = Reader<JointState>::open(place("state"));
  if (!state) return state.error();
  auto request = Writer<Request>::open(place("request"));
  if (!request) return request.error();
  auto reply = Reader<Reply>::open(place("reply"), SINEW_START_NOW);
  if (!reply) return reply.error();
  return LiveRobot(who, *std::move(state), *std::move(request), *std::move(reply));
}

Result<JointState> LiveRobot::state() {
  Frame<JointState> frame{};
  const int status = state_.read_newest(frame);
  if (status == SINEW_OK) return frame.message;
  return error_from_status(status, "reading where the robot is");
}

Result<Reply> LiveRobot::move_to(const HandTarget& target) {
  return ask({.verb = RequestVerb::MoveTarget,
              .position = {target.x, target.y, target.z},
              .rpy = {target.roll, target.pitch, 0.0},
              .duration = target.time,
              .value = target.hand});
}

Result<Reply> LiveRobot::ask(Request request, std::int64_t patience_ns) {
  const auto now = state();
  if (!now) return now.error();
  request.stamp_ns = now->stamp_ns;
  set_text(request.who, who_);
  std::uint64_t number = 0;
  if (const int status = request_.put(request, &number); status != SINEW_OK)
    return error_from_status(status, "asking for a motion");
  const std::int64_t deadline_ns = monotonic_now_ns() + patience_ns;
  Frame<Reply> frame{};
  while (true) {
    while (reply_.read_next(frame) == SINEW_OK) {
      const Reply& reply = frame.message;
      if (reply.request != number || reply.status == ReplyStatus::Accepted) continue;
      if (reply.status == ReplyStatus::Done) return reply;
      return Error{ErrorCode::Denied, std::string(text_of(reply.reason))};
    }
    if (const int status = reply_.wait(deadline_ns); status != SINEW_OK)
      return error_from_status(status, "waiting for the end of a motion");
  }
}

}  // namespace sinew
