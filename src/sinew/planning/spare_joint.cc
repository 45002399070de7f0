// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/spare_joint.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace sinew {
namespace {

constexpr int kWayStations = 100;     // at which the postures of a way are chosen
constexpr double kWayStep = 0.04;     // [rad] of the last joint between two postures that are looked at
constexpr std::size_t kWayReach = 5;  // of these it may go from one station to the next
constexpr double kWayTurn = 0.4;      // [rad] that any joint may go
constexpr double kWidest = 13.0;      // [rad] range of the last joint, two turns and a little
constexpr double kNearLimit = 0.15;   // [rad] a way keeps away from limits, where it can
constexpr double kLimitCost = 0.05;   // beside the squares of the joints' motion
constexpr double kNever = std::numeric_limits<double>::infinity();

/// A posture that a way may go through.
struct WayPoint {
  JointVector q;
  std::size_t angle = 0;   // of the last joint
  double cost = kNever;    // of the best way to it
  std::size_t before = 0;  // its place at the station before
};
using Station = std::vector<WayPoint>;

double cost_of(const SerialChain& chain, const JointVector& q) {
  double cost = 0.0;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const double value = q[static_cast<Eigen::Index>(i)];
    const double room = std::min(value - chain.limits(i).lower, chain.limits(i).upper - value);
    const double lacking = std::max(0.0, 1.0 - room / kNearLimit);
    cost += kLimitCost * lacking * lacking;
  }
  return cost;
}

Station station_at(const SpareJoint& arm, const Pose& X_BT, std::span<const double> angles) {
  Station station;
  for (std::size_t a = 0; a < angles.size(); ++a) {
    for (const IkSolution& solution : arm.postures(X_BT, angles[a])) {
      station.push_back({.q = solution.q, .angle = a});
    }
  }
  return station;
}

/// The best ways on from `from`; those that lead nowhere are left out.
void go_on(const SerialChain& chain, const Station& from, Station& to) {
  std::size_t first = 0;
  for (WayPoint& point : to) {
    while (first < from.size() && from[first].angle + kWayReach < point.angle) ++first;
    for (std::size_t k = first; k < from.size() && from[k].angle <= point.angle + kWayReach; ++k) {
      const JointVector turn = point.q - from[k].q;
      if (turn.cwiseAbs().maxCoeff() > kWayTurn) continue;
      const double cost = from[k].cost + turn.squaredNorm();
      if (cost < point.cost) std::tie(point.cost, point.before) = std::pair(cost, k);
    }
  }
  std::erase_if(to, [](const WayPoint& point) { return point.cost == kNever; });
  for (WayPoint& point : to) point.cost += cost_of(chain, point.q);
}

}  // namespace

std::unique_ptr<const SpareJoint> SpareJoint::find(const SerialChain& chain, double slack) {
  if (chain.size() != 7) return nullptr;
  const JointLimits& last = chain.limits(chain.size() - 1);
  // wider ones are a mistake in the units, or have no limits
  if (!(last.upper - last.lower <= kWidest)) return nullptr;
  auto before = chain.first_joints(chain.size() - 1, slack);
  if (!before) return nullptr;
  // the constructor is not for others
  std::unique_ptr<const SpareJoint> arm(new SpareJoint(chain, *std::move(before)));
  return arm->closed_ ? std::move(arm) : nullptr;
}

SpareJoint::SpareJoint(const SerialChain& chain, SerialChain before)
    : chain_(chain), before_(std::move(before)), closed_(ClosedFormIk::find(before_)) {
  const JointVector zero = JointVector::Zero(static_cast<Eigen::Index>(before_.size()));
  X_BE_ = before_.tool_pose(numbers(zero));
}

std::vector<double> SpareJoint::angles(double step) const {
  const JointLimits& limits = chain_.limits(chain_.size() - 1);
  const int count = 1 + std::max(1, static_cast<int>(std::ceil((limits.upper - limits.lower) / step)));
  std::vector<double> result;
  for (int k = 0; k < count; ++k) {
    result.push_back(limits.lower + (limits.upper - limits.lower) * (static_cast<double>(k) / (count - 1)));
  }
  return result;
}

IkSolutions SpareJoint::postures(const Pose& X_BT, double last) const {
  const auto size = static_cast<Eigen::Index>(chain_.size());
  JointVector q = JointVector::Zero(size);
  q[size - 1] = last;
  const Pose X_ET = inverse(X_BE_) * chain_.tool_pose(numbers(q));
  IkSolutions found = closed_->solve(X_BT * inverse(X_ET), numbers(before_.middle()));
  for (IkSolution& solution : found) {
    solution.q.conservativeResize(size);
    solution.q[size - 1] = last;
  }
  return found;
}

std::vector<JointVector> way_of_joints(const SerialChain& chain, const SpareJoint& arm, const ToolPath& path,
                                       const Interruption& interruption) {
  const std::vector<double> angles = arm.angles(kWayStep);
  std::vector<Station> stations;
  for (int k = 0; k <= kWayStations; ++k) {
    if (is_interrupted(interruption)) return {};
    stations.push_back(station_at(arm, path.X_BT(static_cast<double>(k) / kWayStations), angles));
    if (k == 0) {
      for (WayPoint& point : stations[0]) point.cost = cost_of(chain, point.q);
    } else {
      go_on(chain, stations[static_cast<std::size_t>(k) - 1], stations.back());
    }
    if (stations.back().empty()) return {};
  }
  const auto is_cheaper = [](const WayPoint& a, const WayPoint& b) { return a.cost < b.cost; };
  const Station& last = stations.back();
  auto at = static_cast<std::size_t>(std::ranges::min_element(last, is_cheaper) - last.begin());
  std::vector<JointVector> way(stations.size());
  for (std::size_t k = stations.size(); k-- > 0;) {
    way[k] = stations[k][at].q;
    at = stations[k][at].before;
  }
  return way;
}

}  // namespace sinew
