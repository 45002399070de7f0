// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/base/realtime.h"
#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/messages/io.h"
#include "sinew/messages/joints.h"

namespace sinew {

/// What a driver says of its device; asked after connect().
struct DeviceFacts {
  std::int64_t period_ns = kMillisecond_ns;          ///< The cycle that suits it.
  std::int64_t queue_ns = 0;                         ///< How far ahead it queues commands; counts as braking.
  std::int64_t watchdog_ns = 100 * kMillisecond_ns;  ///< After this silence it stops by itself.
  std::int64_t state_age_ns = 0;                     ///< How old its state usually is when it arrives.
  std::uint64_t joint_mask = 0;                      ///< Bit i: it moves joint i.
  bool has_homing = false;                           ///< home() does something.
  bool has_io = false;                               ///< read_io() and write_io() do something.
};

/// A robot as the controller sees it: SI commands in, SI state out. Real or simulated; nothing above can
/// tell.
///
/// One thread calls connect(), then read() and write() once per cycle, then disconnect(). Times are robot
/// time. Every driver passes drivers/test/driver_conformance.h.
class Driver {
 public:
  virtual ~Driver() = default;

  /// Opens the device. May block, allocate and fail. Moves nothing.
  virtual Status connect() = 0;

  virtual DeviceFacts facts() const = 0;

  /// Samples the device. Never waits: without news, `state.stamp_ns` stays old and says so. A lost device
  /// shows in state.fault_bits.
  virtual void read(std::int64_t now_ns, JointState& state) SINEW_REALTIME = 0;

  /// Sends one command; numbers that are not finite are not sent. When commands stop coming, the device must
  /// stop by itself and say kFaultWatchdog.
  virtual void write(const JointCommand& command) SINEW_REALTIME = 0;

  /// Samples inputs and outputs, after read(). Never waits: without news, `io` stays as it is.
  virtual void read_io(IoState& /*io*/) SINEW_REALTIME {}

  /// Sets outputs; numbers that are not finite are not sent. When commands stop coming, those in the fall
  /// masks of the last one go off.
  virtual void write_io(const IoCommand& /*command*/) SINEW_REALTIME {}

  /// Begins to look for the device's references: kFaultNotHomed rises at once, within 200 ms, and falls when
  /// it is done. Meanwhile commands have is_enabled = 0; one that has not ends it where it is.
  virtual void home() SINEW_REALTIME {}

  /// Clears what can be cleared of the device's faults.
  virtual void reset() SINEW_REALTIME = 0;

  /// Stops the motion, then closes the device. Safe to call twice.
  virtual void disconnect() noexcept = 0;
};

}  // namespace sinew
