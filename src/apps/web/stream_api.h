// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "apps/web/api_call.h"
#include "apps/web/background.h"
#include "apps/web/motion_api.h"
#include "apps/web/program_store.h"
#include "apps/web/robot_desk.h"
#include "apps/web/stream_motion.h"
#include "apps/web/stream_recorder.h"
#include "apps/web/stream_store.h"

namespace sinew {

/// The calls that record the robot's motion as a stream, change streams, move along them again, and make
/// programs of them. All parts must outlive the rows. One thread.
class StreamApi {
 public:
  struct Parts {
    RobotDesk& robot;
    MotionApi& motion;
    ProgramStore& programs;
    StreamStore& streams;
    Background& background;
  };
  explicit StreamApi(const Parts& parts) : parts_(parts) {}

  std::vector<ApiRow> rows();

  /// Looks where the robot is, while that is recorded. To be called again after the pause [ns] that it
  /// answers with.
  std::int64_t look();

  /// Counts up with every change of a stream, and when a recording begins or ends.
  std::uint64_t changes() const { return parts_.streams.changes() + begun_; }

 private:
  void list(const ApiCall& call) const;
  void read(const ApiCall& call) const;
  void record(const ApiCall& call);
  void end(const ApiCall& call);
  void change(const ApiCall& call);
  void run(const ApiCall& call);
  void make_program(const ApiCall& call);
  void begin_replay(const ApiCall& call, const StreamReplay& replay);
  void finish(const ApiCall& call, const Status& status) const;
  ApiRow turn(std::string_view path, Status (StreamStore::*way)());

  Parts parts_;
  StreamRecorder recorder_;
  std::uint64_t begun_ = 0;
  std::uint64_t trajectories_ = 0;
};

}  // namespace sinew
