// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/tool_steps.h"

#include <algorithm>

#include <Eigen/Cholesky>

#include "sinew/base/split_mix.h"

namespace sinew::planning {
namespace {

/// [m] How far the tool goes at once.
constexpr double kStep = 0.15;
/// [rad, m] How far the joints go for it at most, Euclidean.
constexpr double kMostTurn = 1.0;
/// Near a singularity the tool stays behind rather than that the joints race.
constexpr double kDamping = 0.1;

using Joints = std::array<double, kMaxChainJoints>;

Joints joints_of(const Configuration& q) {
  Joints result{};
  std::copy(q.begin(), q.end(), result.begin());
  return result;
}

/// The joints' least motion for that of the tool: the first rows of its velocity, as many as `wanted` has.
template <int Rows>
JointVector least_motion(const Jacobian& jacobian, const Eigen::Matrix<double, Rows, 1>& wanted) {
  const auto rows = jacobian.topRows<Rows>();
  Eigen::Matrix<double, Rows, Rows> square = rows * rows.transpose();
  square.diagonal().array() += kDamping * kDamping;
  return rows.transpose() * square.ldlt().solve(wanted);
}

}  // namespace

ToolSteps::ToolSteps(const SerialChain& chain, std::size_t most_nodes)
    : chain_(chain), places_{ConfigurationTree(3, most_nodes), ConfigurationTree(3, most_nodes)} {}

void ToolSteps::begin(std::uint64_t seed) {
  for (ConfigurationTree& places : places_) places.clear();
  sequence_.begin(seed);
  drawn_ = 0;
}

// Where the tool is at the nodes that are new.
void ToolSteps::follow(const ConfigurationTree& tree, ConfigurationTree& places) const {
  for (std::size_t node = places.node_count(); node < tree.node_count(); ++node) {
    Configuration q{};
    tree.configuration(static_cast<std::uint32_t>(node), q.data());
    const Joints joints = joints_of(q);
    const Eigen::Vector3f at = chain_.tool_pose({joints.data(), chain_.size()}).position.cast<float>();
    places.add(at.data(), ConfigurationTree::kNoNode);
  }
}

std::optional<ToolSteps::Step> ToolSteps::draw(const ConfigurationTree& tree, std::size_t which) {
  ConfigurationTree& places = places_[which];
  follow(tree, places);
  Eigen::Vector3f share;
  sequence_.next(share.data());
  const Vector3 place =
      chain_.first_joint() + chain_.reach() * (2.0 * share.cast<double>() - Vector3::Ones());
  const std::uint32_t node = places.nearest(place.cast<float>().eval().data()).node;
  if (tree.is_cut_off(node)) {
    places.cut_off(node);
    return std::nullopt;
  }
  Step step{.parent = node};
  tree.configuration(node, step.from.data());
  const Joints joints = joints_of(step.from);
  Jacobian jacobian;
  Vector3 way = place - chain_.tool_pose({joints.data(), chain_.size()}, jacobian).position;
  way *= std::min(1.0, kStep / way.norm());
  Eigen::Matrix<double, 6, 1> twist;
  twist << way, Vector3::Zero();
  // at random: turned as it is, or however it likes
  const bool keeps_turn = mixed(drawn_++) % 2 == 0;
  JointVector motion = keeps_turn ? least_motion<6>(jacobian, twist) : least_motion<3>(jacobian, way);
  if (const double turn = motion.norm(); turn > kMostTurn) motion *= kMostTurn / turn;
  for (std::size_t j = 0; j < chain_.size(); ++j)
    step.to[j] = step.from[j] + static_cast<float>(motion[static_cast<Eigen::Index>(j)]);
  return step;
}

}  // namespace sinew::planning
