// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/controller.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/base/fixed_string.h"
#include "sinew/collision/workspace.h"
#include "sinew/control/joint_masks.h"
#include "sinew/control/memory.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

constexpr std::int64_t kLongestOverride_ns = 600 * kSecond_ns;

/// Clocks of one machine agree, and a cycle may be late: a state stamped further ahead than this is a
/// mistake.
constexpr std::int64_t kStateAhead_ns = kSecond_ns;

/// A device that is to look for its references says within this time that it does.
constexpr std::int64_t kHomingAnswer_ns = 200 * kMillisecond_ns;

/// When joints beside the held ones are this far from where they were, what was refused may be free [rad, m].
constexpr double kElsewhere = 0.01;

/// As whom planned motions appear where a program is named.
constexpr std::string_view kSegments = "segments";

/// The share of its effort at which a motor gives all it can.
constexpr double kAllEffort = 0.98;

/// By how much the way to a stop may pass a limit for rounding, as a share of the limit or of 1 rad or 1 m.
constexpr double kStopRounding = 1e-9;

WishSmootherOptions smoother_options(const ControlSettings& settings) {
  return {.period = 1e-9 * static_cast<double>(settings.period_ns),
          .time_constant = settings.time_constant,
          .stiffness = settings.stiffness};
}

std::vector<std::uint64_t> masks_of_arms(const RobotModel& model) {
  std::vector<std::uint64_t> masks;
  for (const Arm& arm : model.arms) masks.push_back(arm_mask(model, arm));
  return masks;
}

// The joints that move each link, as masks.
std::vector<std::uint64_t> masks_of_links(const RobotModel& model) {
  std::vector<std::uint64_t> masks(model.links.size(), 0);
  for (std::size_t link = 0; link < model.links.size(); ++link) {
    std::size_t joint = model.links[link].parent_joint;
    for (; joint != kNone; joint = model.links[model.joints[joint].parent_link].parent_joint) {
      const Joint& carrier = model.joints[joint];
      const std::size_t position =
          carrier.mimic ? model.joints[carrier.mimic->joint].position : carrier.position;
      if (position != kNone) masks[link] |= joint_bit(position);
    }
  }
  return masks;
}

void swap_sides(Contact& contact) {
  std::swap(contact.link_a, contact.link_b);
  std::swap(contact.object_a, contact.object_b);
  std::swap(contact.point_a, contact.point_b);
}

bool is_from_future(const JointState& state, std::int64_t now_ns) {
  return state.stamp_ns > now_ns + kStateAhead_ns;
}

// The first joint whose number is no number, as a refusal; none when all are fine.
RefusedInput find_nonsense(const JointState& state) {
  for (std::size_t i = 0; i < state.joint_count; ++i) {
    if (!std::isfinite(state.position[i]) || !std::isfinite(state.velocity[i]))
      return {.refusal = Refusal::NotANumber, .joint = i, .value = state.position[i]};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Controller>> Controller::make(const RobotModel& model, const RobotShapes& shapes,
                                                     const ControlSettings& settings) {
  auto limits = axis_limits(model);
  if (!limits) return limits.error();
  auto smoother = WishSmoother::make(*limits, smoother_options(settings));
  if (!smoother) return smoother.error();
  const auto workspace = workspace_obstacles(model);
  if (!workspace) return workspace.error();
  return std::unique_ptr<Controller>(
      new Controller(model, shapes, settings, *std::move(limits), *std::move(smoother), *workspace));
}

Controller::Controller(const RobotModel& model, const RobotShapes& shapes, const ControlSettings& settings,
                       std::vector<AxisLimits> limits, WishSmoother smoother, const Obstacles& workspace)
    : model_(model),
      settings_(settings),
      joint_count_(model.positions.size()),
      all_mask_(~std::uint64_t{0} >> (kMaxJoints - model.positions.size())),
      enabled_mask_(enabled_mask(model)),
      arm_masks_(masks_of_arms(model)),
      carried_by_(masks_of_links(model)),
      limits_(std::move(limits)),
      mux_(model),
      smoother_(std::move(smoother)),
      player_(model, limits_, settings.period_ns),
      guard_(shapes, 1e-9 * static_cast<double>(settings.queue_ns)),
      workspace_(workspace),
      world_(workspace),
      comes_up_held_(settings.starts_held) {
  output_.command.joint_count = static_cast<std::uint32_t>(joint_count_);
  output_.command.moved_mask = enabled_mask_;
  guard_.set_world(world_);
}

void Controller::set_source(std::size_t source, std::string_view name, int priority) SINEW_REALTIME {
  set_text(source_names_[source], name);
  mux_.set_priority(source, priority);
}

void Controller::take_reference(std::size_t source, const JointReference& reference,
                                std::int64_t now_ns) SINEW_REALTIME {
  const RefusedInput refused =
      is_up() ? mux_.take(source, reference, now_ns) : RefusedInput{.refusal = Refusal::NotRunning};
  if (refused) refuse(text_of(source_names_[source]), refused);
}

void Controller::take_segment(const Segment& piece, std::uint32_t writer) SINEW_REALTIME {
  const RefusedInput refused = is_up() ? player_.take(piece, smoother_.axes(), writer)
                                       : RefusedInput{.refusal = Refusal::NotRunning, .motion = piece.motion};
  if (refused) refuse(kSegments, refused);
}

// What it had sent ahead is not carried out: nobody would answer for it.
void Controller::lose_writer(std::uint32_t writer, std::string_view who) SINEW_REALTIME {
  const std::uint64_t orphaned = player_.drop_of(writer, MotionEnd::Orphaned);
  if (orphaned == 0) return;
  brake(orphaned);
  say_why(StopReason::WriterDead, orphaned);
  set_text(output_.safety.who, who);
}

void Controller::lose_channels(std::int64_t now_ns) SINEW_REALTIME {
  if (output_.safety.state != ControlState::Faulted) fail(StopReason::ChannelsGone, {}, now_ns);
}

std::uint32_t Controller::find_link(std::string_view name) const SINEW_REALTIME {
  const auto found = std::ranges::find(model_.links, name, &Link::name);
  return found == model_.links.end() ? kNoLink : static_cast<std::uint32_t>(found - model_.links.begin());
}

void Controller::take_contact(std::uint32_t link, std::string_view thing, bool is_touching) SINEW_REALTIME {
  if (link >= carried_by_.size()) {
    if (link == kNoLink) touched_.clear();
    return;
  }
  const auto same = [&](const Touch& touch) { return touch.link == link && text_of(touch.thing) == thing; };
  const auto known = std::ranges::find_if(touched_, same);
  if (known != touched_.end()) {
    std::move(known + 1, touched_.end(), known);
    touched_.pop_back();
  }
  if (!is_touching) return;
  // the newest count
  if (touched_.is_full()) {
    std::move(touched_.begin() + 1, touched_.end(), touched_.begin());
    touched_.pop_back();
  }
  Touch touch{.link = link};
  set_text(touch.thing, thing);
  touched_.push_back(touch);
}

void Controller::take_request(const ControlRequest& request, std::int64_t now_ns) SINEW_REALTIME {
  const std::string_view who = text_of(request.who);
  switch (request.verb) {
    case ControlVerb::Stop:
      return stop(who, now_ns);
    case ControlVerb::Reset:
      return reset(who, now_ns);
    case ControlVerb::Home:
      return home(who, now_ns);
    case ControlVerb::Halt:
      return halt(who);
    case ControlVerb::Override:
    case ControlVerb::Enforce:
      return refuse(who, {.refusal = Refusal::NotAllowed});
  }
  refuse(who, {.refusal = Refusal::BadValue});
}

void Controller::take_override(const ControlRequest& request, std::int64_t now_ns) SINEW_REALTIME {
  Safety& safety = output_.safety;
  const bool is_override = request.verb == ControlVerb::Override;
  const bool has_length = request.lease_ns > 0 && request.lease_ns <= kLongestOverride_ns;
  if ((!is_override && request.verb != ControlVerb::Enforce) || (is_override && !has_length))
    return refuse(text_of(request.who), {.refusal = Refusal::BadValue});
  overridden_until_ns_ = is_override ? now_ns + request.lease_ns : 0;
  safety.overrides += is_override ? 1 : 0;
  if (is_override) safety.overridden_by = request.who;
  forget_refusals();
  events_.is_news = true;
}

void Controller::take_world(const Obstacles& world) SINEW_REALTIME {
  if (!join_workspace(workspace_, world, world_)) return refuse("world", {.refusal = Refusal::NoRoom});
  guard_.set_world(world_);
  forget_refusals();
  has_new_world_ = true;
  misses_world_ = false;
}

void Controller::take_recording(const std::array<char, 128>& file) SINEW_REALTIME {
  output_.safety.recording = file;
  events_.is_news = true;
}

void Controller::refuse(std::string_view who, const RefusedInput& refused) SINEW_REALTIME {
  Safety& safety = output_.safety;
  ++safety.refusals;
  // what comes of an earlier refusal is counted, and that one stays told
  if (refused.refusal == Refusal::MotionOver && refused.motion == safety.refused_motion) return;
  safety.last_refusal = refused.refusal;
  safety.refused_joint = static_cast<std::uint32_t>(refused.joint);
  // what is published must be a number
  safety.refused_value = std::isfinite(refused.value) ? refused.value : 0.0;
  safety.refused_bound = refused.bound;
  safety.refused_quantity = refused.quantity;
  safety.refused_motion = refused.motion;
  set_text(safety.refused_who, who);
}

const ControlOutput& Controller::step(const JointState& state, std::int64_t now_ns) SINEW_REALTIME {
  output_.safety.stamp_ns = now_ns;
  if (has_begun_) observe(state, now_ns);
  if (!is_up()) player_.drop(all_mask_, MotionEnd::Stopped);
  const PlayerNews news = player_.advance(smoother_.axes(), mux_, now_ns);
  if (has_begun_) {
    play(news);
    move(state, now_ns);
  } else {
    wait_for_device(state, now_ns);
  }
  tell_of_motions();
  fill_command(now_ns);
  output_.events = std::exchange(events_, {});
  return output_;
}

Controller::Memory Controller::save_memory(std::span<std::byte> bytes) SINEW_REALTIME {
  MemoryWriter writer(bytes);
  visit_memory(writer);
  forget_ways();
  return {.size = writer.size(), .layout = writer.layout()};
}

bool Controller::load_memory(std::span<const std::byte> bytes, std::uint64_t layout) {
  MemoryReader reader(bytes);
  visit_memory(reader);
  forget_ways();
  return reader.is_whole(layout);
}

// Begins when the device is well and knows where its joints are; until then `safety` says what it waits for.
void Controller::wait_for_device(const JointState& state, std::int64_t now_ns) SINEW_REALTIME {
  const bool is_fresh =
      state.stamp_ns > 0 && now_ns - state.stamp_ns <= settings_.stale_ns && !is_from_future(state, now_ns);
  const ControlState now = output_.safety.state;
  const bool is_down =
      now == ControlState::Stopped || now == ControlState::Faulted || now == ControlState::Held;
  // who stands there stays, also where it does not know where that is
  const std::uint32_t bearable = is_down ? kFaultNotHomed : 0;
  const bool is_well = (state.fault_bits & ~bearable) == 0 && !find_nonsense(state);
  const bool is_ready = now != ControlState::Homing || is_homing_over(state, now_ns);
  if (state.joint_count == joint_count_ && is_fresh && is_well && is_ready) {
    has_begun_ = begin(state);
    if (is_down) return;
    if (misses_world_) return enter(ControlState::Held, StopReason::UnknownWorld, "", now_ns);
    return comes_up_held_ ? come_up_held(now_ns)
                          : enter(ControlState::Running, StopReason::None, text_of(reset_by_), now_ns);
  }
  if (is_down) return;
  if (now == ControlState::Homing) return watch_homing(state, is_fresh, now_ns);
  // its device, which had no commands meanwhile, waits for the same reset
  if (comes_up_held_ && is_fresh && state.joint_count == joint_count_) return come_up_held(now_ns);
  const StopReason waits_for = is_fresh ? StopReason::DeviceFault : StopReason::StaleState;
  if (std::exchange(output_.safety.reason, waits_for) != waits_for) events_.is_news = true;
}

// Looks at the device before anything else: a robot that is not well, or does not say where it is, stops.
void Controller::observe(const JointState& state, std::int64_t now_ns) SINEW_REALTIME {
  if (output_.safety.state == ControlState::Faulted) return;
  // who does not run may well be without its references
  const std::uint32_t bearable = is_up() ? 0 : kFaultNotHomed;
  if ((state.fault_bits & ~bearable) != 0) return fail(StopReason::DeviceFault, {}, now_ns);
  // a device whose clock is ahead would still be believed long after its death
  if (now_ns - state.stamp_ns > settings_.stale_ns || is_from_future(state, now_ns))
    return fail(StopReason::StaleState, {}, now_ns);
  if (const RefusedInput nonsense = find_nonsense(state))
    return fail(StopReason::NotANumber, nonsense, now_ns);
  for (std::size_t i = 0; i < joint_count_; ++i) {
    if ((enabled_mask_ >> i & 1) == 0 || (state.measured_mask >> i & 1) == 0) continue;
    if (std::abs(state.position[i] - sent_[i]) <= settings_.tracking_limit) continue;
    return lag_behind(state, i, now_ns);
  }
}

void Controller::come_up_held(std::int64_t now_ns) SINEW_REALTIME {
  enter(ControlState::Held, StopReason::Restarted, settings_.restarted_by, now_ns);
}

// What is known of why: something that the joint moves touches something, or its motor gives all it can.
void Controller::lag_behind(const JointState& state, std::size_t joint, std::int64_t now_ns) SINEW_REALTIME {
  fail(StopReason::TrackingError, {.joint = joint, .value = state.position[joint], .bound = sent_[joint]},
       now_ns);
  Safety& safety = output_.safety;
  for (const Touch& touch : touched_) {
    if ((carried_by_[touch.link] & joint_bit(joint)) == 0) continue;
    set_text(safety.link_a, model_.links[touch.link].name);
    safety.link_b = touch.thing;
  }
  const double effort = model_.joints[model_.positions[joint]].limits.effort;
  const bool is_known = loads_are_efforts_ && (state.load_mask & joint_bit(joint)) != 0;
  if (is_known && effort > 0.0 && std::isfinite(effort) && std::abs(state.load[joint]) >= kAllEffort * effort)
    safety.margin = effort;
}

// From the measured pose: never a step.
bool Controller::begin(const JointState& state) SINEW_REALTIME {
  sent_ = state.position;
  mux_.forget(all_mask_);
  player_.drop(all_mask_, MotionEnd::Stopped);
  held_mask_ = 0;
  reason_mask_ = 0;
  moving_mask_ = 0;
  return smoother_.reset({state.position.data(), joint_count_});
}

// Joints of planned motions go where these lead; what such a motion leaves behind brakes.
void Controller::play(const PlayerNews& news) SINEW_REALTIME {
  if (news.refused) {
    refuse(kSegments, news.refused);
    events_.is_news = true;
  }
  brake(news.left_mask | news.broken_mask);
  if (news.broken_mask != 0) {
    say_why(StopReason::MotionBroken, news.broken_mask);
    set_text(output_.safety.who, kSegments);
  }
  player_.sample(led_);
  for_each_joint(news.begun_mask, [this](std::size_t i) { mux_.set(kSegmentSource, i, led_[i].position); });
  if (news.begun_mask != 0) release(news.begun_mask);
  for_each_joint(player_.running_mask(),
                 [this](std::size_t i) { mux_.move_on(kSegmentSource, i, led_[i].position); });
}

// A reference that took a joint of a motion has ended it: its other joints brake.
void Controller::give_way(const Wish& wish) SINEW_REALTIME {
  std::uint64_t taken = 0;
  for_each_joint(player_.running_mask(), [&](std::size_t i) {
    if (wish.source[i] != kSegmentSource) taken |= joint_bit(i);
  });
  if (taken == 0) return;
  brake(player_.drop(taken, MotionEnd::Taken) & ~taken);
}

void Controller::brake(std::uint64_t mask) SINEW_REALTIME {
  smoother_.axes().stop(mask);
  mux_.forget(mask);
}

// Why the joints in `mask` do not do what was wanted, while the robot runs: until all of them are released.
void Controller::say_why(StopReason reason, std::uint64_t mask) SINEW_REALTIME {
  output_.safety.reason = reason;
  reason_mask_ = mask;
  events_.is_news = true;
}

void Controller::move(const JointState& state, std::int64_t now_ns) SINEW_REALTIME {
  const Wish& wish = mux_.choose(all_mask_ & ~moving_mask_, now_ns);
  for (std::size_t i = 0; i < joint_count_; ++i)
    output_.command.wanted[i] = wish.source[i] == kNoSource ? sent_[i] : wish.position[i];
  if (is_up()) {
    give_way(wish);
    release_wanted(wish);
    stop_silent(wish);
    for_each_joint(player_.running_mask(), [this](std::size_t i) { smoother_.axes().lead(i, led_[i]); });
  } else {
    smoother_.axes().stop(all_mask_);
  }
  moving_mask_ = smoother_.step(wish, {state.position.data(), joint_count_}).moving_mask;
  moving_mask_ |= player_.running_mask();
  keep_limits();
  guard_step(now_ns);
  if (moving_mask_ == 0) leave_at_rest(now_ns);
}

// What was asked for and waited for the end of the motion.
void Controller::leave_at_rest(std::int64_t now_ns) SINEW_REALTIME {
  if (is_reset_due_) {
    is_reset_due_ = false;
    has_begun_ = false;
    enter(ControlState::Starting, StopReason::None, text_of(reset_by_), now_ns);
  } else if (output_.safety.state == ControlState::Homing) {
    has_begun_ = false;
    begin_homing(now_ns);
  }
}

// The guard may see it differently now: the next wish counts, also one for the same.
void Controller::forget_refusals() SINEW_REALTIME {
  for_each_joint(held_mask_,
                 [this](std::size_t i) { refused_wish_[i] = std::numeric_limits<double>::quiet_NaN(); });
  refused_at_ = sent_;
}

bool Controller::have_others_moved() const SINEW_REALTIME {
  bool have_moved = false;
  for_each_joint(all_mask_ & ~held_mask_, [&](std::size_t i) {
    have_moved = have_moved || std::abs(sent_[i] - refused_at_[i]) > kElsewhere;
  });
  return have_moved;
}

// A joint that is held moves again when something else is wanted of its arm than what was refused, or the
// same after something has changed.
void Controller::release_wanted(const Wish& wish) SINEW_REALTIME {
  if (held_mask_ != 0 && have_others_moved()) forget_refusals();
  std::uint64_t other_mask = 0;
  for (std::size_t i = 0; i < joint_count_; ++i) {
    const bool is_new = (wish.new_mask >> i & 1) != 0;
    const bool was_refused = (held_mask_ >> i & 1) != 0 && wish.position[i] == refused_wish_[i];
    if (is_new && !was_refused) other_mask |= std::uint64_t{1} << i;
  }
  if (other_mask != 0) release(other_mask);
}

void Controller::release(std::uint64_t mask) SINEW_REALTIME {
  const std::uint64_t released = mask | (group_of(mask) & held_mask_);
  if ((released & smoother_.axes().stopped_mask()) == 0) return;
  smoother_.axes().release(released);
  held_mask_ &= ~released;
  reason_mask_ &= ~released;
  if (reason_mask_ == 0) output_.safety.reason = StopReason::None;
  events_.is_news = true;
}

// A planned motion keeps its limits, but whoever planned it may have forgotten that it must also be able to
// stop: a step after which a joint could not stop before its limit is not taken.
void Controller::keep_limits() SINEW_REALTIME {
  for_each_joint(player_.running_mask(), [this](std::size_t i) {
    const PositionRange way = smoother_.axes().profile(i).range();
    const auto passes = [](double bound, double excess) {
      return excess > kStopRounding * std::max(1.0, std::abs(bound));
    };
    const AxisLimits& limits = limits_[i];
    const bool is_below = passes(limits.lower, limits.lower - way.lowest);
    if (!is_below && !passes(limits.upper, way.highest - limits.upper)) return;
    const std::uint64_t mask = player_.drop(joint_bit(i), MotionEnd::Held);
    smoother_.axes().brake_instead(mask);
    mux_.forget(mask);
    Safety& safety = output_.safety;
    say_why(StopReason::JointLimit, mask);
    safety.joint = static_cast<std::uint32_t>(i);
    safety.value = is_below ? way.lowest : way.highest;
    safety.bound = is_below ? limits.lower : limits.upper;
  });
}

void Controller::tell_of_motions() SINEW_REALTIME {
  Safety& safety = output_.safety;
  const bool is_news = safety.motion != player_.running() || safety.ended_motion != player_.ended() ||
                       safety.motion_end != player_.how_ended();
  events_.is_news |= is_news;
  safety.motion = player_.running();
  safety.ended_motion = player_.ended();
  safety.motion_end = player_.how_ended();
  safety.motion_delay_ns = player_.delay_ns();
}

void Controller::stop_silent(const Wish& wish) SINEW_REALTIME {
  const std::uint64_t silent = wish.silent_mask & ~smoother_.axes().stopped_mask();
  if (silent == 0) return;
  smoother_.axes().stop(silent);
  const std::uint8_t source = wish.source[static_cast<std::size_t>(std::countr_zero(silent))];
  if (source != kNoSource) output_.safety.who = source_names_[source];
  say_why(StopReason::LeaseExpired, silent);
}

// Where the step may not be taken, the joints concerned brake instead, from where they were: that way has
// been looked at in the cycle before. Others go on as long as the whole stays clear.
void Controller::guard_step(std::int64_t now_ns) SINEW_REALTIME {
  const bool is_overridden = now_ns < overridden_until_ns_;
  events_.is_news |= is_overridden != (output_.safety.is_overridden != 0);
  output_.safety.is_overridden = is_overridden ? 1 : 0;
  const bool rests = moving_mask_ == 0 && !has_new_world_;
  has_new_world_ = false;
  if (is_overridden || rests) return;

  const double period = 1e-9 * static_cast<double>(settings_.period_ns);
  constexpr int kMostRounds = 3;
  guard_.begin_cycle();
  for (int round = 0; round < kMostRounds; ++round) {
    guard_.set_braking(smoother_.axes().stopped_mask() | ~enabled_mask_);
    const GuardVerdict verdict =
        guard_.check({sent_.data(), joint_count_}, smoother_.axes().states(), limits_, period);
    if (verdict.is_clear) return;
    hold(round + 1 < kMostRounds
             ? verdict
             : GuardVerdict{.is_clear = false, .joint_mask = all_mask_, .contact = verdict.contact});
  }
}

void Controller::hold(const GuardVerdict& verdict) SINEW_REALTIME {
  const std::uint64_t concerned = verdict.joint_mask & enabled_mask_;
  // who carries them and rests has nothing to do with it, and nobody would release it
  const std::uint64_t moving = concerned & moving_mask_;
  const std::uint64_t arms = group_of(moving != 0 ? moving : concerned);
  const std::uint64_t planned = player_.drop(arms, MotionEnd::Held);
  const std::uint64_t mask = arms | planned;
  const std::uint64_t newly = mask & ~smoother_.axes().stopped_mask();
  smoother_.axes().brake_instead(mask);
  if (newly == 0) return;
  const Wish& wish = mux_.wish();
  for (std::size_t i = 0; i < joint_count_; ++i)
    if ((newly >> i & 1) != 0) refused_wish_[i] = wish.position[i];
  refused_at_ = sent_;
  // a motion is over when it is held; the next one is another wish, wherever it leads
  for_each_joint(planned,
                 [this](std::size_t i) { refused_wish_[i] = std::numeric_limits<double>::quiet_NaN(); });
  mux_.forget(planned);
  held_mask_ |= newly;
  describe(verdict, newly);
}

void Controller::describe(const GuardVerdict& verdict, std::uint64_t held) SINEW_REALTIME {
  Safety& safety = output_.safety;
  Contact contact = verdict.contact;
  const auto is_bound = [this](std::size_t object) { return object < workspace_.size(); };
  // what is held comes after the bound that it would pass
  if (is_bound(contact.object_a) && !is_bound(contact.object_b)) swap_sides(contact);
  const bool is_world = contact.link_b == kNone || contact.object_b != kNone;
  say_why(is_bound(contact.object_b) ? StopReason::Workspace
          : is_world                 ? StopReason::WorldCollision
                                     : StopReason::SelfCollision,
          held);
  safety.distance = contact.distance;
  safety.margin = contact.margin;
  std::copy_n(contact.point_a.data(), 3, safety.point_a.begin());
  std::copy_n(contact.point_b.data(), 3, safety.point_b.begin());
  const auto name = [this](std::size_t link, std::size_t object) -> std::string_view {
    if (object != kNone) return text_of(world_[object].name);
    return link == kNone ? std::string_view("world") : std::string_view(model_.links[link].name);
  };
  set_text(safety.link_a, name(contact.link_a, contact.object_a));
  set_text(safety.link_b, name(contact.link_b, contact.object_b));
}

void Controller::enter(ControlState state, StopReason reason, std::string_view who,
                       std::int64_t now_ns) SINEW_REALTIME {
  Safety& safety = output_.safety;
  safety.state = state;
  safety.reason = reason;
  safety.since_ns = now_ns;
  set_text(safety.who, who);
  events_.is_news = true;
  events_.has_stopped |= state == ControlState::Stopped || state == ControlState::Faulted;
}

void Controller::fail(StopReason reason, const RefusedInput& what, std::int64_t now_ns) SINEW_REALTIME {
  Safety& safety = output_.safety;
  safety.joint = static_cast<std::uint32_t>(what.joint);
  safety.value = std::isfinite(what.value) ? what.value : 0.0;
  safety.bound = what.bound;
  safety.distance = safety.margin = 0.0;
  set_text(safety.link_a, "");
  set_text(safety.link_b, "");
  enter(ControlState::Faulted, reason, "", now_ns);
}

// A stop holds whatever the robot was about to do: a reset that was waiting for the end of the braking is
// off.
void Controller::stop(std::string_view who, std::int64_t now_ns) SINEW_REALTIME {
  is_reset_due_ = false;
  if (output_.safety.state != ControlState::Faulted)
    enter(ControlState::Stopped, StopReason::Requested, who, now_ns);
}

// All that moves brakes at once, as at a stop, and the next wish counts: nothing is to be reset.
void Controller::halt(std::string_view who) SINEW_REALTIME {
  if (!is_up()) return;
  brake(player_.drop(all_mask_, MotionEnd::Halted) | moving_mask_);
  set_text(output_.safety.who, who);
  events_.is_news = true;
}

// Once it rests, the robot begins anew from where it is; what was wanted before is forgotten.
void Controller::reset(std::string_view who, std::int64_t now_ns) SINEW_REALTIME {
  if (is_up()) return;
  events_.wants_reset = true;
  set_text(reset_by_, who);
  comes_up_held_ = false;
  is_reset_due_ = has_begun_;
  if (!has_begun_) enter(ControlState::Starting, StopReason::None, who, now_ns);
}

// The device looks for its references by itself, once the robot rests: its drives are left to it, and what is
// wanted of the robot meanwhile is refused. Then the robot begins anew from where it is.
void Controller::home(std::string_view who, std::int64_t now_ns) SINEW_REALTIME {
  const ControlState state = output_.safety.state;
  if (state == ControlState::Homing) return;
  if (state != ControlState::Running && state != ControlState::Starting)
    return refuse(who, {.refusal = Refusal::NotRunning});
  set_text(reset_by_, who);
  enter(ControlState::Homing, StopReason::None, who, now_ns);
  if (!has_begun_) begin_homing(now_ns);
}

void Controller::begin_homing(std::int64_t now_ns) SINEW_REALTIME {
  events_.wants_homing = true;
  homing_since_ns_ = now_ns;
  is_unhomed_ = false;
}

void Controller::watch_homing(const JointState& state, bool is_fresh, std::int64_t now_ns) SINEW_REALTIME {
  if (!is_fresh) return fail(StopReason::StaleState, {}, now_ns);
  if ((state.fault_bits & ~kFaultNotHomed) != 0) return fail(StopReason::DeviceFault, {}, now_ns);
  if (const RefusedInput nonsense = find_nonsense(state)) fail(StopReason::NotANumber, nonsense, now_ns);
}

// A device that has nothing to look for does not say that it does.
bool Controller::is_homing_over(const JointState& state, std::int64_t now_ns) SINEW_REALTIME {
  const bool is_looking = (state.fault_bits & kFaultNotHomed) != 0;
  is_unhomed_ = is_unhomed_ || is_looking;
  return !is_looking && (is_unhomed_ || now_ns - homing_since_ns_ > kHomingAnswer_ns);
}

void Controller::fill_command(std::int64_t now_ns) SINEW_REALTIME {
  JointCommand& command = output_.command;
  command.stamp_ns = now_ns;
  command.cycle = ++cycle_;
  command.is_enabled = has_begun_ ? 1 : 0;
  command.held_mask = output_.safety.held_mask = held_mask_;
  const auto states = smoother_.axes().states();
  for (std::size_t i = 0; i < joint_count_; ++i) {
    command.position[i] = sent_[i] = states[i].position;
    command.velocity[i] = states[i].velocity;
    command.acceleration[i] = states[i].acceleration;
  }
}

std::uint64_t Controller::group_of(std::uint64_t joint_mask) const SINEW_REALTIME {
  std::uint64_t group = joint_mask;
  for (const std::uint64_t arm : arm_masks_)
    if ((arm & joint_mask) != 0) group |= arm;
  return group;
}

bool Controller::is_up() const SINEW_REALTIME {
  return output_.safety.state == ControlState::Running;
}

}  // namespace sinew
