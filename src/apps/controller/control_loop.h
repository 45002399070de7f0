// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "sinew/base/histogram.h"
#include "sinew/control/controller.h"
#include "sinew/control/output_gate.h"
#include "sinew/drivers/driver.h"

#include "apps/controller/attendant.h"
#include "apps/controller/channel_watch.h"
#include "apps/controller/control_channels.h"
#include "apps/controller/cycle_log.h"
#include "apps/controller/pace.h"

namespace sinew {

/// What a cycle touches. All of it must outlive the loop.
struct ControlParts {
  ControlChannels& channels;
  Controller& controller;
  Driver& driver;
  Attendant& attendant;
  ChannelWatch& watch;
  Pace& pace;
  CycleLog& log;        ///< Of that controller.
  OutputGate& outputs;  ///< Of that robot.
  std::int64_t period_ns = kMillisecond_ns;
  bool is_realtime = false;
  bool loads_are_efforts = false;  ///< What the device tells as load is an effort [N·m, N].
  bool is_restarted = false;       ///< Up as well while its device waits for a reset.
  int ready_descriptor = -1;       ///< Told "ready" when the robot is up; -1: nobody.
};

/// Runs until asked to stop, or until its channels are removed; then brakes and lets the device go. All
/// memory exists before it starts; from here on nothing allocates, locks, throws or logs.
void run_control_loop(const ControlParts& parts, const std::atomic<bool>& stop_requested) noexcept;

}  // namespace sinew
