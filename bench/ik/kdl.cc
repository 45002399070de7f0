// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>
#include <random>

#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#include "sinew/base/time.h"
#include "sinew/kinematics/joint_turns.h"

#include "rival.h"

namespace sinew::bench {
namespace {

constexpr std::int64_t kPatience_ns = 5 * kMillisecond_ns;

KDL::Frame frame_of(const Pose& X) {
  return {KDL::Rotation::Quaternion(X.rotation.x(), X.rotation.y(), X.rotation.z(), X.rotation.w()),
          KDL::Vector(X.position.x(), X.position.y(), X.position.z())};
}

KDL::Chain kdl_chain(const RobotModel& model) {
  KDL::Chain chain;
  for (const Joint& joint : model.joints) {
    const KDL::Frame frame = frame_of(joint.X_PJ);
    const KDL::Vector axis = frame.M * KDL::Vector(joint.axis.x(), joint.axis.y(), joint.axis.z());
    const auto type = joint.kind == JointKind::Prismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
    const bool is_fixed = joint.kind == JointKind::Fixed;
    chain.addSegment(
        KDL::Segment(is_fixed ? KDL::Joint(KDL::Joint::None) : KDL::Joint(frame.p, axis, type), frame));
  }
  return chain;
}

/// Metres and radians alike: its default weight would leave the rotation a hundred times coarser.
Eigen::Matrix<double, 6, 1> equal_weights() {
  return Eigen::Matrix<double, 6, 1>::Ones();
}

}  // namespace

struct KdlSolver::Inside {
  Inside(const RobotModel& model, const SerialChain& ours)
      : chain(kdl_chain(model)),
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
  std::mt19937_64 random{1};
};

KdlSolver::KdlSolver(const RobotModel& model, const SerialChain& chain)
    : inside_(std::make_unique<Inside>(model, chain)) {}
KdlSolver::~KdlSolver() = default;

bool KdlSolver::is_available() {
  return true;
}

bool KdlSolver::solve(const Pose& X_BT, std::span<const double> seed, std::span<double> q) {
  const KDL::Frame frame = frame_of(X_BT);
  const std::int64_t until_ns = monotonic_now_ns() + kPatience_ns;
  for (std::size_t i = 0; i < seed.size(); ++i) inside_->seed(static_cast<unsigned>(i)) = seed[i];
  do {
    const bool is_there = inside_->ik.CartToJnt(inside_->seed, frame, inside_->found) >= 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] = nearest_turn(inside_->limits, i, inside_->found(static_cast<unsigned>(i)), seed[i]);
    }
    if (is_there && inside_->limits.is_within_limits(q)) return true;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const JointLimits& range = inside_->limits.limits(i);
      const double share = static_cast<double>(inside_->random() >> 11) * 0x1p-53;
      inside_->seed(static_cast<unsigned>(i)) = range.lower + share * (range.upper - range.lower);
    }
  } while (monotonic_now_ns() < until_ns);
  return false;
}

double KdlSolver::evaluate(std::span<const double> q) {
  for (std::size_t i = 0; i < q.size(); ++i) inside_->seed(static_cast<unsigned>(i)) = q[i];
  KDL::Frame frame;
  inside_->forward.JntToCart(inside_->seed, frame);
  inside_->slope.JntToJac(inside_->seed, inside_->jacobian);
  return frame.p.x() + inside_->jacobian(0, 0);
}

}  // namespace sinew::bench
