// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/tool_steps.h"

#include <algorithm>

#include <Eigen/Cholesky>

#include "sinew/base/split_mix.h"

namespace sinew::planning {
namespace {

/// [m] How far the tool goes at once.
constexpr float kStep = 0.15F;
/// [rad, m] How far the joints go for it at most, Euclidean.
constexpr float kMostTurn = 1.0F;
/// Near a singularity the tool stays behind rather than that the joints race.
constexpr double kDamping = 0.1;

using Joints = std::array<double, kMaxChainJoints>;

Joints joints_of(const Configuration& q) {
  Joints result{};
  std::copy(q.begin(), q.end(), result.begin());
  return result;
}

using Lead = Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, 3>>;
using KnownLead = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, 3>>;

/// The joints' least motion for each unit of the tool's way, of which the first rows of its velocity count.
template <int Rows>
void write_least_motion(const Jacobian& jacobian, Lead lead) {
  const auto rows = jacobian.topRows<Rows>();
  Eigen::Matrix<double, Rows, Rows> square = rows * rows.transpose();
  square.diagonal().array() += kDamping * kDamping;
  const Eigen::Matrix<double, Rows, 3> along = Eigen::Matrix<double, Rows, 3>::Identity();
  lead = (rows.transpose() * square.ldlt().solve(along)).template cast<float>();
}

}  // namespace

ToolSteps::Known::Known(std::size_t size, std::size_t most_nodes) : places(3, most_nodes) {
  leads.reserve(6 * size * most_nodes);
  lead_of.reserve(most_nodes);
}

ToolSteps::ToolSteps(const SerialChain& chain, std::size_t most_nodes)
    : chain_(chain), known_{Known(chain.size(), most_nodes), Known(chain.size(), most_nodes)} {}

void ToolSteps::begin(std::uint64_t seed) {
  for (Known& known : known_) {
    known.places.clear();
    known.leads.clear();
    known.lead_of.clear();
  }
  sequence_.begin(seed);
  drawn_ = 0;
}

// Where the tool is at the nodes that are new.
void ToolSteps::follow(const ConfigurationTree& tree, Known& known) const {
  for (std::size_t node = known.places.node_count(); node < tree.node_count(); ++node) {
    Configuration q{};
    tree.configuration(static_cast<std::uint32_t>(node), q.data());
    const Joints joints = joints_of(q);
    const Eigen::Vector3f at = chain_.tool_pose({joints.data(), chain_.size()}).position.cast<float>();
    known.places.add(at.data(), ConfigurationTree::kNoNode);
    known.lead_of.push_back(ConfigurationTree::kNoNode);
  }
}

// The same nodes are asked again and again: those whose tools are outermost.
const float* ToolSteps::lead_from(std::uint32_t node, const Configuration& q, Known& known) const {
  const std::size_t size = 3 * chain_.size();
  if (known.lead_of[node] == ConfigurationTree::kNoNode) {
    known.lead_of[node] = static_cast<std::uint32_t>(known.leads.size());
    known.leads.resize(known.leads.size() + 2 * size);
    float* leads = &known.leads[known.lead_of[node]];
    const Joints joints = joints_of(q);
    Jacobian jacobian;
    static_cast<void>(chain_.tool_pose({joints.data(), chain_.size()}, jacobian));
    const auto rows = static_cast<Eigen::Index>(chain_.size());
    write_least_motion<6>(jacobian, Lead(leads, rows, 3));
    write_least_motion<3>(jacobian, Lead(leads + size, rows, 3));
  }
  // at random: turned as it is, or however it likes
  const bool keeps_turn = mixed(drawn_) % 2 == 0;
  return &known.leads[known.lead_of[node] + (keeps_turn ? 0 : size)];
}

std::optional<ToolSteps::Step> ToolSteps::draw(const ConfigurationTree& tree, std::size_t which) {
  Known& known = known_[which];
  follow(tree, known);
  Eigen::Vector3f share;
  sequence_.next(share.data());
  const Eigen::Vector3f place = chain_.first_joint().cast<float>() +
                                static_cast<float>(chain_.reach()) * (2.0F * share - Eigen::Vector3f::Ones());
  const auto [node, distance] = known.places.nearest(place.data());
  if (tree.is_cut_off(node)) {
    known.places.cut_off(node);
    return std::nullopt;
  }
  Step step{.parent = node};
  tree.configuration(node, step.from.data());
  Eigen::Vector3f tool;
  known.places.configuration(node, tool.data());
  ++drawn_;
  const KnownLead lead(lead_from(node, step.from, known), static_cast<Eigen::Index>(chain_.size()), 3);
  Eigen::Matrix<float, Eigen::Dynamic, 1, 0, kMaxChainJoints, 1> motion =
      lead * ((place - tool) * std::min(1.0F, kStep / distance));
  if (const float turn = motion.norm(); turn > kMostTurn) motion *= kMostTurn / turn;
  for (std::size_t j = 0; j < chain_.size(); ++j)
    step.to[j] = step.from[j] + motion[static_cast<Eigen::Index>(j)];
  return step;
}

}  // namespace sinew::planning
