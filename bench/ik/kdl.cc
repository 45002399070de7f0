// SPDX-License-Identifier: BSD-3-Clause
#include <time.h>

#include <cmath>
#include <numbers>
#include <random>

#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#include "sinew/base/time.h"
#include "sinew/kinematics/joint_turns.h"

#include "kdl_chain.h"
#include "rival.h"

namespace sinew::bench {
namespace {

constexpr std::int64_t kPatience_ns = 5 * kMillisecond_ns;

/// Metres and radians alike: its default weight would leave the rotation a hundred times coarser.
Eigen::Matrix<double, 6, 1> equal_weights() {
  return Eigen::Matrix<double, 6, 1>::Ones();
}

/// How long this thread has computed: what others take of the core is not KDL's fault.
std::int64_t own_time_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * kSecond_ns + now.tv_nsec;
}

}  // namespace

struct KdlSolver::Inside {
  Inside(const KDL::Chain& theirs, const SerialChain& ours)
      : chain(theirs),
        limits(ours),
        ik(chain, equal_weights(), 1e-7, 100),
        forward(chain),
        slope(chain),
        seed(chain.getNrOfJoints()),
        found(chain.getNrOfJoints()),
        jacobian(chain.getNrOfJoints()) {}

  KDL::Chain chain;
  const SerialChain& limits;
  KDL::ChainIkSolverPos_LMA ik;
  KDL::ChainFkSolverPos_recursive forward;
  KDL::ChainJntToJacSolver slope;
  KDL::JntArray seed;
  KDL::JntArray found;
  KDL::Jacobian jacobian;
  std::minstd_rand random;
};

KdlSolver::KdlSolver(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
KdlSolver::~KdlSolver() = default;

bool KdlSolver::is_built_in() {
  return true;
}

std::unique_ptr<KdlSolver> KdlSolver::make(const ChosenChain& chosen) {
  const auto chain = kdl_chain(chosen.robot.model, chosen.base_link, chosen.tip_link, chosen.X_LT);
  if (!chain || chain->getNrOfJoints() != chosen.chain.size()) return nullptr;
  return std::unique_ptr<KdlSolver>(new KdlSolver(std::make_unique<Inside>(*chain, chosen.chain)));
}

bool KdlSolver::solve(const Pose& X_BT, std::span<const double> seed, std::span<double> q) {
  const KDL::Frame frame = kdl_frame(X_BT);
  const std::int64_t until_ns = own_time_ns() + kPatience_ns;
  // the same restarts for every pose, so that a pose can be measured again
  inside_->random.seed();
  for (std::size_t i = 0; i < seed.size(); ++i) inside_->seed(static_cast<unsigned>(i)) = seed[i];
  do {
    const bool is_there = inside_->ik.CartToJnt(inside_->seed, frame, inside_->found) >= 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] = nearest_turn(inside_->limits, i, inside_->found(static_cast<unsigned>(i)), seed[i]);
    }
    if (is_there && inside_->limits.is_within_limits(q)) return true;
    for (std::size_t i = 0; i < q.size(); ++i) {
      // where there is no limit, within half a turn
      const JointLimits& range = inside_->limits.limits(i);
      const double lower = std::isfinite(range.lower) ? range.lower : -std::numbers::pi;
      const double upper = std::isfinite(range.upper) ? range.upper : std::numbers::pi;
      const double share = static_cast<double>(inside_->random()) / std::minstd_rand::max();
      inside_->seed(static_cast<unsigned>(i)) = lower + share * (upper - lower);
    }
  } while (own_time_ns() < until_ns);
  return false;
}

Pose KdlSolver::tool_pose(std::span<const double> q) {
  for (std::size_t i = 0; i < q.size(); ++i) inside_->seed(static_cast<unsigned>(i)) = q[i];
  KDL::Frame frame;
  inside_->forward.JntToCart(inside_->seed, frame);
  Matrix3 R_BT;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) R_BT(row, column) = frame.M(row, column);
  }
  return {.rotation = Quaternion(R_BT).normalized(), .position = {frame.p.x(), frame.p.y(), frame.p.z()}};
}

double KdlSolver::evaluate(std::span<const double> q) {
  for (std::size_t i = 0; i < q.size(); ++i) inside_->seed(static_cast<unsigned>(i)) = q[i];
  KDL::Frame frame;
  inside_->forward.JntToCart(inside_->seed, frame);
  inside_->slope.JntToJac(inside_->seed, inside_->jacobian);
  return frame.p.x() + inside_->jacobian(0, 0);
}

}  // namespace sinew::bench
