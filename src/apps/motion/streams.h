// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/jog.h"
#include "sinew/model/load_robot.h"
#include "sinew/motion/jogger.h"
#include "sinew/motion/master_follower.h"
#include "sinew/motion/motion_service.h"

#include "apps/motion/motion_channels.h"

namespace sinew {

/// Jogging and following of one robot, on their channels: `jog`, `jogging`, `clutch`, and the master's
/// `state`. What they move must not be moved by the motion service, and the other way round.
class Streams {
 public:
  /// Its arguments must outlive it. Makes the channels that are missing: members of the group may jog.
  static Result<std::unique_ptr<Streams>> open(const std::string& robot, const std::string& space,
                                               const RobotModel& model, MotionService& service,
                                               MotionChannels& channels);

  /// Takes a request that is about streams; false: it is not, or others must hear of it as well.
  bool take_request(std::uint64_t number, const Request& request, std::int64_t now_ns);

  /// Reads, carries on and writes. `now_ns`: robot time.
  void step(std::int64_t now_ns);
  /// Brings all to rest, as far as steps to come allow.
  void stop(const std::string& why);

  /// Whether step() is wanted often.
  bool is_busy() const { return jogger_.is_busy() || follower_.is_busy(); }
  /// What they are doing; nothing: they rest.
  std::optional<MotionPhase> phase() const;
  /// For poll(): readable when somebody jogs.
  int descriptor() { return jog_.descriptor(); }

 private:
  Streams(std::string space, const RobotModel& model, MotionService& service, MotionChannels& channels,
          Reader<JogWish> jog, Reader<Clutch> clutch, Writer<JogState> jogging);

  Status may_jog(std::string_view who, std::uint64_t joint_mask) const;
  Status begin_following(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void take_wishes(std::int64_t now_ns);
  void take_master(std::int64_t now_ns);
  void answer(std::uint64_t number, const std::string& why, std::int64_t now_ns);
  void put(const std::vector<Segment>& segments, const std::optional<JointReference>& reference);

  std::string space_;
  MotionService& service_;
  MotionChannels& channels_;
  Reader<JogWish> jog_;
  Reader<Clutch> clutch_;
  Writer<JogState> jogging_;
  Jogger jogger_;
  MasterFollower follower_;
  std::unique_ptr<LoadedRobot> master_;
  std::optional<Reader<JointState>> master_state_;
  Frame<JogWish> wish_{};
  Frame<Clutch> clutch_frame_{};
  Frame<JointState> master_frame_{};
};

}  // namespace sinew
