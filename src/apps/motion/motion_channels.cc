// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/motion_channels.h"

#include <utility>

namespace sinew {
namespace {

constexpr std::uint32_t kGroupMayAsk = 0660;
constexpr std::uint32_t kRequestsKept = 256;
constexpr std::uint32_t kRepliesKept = 1024;
constexpr std::uint32_t kPartsKept = 128;
// as the controller makes them, whoever comes first
constexpr std::uint32_t kCyclesKept = 2048;
constexpr std::uint32_t kSegmentsKept = 128;

}  // namespace

Result<MotionChannels> open_motion_channels(const std::string& robot, const std::string& space) {
  const auto place = [&](const char* name, std::uint32_t depth, std::uint32_t mode = 0) {
    return ChannelPlace{
        .name = robot + "/" + name, .space = space, .sender = "motion", .depth = depth, .mode = mode};
  };
  // requests kept from before are looked at once, to see which were left open
  auto request = Reader<Request>::open(place("request", kRequestsKept, kGroupMayAsk), SINEW_START_OLDEST);
  if (!request) return request.error();
  auto trajectory = Reader<TrajectoryPart>::open(place("trajectory", kPartsKept, kGroupMayAsk));
  if (!trajectory) return trajectory.error();
  auto state = Reader<JointState>::open(place("state", kCyclesKept));
  if (!state) return state.error();
  auto processed = Reader<JointCommand>::open(place("processed", kCyclesKept));
  if (!processed) return processed.error();
  auto safety = Reader<Safety>::open(place("safety", 256));
  if (!safety) return safety.error();
  // one answers what is asked of a robot
  ChannelPlace of_reply = place("reply", kRepliesKept);
  of_reply.is_alone = true;
  auto reply = Writer<Reply>::open(of_reply);
  if (!reply) return reply.error();
  auto reference = Writer<JointReference>::open(place("ref/motion", 64));
  if (!reference) return reference.error();
  auto segments = Writer<Segment>::open(place("segments", kSegmentsKept, kGroupMayAsk));
  if (!segments) return segments.error();
  auto world = Writer<World>::open(place("world", 4));
  if (!world) return world.error();
  auto health = Writer<Health>::open(place("health-motion", 64));
  if (!health) return health.error();
  ChannelPlace of_motion = place("motion", 256);
  of_motion.is_alone = true;
  auto motion = Writer<MotionState>::open(of_motion);
  if (!motion) return motion.error();
  auto io = Reader<IoState>::open(place("io", 64));
  if (!io) return io.error();
  auto io_command = Writer<IoCommand>::open(place("io_command", 64, kGroupMayAsk));
  if (!io_command) return io_command.error();
  return MotionChannels{.request = *std::move(request),
                        .trajectory = *std::move(trajectory),
                        .state = *std::move(state),
                        .processed = *std::move(processed),
                        .safety = *std::move(safety),
                        .reply = *std::move(reply),
                        .reference = *std::move(reference),
                        .segments = *std::move(segments),
                        .world = *std::move(world),
                        .health = *std::move(health),
                        .motion = *std::move(motion),
                        .io = *std::move(io),
                        .io_command = *std::move(io_command),
                        .clock = RobotClock(robot, space)};
}

}  // namespace sinew
