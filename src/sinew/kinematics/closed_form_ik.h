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

/// Inverse kinematics in closed form, of the arms whose axes allow it:
/// - six joints, three of them at either end through one point, and of the other three two neighbours that
/// are parallel
///   or meet (KUKA, ABB, Stäubli, PUMA, and their mirror images);
/// - six joints, 2-3-4 parallel and 5, 6 meeting (Universal Robots), or 1-2-3, and their mirror images;
/// - five joints, 2-3-4 parallel (SCORBOT).
/// Axes may be off by rounding in a file, up to 2e-4: answers are then made exact by Newton steps.
///
/// Made once, then never changed: many threads may share it. solve() does not allocate.
class ClosedFormIk {
 public:
  /// The closed form of `chain`, which must outlive it; nothing when there is none.
  static std::optional<ClosedFormIk> find(const SerialChain& chain);

  /// All postures within limits that bring the tool to X_BT within `tolerance` [m, rad], the nearest to
  /// `seed` first. Each joint is the whole number of turns nearest to the seed that its limits allow. X_BT
  /// must be valid and seed finite. `beyond_limits`, when given, counts those that limits forbid.
  IkSolutions solve(const Pose& X_BT, std::span<const double> seed, double tolerance = 1e-6,
                    int* beyond_limits = nullptr) const SINEW_REALTIME;

  /// "spherical wrist", "parallel axes" or "five axes".
  std::string_view name() const noexcept;

 private:
  ClosedFormIk(const SerialChain& chain, const kernel::ClosedArm& arm);

  const SerialChain* chain_;
  std::shared_ptr<const kernel::ClosedArm> arm_;
  Pose X_T0B_;  ///< Where the base is, seen from the tool, when all joints are zero.
};

}  // namespace sinew
