// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/hanoi/hand_ways.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double kHandReach = 0.055;  // [m] how far open fingers reach to the side
// a cylinder of the simulator is a prism of sixteen sides, a corner of it on its x axis
constexpr double kSides = 16.0;

// how far p is from the line between a and b, seen from above
double distance_from_way(const Vector3& p, const Vector3& a, const Vector3& b) {
  const Eigen::Vector2d way = (b - a).head<2>();
  const Eigen::Vector2d to_p = (p - a).head<2>();
  const double length = way.squaredNorm();
  const double share = length > 0.0 ? std::clamp(to_p.dot(way) / length, 0.0, 1.0) : 0.0;
  return (to_p - share * way).norm();
}

double yaw_of(const Quaternion& rotation) {
  const Vector3 x = rotation * Vector3::UnitX();
  return std::atan2(x.y(), x.x());
}

}  // namespace

double free_height(const Board& board, const std::optional<HandPlace>& from, const Vector3& to, int carried) {
  double highest = board.pegs.front().z();
  for (const Vector3& peg : board.pegs) highest = std::max(highest, peg.z());
  for (const BoardDisc& disc : board.discs) {
    if (disc.size == carried) continue;
    const bool is_near =
        !from || distance_from_way(disc.X_WO.position, from->p_WT, to) < disc.radius + kHandReach;
    if (is_near) highest = std::max(highest, disc.top());
  }
  return highest + kClearance;
}

double arm_heading(const Pose& X_WB, const Vector3& p_WT) {
  const Vector3 p_BT = inverse(X_WB) * p_WT;
  return std::atan2(p_BT.y(), p_BT.x()) + yaw_of(X_WB.rotation);
}

double grip_heading(const BoardDisc& disc, const Pose& X_WB) {
  constexpr double kStep = 2.0 * std::numbers::pi / kSides;
  const double flat = yaw_of(disc.X_WO.rotation) + 0.5 * kStep;
  const double wanted = arm_heading(X_WB, disc.X_WO.position);
  return flat + std::round((wanted - flat) / kStep) * kStep;
}

HandPlace hand_for_disc_over(const Board& board, std::size_t peg, const BoardDisc& disc,
                             const HandPlace& hand, const Pose& X_WB) {
  const double turn = arm_heading(X_WB, board.pegs[peg]) - arm_heading(X_WB, hand.p_WT);
  const Eigen::Vector2d in_hand = (disc.X_WO.position - hand.p_WT).head<2>();
  const Eigen::Vector2d middle = board.pegs[peg].head<2>() - Eigen::Rotation2Dd(turn) * in_hand;
  return {.p_WT = {middle.x(), middle.y(), hand.p_WT.z()}, .heading = hand.heading + turn};
}

}  // namespace sinew
