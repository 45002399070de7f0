// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/kinematics/closed_form_ik.h"
#include "sinew/kinematics/numerical_ik.h"

namespace sinew {

/// What to ask of inverse kinematics beyond the target.
struct IkOptions {
  PoseTask task;            ///< Which components must agree.
  double tolerance = 1e-6;  ///< [m, rad]
  int most_rounds = 3000;   ///< Of the numerical search.
  std::uint64_t random_seed = 1;
  /// An arm that cannot take the orientation (five joints and fewer) gets the nearest it can, and the
  /// residual says so.
  bool accept_nearest_orientation = false;
  /// Where no posture is exact, the nearest counts as solved within this, and the residual says how near it
  /// is. Postures that are exact are found all the same, and come alone.
  PoseTolerance accepted{};
  /// With more joints than components: go as near to this posture as the task allows; empty for none.
  std::span<const double> posture;
};

/// How an answer was found.
enum class IkMethod { None, ClosedForm, Numerical };

struct IkResult {
  IkStatus status = IkStatus::NotConverged;
  IkSolutions solutions;        ///< When Solved: all that were found, the nearest to the seed first.
  JointVector nearest;          ///< The best posture found, also without a solution.
  double position_error = 0.0;  ///< Of `nearest`, in the components asked for [m].
  double rotation_error = 0.0;  ///< Of `nearest`, in the components asked for [rad].
  std::size_t limit_joint = 0;  ///< With JointLimit: the variable that would go beyond its range.
  IkMethod method = IkMethod::None;
};

/// Inverse kinematics of a chain: in closed form where its axes allow it, numerically otherwise.
///
/// Made once, then never changed: many threads may share it. solve() does not allocate.
class InverseKinematics {
 public:
  /// `chain` must outlive this object.
  explicit InverseKinematics(const SerialChain& chain);

  /// Joint positions that bring the tool to X_BT. `seed`: where the arm is, or where the search shall begin.
  IkResult solve(const Pose& X_BT, std::span<const double> seed,
                 const IkOptions& options = {}) const SINEW_REALTIME;

  /// "closed form: spherical wrist" and the like, or "numerical".
  std::string_view description() const noexcept;

 private:
  IkResult solve_closed(const Pose& X_BT, std::span<const double> seed, const IkOptions& options) const;
  void approach_posture(const Pose& X_BT, const IkOptions& options, IkResult& result) const;
  void accept_nearest(const Pose& X_BT, std::span<const double> seed, const IkOptions& options,
                      IkResult& result) const;
  IkResult turn_towards(const Pose& X_BT, const IkOptions& options, const JointVector& start) const;

  const SerialChain& chain_;
  std::optional<ClosedFormIk> closed_;
  NumericalIk numerical_;
};

/// A task from words: "p_x p_y p_z t_x", any of p_x p_y p_z (position) and t_x t_y t_z (rotation), in any
/// order.
Result<PoseTask> pose_task_from_text(std::string_view text, TaskAxes axes = TaskAxes::Base);

/// For people: "out of reach by 123.4 mm", "joint 'elbow' would have to go beyond its limits -90.0 deg
/// to 90.0 deg".
std::string explain(const IkResult& result, const RobotModel& model, const SerialChain& chain);

}  // namespace sinew
