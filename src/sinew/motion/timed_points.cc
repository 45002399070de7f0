// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/timed_points.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/motion/straight_way.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

constexpr double kLongestTrajectory = 24.0 * 3600.0;  // [s]
constexpr double kLeastBetweenPoints = 1e-4;          // [s] between points
/// How far from where a joint is its trajectory may begin [rad, m]: what is between is bridged.
constexpr double kBridgedAtBegin = 0.01;
constexpr double kEndVelocity = 1e-6;  // [rad/s, m/s]

struct NamedJoints {
  std::vector<std::size_t> positions;
  std::vector<std::string> names;
};

NamedJoints named_joints(const RobotModel& model, std::uint64_t joint_mask) {
  NamedJoints joints;
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    if ((joint_mask >> i & 1) == 0) continue;
    joints.positions.push_back(i);
    joints.names.push_back(model.joints[model.positions[i]].name);
  }
  return joints;
}

Error point_refusal(std::string words) {
  return Error{ErrorCode::InvalidInput, std::move(words)};
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

Status check_points_form(const TimedPoints& given, std::size_t joints) {
  if (given.points.empty()) return point_refusal("the trajectory has no points");
  double before = -kLeastBetweenPoints;
  for (std::size_t k = 0; k < given.points.size(); ++k) {
    const TimedPoint& point = given.points[k];
    const bool has_all = point.position.size() == joints &&
                         point.velocity.size() == ((given.content & kHasVelocities) != 0 ? joints : 0) &&
                         point.acceleration.size() == ((given.content & kHasAccelerations) != 0 ? joints : 0);
    if (!has_all) return point_refusal(fmt::format("point {} does not have a number for each joint", k));
    if (!all_finite(point.position) || !all_finite(point.velocity) || !all_finite(point.acceleration))
      return point_refusal(fmt::format("point {} holds what is no finite number", k));
    if (!(point.time >= before + kLeastBetweenPoints && point.time <= kLongestTrajectory))
      return point_refusal(fmt::format("point {} is at {} s: times grow, by {} s at least, up to a day", k,
                                       point.time, kLeastBetweenPoints));
    before = point.time;
  }
  if (given.points.size() == 1 && given.points[0].time == 0.0)
    return point_refusal("the trajectory has one point only, at its begin: nothing to do");
  return Done{};
}

/// Joint `j` at each point, its derivatives where they are known.
struct Knots {
  std::vector<double> time;
  std::vector<CurvePoint> at;
};

Result<Knots> knots_of(const TimedPoints& given, std::size_t j, double begin, const std::string& name) {
  Knots knots;
  const TimedPoint& first = given.points.front();
  if (first.time == 0.0) {
    if (std::abs(first.position[j] - begin) > kBridgedAtBegin)
      return point_refusal(
          fmt::format("it begins with joint '{}' at {:.4f}, but that is at {:.4f}: within {}", name,
                      first.position[j], begin, kBridgedAtBegin));
    if (!first.velocity.empty() && std::abs(first.velocity[j]) > kEndVelocity)
      return point_refusal(fmt::format(
          "it begins with joint '{}' at {:.4f} per second: it must begin at rest", name, first.velocity[j]));
  }
  knots.time.push_back(0.0);
  knots.at.push_back({.value = begin});
  for (const TimedPoint& point : given.points) {
    if (point.time == 0.0) continue;
    knots.time.push_back(point.time);
    knots.at.push_back({.value = point.position[j],
                        .first = point.velocity.empty() ? 0.0 : point.velocity[j],
                        .second = point.acceleration.empty() ? 0.0 : point.acceleration[j]});
  }
  const CurvePoint& last = knots.at.back();
  if (std::abs(last.first) > kEndVelocity)
    return point_refusal(
        fmt::format("it ends with joint '{}' at {:.4f} per second: it must end at rest", name, last.first));
  knots.at.back() = {.value = last.value};
  return knots;
}

/// Velocities such that a joint turns at points only (Fritsch and Butland): the weighted harmonic mean of the
/// slopes on both sides.
void estimate_velocities(Knots& knots) {
  for (std::size_t k = 1; k + 1 < knots.at.size(); ++k) {
    const double before = knots.time[k] - knots.time[k - 1];
    const double after = knots.time[k + 1] - knots.time[k];
    const double slope_before = (knots.at[k].value - knots.at[k - 1].value) / before;
    const double slope_after = (knots.at[k + 1].value - knots.at[k].value) / after;
    if (!(slope_before * slope_after > 0.0)) continue;
    const double weight = (before + 2.0 * after) / (3.0 * (before + after));
    knots.at[k].first = slope_before * slope_after / (weight * slope_after + (1.0 - weight) * slope_before);
  }
}

/// What cubics between the points would have there, from the mean of both sides.
void estimate_accelerations(Knots& knots) {
  const auto ends = [&](std::size_t k) {
    const double h = knots.time[k + 1] - knots.time[k];
    const double rise = 6.0 * (knots.at[k + 1].value - knots.at[k].value) / (h * h);
    const double v0 = knots.at[k].first;
    const double v1 = knots.at[k + 1].first;
    return std::pair(rise - (4.0 * v0 + 2.0 * v1) / h, (2.0 * v0 + 4.0 * v1) / h - rise);
  };
  for (std::size_t k = 1; k + 1 < knots.at.size(); ++k)
    knots.at[k].second = 0.5 * (ends(k - 1).second + ends(k).first);
}

}  // namespace

std::vector<TrajectoryPart> parts_of(const TimedPoints& trajectory, std::string_view who,
                                     std::uint64_t number) {
  TrajectoryPart empty{.number = number,
                       .total = static_cast<std::uint32_t>(trajectory.points.size()),
                       .content = trajectory.content,
                       .joint_mask = trajectory.joint_mask,
                       .goal_time_tolerance = trajectory.goal_time_tolerance,
                       .path_tolerance = trajectory.path_tolerance,
                       .goal_tolerance = trajectory.goal_tolerance};
  set_text(empty.who, who);
  std::vector<TrajectoryPart> parts;
  std::size_t filled = empty.values.size();
  for (std::size_t k = 0; k < trajectory.points.size(); ++k) {
    const TimedPoint& point = trajectory.points[k];
    const std::size_t size = 1 + point.position.size() + point.velocity.size() + point.acceleration.size();
    if (filled + size > empty.values.size()) {
      parts.push_back(empty);
      parts.back().first = static_cast<std::uint32_t>(k);
      filled = 0;
    }
    TrajectoryPart& part = parts.back();
    part.values[filled++] = point.time;
    for (const auto* values : {&point.position, &point.velocity, &point.acceleration})
      for (const double value : *values) part.values[filled++] = value;
    ++part.count;
  }
  return parts;
}

Result<Trajectory> trajectory_through(const TimedPoints& points, const RobotModel& model,
                                      std::span<const double> q_all) {
  const NamedJoints joints = named_joints(model, points.joint_mask);
  if (const Status formed = check_points_form(points, joints.positions.size()); !formed)
    return formed.error();
  std::vector<Knots> knots;
  for (std::size_t j = 0; j < joints.positions.size(); ++j) {
    auto made = knots_of(points, j, q_all[joints.positions[j]], joints.names[j]);
    if (!made) return made.error();
    if ((points.content & kHasVelocities) == 0) estimate_velocities(*made);
    if ((points.content & kHasAccelerations) == 0) estimate_accelerations(*made);
    knots.push_back(*std::move(made));
  }
  Trajectory trajectory(knots.size());
  std::vector<Coefficients> polynomials(knots.size());
  const std::vector<double>& time = knots.front().time;
  for (std::size_t k = 0; k + 1 < time.size(); ++k) {
    for (std::size_t j = 0; j < knots.size(); ++j)
      polynomials[j] = quintic_between(knots[j].at[k], knots[j].at[k + 1], time[k + 1] - time[k]);
    trajectory.append(time[k + 1] - time[k], polynomials);
  }
  const TrajectoryCheck check = check_trajectory(trajectory, limits_of(model, points.joint_mask));
  if (!check) return trajectory_status(check, joints.names).error();
  return trajectory;
}

}  // namespace sinew
