// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/jog.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "sinew/base/assert.h"

namespace sinew {
namespace {

using Wish = Eigen::Matrix<double, 6, 1>;

/// Velocities by the singular values, each direction damped as near as it is to being lost.
JointVector damped_velocity(const Jacobian& jacobian, const Wish& wish, const JogOptions& options,
                            double& smallest) {
  const Eigen::JacobiSVD<Jacobian> svd(jacobian, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto& values = svd.singularValues();
  smallest = values[values.size() - 1];
  JointVector velocity = JointVector::Zero(jacobian.cols());
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    // damping rises from nothing with a level slope, so the motion has no kink
    const double depth = std::clamp(1.0 - values[i] / options.singular_from, 0.0, 1.0);
    const double damping = options.most_damping * depth * depth;
    const double square = values[i] * values[i] + damping * damping;
    if (square <= 0.0) continue;
    velocity += svd.matrixV().col(i) * (values[i] / square * svd.matrixU().col(i).dot(wish));
  }
  return velocity;
}

/// How free a joint is to go on in the direction of `velocity`: 1 far from its limit, 0 at it.
double freedom(const JointLimits& range, double q, double velocity, double margin) {
  const double room = velocity > 0.0 ? range.upper - q : q - range.lower;
  // a range narrower than two margins has its middle free
  const double start = std::min(margin, 0.5 * (range.upper - range.lower));
  return start > 0.0 ? std::clamp(room / start, 0.0, 1.0) : 0.0;
}

bool are_finite(const Jacobian& jacobian, const Wish& wish) {
  return jacobian.allFinite() && wish.allFinite();
}

}  // namespace

JogResult jog(const SerialChain& chain, std::span<const double> q, const Twist& V_BT,
              const JogOptions& options) noexcept {
  SINEW_ASSERT(q.size() == chain.size());
  const auto count = static_cast<Eigen::Index>(q.size());
  JogResult result{.velocity = JointVector::Zero(count)};
  Wish wish;
  wish << V_BT.linear / options.length, V_BT.angular;
  for (const double value : q) {
    if (!std::isfinite(value)) return result;
  }
  Jacobian jacobian;
  chain.tool_pose(q, jacobian);
  jacobian.topRows<3>() /= options.length;
  if (!are_finite(jacobian, wish)) return result;

  JointVector velocity = damped_velocity(jacobian, wish, options, result.smallest_singular_value);
  result.is_near_singularity = result.smallest_singular_value < options.singular_from;
  // joints near a limit lose weight once, and the others take over
  JointVector weight = JointVector::Ones(count);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    weight[k] = freedom(chain.limits(i), q[i], velocity[k], options.limit_margin);
  }
  if (weight.minCoeff() < 1.0) {
    result.is_near_limit = true;
    double unused = 0.0;
    velocity = weight.asDiagonal() * damped_velocity(jacobian * weight.asDiagonal(), wish, options, unused);
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    // the second solution may want a joint the other way: its own limit counts again
    velocity[k] *= std::min(1.0, freedom(chain.limits(i), q[i], velocity[k], options.limit_margin));
    const double most = chain.limits(i).velocity;
    if (std::abs(velocity[k]) > most) result.scale = std::min(result.scale, most / std::abs(velocity[k]));
  }
  result.velocity = velocity * result.scale;
  return result;
}

}  // namespace sinew
