// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/arm_class.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/kinematics/convert.h"

namespace sinew {
namespace {

using kernel::ArmKind;
using kernel::ClosedArm;
using kernel::Pair;

// first what is exact, then what a file's rounded angles may have spoilt (1.5708), then what was written with
// two digits (1.57, 3.14), or as it came out of a drawing or a calibration
constexpr double kAxisSlack[] = {1e-9, 2e-4, 2e-3};

double distance_to(const Line& line, const Vector3& point) {
  return (point - line.point).cross(line.axis).norm();
}

/// The point halfway between two lines where they are nearest.
Vector3 meeting_point(const Line& a, const Line& b) {
  const Vector3 between = b.point - a.point;
  const Vector3 normal = a.axis.cross(b.axis);
  const double square = normal.squaredNorm();
  const Vector3 on_a = a.point + a.axis * (between.cross(b.axis).dot(normal) / square);
  const Vector3 on_b = b.point + b.axis * (between.cross(a.axis).dot(normal) / square);
  return 0.5 * (on_a + on_b);
}

bool are_parallel_from(const Lines& lines, std::size_t first, const Slack& slack) {
  return are_parallel(lines[first], lines[first + 1], slack) &&
         are_parallel(lines[first], lines[first + 2], slack);
}

void set(double (&to)[3], const Vector3& from) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

/// The arm with its kind's figures; `last` is the last of its three special joints.
ClosedArm arm_with(ArmKind kind, const Lines& lines, const Vector3& centre, std::size_t last) {
  ClosedArm arm{.kind = kind, .pair = Pair::Parallel23, .count = static_cast<int>(lines.size())};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    set(arm.axis[i], lines[i].axis);
    set(arm.point[i], lines[i].point);
  }
  set(arm.centre, centre);
  set(arm.across, lines[last].axis.unitOrthogonal());
  return arm;
}

/// Notes the pair of neighbours, if it is one: the kernel expects the point where they meet on both.
bool set_pair(const Lines& lines, const Slack& slack, std::size_t first, Pair parallel, Pair meet,
              ClosedArm& arm) {
  if (are_parallel(lines[first], lines[first + 1], slack)) {
    arm.pair = parallel;
    return true;
  }
  const auto point = intersection(lines[first], lines[first + 1], slack);
  if (!point) return false;
  arm.pair = meet;
  set(arm.point[first], *point);
  set(arm.point[first + 1], *point);
  return true;
}

std::optional<ClosedArm> spherical_wrist(const Lines& lines, const Slack& slack) {
  const auto centre = common_point(lines, 3, slack);
  if (!centre || are_parallel_from(lines, 0, slack)) return std::nullopt;
  ClosedArm arm = arm_with(ArmKind::SphericalWrist, lines, *centre, 5);
  const bool by_first = !are_parallel(lines[1], lines[2], slack);
  if (by_first && intersection(lines[0], lines[1], slack)) {
    set_pair(lines, slack, 0, Pair::Parallel12, Pair::Meet12, arm);
    return arm;
  }
  const bool is_solvable = (by_first && are_parallel(lines[0], lines[1], slack))
                               ? set_pair(lines, slack, 0, Pair::Parallel12, Pair::Meet12, arm)
                               : set_pair(lines, slack, 1, Pair::Parallel23, Pair::Meet23, arm);
  return is_solvable ? std::optional(arm) : std::nullopt;
}

std::optional<ClosedArm> spherical_middle(const Lines& lines, const Slack& slack) {
  const auto centre = common_point(lines, 1, slack);
  if (!centre) return std::nullopt;
  ClosedArm arm = arm_with(ArmKind::Spherical234, lines, *centre, 3);
  const bool is_solvable = set_pair(lines, slack, 4, Pair::Parallel56, Pair::Meet56, arm);
  return is_solvable ? std::optional(arm) : std::nullopt;
}

std::optional<ClosedArm> parallel_234(const Lines& lines, const Slack& slack) {
  if (!are_parallel_from(lines, 1, slack) || are_parallel(lines[0], lines[1], slack) ||
      are_parallel(lines[3], lines[4], slack)) {
    return std::nullopt;
  }
  ClosedArm arm = arm_with(ArmKind::Parallel234, lines, Vector3::Zero(), 3);
  if (!set_pair(lines, slack, 4, Pair::Parallel56, Pair::Meet56, arm)) return std::nullopt;
  std::copy_n(arm.point[4], 3, arm.centre);
  return arm;
}

std::optional<ClosedArm> parallel_123(const Lines& lines, const Slack& slack) {
  if (!are_parallel_from(lines, 0, slack) || are_parallel(lines[2], lines[3], slack)) return std::nullopt;
  ClosedArm arm = arm_with(ArmKind::Parallel123, lines, Vector3::Zero(), 2);
  // two parallel joints more would turn about their axes only as one
  const bool is_solvable = intersection(lines[4], lines[5], slack)
                               ? set_pair(lines, slack, 4, Pair::Parallel56, Pair::Meet56, arm)
                               : !are_parallel(lines[4], lines[5], slack) &&
                                     set_pair(lines, slack, 3, Pair::Parallel45, Pair::Meet45, arm);
  if (!is_solvable) return std::nullopt;
  std::copy_n(arm.point[4], 3, arm.centre);
  return arm;
}

std::optional<ClosedArm> five_axes(const Lines& lines, const Slack& slack) {
  if (!are_parallel_from(lines, 1, slack) || are_parallel(lines[0], lines[1], slack) ||
      are_parallel(lines[3], lines[4], slack)) {
    return std::nullopt;
  }
  const auto wrist = intersection(lines[3], lines[4], slack);
  return arm_with(ArmKind::Five, lines, wrist.value_or(lines[4].point), 3);
}

/// Shoulder and wrist of three joints each, with an elbow that changes their distance.
std::optional<ClosedArm> seven_axes(const Lines& lines, const Slack& slack) {
  const auto shoulder = common_point(lines, 0, slack);
  const auto wrist = common_point(lines, 4, slack);
  if (!shoulder || !wrist) return std::nullopt;
  // an arm that the elbow hardly stretches is no arm of this class
  const double least = std::max(slack.length, 1e-3 * (*wrist - *shoulder).norm());
  if (std::min(distance_to(lines[3], *shoulder), distance_to(lines[3], *wrist)) < least) return std::nullopt;
  ClosedArm arm = arm_with(ArmKind::Seven, lines, *wrist, 6);
  set(arm.shoulder, *shoulder);
  set(arm.aside, lines[2].axis.unitOrthogonal());
  return arm;
}

std::optional<ClosedArm> arm_of_lines(const Lines& lines, const Slack& slack) {
  if (const auto arm = spherical_wrist(lines, slack)) return arm;
  if (const auto arm = parallel_234(lines, slack)) return arm;
  if (const auto arm = parallel_123(lines, slack)) return arm;
  return spherical_middle(lines, slack);
}

/// The same arm from its tip to its base: G⁻¹ = E6⁻¹ … E1⁻¹.
Lines reversed(Lines lines) {
  std::reverse(lines.begin(), lines.end());
  for (Line& line : lines) line.axis = -line.axis;
  return lines;
}

/// Seen from either end.
std::optional<ClosedArm> six_axes(const Lines& lines, const Slack& slack) {
  if (const auto arm = arm_of_lines(lines, slack)) return arm;
  auto mirrored = arm_of_lines(reversed(lines), slack);
  if (mirrored) mirrored->is_reversed = true;
  return mirrored;
}

kernel::ClosedRange range_of(double lower, double upper) {
  const double middle = 0.5 * (lower + upper);
  const double half = 0.5 * (upper - lower);
  // as much over the end as every closed form forgives
  constexpr double kSlack = 1e-9;
  return {.middle_cosine = std::cos(middle),
          .middle_sine = std::sin(middle),
          .half_cosine = half + kSlack < std::numbers::pi ? std::cos(half + kSlack) : -2.0,
          .end_cosine = {std::cos(lower), std::cos(upper)},
          .end_sine = {std::sin(lower), std::sin(upper)}};
}

/// What the kernel needs of the chain itself.
void add_chain(const SerialChain& chain, ClosedArm& arm) {
  // so many turns that no seed is beyond them
  constexpr double kUnlimited = 1e9;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    arm.lower[i] = std::max(chain.limits(i).lower, -kUnlimited);
    arm.upper[i] = std::min(chain.limits(i).upper, kUnlimited);
    arm.range[i] = range_of(arm.lower[i], arm.upper[i]);
    arm.offset_cosine[i] = std::cos(chain.doubles().joints[i].angle_offset);
    arm.offset_sine[i] = std::sin(chain.doubles().joints[i].angle_offset);
  }
  const std::vector<double> zero(chain.size(), 0.0);
  arm.X_T0B = motion_of(inverse(chain.tool_pose(zero)));
}

}  // namespace

Lines lines_of(const SerialChain& chain) {
  const std::vector<double> zero(chain.size(), 0.0);
  Jacobian jacobian;
  chain.tool_pose(zero, jacobian);
  std::vector<Pose> X_BJ(chain.joint_count());
  chain.joint_poses(zero, X_BJ);
  Lines lines;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    lines.push_back(
        {.axis = jacobian.col(static_cast<Eigen::Index>(i)).tail<3>(), .point = X_BJ[i].position});
  }
  return lines;
}

bool are_parallel(const Line& a, const Line& b, const Slack& slack) {
  return a.axis.cross(b.axis).norm() < slack.angle;
}

std::optional<Vector3> intersection(const Line& a, const Line& b, const Slack& slack) {
  if (are_parallel(a, b, slack)) return std::nullopt;
  const Vector3 point = meeting_point(a, b);
  const double gap = std::max(distance_to(a, point), distance_to(b, point));
  return gap < slack.length ? std::optional(point) : std::nullopt;
}

std::optional<Vector3> common_point(const Lines& lines, std::size_t first, const Slack& slack) {
  const auto centre = intersection(lines[first + 1], lines[first + 2], slack);
  if (!centre || are_parallel(lines[first], lines[first + 1], slack)) return std::nullopt;
  return distance_to(lines[first], *centre) < slack.length ? centre : std::nullopt;
}

std::optional<ClosedArm> closed_arm_of(const SerialChain& chain) {
  const std::size_t count = chain.size();
  if (!chain.doubles().is_plain || count < 5 || count > 7) return std::nullopt;
  const Lines lines = lines_of(chain);
  std::optional<ClosedArm> arm;
  for (const double angle : kAxisSlack) {
    const Slack slack{.angle = angle, .length = angle * std::max(chain.reach(), 1e-6)};
    arm = count == 5   ? five_axes(lines, slack)
          : count == 6 ? six_axes(lines, slack)
                       : seven_axes(lines, slack);
    if (!arm) continue;
    arm->is_exact = angle == kAxisSlack[0];
    arm->slack = angle;
    add_chain(chain, *arm);
    return arm;
  }
  return std::nullopt;
}

}  // namespace sinew
