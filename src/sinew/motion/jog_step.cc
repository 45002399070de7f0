// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/jog_step.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sinew/motion/tool_rates.h"
#include "sinew/trajectory/jerk_limited.h"

namespace sinew {
namespace {

constexpr double kStepShare = 0.8;  // room for what the way bends
constexpr double kStepSlower = 0.75;
constexpr int kStepTries = 12;
constexpr double kKnots = 0.01;  // [s] apart
constexpr int kMostKnots = 60;
constexpr double kStepLost = 0.02;

/// What the share of the way, 0 to 1, may do.
AxisLimits limits_along_step(const JointVector& rates, std::span<const AxisLimits> limits,
                             const ToolStep& step, double share) {
  AxisLimits along{.velocity = kLargestValue, .acceleration = kLargestValue, .jerk = kLargestValue};
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const double rate = std::abs(rates[static_cast<Eigen::Index>(i)]);
    if (rate < 1e-9) continue;
    along.velocity = std::min(along.velocity, share * limits[i].velocity / rate);
    along.acceleration = std::min(along.acceleration, share * limits[i].acceleration / rate);
    along.jerk = std::min(along.jerk, share * limits[i].jerk / rate);
  }
  const double linear = step.way.linear.norm();
  const double angular = step.way.angular.norm();
  if (linear > 0.0) along.velocity = std::min(along.velocity, step.linear / linear);
  if (angular > 0.0) along.velocity = std::min(along.velocity, step.angular / angular);
  return along;
}

/// The tool at a share of its way.
ToolMotion tool_at(const Pose& X_BT, const ToolStep& step, const AxisState& share) {
  const auto scaled = [&](double factor) {
    return Twist{.linear = factor * step.way.linear, .angular = factor * step.way.angular};
  };
  return {.X_BT = {.rotation =
                       (quaternion_from_rotation_vector(share.position * step.way.angular) * X_BT.rotation)
                           .normalized(),
                   .position = X_BT.position + share.position * step.way.linear},
          .velocity = scaled(share.velocity),
          .acceleration = scaled(share.acceleration)};
}

class StepPlanner {
 public:
  StepPlanner(const ArmSolver& arm, std::span<const double> q_all, const ToolStep& step,
              std::span<const AxisLimits> limits)
      : chain_(arm.chain()), q_(arm.own_joints(q_all)), X_BT_(arm.tool_pose(q_all)), step_(step) {
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const std::uint64_t before = (std::uint64_t{1} << chain_.position(i)) - 1;
      slots_.push_back(static_cast<std::size_t>(std::popcount(arm.joint_mask() & before)));
      limits_.push_back(limits[slots_.back()]);
    }
  }

  Result<Trajectory> plan() {
    const ToolRates rates = tool_rates(chain_, joint_numbers(q_), step_.way);
    if (rates.lost > kStepLost)
      return Error{ErrorCode::OutOfLimits,
                   "in this posture the arm cannot move its tool that way; jog joints, or another direction"};
    double share = kStepShare * step_.speed;
    Status kept = Done{};
    for (int i = 0; i < kStepTries; ++i, share *= kStepSlower) {
      const AxisProfile profile =
          plan_to_rest_at(1.0, {}, limits_along_step(rates.velocity, limits_, step_, share));
      auto trajectory = trajectory_of(profile);
      if (!trajectory) return trajectory.error();
      kept = keeps_limits(*trajectory);
      if (kept) return trajectory;
    }
    return kept.error();
  }

 private:
  Result<Trajectory> trajectory_of(const AxisProfile& profile) const {
    const int knots = std::clamp(static_cast<int>(std::ceil(profile.duration() / kKnots)), 2, kMostKnots);
    const double length = profile.duration() / knots;
    Trajectory trajectory(chain_.size());
    JointMotionState before{
        .q = q_, .velocity = JointVector::Zero(q_.size()), .acceleration = JointVector::Zero(q_.size())};
    for (int knot = 1; knot <= knots; ++knot) {
      const AxisState share = knot == knots ? AxisState{.position = 1.0} : profile.at(knot * length);
      const JointMotionState after =
          joints_for(chain_, tool_at(X_BT_, step_, share), before.q + length * before.velocity);
      if (!after.is_found)
        return Error{ErrorCode::OutOfLimits,
                     fmt::format("the arm cannot bring its tool there: it would be lost after {:.0f} %",
                                 100.0 * share.position)};
      trajectory.append(length, piece_between(before, after, length));
      before = after;
    }
    return trajectory;
  }

  std::vector<Coefficients> piece_between(const JointMotionState& before, const JointMotionState& after,
                                          double length) const {
    std::vector<Coefficients> polynomials(chain_.size());
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const auto point = [&](const JointMotionState& state) {
        return CurvePoint{.value = state.q[k], .first = state.velocity[k], .second = state.acceleration[k]};
      };
      polynomials[slots_[i]] = quintic_between(point(before), point(after), length);
    }
    return polynomials;
  }

  Status keeps_limits(const Trajectory& trajectory) const {
    for (std::size_t piece = 0; piece < trajectory.piece_count(); ++piece) {
      for (std::size_t i = 0; i < chain_.size(); ++i) {
        const SegmentCheck check = check_polynomial(trajectory.polynomial(piece, slots_[i]),
                                                    trajectory.piece_length(piece), limits_[i]);
        if (check.fault != SegmentFault::None)
          return segment_status(check, fmt::format("{} of the arm", i + 1));
      }
    }
    return Done{};
  }

  const SerialChain& chain_;
  JointVector q_;
  Pose X_BT_;
  ToolStep step_;
  std::vector<std::size_t> slots_;  // the arm's joint i among those of its mask
  std::vector<AxisLimits> limits_;  // in the order of the chain
};

}  // namespace

Result<Trajectory> plan_tool_step(const ArmSolver& arm, std::span<const double> q_all, const ToolStep& step,
                                  std::span<const AxisLimits> limits) {
  return StepPlanner(arm, q_all, step, limits).plan();
}

}  // namespace sinew
