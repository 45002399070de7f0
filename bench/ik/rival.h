// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "sinew/kinematics/serial_chain.h"

namespace sinew::bench {

/// KDL's Levenberg-Marquardt with restarts from random postures within limits: its best.
class KdlSolver {
 public:
  /// `model` and `chain` must outlive this object.
  KdlSolver(const RobotModel& model, const SerialChain& chain);
  ~KdlSolver();

  /// False where Debian's liborocos-kdl-dev was not installed.
  static bool is_available();

  /// Fills `q` with joint positions within limits that reach X_BT, beginning at `seed`; false after 5 ms
  /// without one.
  bool solve(const Pose& X_BT, std::span<const double> seed, std::span<double> q);
  /// Forward kinematics and Jacobian, for the time that they take; the result keeps the compiler from leaving
  /// them out.
  double evaluate(std::span<const double> q);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace sinew::bench
