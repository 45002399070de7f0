// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/encoders.h"

#include <cmath>

namespace sinew {

Encoders::Encoders(const RobotModel& model, const SensorNoise& noise, std::uint64_t seed)
    : noise_(noise), random_(seed), has_counts_(model.actuation.has_value()) {
  q_.setZero(static_cast<Eigen::Index>(model.positions.size()));
  if (!has_counts_) return;
  const Actuation& actuation = *model.actuation;
  counts_from_q_ = actuation.scale.asDiagonal() * actuation.coupling;
  q_from_counts_ = actuation.inverse * actuation.scale.cwiseInverse().asDiagonal();
  offset_ = actuation.offset;
  counted_.setZero(actuation.scale.size());
}

void Encoders::measure(std::span<const double> q, std::span<const double> v, JointState& state) {
  for (std::size_t i = 0; i < q.size(); ++i) {
    state.position[i] = q[i];
    state.velocity[i] = v[i];
    if (noise_.position > 0.0) state.position[i] += noise_.position * random_.normal();
    if (noise_.velocity > 0.0) state.velocity[i] += noise_.velocity * random_.normal();
  }
  if (has_counts_) round_off(state);
}

void Encoders::round_off(JointState& state) {
  Eigen::Map<Eigen::VectorXd> position(state.position.data(), q_.size());
  q_ = position;
  counted_.noalias() = counts_from_q_ * q_;
  counted_ = (counted_ + offset_).array().round().matrix() - offset_;
  q_.noalias() = q_from_counts_ * counted_;
  position = q_;
}

}  // namespace sinew
