// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sinew/channels/channel.h"
#include "sinew/control/controller.h"
#include "sinew/messages/cycle.h"
#include "sinew/messages/schemas.h"

namespace sinew {

/// What an input speaks of by its number.
struct InputMessage {
  const Obstacles* world = nullptr;  ///< With InputKind::World: what the message means.
  const Segment* segment = nullptr;  ///< With InputKind::Segment.
};

/// Gives one input to the controller. The only way in, live as well as when a recording is run again.
void give_input(Controller& controller, const TakenInput& input, const InputMessage& message) SINEW_REALTIME;

/// Tells on the channels `run`, `taken`, `cycle` and `snapshot` all that the controller decides from, so that
/// a recording of them, `state`, `world` and `segments` can be run through the same code again
/// (replay_run.h).
///
/// One thread; nothing but open() allocates.
class CycleLog {
 public:
  /// `controller` must outlive this object.
  static Result<std::unique_ptr<CycleLog>> open(const std::string& robot, const std::string& space,
                                                const ControlRun& run, Controller& controller);

  /// Gives an input to the controller and tells of it; cycle and stamp are filled in here.
  void give(TakenInput input, std::int64_t now_ns, const InputMessage& message = {}) SINEW_REALTIME;

  /// After a step that saw the message `state` of the channel `state`, and whose command has been put.
  void end_cycle(std::uint64_t state) SINEW_REALTIME;

 private:
  struct Channels {
    Writer<ControlRun> run;
    Writer<TakenInput> taken;
    Writer<Cycle> cycle;
    Writer<ControlSnapshot> snapshot;
  };
  CycleLog(Channels channels, Controller& controller);
  void put_snapshot() SINEW_REALTIME;

  Channels channels_;
  Controller& controller_;
  std::uint32_t taken_ = 0;  // since the last step
  std::uint64_t world_ = 0;  // number of the message in use
  std::int64_t told_snapshot_ns_ = 0;
  ControlSnapshot snapshot_;
};

}  // namespace sinew
