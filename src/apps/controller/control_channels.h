// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/grasp.h"
#include "sinew/messages/health.h"
#include "sinew/messages/io.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"

namespace sinew {

/// Two seconds at 1 kHz: enough for the recorder to fall behind now and then.
inline constexpr std::uint32_t kCyclesKept = 2048;

/// As whom the controller speaks, and stops the robot when it is asked to end.
inline constexpr std::string_view kController = "controller";

/// The controller alone writes its channels, and the one before it may not have been buried yet.
inline constexpr std::uint32_t kControlWriters = 2;

/// The channels of one robot that its controller has open from beginning to end.
struct ControlChannels {
  Writer<JointState> state;
  Writer<JointCommand> processed;
  Writer<Safety> safety;
  Writer<Health> health;
  Reader<ControlRequest> stop;
  Reader<ControlRequest> command;
  Reader<ControlRequest> override_;
  Reader<Segment> segments;
  Writer<IoState> io;
  Reader<IoCommand> io_command;
  std::optional<Reader<ContactEvent>> contacts;  ///< Where the device tells what touches.
  std::string robot;                             ///< Prefix of all their names.
  /// A controller before this one has not ended in order: the robot may have been moving.
  bool was_up = false;
  /// A controller before this one let the robot run, was asked to end, and has ended in order.
  bool ended_well = false;
};

/// Opens the channels of `robot`, and makes those that are missing: anybody of this machine may stop, members
/// of the group may command, switch outputs and send planned motions, and only the owner may override.
/// Refused while another controller of this robot lives: what a controller says it says alone.
Result<ControlChannels> open_control_channels(const std::string& robot, const std::string& space);

}  // namespace sinew
