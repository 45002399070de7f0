// SPDX-License-Identifier: BSD-3-Clause
#include "rival.h"

namespace sinew::bench {

struct KdlSolver::Inside {};

KdlSolver::KdlSolver(const RobotModel& /*model*/, const SerialChain& /*chain*/) {}
KdlSolver::~KdlSolver() = default;

bool KdlSolver::is_available() {
  return false;
}
bool KdlSolver::solve(const Pose& /*X_BT*/, std::span<const double> /*seed*/, std::span<double> /*q*/) {
  return false;
}
double KdlSolver::evaluate(std::span<const double> /*q*/) {
  return 0.0;
}

}  // namespace sinew::bench
