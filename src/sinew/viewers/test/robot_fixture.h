// SPDX-License-Identifier: BSD-3-Clause
// A small robot and what it says, for the tests and fuzzers of this room.
#pragma once

#include "sinew/base/fixed_string.h"
#include "sinew/viewers/session.h"
#include "sinew/viewers/telemetry.h"

namespace sinew::viewers {

inline RobotFacts small_robot() {
  return {.name = "arm",
          .version = "1.2.3",
          .run = "run-7",
          .description = "<robot name=\"arm\"/>\n",
          .joints = {"shoulder", "elbow"}};
}

inline Permit may_command() {
  return {.may_command = true, .why_not = ""};
}

inline WorldObject object_of(ObjectKind kind, const char* name, std::array<double, 3> size) {
  WorldObject object{.kind = kind, .position = {1.0, 2.0, 3.0}, .size = size};
  set_text(object.name, name);
  return object;
}

inline Telemetry small_sample() {
  return {.number = 41,
          .stamp_ns = 1'700'000'000'000'000'005,
          .position = {0.5, -1.25},
          .velocity = {0.0, 0.125},
          .reference = {0.5, -1.5},
          .links = {{.parent = "world", .child = "base"},
                    {.parent = "base",
                     .child = "upper",
                     .X_PC = {.rotation = {0.0, 1.0, 0.0, 0.0}, .position = {0.1, 0.2, 0.3}}}},
          .safety = {.alarm = Alarm::Error,
                     .state = "stopped",
                     .reason = "requested",
                     .text = "stopped by \"ada\"",
                     .who = "ada"},
          .motion = {.phase = "moving",
                     .progress = 0.25,
                     .remaining = 1.5,
                     .override_share = 0.5,
                     .queue_length = 2,
                     .program = "pick.robot",
                     .program_line = 7},
          .world_number = 3,
          .objects = {object_of(ObjectKind::Box, "table", {1.0, 0.5, 0.25})}};
}

}  // namespace sinew::viewers
