// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "sinew/kinematics/chain_choice.h"

namespace sinew::bench {

/// KDL's Levenberg-Marquardt with restarts from random postures within limits: its best. And KDL's forward
/// kinematics, which judge all answers.
class KdlSolver {
 public:
  /// KDL on `chosen`, which must outlive it; null where KDL was not built in or cannot say the chain.
  static std::unique_ptr<KdlSolver> make(const ChosenChain& chosen);
  /// False where Debian's liborocos-kdl-dev was not installed.
  static bool is_built_in();

  ~KdlSolver();
  KdlSolver(const KdlSolver&) = delete;
  KdlSolver& operator=(const KdlSolver&) = delete;

  /// Fills `q` with joint positions within limits that reach X_BT, beginning at `seed`; false after 5 ms
  /// without one.
  bool solve(const Pose& X_BT, std::span<const double> seed, std::span<double> q);
  /// Where the tool is.
  Pose tool_pose(std::span<const double> q);
  /// Forward kinematics and Jacobian, for the time that they take; the result keeps the compiler from leaving
  /// them out.
  double evaluate(std::span<const double> q);

 private:
  struct Inside;
  explicit KdlSolver(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace sinew::bench
