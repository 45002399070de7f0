// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/messages/jog.h"
#include "sinew/motion/live_motion.h"

namespace sinew {

struct JogSettings {
  LiveSettings live{};
  double linear = 0.25;                                 ///< [m/s] Of the tool, at most.
  double angular = 0.5;                                 ///< [rad/s] Of the tool, at most.
  std::int64_t usual_lease_ns = 150 * kMillisecond_ns;  ///< Of a wish that says none.
  std::int64_t longest_lease_ns = 500 * kMillisecond_ns;
};

/// What others must be told.
struct JogOutput {
  std::vector<Segment> segments;            ///< For `segments`, in order.
  std::optional<JointReference> reference;  ///< For `ref/motion`: joints that creep shall stand still.
  std::optional<JogState> state;            ///< For `jogging`.
};

/// Carries out wishes of somebody who holds a key: joints, or the tool along the axes of a frame, as long as
/// wishes come; or one step of a given size. One at a time jogs; another waits until he has let go.
///
/// Takes values and gives values; knows no channel and no clock. One thread.
class Jogger {
 public:
  /// The number of its first motion for the controller; requests never come so far.
  static constexpr std::uint64_t kFirstMotion = 1'000'000'000;

  /// `model` and `room` must outlive it.
  Jogger(const RobotModel& model, RouteFinder& room, const JogSettings& settings = {});

  /// Who may jog these joints now; without it everybody may.
  using Permission = std::function<Status(std::string_view who, std::uint64_t joint_mask)>;
  void set_permission(Permission may_jog) { may_jog_ = std::move(may_jog); }

  /// A wish whose velocities are all zero lets go, and is never refused.
  void take_wish(const JogWish& wish, const RobotView& robot, std::int64_t now_ns);
  /// A wish from before this service began, put `age_ns` ago: whose key that is has to let go, or to be
  /// silent for longer than the lease, before he is heard. So nothing moves on by itself when a service is
  /// brought back.
  void take_old_wish(const JogWish& wish, std::int64_t age_ns);
  /// Somebody asked for a stop: what is being done ends, and the wish with it.
  void stop() { wish_.reset(); }

  /// Carries on. The output lives until the next call.
  const JogOutput& step(const RobotView& robot, std::int64_t now_ns);

  /// Whether step() is wanted often.
  bool is_busy() const { return wish_.has_value() || live_.joint_mask() != 0; }
  /// The joints that it moves.
  std::uint64_t joint_mask() const { return live_.joint_mask(); }
  const JogState& state() const { return state_; }

 private:
  /// A wish that has been understood.
  struct Wish {
    JogWish message;
    std::int64_t until_ns = 0;
    const ArmSolver* arm = nullptr;  // of whose tool it speaks; null: of joints
    std::uint64_t joint_mask = 0;    // taken in hand for it
  };

  void let_go(const JogWish& wish, std::int64_t now_ns);
  Result<Wish> understand(const JogWish& wish, std::int64_t now_ns);
  Status check_numbers(const JogWish& wish) const;
  Status check_joints(std::uint64_t joint_mask) const;
  Status check_time(const JogWish& wish, std::int64_t now_ns) const;
  Status check_step(const JogWish& wish) const;
  std::int64_t lease_of(const JogWish& wish) const;
  Result<const ArmSolver*> arm_named(const std::string& arm, const std::string& tool);
  std::uint64_t joints_around(std::uint64_t joint_mask) const;
  bool has_wish(std::int64_t now_ns);
  bool is_of_old_press(const JogWish& wish);
  bool take_in_hand(const RobotView& robot, std::int64_t now_ns);
  void move(const RobotView& robot, std::int64_t now_ns);
  void make_step(const RobotView& robot, std::int64_t now_ns);
  Result<Trajectory> plan_step(std::span<const double> q_all) const;
  Status check_step_room(const Trajectory& trajectory, std::span<const double> q_all) const;
  LiveWish live_wish(std::int64_t at_ns, double& share) const;
  Quaternion axes_of_wish(std::span<const AxisState> states) const;
  void end_with_rest(const RobotView& robot, std::int64_t now_ns);
  void say(JogPhase phase, JogReason reason, const std::string& words);

  const RobotModel& model_;
  RouteFinder& room_;
  JogSettings settings_;
  std::uint64_t enabled_mask_;
  Permission may_jog_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<ArmSolver>> arms_;
  LiveMotion live_;
  std::map<std::string, std::int64_t, std::less<>> old_presses_;  // by who: until when silence is no release
  std::uint64_t next_motion_ = kFirstMotion;
  std::optional<Wish> wish_;
  bool has_halted_ = false;  // joints that creep were told to stand
  JogState state_;
  bool has_news_ = false;
  JogOutput output_;
};

}  // namespace sinew
