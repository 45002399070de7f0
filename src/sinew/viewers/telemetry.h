// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/messages/world.h"
#include "sinew/spatial/pose.h"

namespace sinew::viewers {

/// The frame in which the robot stands.
inline constexpr std::string_view kWorldFrame = "world";

/// What stays while a robot runs.
struct RobotFacts {
  std::string name;                 ///< "scorbot-er3"
  std::string version;              ///< Of Sinew.
  std::string run;                  ///< Another one after each start, so that clients notice.
  std::string description;          ///< URDF.
  std::vector<std::string> joints;  ///< In the order of all arrays below.
};

/// Pose of a link C in the link P that carries it.
struct LinkPose {
  std::string parent;
  std::string child;
  Pose X_PC;
};

/// How much it matters; the numbers are those of diagnostic_msgs/DiagnosticStatus.
enum class Alarm : std::uint32_t { None = 0, Warning = 1, Error = 2 };

/// What the controller says of itself, in words.
struct SafetyNote {
  Alarm alarm = Alarm::None;
  std::string state;   ///< "running"
  std::string reason;  ///< "none"
  std::string text;    ///< A sentence for people.
  std::string who;     ///< Who asked for the stop; empty: nobody.
};

/// What the motion service is doing, in words.
struct MotionNote {
  std::string phase;            ///< "moving"
  double progress = 0.0;        ///< [1] 0 to 1.
  double remaining = 0.0;       ///< [s]
  double override_share = 1.0;  ///< [1]
  std::uint32_t queue_length = 0;
  std::string program;             ///< Its path; empty: none runs.
  std::uint32_t program_line = 0;  ///< From 1.
};

/// All that viewers are told of a robot at one time; the one source of every protocol.
struct Telemetry {
  std::uint64_t number = 0;       ///< Another one for each sample.
  std::int64_t stamp_ns = 0;      ///< Of the sample, since 1970; goes on as robot time does.
  std::vector<double> position;   ///< [rad, m]
  std::vector<double> velocity;   ///< [rad/s, m/s]
  std::vector<double> reference;  ///< [rad, m] What the device was told.
  std::vector<LinkPose> links;
  SafetyNote safety;
  MotionNote motion;
  std::uint64_t world_number = 0;    ///< Another one whenever the objects change.
  std::vector<WorldObject> objects;  ///< In kWorldFrame, or in the link that carries them.
};

}  // namespace sinew::viewers
