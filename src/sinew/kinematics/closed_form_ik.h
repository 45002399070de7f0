// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "sinew/base/fixed_vector.h"
#include "sinew/kinematics/ik_types.h"

namespace sinew {

namespace kernel {
struct ClosedArm;
struct ClosedAnswer;
}  // namespace kernel

/// An answer of inverse kinematics: joint positions within limits, and how far the tool then is from its
/// target.
struct IkSolution {
  JointVector q;
  double position_error = 0.0;  ///< [m]
  double rotation_error = 0.0;  ///< [rad]
};

/// As many as any arm here has.
using IkSolutions = FixedVector<IkSolution, 8>;

/// Inverse kinematics in closed form, of the arms whose axes allow it (joints count from 1; each also
/// mirrored, from tip to base):
/// - six joints, 4-5-6 through one point, and 1-2 or 2-3 parallel or meeting (KUKA, ABB, Stäubli, PUMA);
/// - six joints, 2-3-4 through one point, and 5-6 parallel or meeting;
/// - six joints, 2-3-4 parallel, and 5-6 parallel or meeting (Universal Robots);
/// - six joints, 1-2-3 parallel, and 5-6 meeting or 4-5 parallel or meeting;
/// - five joints, 2-3-4 parallel (SCORBOT);
/// - seven joints, 1-2-3 through one point and 5-6-7 through another (KUKA LBR), over the arm angle: the turn
///   of the arm about the line between those points. The elbow may lie anywhere off that line.
/// Axes may be off by rounding in a file or by a calibration, up to 2e-3 (of a radian, of the arm's reach):
/// answers are then made exact by Newton steps.
///
/// Made once, then never changed: many threads may share it. solve() does not allocate.
class ClosedFormIk {
 public:
  /// The closed form of `chain`, which must outlive it; nothing when there is none.
  static std::optional<ClosedFormIk> find(const SerialChain& chain);

  /// All postures within limits that bring the tool to X_BT within `tolerance` [m, rad], the nearest to
  /// `seed` first. Each joint is the whole number of turns nearest to the seed that its limits allow. X_BT
  /// must be valid and seed finite. `beyond_limits`, when given, counts those that limits forbid.
  ///
  /// Seven joints: one posture of each branch, at the arm angle nearest to the seed's. Where the nearest
  /// branch breaks a limit there, each branch takes the nearest arm angle that keeps all limits.
  IkSolutions solve(const Pose& X_BT, std::span<const double> seed, double tolerance = 1e-6,
                    int* beyond_limits = nullptr) const SINEW_REALTIME;

  /// Arms of seven joints only: all postures within limits whose arm is turned by `turn` [rad] about the line
  /// from shoulder to wrist, away from the posture nearest to `seed`.
  IkSolutions solve_turned(const Pose& X_BT, std::span<const double> seed, double turn,
                           double tolerance = 1e-6) const SINEW_REALTIME;

  /// "spherical wrist", "spherical shoulder", "spherical middle", "parallel axes", "five axes" or
  /// "arm angle".
  std::string_view name() const noexcept;
  /// "closed form: " and the name.
  std::string_view description() const noexcept;

 private:
  ClosedFormIk(const SerialChain& chain, const kernel::ClosedArm& arm);

  IkSolutions solutions_of(const Pose& X_BT, std::span<const double> seed, double tolerance,
                           kernel::ClosedAnswer& answer) const;

  const SerialChain* chain_;
  std::shared_ptr<const kernel::ClosedArm> arm_;
};

}  // namespace sinew
