// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/way_proof.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

constexpr int kProofStations = 2000;          // at which all postures are looked at
constexpr std::size_t kSpareStations = 1000;  // the same with a joint to spare
constexpr double kSpareStep = 0.01;           // [rad] of that joint
constexpr double kProofTurn = 0.5;            // [rad, m] further than any joint goes between two of them

/// A posture, and for each joint the whole turns beside which it may stand: all that can be reached, or more.
struct Reached {
  JointVector q;
  std::array<std::uint32_t, kMaxChainJoints> turns{};    // bit kMiddleTurn + k: k turns on from q
  std::array<std::uint32_t, kMaxChainJoints> allowed{};  // those that limits allow

  bool is_reached() const { return turns[0] != 0; }
};
constexpr int kMiddleTurn = 16;

/// The whole turns by which joint i may be beside `q`, within its limits and `slack`.
std::uint32_t turns_within_limits(const SerialChain& chain, std::size_t i, double q, double slack) {
  std::uint32_t turns = 0;
  for (int k = -kMiddleTurn; k < kMiddleTurn; ++k) {
    const double value = q + 2.0 * std::numbers::pi * k;
    const bool is_within = value >= chain.limits(i).lower - slack && value <= chain.limits(i).upper + slack;
    if (is_within && (chain.is_revolute(i) || k == 0)) turns |= 1U << (kMiddleTurn + k);
  }
  return turns;
}

/// The turns beside `to` that joints at `from` may have come to between two stations.
std::uint32_t turns_after(double from, std::uint32_t turns, double to) {
  const auto whole = static_cast<int>(std::lround((from - to) / (2.0 * std::numbers::pi)));
  if (std::abs(from - to - 2.0 * std::numbers::pi * whole) > kProofTurn || std::abs(whole) >= kMiddleTurn) {
    return 0;
  }
  return whole >= 0 ? turns << whole : turns >> -whole;
}

/// Adds to `next` what of it can be reached from `from`; true when that is anything new. More than can be is
/// a weaker proof, and no wrong one.
bool spread(const Reached& from, Reached& next) {
  const auto size = static_cast<std::size_t>(next.q.size());
  std::array<std::uint32_t, kMaxChainJoints> turns{};
  for (std::size_t i = 0; i < size; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    turns[i] = turns_after(from.q[k], from.turns[i], next.q[k]) & next.allowed[i];
    if (turns[i] == 0) return false;
  }
  bool is_new = false;
  for (std::size_t i = 0; i < size; ++i) {
    is_new = is_new || (turns[i] & ~next.turns[i]) != 0;
    next.turns[i] |= turns[i];
  }
  return is_new;
}

Reached posture_of(const SerialChain& chain, const JointVector& q, double slack) {
  Reached posture{.q = q};
  for (std::size_t i = 0; i < chain.size(); ++i) {
    posture.allowed[i] = turns_within_limits(chain, i, q[static_cast<Eigen::Index>(i)], slack);
  }
  return posture;
}

/// The postures at one place of the path, over the angles of the last joint; found when they are asked for.
class SpareStation {
 public:
  SpareStation(const SerialChain& chain, const SpareJoint& arm, std::span<const double> angles)
      : chain_(chain), arm_(arm), angles_(angles), cells_(angles.size()), is_known_(angles.size()) {}

  void begin(const Pose& X_BT) {
    X_BT_ = X_BT;
    is_known_.assign(angles_.size(), 0);
    waiting_.clear();
  }

  /// All of them are reached.
  void reach_all() {
    for (std::size_t a = 0; a < angles_.size(); ++a) {
      for (Reached& posture : cell(a)) posture.turns = posture.allowed;
    }
  }

  /// What hangs together with a posture reached at the station before.
  void reach_from(const Reached& from, std::size_t angle) {
    for (std::size_t a = angle - std::min<std::size_t>(angle, 1); a < std::min(angle + 2, cells_.size());
         ++a) {
      std::vector<Reached>& postures = cell(a);
      for (std::size_t k = 0; k < postures.size(); ++k) {
        if (spread(from, postures[k])) waiting_.emplace_back(a, k);
      }
    }
  }

  /// What hangs together with all that, at this place; false: nothing was reached.
  bool settle() {
    bool is_any = false;
    while (!waiting_.empty()) {
      const auto [angle, k] = waiting_.back();
      waiting_.pop_back();
      is_any = true;
      const Reached from = cells_[angle][k];
      reach_from(from, angle);
    }
    return is_any;
  }

  template <class Visit>
  void visit_reached(const Visit& visit) const {
    for (std::size_t a = 0; a < cells_.size(); ++a) {
      if (is_known_[a] == 0) continue;
      for (const Reached& posture : cells_[a]) {
        if (posture.is_reached()) visit(posture, a);
      }
    }
  }

 private:
  std::vector<Reached>& cell(std::size_t angle) {
    std::vector<Reached>& postures = cells_[angle];
    if (is_known_[angle] != 0) return postures;
    is_known_[angle] = 1;
    postures.clear();
    for (const IkSolution& solution : arm_.postures(X_BT_, angles_[angle])) {
      postures.push_back(posture_of(chain_, solution.q, kSpareSlack));
      // its own turns are angles by themselves
      postures.back().allowed[chain_.size() - 1] = 1U << kMiddleTurn;
    }
    return postures;
  }

  const SerialChain& chain_;
  const SpareJoint& arm_;
  std::span<const double> angles_;
  Pose X_BT_;
  std::vector<std::vector<Reached>> cells_;  // by angle
  std::vector<char> is_known_;
  std::vector<std::pair<std::size_t, std::size_t>> waiting_;
};

}  // namespace

bool is_shown_infeasible(const SerialChain& chain, const InverseKinematics& ik, const ToolPath& path,
                         const PoseTask& task) {
  std::vector<Reached> reached;
  std::vector<Reached> next;
  const JointVector seed = chain.middle();
  for (int k = 0; k <= kProofStations; ++k) {
    const IkResult here =
        ik.solve(path.X_BT(static_cast<double>(k) / kProofStations), numbers(seed), {.task = task});
    // a closed form that finds nothing leaves it to a search, which proves nothing
    if (here.status == IkStatus::Solved && here.method != IkMethod::ClosedForm) return false;
    next.clear();
    for (const IkSolution& solution : here.solutions) {
      Reached posture = posture_of(chain, solution.q, kProofSlack);
      if (k == 0) posture.turns = posture.allowed;
      for (const Reached& from : reached) spread(from, posture);
      if (posture.is_reached()) next.push_back(posture);
    }
    if (next.empty()) return k > 0 || here.status != IkStatus::Solved;
    std::swap(reached, next);
  }
  return false;
}

bool is_shown_infeasible(const SerialChain& chain, const SpareJoint& arm, const ToolPath& path) {
  const std::vector<double> angles = arm.angles(kSpareStep);
  std::array<SpareStation, 2> stations{SpareStation(chain, arm, angles), SpareStation(chain, arm, angles)};
  stations[0].begin(path.X_BT(0.0));
  stations[0].reach_all();
  for (std::size_t k = 1; k <= kSpareStations; ++k) {
    const SpareStation& before = stations[(k - 1) % 2];
    SpareStation& here = stations[k % 2];
    here.begin(path.X_BT(static_cast<double>(k) / kSpareStations));
    before.visit_reached([&](const Reached& from, std::size_t angle) { here.reach_from(from, angle); });
    if (!here.settle()) return true;
  }
  return false;
}

}  // namespace sinew
