// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "sinew/kinematics/closed_form_ik.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/planning/tool_path.h"

namespace sinew {

/// All postures of an arm that has one joint more than a pose needs: over the angle of its last joint, those
/// before it in closed form. Never changes: many threads may share it. Inside this room only.
class SpareJoint {
 public:
  /// Of `chain`, which must outlive it, where the joints before the last have up to `slack` [rad] more at
  /// both ends of their ranges. Nothing: the chain has no joint to spare, or without its last no closed form.
  static std::unique_ptr<const SpareJoint> find(const SerialChain& chain, double slack = 0.0);
  SpareJoint(const SpareJoint&) = delete;
  SpareJoint& operator=(const SpareJoint&) = delete;

  /// The angles of the last joint that are looked at: even, no further apart than `step` [rad], both ends of
  /// its range among them.
  std::vector<double> angles(double step) const;

  /// All postures with the last joint at `last` that put the tool at X_BT.
  IkSolutions postures(const Pose& X_BT, double last) const;

 private:
  SpareJoint(const SerialChain& chain, SerialChain before);

  const SerialChain& chain_;
  SerialChain before_;  // the joints before the last
  std::optional<ClosedFormIk> closed_;
  Pose X_BE_;  // where they end, all at zero
};

/// A way of the joints along `path` that touches no limit and does not jump: postures at even shares of it,
/// the first at its begin. Empty: none was found.
std::vector<JointVector> way_of_joints(const SerialChain& chain, const SpareJoint& arm, const ToolPath& path,
                                       const Interruption& interruption = {});

}  // namespace sinew
