// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/mux.h"

#include <bit>
#include <cmath>

#include "sinew/base/time.h"
#include "sinew/control/joint_masks.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

// clocks of one machine agree; a stamp further ahead than this is a mistake
constexpr std::int64_t kMostAhead_ns = kSecond_ns;
constexpr std::int64_t kLongestLease_ns = 3600 * kSecond_ns;

bool is_stale(const JointReference& reference, std::int64_t now_ns) {
  if (reference.stamp_ns < 0 || reference.stamp_ns > now_ns + kMostAhead_ns) return true;
  return reference.lease_ns > 0 && now_ns - reference.stamp_ns > reference.lease_ns;
}

bool has_bad_value(const JointReference& reference) {
  return reference.smoothing > Smoothing::Compliant || reference.lease_ns < 0 ||
         reference.lease_ns > kLongestLease_ns;
}

}  // namespace

Mux::Mux(const RobotModel& model) : model_(model), enabled_mask_(enabled_mask(model)) {
  for (std::size_t i = 0; i < model.positions.size(); ++i) joints_mask_ |= joint_bit(i);
  wish_.source.fill(kNoSource);
}

RefusedInput Mux::take(std::size_t source, const JointReference& reference,
                       std::int64_t now_ns) SINEW_REALTIME {
  if (const RefusedInput refused = check(source, reference, now_ns)) return refused;
  for_each_joint(reference.joint_mask, [&](std::size_t i) {
    set(source, i, reference.position[i]);
    wish_.smoothing[i] = reference.smoothing;
    ends_ns_[i] = reference.lease_ns > 0 ? reference.stamp_ns + reference.lease_ns : 0;
  });
  return {};
}

void Mux::set(std::size_t source, std::size_t joint, double position) SINEW_REALTIME {
  wish_.position[joint] = position;
  wish_.smoothing[joint] = Smoothing::JerkLimited;
  wish_.source[joint] = static_cast<std::uint8_t>(source);
  untold_mask_ |= joint_bit(joint);
  wish_.silent_mask &= ~joint_bit(joint);
  ends_ns_[joint] = 0;
  arrived_mask_ &= ~joint_bit(joint);
}

const Wish& Mux::choose(std::uint64_t arrived_mask, std::int64_t now_ns) SINEW_REALTIME {
  wish_.new_mask = untold_mask_;
  untold_mask_ = 0;
  arrived_mask_ = arrived_mask & ~wish_.new_mask;
  for (std::size_t i = 0; i < model_.positions.size(); ++i) {
    if (ends_ns_[i] == 0 || now_ns <= ends_ns_[i]) continue;
    wish_.silent_mask |= joint_bit(i);
    ends_ns_[i] = 0;
  }
  return wish_;
}

void Mux::forget(std::uint64_t mask) SINEW_REALTIME {
  for_each_joint(mask & joints_mask_, [this](std::size_t i) {
    wish_.source[i] = kNoSource;
    ends_ns_[i] = 0;
  });
  untold_mask_ &= ~mask;
  wish_.silent_mask &= ~mask;
}

bool Mux::may_command(std::size_t source, std::uint64_t mask, std::int64_t now_ns) const SINEW_REALTIME {
  bool may = true;
  for_each_joint(mask & joints_mask_, [&](std::size_t i) {
    const std::uint8_t owner = wish_.source[i];
    if (owner == kNoSource || owner == source || priorities_[owner] <= priorities_[source]) return;
    may = may && !is_live(i, now_ns);
  });
  return may;
}

bool Mux::is_commanded_by(std::size_t source, std::int64_t now_ns) const SINEW_REALTIME {
  bool is_commanded = false;
  for_each_joint(joints_mask_, [&](std::size_t i) {
    is_commanded = is_commanded || (wish_.source[i] == source && is_live(i, now_ns));
  });
  return is_commanded;
}

bool Mux::is_live(std::size_t joint, std::int64_t now_ns) const {
  if ((wish_.silent_mask & joint_bit(joint)) != 0) return false;
  return ends_ns_[joint] > 0 ? now_ns <= ends_ns_[joint] : (arrived_mask_ & joint_bit(joint)) == 0;
}

RefusedInput Mux::check(std::size_t source, const JointReference& reference, std::int64_t now_ns) const {
  const std::uint64_t mask = reference.joint_mask;
  if (mask == 0 || (mask & ~joints_mask_) != 0) return {.refusal = Refusal::UnknownJoint};
  if ((mask & ~enabled_mask_) != 0) {
    const auto joint = static_cast<std::size_t>(std::countr_zero(mask & ~enabled_mask_));
    return {.refusal = Refusal::NotEnabled, .joint = joint};
  }
  if (has_bad_value(reference)) return {.refusal = Refusal::BadValue};
  if (is_stale(reference, now_ns)) return {.refusal = Refusal::Stale};

  RefusedInput refused;
  for_each_joint(mask, [&](std::size_t i) {
    if (!refused) refused = check_joint(i, reference.position[i]);
  });
  if (!refused && !may_command(source, mask, now_ns)) refused.refusal = Refusal::NotAllowed;
  return refused;
}

RefusedInput Mux::check_joint(std::size_t joint, double position) const {
  if (!std::isfinite(position)) return {.refusal = Refusal::NotANumber, .joint = joint, .value = position};
  const JointLimits& limits = model_.joints[model_.positions[joint]].limits;
  if (position >= limits.lower && position <= limits.upper) return {};
  return {.refusal = Refusal::OutOfLimits,
          .joint = joint,
          .value = position,
          .bound = position < limits.lower ? limits.lower : limits.upper};
}

}  // namespace sinew
