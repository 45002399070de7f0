// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

#include "sinew/base/result.h"
#include "sinew/kinematics/serial_chain.h"

namespace sinew {

/// An axis of the tool stays within a cone: keep the cup level.
struct AxisCone {
  Vector3 tool_axis = Vector3::UnitZ();  ///< In T, of unit length.
  Vector3 direction = Vector3::UnitZ();  ///< In the chain's base B, of unit length.
  double angle = 0.1;                    ///< [rad] Half the cone's opening.
};

/// The tool's origin stays within a box, in axes of the chain's base B.
struct PositionBox {
  Vector3 lowest = Vector3::Zero();   ///< [m]
  Vector3 highest = Vector3::Zero();  ///< [m]
};

/// What the tool must keep along the whole way.
struct PathConstraint {
  std::optional<AxisCone> cone;
  std::optional<PositionBox> box;
};

namespace planning {

/// How far a tool is outside of what it must keep; not more than zero: inside.
struct Violation {
  double angle = 0.0;     ///< [rad]
  double distance = 0.0;  ///< [m]
};

/// A constraint on the tool of a chain. Inside this room only.
class ToolKeeper {
 public:
  /// `chain` must outlive this object.
  ToolKeeper(const SerialChain& chain, const PathConstraint& constraint);

  Violation violation(std::span<const double> q) const;
  bool is_kept(std::span<const double> q) const;

  /// Whether every configuration straight from q0 to q1 is kept: looked at in steps, at each of which the
  /// bounds are narrowed by how far the tool can turn or move in half a step.
  bool is_kept_between(std::span<const double> q0, std::span<const double> q1) const;

  /// Moves q into the constraint, along the shortest way that the Jacobian shows, within the joint limits.
  /// False when it cannot.
  bool project(std::span<double> q) const;

 private:
  /// How far the tool can turn [rad] and its origin move [m] while the joints go from q0 to q1.
  Violation travel(std::span<const double> q0, std::span<const double> q1) const;

  const SerialChain* chain_;
  PathConstraint constraint_;
};

}  // namespace planning
}  // namespace sinew
