// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/legacy_mds_ik.h"

#include <algorithm>

#include <Eigen/SVD>

#include "sinew/base/assert.h"

namespace sinew {
namespace {

using Components = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using LegacyJacobian = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, kMaxChainJoints>;

/// The first `count` of x, y, z, roll, pitch, yaw.
Components components_of(const SerialChain& chain, const JointVector& q, Eigen::Index count) {
  const Pose X_BT = chain.tool_pose({q.data(), static_cast<std::size_t>(q.size())});
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  Eigen::Matrix<double, 6, 1> all;
  all << X_BT.position, rpy.roll, rpy.pitch, rpy.yaw;
  return all.head(count);
}

LegacyJacobian difference_jacobian(const SerialChain& chain, const JointVector& q, const Components& now,
                                   double difference) {
  LegacyJacobian jacobian(now.size(), q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    JointVector moved = q;
    moved[i] += difference;
    jacobian.col(i) = (components_of(chain, moved, now.size()) - now) / difference;
  }
  return jacobian;
}

/// J⁺ v, with numpy's cut-off of small singular values.
JointVector pseudoinverse_times(const LegacyJacobian& jacobian, const Components& v) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const double cutoff = 1e-15 * svd.singularValues()[0];
  Eigen::VectorXd scaled = svd.matrixU().transpose() * v;
  for (Eigen::Index i = 0; i < scaled.size(); ++i) {
    const double value = svd.singularValues()[i];
    scaled[i] = value > cutoff ? scaled[i] / value : 0.0;
  }
  return svd.matrixV() * scaled;
}

}  // namespace

LegacyMdsResult solve_as_mds_did(const SerialChain& chain, std::span<const double> goal,
                                 std::span<const double> seed, const LegacyMdsOptions& options) {
  SINEW_ASSERT(!goal.empty() && goal.size() <= 6 && seed.size() == chain.size());
  const auto count = static_cast<Eigen::Index>(goal.size());
  const Components wanted = Eigen::Map<const Eigen::VectorXd>(goal.data(), count);
  LegacyMdsResult result{
      .q = Eigen::Map<const Eigen::VectorXd>(seed.data(), static_cast<Eigen::Index>(seed.size()))};
  Components now = components_of(chain, result.q, count);
  result.residual = (wanted - now).norm();
  while (!(result.residual < options.tolerance) && result.steps < options.most_steps) {
    const LegacyJacobian jacobian = difference_jacobian(chain, result.q, now, options.difference);
    const Components towards = (wanted - now) / result.residual * options.step;
    result.q += pseudoinverse_times(jacobian, towards);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      double& q = result.q[static_cast<Eigen::Index>(i)];
      q = std::clamp(q, chain.limits(i).lower, chain.limits(i).upper);
    }
    now = components_of(chain, result.q, count);
    result.residual = (wanted - now).norm();
    result.residuals.push_back(result.residual);
    ++result.steps;
  }
  result.is_solved = result.residual < options.tolerance;
  return result;
}

}  // namespace sinew
