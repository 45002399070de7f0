// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "sinew/motion/motion_service.h"
#include "sinew/motion/program_service.h"
#include "sinew/motion/target_service.h"

#include "apps/motion/client_watch.h"
#include "apps/motion/hold_lookout.h"
#include "apps/motion/motion_channels.h"
#include "apps/motion/motor_service.h"
#include "apps/motion/request_lookout.h"
#include "apps/motion/streams.h"

namespace sinew {

/// Answers what an earlier service of this robot has left open, and takes over the world that it has left.
void take_over(MotionChannels& channels, MotionService& service, const std::string& robot,
               const std::string& space);

/// What the loop connects.
struct MotionParts {
  MotionChannels& channels;
  MotionService& service;
  ProgramService& programs;
  TargetService& targets;
  MotorService& motors;
  Streams& streams;
  RequestLookout& lookout;
  HoldLookout& holds;
  ClientWatch& client;
  /// Set by the loop, to be called again and again while something is planned: what is under way goes on.
  std::function<void()>& keep_moving;
};

/// Answers and carries out requests until asked to stop, or until its channels are removed.
Status run_motion_loop(const MotionParts& parts, const std::atomic<bool>& stop_requested);

}  // namespace sinew
