// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/actuation.h"

#include <cmath>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <fmt/format.h>

#include "sinew/base/assert.h"

namespace sinew {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Error actuation_error(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

VectorXd counts_at(const Actuation& actuation, const VectorXd& q) {
  return actuation.scale.cwiseProduct(actuation.coupling * q) + actuation.offset;
}

VectorXd positions_at(const Actuation& actuation, const VectorXd& counts) {
  return actuation.inverse * (counts - actuation.offset).cwiseQuotient(actuation.scale);
}

// A matrix that multiplies errors by more than this is as good as singular.
constexpr double kWorstCondition = 1e6;

Status check_invertible(const MatrixXd& matrix) {
  if (matrix.rows() != matrix.cols()) {
    return actuation_error(fmt::format("the coupling has {} actuators for {} joints; each joint needs one",
                                       matrix.rows(), matrix.cols()));
  }
  const VectorXd values = Eigen::JacobiSVD<MatrixXd>(matrix).singularValues();
  const double least = values[values.size() - 1];
  if (matrix.allFinite() && least > 0.0 && values[0] / least < kWorstCondition) return Done{};
  return actuation_error(
      fmt::format("the coupling cannot be inverted (its condition is {:.3g}, at most {:g} is allowed): two "
                  "actuators move the joints alike, or a joint has none",
                  least > 0.0 ? values[0] / least : INFINITY, kWorstCondition));
}

// joints → counts → joints at positions that differ in every joint
Status check_round_trip(const Actuation& actuation) {
  constexpr int kTries = 16;
  constexpr double kTolerance = 1e-9;
  VectorXd q(actuation.coupling.cols());
  for (int i = 0; i < kTries; ++i) {
    for (Eigen::Index j = 0; j < q.size(); ++j)
      q[j] = 3.0 * std::sin(1.0 + 1.7 * i + 0.9 * static_cast<double>(j));
    const VectorXd back = positions_at(actuation, counts_at(actuation, q));
    if ((back - q).cwiseAbs().maxCoeff() <= kTolerance) continue;
    return actuation_error(
        fmt::format("joints to counts and back is off by {:.3g}, more than {:g}; check the offsets "
                    "and scales",
                    (back - q).cwiseAbs().maxCoeff(), kTolerance));
  }
  return Done{};
}

}  // namespace

Status complete_actuation(Actuation& actuation) {
  const bool has_coupling = actuation.coupling.size() > 0;
  if (!has_coupling && actuation.inverse.size() == 0)
    return actuation_error("the actuation has no actuators; add them");
  if (Status checked = check_invertible(has_coupling ? actuation.coupling : actuation.inverse); !checked)
    return checked;
  if (has_coupling) {
    actuation.inverse = actuation.coupling.fullPivLu().inverse();
  } else {
    actuation.coupling = actuation.inverse.fullPivLu().inverse();
  }
  const Eigen::Index count = actuation.coupling.rows();
  SINEW_ASSERT(actuation.scale.size() == count && actuation.offset.size() == count);
  if (!actuation.scale.allFinite() || (actuation.scale.array() == 0.0).any()) {
    return actuation_error("a scale is zero; write how many counts a radian or a metre has");
  }
  return check_round_trip(actuation);
}

Eigen::VectorXd actuator_counts(const RobotModel& model, std::span<const double> q) {
  SINEW_ASSERT(model.actuation && q.size() == model.positions.size());
  return counts_at(*model.actuation,
                   Eigen::Map<const VectorXd>(q.data(), static_cast<Eigen::Index>(q.size())));
}

Eigen::VectorXd joint_positions(const RobotModel& model, std::span<const double> counts) {
  SINEW_ASSERT(model.actuation && static_cast<Eigen::Index>(counts.size()) == model.actuation->scale.size());
  return positions_at(*model.actuation,
                      Eigen::Map<const VectorXd>(counts.data(), static_cast<Eigen::Index>(counts.size())));
}

}  // namespace sinew
