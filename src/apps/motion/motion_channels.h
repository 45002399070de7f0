// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/drivers/robot_clock.h"
#include "sinew/messages/health.h"
#include "sinew/messages/io.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/motion.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"
#include "sinew/messages/trajectory.h"
#include "sinew/messages/world.h"

namespace sinew {

/// The channels of one robot that its motion service has open from beginning to end.
struct MotionChannels {
  Reader<Request> request;
  Reader<TrajectoryPart> trajectory;
  Reader<JointState> state;
  Reader<JointCommand> processed;
  Reader<Safety> safety;
  Writer<Reply> reply;
  Writer<JointReference> reference;
  Writer<Segment> segments;
  Writer<World> world;
  Writer<Health> health;
  Writer<MotionState> motion;
  Reader<IoState> io;
  Writer<IoCommand> io_command;
  RobotClock clock;
};

/// Opens the channels of `robot`, and makes those that are missing: members of the group may ask.
Result<MotionChannels> open_motion_channels(const std::string& robot, const std::string& space);

}  // namespace sinew
