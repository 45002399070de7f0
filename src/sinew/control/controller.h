// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/fixed_vector.h"
#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/control/guard.h"
#include "sinew/control/mux.h"
#include "sinew/control/segment_player.h"
#include "sinew/control/wish_smoother.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/safety.h"

namespace sinew {

struct ControlSettings {
  std::int64_t period_ns = kMillisecond_ns;
  std::int64_t stale_ns = 200 * kMillisecond_ns;  ///< A state older than this stops the robot.
  double time_constant = 1.335;                   ///< [s] Of the first-order filter: 95 % of the way in 4 s.
  double stiffness = 0.1;       ///< [1] Of the compliant filter: share of the way asked for at once.
  double tracking_limit = 0.5;  ///< [rad, m] Measured and sent further apart than this: a fault.
  bool starts_held = false;     ///< Waits for a reset before the first motion.
  std::string restarted_by{};  ///< With starts_held: who had it started anew; empty: the one before has died.
  std::int64_t queue_ns = 0;   ///< How far ahead the device has commands; the guard counts it as braking.
};

/// What happened in a cycle that others must be told of.
struct ControlEvents {
  bool is_news = false;       ///< `safety` says something new.
  bool has_stopped = false;   ///< The robot was stopped or has failed.
  bool wants_reset = false;   ///< The device is to clear its faults.
  bool wants_homing = false;  ///< The device is to look for its references.
};

/// What one cycle leads to.
struct ControlOutput {
  JointCommand command;  ///< For the driver, and for `processed`.
  Safety safety;         ///< For `safety`.
  ControlEvents events;
};

/// From wishes to commands: mux, limits, smoothing, guard, and the states a robot can be in.
///
/// Takes values and gives values; knows no channel and no clock. Inputs of one cycle come first, then one
/// step(). One thread; nothing but make() allocates.
class Controller {
 public:
  /// `model` and `shapes` must outlive this object. Refuses a model whose joints have no usable velocity,
  /// acceleration or jerk limit.
  static Result<std::unique_ptr<Controller>> make(const RobotModel& model, const RobotShapes& shapes,
                                                  const ControlSettings& settings = {});

  /// Names a source of references; at most kMaxSources. A larger priority wins.
  void set_source(std::size_t source, std::string_view name, int priority) SINEW_REALTIME;
  /// Of the planned motions among those sources.
  void set_segment_priority(int priority) SINEW_REALTIME { mux_.set_priority(kSegmentSource, priority); }

  /// True while a joint is on its way to where `source` wants it.
  bool is_commanded_by(std::size_t source, std::int64_t now_ns) const SINEW_REALTIME {
    return mux_.is_commanded_by(source, now_ns);
  }

  void take_reference(std::size_t source, const JointReference& reference,
                      std::int64_t now_ns) SINEW_REALTIME;
  /// A piece of a planned motion, from the channel `segments`, whose program has the place `writer` there.
  void take_segment(const Segment& piece, std::uint32_t writer = 0) SINEW_REALTIME;
  /// The program `who` at that place has died: its motions end, and their joints brake.
  void lose_writer(std::uint32_t writer, std::string_view who) SINEW_REALTIME;
  /// Channels of this controller were removed: nobody can stop it by them any more, so it brakes and stays.
  void lose_channels(std::int64_t now_ns) SINEW_REALTIME;
  /// Link `link` of the model begins or ceases to touch `thing`; told when a joint does not follow. kNoLink:
  /// nothing is touched any more.
  void take_contact(std::uint32_t link, std::string_view thing, bool is_touching) SINEW_REALTIME;
  static constexpr std::uint32_t kNoLink = ~std::uint32_t{0};
  /// The link of that name; kNoLink: there is none.
  std::uint32_t find_link(std::string_view name) const SINEW_REALTIME;
  /// The loads that the device tells are efforts [N·m, N].
  void take_loads_as_efforts() SINEW_REALTIME { loads_are_efforts_ = true; }
  /// From the channels `stop` and `command`.
  void take_request(const ControlRequest& request, std::int64_t now_ns) SINEW_REALTIME;
  /// From the channel `override`, whose rights are its own.
  void take_override(const ControlRequest& request, std::int64_t now_ns) SINEW_REALTIME;
  /// Objects that the robot must not touch, besides the bounds of its workspace; copied. What its solids
  /// point to must outlive its use. Refused when there is no room for all, and the world before it stays.
  void take_world(const Obstacles& world) SINEW_REALTIME;
  /// There is a world, but nobody can tell what is in it: until one is taken, the robot does not run.
  void miss_world() SINEW_REALTIME { misses_world_ = true; }
  /// The file in which the seconds before the last stop were saved, for `safety`.
  void take_recording(const std::array<char, 128>& file) SINEW_REALTIME;
  /// Counts an input that could not even be read: of the wrong size, or of a name that nobody knows.
  void refuse(std::string_view who, const RefusedInput& refused) SINEW_REALTIME;

  /// One cycle: `state` is the newest that the device has said.
  const ControlOutput& step(const JointState& state, std::int64_t now_ns) SINEW_REALTIME;

  /// Copies all that it remembers from this cycle to the next, but the world, into `bytes`. Answers how many
  /// are in use, zero when there are too few, and a fingerprint of their arrangement.
  struct Memory {
    std::size_t size = 0;
    std::uint64_t layout = 0;
  };
  /// Then forget_ways().
  Memory save_memory(std::span<std::byte> bytes) SINEW_REALTIME;
  /// Goes on from there: for a controller of the same robot and settings, after take_world(). False, and this
  /// controller is of no use any more, when `bytes` are of another build.
  [[nodiscard]] bool load_memory(std::span<const std::byte> bytes, std::uint64_t layout);

  /// Forgets what it keeps only to save work, so that it and a controller that goes on from its memory decide
  /// alike.
  void forget_ways() SINEW_REALTIME { guard_.forget(); }

  ControlState state() const noexcept { return output_.safety.state; }
  /// Of the last step().
  const ControlOutput& output() const noexcept { return output_; }

 private:
  Controller(const RobotModel& model, const RobotShapes& shapes, const ControlSettings& settings,
             std::vector<AxisLimits> limits, WishSmoother smoother, const Obstacles& workspace);

  void wait_for_device(const JointState& state, std::int64_t now_ns) SINEW_REALTIME;
  void come_up_held(std::int64_t now_ns) SINEW_REALTIME;
  void observe(const JointState& state, std::int64_t now_ns) SINEW_REALTIME;
  bool begin(const JointState& state) SINEW_REALTIME;
  void move(const JointState& state, std::int64_t now_ns) SINEW_REALTIME;
  void leave_at_rest(std::int64_t now_ns) SINEW_REALTIME;
  void play(const PlayerNews& news) SINEW_REALTIME;
  void give_way(const Wish& wish) SINEW_REALTIME;
  void keep_limits() SINEW_REALTIME;
  void tell_of_motions() SINEW_REALTIME;
  void forget_refusals() SINEW_REALTIME;
  bool have_others_moved() const SINEW_REALTIME;
  void release_wanted(const Wish& wish) SINEW_REALTIME;
  void release(std::uint64_t mask) SINEW_REALTIME;
  void guard_step(std::int64_t now_ns) SINEW_REALTIME;
  void hold(const GuardVerdict& verdict) SINEW_REALTIME;
  void describe(const GuardVerdict& verdict, std::uint64_t held) SINEW_REALTIME;
  void say_why(StopReason reason, std::uint64_t mask) SINEW_REALTIME;
  void stop_silent(const Wish& wish) SINEW_REALTIME;
  void enter(ControlState state, StopReason reason, std::string_view who, std::int64_t now_ns) SINEW_REALTIME;
  void fail(StopReason reason, const RefusedInput& what, std::int64_t now_ns) SINEW_REALTIME;
  void stop(std::string_view who, std::int64_t now_ns) SINEW_REALTIME;
  void halt(std::string_view who) SINEW_REALTIME;
  void brake(std::uint64_t mask) SINEW_REALTIME;
  void lag_behind(const JointState& state, std::size_t joint, std::int64_t now_ns) SINEW_REALTIME;
  void reset(std::string_view who, std::int64_t now_ns) SINEW_REALTIME;
  void home(std::string_view who, std::int64_t now_ns) SINEW_REALTIME;
  void watch_homing(const JointState& state, bool is_fresh, std::int64_t now_ns) SINEW_REALTIME;
  void begin_homing(std::int64_t now_ns) SINEW_REALTIME;
  bool is_homing_over(const JointState& state, std::int64_t now_ns) SINEW_REALTIME;
  void fill_command(std::int64_t now_ns) SINEW_REALTIME;
  std::uint64_t group_of(std::uint64_t joint_mask) const SINEW_REALTIME;
  bool is_up() const SINEW_REALTIME;

  // every member below that a cycle changes, but the world
  template <class Visit>
  void visit_memory(Visit& visit) SINEW_REALTIME {
    mux_.visit_memory(visit);
    smoother_.visit_memory(visit);
    player_.visit_memory(visit);
    visit(has_new_world_);
    visit(has_begun_);
    visit(is_reset_due_);
    visit(homing_since_ns_);
    visit(is_unhomed_);
    visit(comes_up_held_);
    visit(misses_world_);
    visit(loads_are_efforts_);
    visit(touched_);
    visit(reset_by_);
    visit(source_names_);
    visit(moving_mask_);
    visit(held_mask_);
    visit(reason_mask_);
    visit(refused_wish_);
    visit(refused_at_);
    visit(sent_);
    visit(led_);
    visit(overridden_until_ns_);
    visit(cycle_);
    visit(events_);
    visit(output_);
  }

  const RobotModel& model_;
  ControlSettings settings_;
  std::size_t joint_count_;
  std::uint64_t all_mask_;
  std::uint64_t enabled_mask_;
  std::vector<std::uint64_t> arm_masks_;
  std::vector<std::uint64_t> carried_by_;  // of each link, the joints that move it
  std::vector<AxisLimits> limits_;
  Mux mux_;
  WishSmoother smoother_;
  SegmentPlayer player_;
  Guard guard_;
  Obstacles workspace_;
  Obstacles world_;  // the workspace, then the objects around
  bool has_new_world_ = false;
  bool has_begun_ = false;  // the device has said where it is
  bool is_reset_due_ = false;
  std::int64_t homing_since_ns_ = 0;  // when the device was asked to
  bool is_unhomed_ = false;           // it has said since that it looks for its references
  bool comes_up_held_;
  bool misses_world_ = false;
  bool loads_are_efforts_ = false;
  /// Something that a link touches.
  struct Touch {
    std::uint32_t link = 0;
    std::array<char, 48> thing{};
  };
  FixedVector<Touch, 16> touched_;  // oldest first
  std::array<char, 32> reset_by_{};
  std::array<std::array<char, 32>, kMaxSources> source_names_{};
  std::uint64_t moving_mask_ = 0;
  std::uint64_t held_mask_ = 0;              // by the guard
  std::uint64_t reason_mask_ = 0;            // what `safety` says why of, while it runs
  JointArray refused_wish_{};                // what was wanted of the joints in held_mask_
  JointArray refused_at_{};                  // where all joints were then
  JointArray sent_{};                        // positions of the cycle before
  std::array<AxisState, kMaxJoints> led_{};  // where planned motions lead in this cycle
  std::int64_t overridden_until_ns_ = 0;
  std::uint64_t cycle_ = 0;
  ControlEvents events_;  // since the last step
  ControlOutput output_;
};

}  // namespace sinew
