// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/planning/spare_joint.h"
#include "sinew/planning/tool_path.h"

/// Whether it is known that joints cannot follow a path of the tool. Inside this room only.
namespace sinew {

/// [rad, m] Beyond limits, where joints are thought to be able to go, too.
inline constexpr double kProofSlack = 1e-6;
/// [rad] The same of arms with a joint to spare: more than the joints before the last move between two
/// angles of it that are looked at, mostly.
inline constexpr double kSpareSlack = 0.02;

/// At each two-thousandth of the way all postures there are were looked at, and at one of them none hangs
/// together with what was reached before. False also where they cannot be listed.
bool is_shown_infeasible(const SerialChain& chain, const InverseKinematics& ik, const ToolPath& path,
                         const PoseTask& task);

/// The same of an arm with a joint to spare, at each thousandth of the way and each hundredth radian of its
/// last joint. `arm` with kSpareSlack. Less than a proof: near a singularity postures of one way may seem not
/// to hang together on this grid.
bool is_shown_infeasible(const SerialChain& chain, const SpareJoint& arm, const ToolPath& path);

}  // namespace sinew
