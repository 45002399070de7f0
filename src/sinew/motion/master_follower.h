// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/jog.h"
#include "sinew/messages/requests.h"
#include "sinew/motion/follow_text.h"
#include "sinew/motion/live_motion.h"
#include "sinew/motion/master_track.h"

namespace sinew {

struct FollowSettings {
  LiveSettings live{};
  std::int64_t silence_ns = 100 * kMillisecond_ns;  ///< Of a master, after which it is dead.
  std::int64_t patience_ns = 10 * kSecond_ns;       ///< For joints that others move to come to rest.
};

/// What others must be told.
struct FollowOutput {
  std::vector<Reply> replies;
  std::vector<Segment> segments;            ///< For `segments`, in order.
  std::optional<JointReference> reference;  ///< For `ref/motion`: joints that creep shall stand still.
};

/// One robot's tool or joints follow another's, scaled, while the clutch is engaged: from where both are when
/// it is. A master that falls silent ends it, smoothly; one that jumps, or whose time goes back, is followed
/// on from where it then is. Whatever the master does, the follower keeps its limits and its distance from
/// obstacles, and makes good later what it could not do at once.
///
/// Takes values and gives values; knows no channel and no clock. One thread.
class MasterFollower {
 public:
  /// `model` and `room` must outlive it.
  MasterFollower(const RobotModel& model, RouteFinder& room, const FollowSettings& settings = {});

  /// Begins; `master` must outlive its use. Request `number`; its answer comes with the next step().
  Status begin(std::uint64_t number, const FollowTask& task, const RobotModel& master, std::int64_t now_ns);
  /// What the master says, and when it came, by the follower's time.
  void take_master(const JointState& state, std::int64_t came_ns);
  void take_clutch(const Clutch& clutch, std::int64_t now_ns);
  /// Ends it, smoothly.
  void stop(ReplyStatus status, const std::string& why);

  /// Carries on. The output lives until the next call.
  const FollowOutput& step(const RobotView& robot, std::int64_t now_ns);

  bool is_busy() const { return phase_ != Phase::Idle; }
  bool is_engaged() const { return is_engaged_; }
  std::uint64_t number() const { return number_; }
  /// The joints that it moves, or is about to.
  std::uint64_t joint_mask() const { return joint_mask_; }
  /// What came of the last step.
  const LiveOutcome& outcome() const { return outcome_; }

 private:
  enum class Phase { Idle, Waiting, Following, Ending };
  /// Where both were when the clutch was engaged.
  struct Anchor {
    std::vector<AxisState> master;
    Pose X_MT;  // of the master's tool
    std::vector<AxisState> own;
    Pose X_BT;
  };

  Status match_joints(const RobotModel& master);
  void wait(const RobotView& robot, std::int64_t now_ns);
  void follow(const RobotView& robot, std::int64_t now_ns);
  void look_at_clutch(std::int64_t now_ns);
  void drop_anchor(std::int64_t now_ns);
  void note_lag(const RobotView& robot);
  std::int64_t ahead_ns(std::int64_t now_ns) const;
  LiveWish wish_for_joints(std::span<const AxisState> master, std::span<const AxisState> own) const;
  LiveWish wish_for_tool(std::span<const AxisState> master, std::span<const AxisState> own) const;
  ToolMotion wanted_tool(std::span<const AxisState> master) const;
  ToolMotion master_tool(std::span<const AxisState> joints) const;
  Pose own_tool(std::span<const AxisState> joints) const;
  void answer(ReplyStatus status, const std::string& words, std::int64_t now_ns);

  const RobotModel& model_;
  FollowSettings settings_;
  LiveMotion live_;
  Phase phase_ = Phase::Idle;
  std::uint64_t number_ = 0;
  std::uint64_t joint_mask_ = 0;
  std::int64_t asked_ns_ = 0;
  FollowTask task_;
  std::unique_ptr<ArmSolver> arm_;
  std::unique_ptr<ArmSolver> master_arm_;
  std::vector<std::size_t> master_joint_;  // for each joint in hand, in the order of the mask
  std::optional<MasterTrack> track_;
  std::optional<Anchor> anchor_;
  bool is_engaged_ = false;
  std::optional<Clutch> clutch_;
  bool has_halted_ = false;
  // by how long the joints are behind what they were sent: its least squares over the last seconds
  double lag_by_speed_ = 0.0;
  double speed_squared_ = 0.0;
  ReplyStatus end_status_ = ReplyStatus::Aborted;
  std::string end_words_;
  LiveOutcome outcome_;
  FollowOutput output_;
};

}  // namespace sinew
