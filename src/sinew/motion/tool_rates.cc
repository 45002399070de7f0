// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/tool_rates.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

namespace sinew {
namespace {

constexpr double kLength = 0.3;    // [m] what weighs as much as a radian
constexpr double kGone = 1e-3;     // singular values below this are given up
constexpr double kInstant = 1e-4;  // [s] for differences in time
constexpr double kExact = 1e-13;   // [m, rad] nothing to gain below
constexpr double kEnough = 1e-9;   // [m, rad]
constexpr double kNothing = 1e-4;
constexpr int kMostSteps = 6;

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, kMaxChainJoints>;
using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxChainJoints, kMaxChainJoints>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Twist twist_of(const Vector6& v) {
  return {.linear = v.head<3>(), .angular = v.tail<3>()};
}

Vector6 six_of(const Twist& V) {
  Vector6 v;
  v << V.linear, V.angular;
  return v;
}

/// The smallest x with A x nearest to b, directions that are gone left out.
struct LeastSquares {
  explicit LeastSquares(const Rows& a, double soft_below = 0.0)
      : svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV), soft(soft_below) {}

  JointVector solve(const Column& b) const {
    JointVector x = JointVector::Zero(svd.matrixV().rows());
    for (Eigen::Index i = 0; i < svd.singularValues().size(); ++i) {
      const double value = svd.singularValues()[i];
      if (value <= kGone) continue;
      // damping rises from nothing with a level slope
      const double depth = value < soft ? 1.0 - value / soft : 0.0;
      const double damping = 2.0 * soft * depth * depth;
      x += svd.matrixV().col(i) * (svd.matrixU().col(i).dot(b) * value / (value * value + damping * damping));
    }
    return x;
  }
  /// I - A⁺A
  Square free_directions() const {
    Square free = Square::Identity(svd.matrixV().rows(), svd.matrixV().rows());
    for (Eigen::Index i = 0; i < svd.singularValues().size(); ++i)
      if (svd.singularValues()[i] > kGone) free -= svd.matrixV().col(i) * svd.matrixV().col(i).transpose();
    return free;
  }
  double smallest() const { return svd.singularValues()[svd.singularValues().size() - 1]; }

  Eigen::JacobiSVD<Rows> svd;
  double soft;
};

// of a wish that is next to nothing, nothing worth telling is lost
double share_lost(const Column& wish, const Column& done) {
  return std::min(1.0, (done - wish).norm() / std::max(wish.norm(), kNothing));
}

// First the place, then with what is free of the joints the rotation.
ToolRates rates_of_short_arm(const Jacobian& jacobian, const Vector6& wish, double soft_below) {
  const Rows places = jacobian.topRows<3>();
  const Rows turns = jacobian.bottomRows<3>();
  const LeastSquares by_place(places, soft_below);
  const Square free = by_place.free_directions();
  ToolRates rates{.velocity = by_place.solve(wish.head<3>())};
  const Column left = wish.tail<3>() - turns * rates.velocity;
  rates.velocity += free * LeastSquares(turns * free, soft_below).solve(left);
  rates.lost = wish.head<3>().isZero() ? share_lost(wish.tail<3>(), turns * rates.velocity)
                                       : share_lost(wish.head<3>(), places * rates.velocity);
  rates.smallest_singular_value = LeastSquares(jacobian).smallest();
  return rates;
}

}  // namespace

ToolRates tool_rates(const SerialChain& chain, std::span<const double> q, const Twist& V_BT,
                     double soft_below) {
  Jacobian jacobian;
  chain.tool_pose(q, jacobian);
  jacobian.topRows<3>() /= kLength;
  Vector6 wish = six_of(V_BT);
  wish.head<3>() /= kLength;
  if (chain.size() < 6) return rates_of_short_arm(jacobian, wish, soft_below);
  const LeastSquares all(Rows(jacobian), soft_below);
  ToolRates rates{.velocity = all.solve(wish), .smallest_singular_value = all.smallest()};
  rates.lost = share_lost(wish, jacobian * rates.velocity);
  return rates;
}

ToolMotion tool_motion(const SerialChain& chain, const JointVector& q, const JointVector& velocity,
                       const JointVector& acceleration) {
  Jacobian here;
  Jacobian before;
  Jacobian after;
  const Pose X_BT = chain.tool_pose(joint_numbers(q), here);
  chain.tool_pose(joint_numbers(q - kInstant * velocity), before);
  chain.tool_pose(joint_numbers(q + kInstant * velocity), after);
  const Vector6 turning = (after - before) * velocity / (2.0 * kInstant);
  return {.X_BT = X_BT,
          .velocity = twist_of(here * velocity),
          .acceleration = twist_of(here * acceleration + turning)};
}

JointRates joint_rates(const SerialChain& chain, const JointVector& q, const Twist& velocity,
                       const Twist& acceleration, double soft_below) {
  JointRates rates{.velocity = tool_rates(chain, joint_numbers(q), velocity, soft_below).velocity};
  // the whole derivative, also of what the joints do among themselves
  const auto rates_at = [&](double time) {
    const Vector6 V = six_of(velocity) + time * six_of(acceleration);
    const JointVector moved = q + time * rates.velocity;
    return tool_rates(chain, joint_numbers(moved), twist_of(V), soft_below).velocity;
  };
  rates.acceleration = (rates_at(kInstant) - rates_at(-kInstant)) / (2.0 * kInstant);
  return rates;
}

JointMotionState joints_for(const SerialChain& chain, const ToolMotion& tool, const JointVector& guess) {
  JointMotionState found{.q = guess};
  for (int i = 0; i < kMostSteps; ++i) {
    const Pose X_BT = chain.tool_pose(joint_numbers(found.q));
    Twist miss{.linear = tool.X_BT.position - X_BT.position};
    if (chain.size() >= 6) miss.angular = rotation_vector(tool.X_BT.rotation * X_BT.rotation.conjugate());
    const double largest = std::max(miss.linear.norm(), miss.angular.norm());
    found.is_found = largest < kEnough;
    if (largest < kExact) break;
    found.q += tool_rates(chain, joint_numbers(found.q), miss).velocity;
  }
  const JointRates rates = joint_rates(chain, found.q, tool.velocity, tool.acceleration);
  found.velocity = rates.velocity;
  found.acceleration = rates.acceleration;
  return found;
}

}  // namespace sinew
