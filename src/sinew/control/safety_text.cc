// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/safety_text.h"

#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/collision/contact_text.h"
#include "sinew/control/segment_player.h"
#include "sinew/messages/joints.h"

namespace sinew {
namespace {

template <class Enumerator>
std::string_view word_of(Enumerator value, std::span<const std::string_view> words) {
  const auto i = static_cast<std::size_t>(value);
  return i < words.size() ? words[i] : "unknown";
}

// a joint of which only its number came along
const Joint* joint_at(const RobotModel* model, std::uint32_t i) {
  return model != nullptr && i < model->positions.size() ? &model->joints[model->positions[i]] : nullptr;
}

std::string joint_words(const RobotModel* model, std::uint32_t i) {
  const Joint* joint = joint_at(model, i);
  return joint == nullptr ? fmt::format("joint {}", i + 1) : fmt::format("joint '{}'", joint->name);
}

std::string value_words(const RobotModel* model, std::uint32_t i, double value) {
  const Joint* joint = joint_at(model, i);
  return joint == nullptr ? fmt::format("{:.4g}", value) : position_text(*joint, value);
}

std::string who_words(std::string_view who) {
  return who.empty() ? std::string("the controller") : std::string(who);
}

std::string collision_sentence(const Safety& safety) {
  return too_near_sentence({.a = text_of(safety.link_a),
                            .b = text_of(safety.link_b),
                            .distance = safety.distance,
                            .margin = safety.margin});
}

// Why a joint does not follow, as far as that is known; else nothing.
std::string cause_words(const Safety& safety, const RobotModel* model) {
  std::string words;
  if (const std::string_view link = text_of(safety.link_a); !link.empty())
    words += fmt::format(": {} touches {}", link, text_of(safety.link_b));
  if (safety.margin > 0.0) {
    const Joint* joint = joint_at(model, safety.joint);
    const bool is_force = joint != nullptr && joint->kind == JointKind::Prismatic;
    words += fmt::format("{} its motor gives all it can, {:.4g} {}", words.empty() ? ":" : ", and",
                         safety.margin, is_force ? "N" : "N·m");
  }
  return words;
}

std::string joint_sentence(const Safety& safety, const RobotModel* model) {
  const std::string joint = joint_words(model, safety.joint);
  const std::string value = value_words(model, safety.joint, safety.value);
  const std::string bound = value_words(model, safety.joint, safety.bound);
  switch (safety.reason) {
    case StopReason::JointLimit:
      return fmt::format("a planned motion was ended: {} would only have stopped at {}, and its limit is {}",
                         joint, value, bound);
    case StopReason::TrackingError:
      return fmt::format("{} is at {} but was sent to {}{}", joint, value, bound, cause_words(safety, model));
    default:
      return fmt::format("the device says no number for {}", joint);
  }
}

// A velocity, acceleration or jerk of a joint, or a time, for people; positions as everywhere.
std::string quantity_words(const Safety& safety, const RobotModel* model, double value) {
  static constexpr std::array<std::string_view, 4> kPowers{"", "/s", "/s²", "/s³"};
  const auto power = static_cast<std::size_t>(safety.refused_quantity);
  if (power >= kPowers.size()) return fmt::format("{:.4g} s", value);
  const Joint* joint = joint_at(model, safety.refused_joint);
  if (joint == nullptr)
    return fmt::format("{:.6g}{}", value, power == 0 ? "" : fmt::format(" {}", kPowers[power]));
  const std::string_view unit = joint->kind == JointKind::Prismatic ? "m" : "rad";
  return fmt::format("{:.6g} {}{}", value, unit, kPowers[power]);
}

std::string_view quantity_name(Quantity quantity) {
  static constexpr std::array<std::string_view, 5> kWords{"position", "velocity", "acceleration", "jerk",
                                                          "time"};
  return word_of(quantity, kWords);
}

std::string joins_sentence(const Safety& safety, const RobotModel* model) {
  if (safety.refused_quantity == Quantity::Time)
    return fmt::format("a piece {} ahead has nothing before it; pieces follow each other without a gap",
                       quantity_words(safety, model, safety.refused_value));
  return fmt::format("{} {} of {} where it should go on from {}", quantity_name(safety.refused_quantity),
                     quantity_words(safety, model, safety.refused_value),
                     joint_words(model, safety.refused_joint),
                     quantity_words(safety, model, safety.refused_bound));
}

// Why a piece of a planned motion was refused.
std::string segment_sentence(const Safety& safety, const RobotModel* model) {
  switch (safety.last_refusal) {
    case Refusal::TooFast:
      return fmt::format(
          "{} {} of {} passes its limit {}; take more time", quantity_name(safety.refused_quantity),
          quantity_words(safety, model, safety.refused_value), joint_words(model, safety.refused_joint),
          quantity_words(safety, model, safety.refused_bound));
    case Refusal::Late:
      return fmt::format("a piece came {:.4g} s after its begin; send it ahead", -safety.refused_value);
    case Refusal::DoesNotJoin:
      return joins_sentence(safety, model);
    case Refusal::NoRoom:
      return fmt::format("the queue of {} pieces is full; send the rest when the robot has come further",
                         kMostPieces);
    case Refusal::MotionOver:
      return "it has been refused, ended or replaced; begin another one, with a higher number";
    default:
      return "the robot does not run; 'reset' lets it";
  }
}

std::string_view remedy_for_fault(const Safety& safety) {
  if (safety.reason == StopReason::ChannelsGone) return "start it anew";
  if (safety.reason != StopReason::TrackingError) return "mend it, then 'reset'";
  if (!text_of(safety.link_a).empty()) return "free it, then 'reset'; a motion from there must lead away";
  if (safety.margin > 0.0) return "less speed or less load, then 'reset'";
  return "mend it, then 'reset'";
}

// What lets a robot in this state run again.
std::string_view remedy_for(const Safety& safety) {
  switch (safety.state) {
    case ControlState::Held:
    case ControlState::Stopped:
      return "'reset' lets it run";
    case ControlState::Faulted:
      return remedy_for_fault(safety);
    default:
      return "";
  }
}

}  // namespace

std::string_view state_text(ControlState state) {
  static constexpr std::array<std::string_view, 6> kWords{"starting", "homing",  "running",
                                                          "held",     "stopped", "faulted"};
  return word_of(state, kWords);
}

std::string_view reason_text(StopReason reason) {
  static constexpr std::array<std::string_view, 16> kWords{
      "none",          "requested",     "self-collision", "world collision", "joint limit",    "stale state",
      "device fault",  "not a number",  "lease expired",  "restarted",       "tracking error", "workspace",
      "motion broken", "unknown world", "writer dead",    "channels gone"};
  return word_of(reason, kWords);
}

std::string_view refusal_text(Refusal refusal) {
  static constexpr std::array<std::string_view, 14> kWords{
      "none",          "not a number", "unknown joint", "not enabled", "out of limits",
      "stale",         "bad value",    "not allowed",   "too fast",    "late",
      "does not join", "no room",      "motion over",   "not running"};
  return word_of(refusal, kWords);
}

std::string faults_text(std::uint32_t fault_bits) {
  static constexpr std::array<std::pair<std::uint32_t, std::string_view>, 6> kFaults{
      {{kFaultLost, "lost"},
       {kFaultWatchdog, "watchdog"},
       {kFaultDrive, "drive"},
       {kFaultEmergency, "emergency stop"},
       {kFaultNotHomed, "not homed"},
       {kFaultNonsense, "nonsense"}}};
  std::string text;
  for (const auto& [bit, name] : kFaults) {
    if ((fault_bits & bit) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
  }
  return text;
}

std::string position_text(const Joint& joint, double position) {
  return joint.kind == JointKind::Prismatic ? length_text(position) : angle_text(position);
}

std::string limit_sentence(const Joint& joint, double target) {
  return fmt::format("joint '{}' cannot go to {}: its limits are {} to {}", joint.name,
                     position_text(joint, target), position_text(joint, joint.limits.lower),
                     position_text(joint, joint.limits.upper));
}

std::string reason_sentence(const Safety& safety, const RobotModel* model, std::uint32_t fault_bits) {
  switch (safety.reason) {
    case StopReason::None:
      return "";
    case StopReason::Requested:
      return fmt::format("{} asked for it", who_words(text_of(safety.who)));
    case StopReason::SelfCollision:
    case StopReason::WorldCollision:
    case StopReason::Workspace:
      return collision_sentence(safety);
    case StopReason::JointLimit:
    case StopReason::NotANumber:
    case StopReason::TrackingError:
      return joint_sentence(safety, model);
    case StopReason::StaleState:
      return "the device does not say where its joints are";
    case StopReason::DeviceFault: {
      const std::string faults = faults_text(fault_bits);
      return faults.empty() ? std::string("the device reported a fault")
                            : fmt::format("the device reports: {}", faults);
    }
    case StopReason::LeaseExpired:
      return fmt::format("the stream of {} fell silent", who_words(text_of(safety.who)));
    case StopReason::Restarted:
      return text_of(safety.who).empty()
                 ? std::string("the controller had died and was started anew")
                 : fmt::format("the controller was started anew by {}", text_of(safety.who));
    case StopReason::UnknownWorld:
      return "the world that it found cannot be read, so obstacles may be anywhere: the controller's log "
             "says why; mend it "
             "and start anew, or put another world";
    case StopReason::MotionBroken:
      return "a planned motion was not continued in time; its joints have braked";
    case StopReason::WriterDead:
      return fmt::format("{} has died while its motion ran; the joints have braked",
                         who_words(text_of(safety.who)));
    case StopReason::ChannelsGone:
      return "its channels were removed while it ran, so that nobody could have stopped it; it has braked";
  }
  return std::string(reason_text(safety.reason));
}

std::string state_sentence(const Safety& safety, const RobotModel* model, std::uint32_t fault_bits) {
  std::string text(state_text(safety.state));
  const std::string reason = reason_sentence(safety, model, fault_bits);
  const bool is_running = safety.state == ControlState::Running;
  if (!reason.empty()) {
    const bool holds_joints = is_running && safety.held_mask != 0;
    text += fmt::format("{}{}", holds_joints ? "; held: " : (is_running ? "; " : ": "), reason);
  }
  const bool waits_for_homing = safety.state == ControlState::Starting && fault_bits == kFaultNotHomed;
  if (waits_for_homing) text += "; 'home' lets it look for its references";
  if (const std::string_view remedy = remedy_for(safety); !remedy.empty())
    text += fmt::format("; {}", remedy);
  return text;
}

std::string safety_text(const Safety& safety, const RobotModel* model, std::uint32_t fault_bits) {
  std::string text = state_sentence(safety, model, fault_bits);
  const bool is_running = safety.state == ControlState::Running;
  if (safety.is_overridden != 0)
    text += fmt::format("; the guard is overridden by {}", who_words(text_of(safety.overridden_by)));
  if (const std::string_view recording = text_of(safety.recording); !recording.empty() && !is_running)
    text += fmt::format("; recorded in {}", recording);
  return text;
}

std::string refusal_sentence(const Safety& safety, const RobotModel* model) {
  if (safety.last_refusal == Refusal::None) return "";
  const std::string who = who_words(text_of(safety.refused_who));
  if (safety.refused_motion == 0) return fmt::format("{}: {}", who, refusal_cause(safety, model));
  return fmt::format("{}: motion {}: {}", who, safety.refused_motion, refusal_cause(safety, model));
}

std::string refusal_cause(const Safety& safety, const RobotModel* model) {
  const std::string joint = joint_words(model, safety.refused_joint);
  const bool is_of_segment = safety.refused_motion != 0 || safety.last_refusal == Refusal::NotRunning;
  switch (safety.last_refusal) {
    case Refusal::None:
      return "";
    case Refusal::NotANumber:
      return fmt::format("{} was given no number", joint);
    case Refusal::UnknownJoint:
      return "it names joints that the robot does not have, or none";
    case Refusal::NotEnabled:
      return fmt::format("the motor of {} is not in use; see 'enabled:' in robot.yaml", joint);
    case Refusal::OutOfLimits:
      if (const Joint* known = joint_at(model, safety.refused_joint))
        return limit_sentence(*known, safety.refused_value);
      return fmt::format("{} cannot go to {:.4g}: its limit is {:.4g}", joint, safety.refused_value,
                         safety.refused_bound);
    case Refusal::Stale:
      if (is_of_segment)
        return fmt::format("a piece is to begin {} from now, more than an hour ahead",
                           quantity_words(safety, model, safety.refused_value));
      return "it came too late, or its stamp lies in the future";
    case Refusal::BadValue:
      return is_of_segment ? "a piece has no number, no time, or a time that cannot be" : "bad value";
    case Refusal::NotAllowed:
      return "somebody of higher priority commands the joint, or the channel is the wrong one";
    case Refusal::NoRoom:
      if (!is_of_segment && text_of(safety.refused_who) == "segments")
        return fmt::format("pieces were overwritten before they could be read; send at most {} ahead",
                           kMostPieces);
      if (!is_of_segment)
        return "with the bounds of the workspace, there are too many objects, or two have one name";
      return segment_sentence(safety, model);
    case Refusal::TooFast:
    case Refusal::Late:
    case Refusal::DoesNotJoin:
    case Refusal::MotionOver:
    case Refusal::NotRunning:
      return segment_sentence(safety, model);
  }
  return std::string(refusal_text(safety.last_refusal));
}

std::string motion_end_sentence(const Safety& safety, const RobotModel* model) {
  switch (safety.motion_end) {
    case MotionEnd::None:
    case MotionEnd::Done:
    case MotionEnd::Replaced:
      return "";
    case MotionEnd::Refused:
      return fmt::format("the controller refused it: {}", refusal_cause(safety, model));
    case MotionEnd::Taken:
      return "a reference of another program took one of its joints";
    case MotionEnd::Held: {
      const std::string reason = reason_sentence(safety, model);
      return reason.empty() ? std::string("the guard held one of its joints") : reason;
    }
    case MotionEnd::Broken:
      return "its next piece did not reach the controller in time; it has braked";
    case MotionEnd::Stopped:
      return "the robot was stopped";
    case MotionEnd::Orphaned:
      return "the program that sent it has died";
    case MotionEnd::Halted:
      return fmt::format("halted by {}", who_words(text_of(safety.who)));
  }
  return "the controller ended it";
}

}  // namespace sinew
