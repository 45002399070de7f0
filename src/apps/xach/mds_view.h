// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/safety.h"

#include "apps/xach/mds_anatomy.h"
#include "mds.h"

namespace sinew {

/// What a frame of references asks for that the frame before it did not: a program of MDS-Ach puts all joints
/// at once, and means those that it has changed.
struct MeantJoints {
  static constexpr std::size_t kModes = 4;

  /// By MDS_REF_MODE_…; only joints that have a motor in use.
  std::array<JointReference, kModes> by_mode{};
  std::uint64_t joint_mask = 0;  ///< All of them.
  std::uint32_t refused = 0;     ///< Joints left out: no number, beyond a limit, no such mode, or not in use.
};

/// Turns what the robot says into MDS-Ach's structs, and what its programs say into ours. Knows no channel.
class MdsView {
 public:
  /// `model` must outlive it.
  MdsView(const RobotModel& model, std::vector<MdsMotor> motors);

  mds_state_t state_of(const JointState& state, const JointCommand& command, const Safety& safety) const;
  mds_joint_param_t parameters() const;
  /// A frame of references that says where the joints were sent last, and which of them follow their
  /// encoders.
  mds_ref_t reference_of(const JointCommand& command, std::uint64_t following_mask) const;
  /// Whether the frame is about what was sent last.
  bool is_true(const mds_ref_t& frame, const JointCommand& command) const;

  /// Positions as measured, which may be a little beyond a limit, brought within.
  JointArray within_limits(JointArray position) const;

  MeantJoints meant(const mds_ref_t& before, const mds_ref_t& now) const;
  /// The request in a goal for a hand; refuses one that cannot be.
  static Result<Request> request_of(const mds_ik_t& goal, bool is_legacy);

 private:
  const RobotModel& model_;
  std::vector<MdsMotor> motors_;
};

}  // namespace sinew
