// SPDX-License-Identifier: BSD-3-Clause
#include "rival.h"

namespace sinew::bench {

struct KdlSolver::Inside {};

KdlSolver::KdlSolver(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
KdlSolver::~KdlSolver() = default;

std::unique_ptr<KdlSolver> KdlSolver::make(const ChosenChain& /*chosen*/) {
  return nullptr;
}
bool KdlSolver::is_built_in() {
  return false;
}
bool KdlSolver::solve(const Pose& /*X_BT*/, std::span<const double> /*seed*/, std::span<double> /*q*/) {
  return false;
}
Pose KdlSolver::tool_pose(std::span<const double> /*q*/) {
  return {};
}
double KdlSolver::evaluate(std::span<const double> /*q*/) {
  return 0.0;
}

}  // namespace sinew::bench
