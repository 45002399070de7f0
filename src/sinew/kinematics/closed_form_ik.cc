// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/closed_form_ik.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/assert.h"
#include "sinew/kinematics/convert.h"
#include "sinew/kinematics/joint_turns.h"
#include "sinew/kinematics/kernels.h"

namespace sinew {
namespace {

using kernel::ArmKind;
using kernel::ClosedArm;
using kernel::Shoulder;

// what a file's rounded angles may spoil
constexpr double kAxisSlack = 2e-4;
// answers better than this need no Newton steps [m, rad]
constexpr double kExact = 1e-9;
// and worse ones belong to branches that do not exist
constexpr double kHopeless = 5e-3;

/// A line in the base's axes.
struct Line {
  Vector3 axis;
  Vector3 point;
};
using Lines = std::vector<Line>;

bool are_parallel(const Line& a, const Line& b) {
  return a.axis.cross(b.axis).norm() < kAxisSlack;
}

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

/// Where lines that are not parallel meet, when they do.
std::optional<Vector3> intersection(const Line& a, const Line& b, double reach) {
  if (are_parallel(a, b)) return std::nullopt;
  const Vector3 point = meeting_point(a, b);
  const double gap = std::max(distance_to(a, point), distance_to(b, point));
  return gap < kAxisSlack * reach ? std::optional(point) : std::nullopt;
}

/// Where the last three of six lines meet; each must turn the next.
std::optional<Vector3> wrist_centre(const Lines& lines, double reach) {
  const auto centre = intersection(lines[4], lines[5], reach);
  if (!centre || are_parallel(lines[3], lines[4])) return std::nullopt;
  return distance_to(lines[3], *centre) < kAxisSlack * reach ? centre : std::nullopt;
}

std::optional<Shoulder> shoulder_of(const Lines& lines, double reach) {
  const bool parallel_12 = are_parallel(lines[0], lines[1]);
  const bool parallel_23 = are_parallel(lines[1], lines[2]);
  if (parallel_12 && parallel_23) return std::nullopt;
  if (parallel_23) return Shoulder::Parallel23;
  if (intersection(lines[0], lines[1], reach)) return Shoulder::Intersect12;
  if (parallel_12) return Shoulder::Parallel12;
  if (intersection(lines[1], lines[2], reach)) return Shoulder::Intersect23;
  return std::nullopt;
}

void set(double (&to)[3], const Vector3& from) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

/// The arm with its kind's figures; `across` is perpendicular to line `reference`.
ClosedArm arm_with(ArmKind kind, const Lines& lines, const Vector3& centre, std::size_t reference) {
  ClosedArm arm{.kind = kind, .shoulder = Shoulder::Parallel23, .count = static_cast<int>(lines.size())};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    set(arm.axis[i], lines[i].axis);
    set(arm.point[i], lines[i].point);
  }
  set(arm.centre, centre);
  set(arm.across, lines[reference].axis.unitOrthogonal());
  return arm;
}

std::optional<ClosedArm> spherical_wrist(const Lines& lines, double reach) {
  const auto centre = wrist_centre(lines, reach);
  const auto shoulder = shoulder_of(lines, reach);
  if (!centre || !shoulder) return std::nullopt;
  ClosedArm arm = arm_with(ArmKind::SphericalWrist, lines, *centre, 5);
  arm.shoulder = *shoulder;
  // the kernel expects the common point of meeting axes on both
  const std::size_t first = *shoulder == Shoulder::Intersect12 ? 0 : 1;
  if (*shoulder == Shoulder::Intersect12 || *shoulder == Shoulder::Intersect23) {
    const Vector3 point = meeting_point(lines[first], lines[first + 1]);
    set(arm.point[first], point);
    set(arm.point[first + 1], point);
  }
  return arm;
}

bool are_parallel_from(const Lines& lines, std::size_t first) {
  return are_parallel(lines[first], lines[first + 1]) && are_parallel(lines[first], lines[first + 2]);
}

std::optional<ClosedArm> three_parallel(const Lines& lines, double reach) {
  const auto centre = intersection(lines[4], lines[5], reach);
  if (!centre) return std::nullopt;
  if (are_parallel_from(lines, 1) && !are_parallel(lines[0], lines[1]) && !are_parallel(lines[3], lines[4])) {
    return arm_with(ArmKind::Parallel234, lines, *centre, 1);
  }
  if (are_parallel_from(lines, 0) && !are_parallel(lines[2], lines[3])) {
    return arm_with(ArmKind::Parallel123, lines, *centre, 0);
  }
  return std::nullopt;
}

std::optional<ClosedArm> five_axes(const Lines& lines, double reach) {
  if (!are_parallel_from(lines, 1) || are_parallel(lines[0], lines[1]) || are_parallel(lines[3], lines[4])) {
    return std::nullopt;
  }
  const auto wrist = intersection(lines[3], lines[4], reach);
  return arm_with(ArmKind::Five, lines, wrist.value_or(lines[4].point), 1);
}

std::optional<ClosedArm> arm_of_lines(const Lines& lines, double reach) {
  if (lines.size() == 5) return five_axes(lines, reach);
  if (const auto arm = spherical_wrist(lines, reach)) return arm;
  return three_parallel(lines, reach);
}

/// The same arm from its tip to its base: G⁻¹ = E6⁻¹ … E1⁻¹.
Lines reversed(Lines lines) {
  std::reverse(lines.begin(), lines.end());
  for (Line& line : lines) line.axis = -line.axis;
  return lines;
}

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

/// A branch that stood the check, and its distance from the seed.
struct Candidate {
  double q[6];
  double position_error;
  double rotation_error;
  double distance;
};

/// The candidates of all lanes and their order; not cleared, for speed.
struct Candidates {
  Candidate of_lane[kernel::kLanes];
  int order[kernel::kLanes];
  int count = 0;
};

bool is_same(const Candidate& a, const Candidate& b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::abs(a.q[i] - b.q[i]) > 1e-6) return false;
  }
  return true;
}

/// Newton steps on the true geometry, for axes that are off by rounding.
void make_exact(const SerialChain& chain, const kernel::Task<double>& task, Candidate& candidate) {
  kernel::Polish polish;
  std::copy_n(candidate.q, chain.size(), polish.q);
  kernel::kernels().polish(chain.doubles(), task, 0.1 * kExact, 8, polish);
  std::copy_n(polish.q, chain.size(), candidate.q);
  candidate.position_error = polish.position_error;
  candidate.rotation_error = polish.rotation_error;
}

/// Brings each joint to the turn nearest to the seed and keeps the branch, in order of distance, unless it is
/// there.
void keep(const SerialChain& chain, std::span<const double> seed, int lane, Candidates& all) {
  Candidate& candidate = all.of_lane[lane];
  candidate.distance = 0.0;
  for (std::size_t i = 0; i < seed.size(); ++i) {
    candidate.q[i] = nearest_turn(chain, i, candidate.q[i], seed[i]);
    candidate.distance += (candidate.q[i] - seed[i]) * (candidate.q[i] - seed[i]);
  }
  int place = all.count;
  for (int k = 0; k < all.count; ++k) {
    if (is_same(all.of_lane[all.order[k]], candidate, seed.size())) return;
  }
  for (; place > 0 && all.of_lane[all.order[place - 1]].distance > candidate.distance; --place) {
    all.order[place] = all.order[place - 1];
  }
  all.order[place] = lane;
  ++all.count;
}

}  // namespace

std::optional<ClosedFormIk> ClosedFormIk::find(const SerialChain& chain) {
  const kernel::Chain<double>& plain = chain.doubles();
  if (!plain.is_plain || (chain.size() != 5 && chain.size() != 6)) return std::nullopt;
  const double reach = std::max(chain.reach(), 1e-6);
  const Lines lines = lines_of(chain);
  if (const auto arm = arm_of_lines(lines, reach)) return ClosedFormIk(chain, *arm);
  if (chain.size() != 6) return std::nullopt;
  auto mirrored = arm_of_lines(reversed(lines), reach);
  if (!mirrored) return std::nullopt;
  mirrored->is_reversed = true;
  return ClosedFormIk(chain, *mirrored);
}

ClosedFormIk::ClosedFormIk(const SerialChain& chain, const kernel::ClosedArm& arm)
    : chain_(&chain), arm_(std::make_shared<const kernel::ClosedArm>(arm)) {
  const std::vector<double> zero(chain.size(), 0.0);
  X_T0B_ = inverse(chain.tool_pose(zero));
}

std::string_view ClosedFormIk::name() const noexcept {
  if (arm_->kind == ArmKind::SphericalWrist) return "spherical wrist";
  return arm_->kind == ArmKind::Five ? "five axes" : "parallel axes";
}

IkSolutions ClosedFormIk::solve(const Pose& X_BT, std::span<const double> seed, double tolerance,
                                int* beyond_limits) const noexcept {
  SINEW_ASSERT(is_valid(X_BT) && seed.size() == chain_->size());
  const auto count = static_cast<Eigen::Index>(seed.size());
  const Pose G = X_BT * X_T0B_;
  kernel::Task<double> task{
      .X_S0 = chain_->doubles().X_B0, .X_ST = motion_of(X_BT), .weight = {1, 1, 1, 1, 1, 1}};
  double ordered[6] = {};
  for (std::size_t i = 0; i < seed.size(); ++i) {
    ordered[arm_->is_reversed ? seed.size() - 1 - i : i] = seed[i];
    task.lower[i] = -1e6;
    task.upper[i] = 1e6;
  }
  kernel::ClosedAnswer answer;
  kernel::kernels().closed(*arm_, chain_->doubles(), task, motion_of(arm_->is_reversed ? inverse(G) : G),
                           ordered, answer);
  Candidates candidates;
  for (int lane = 0; lane < answer.count; ++lane) {
    Candidate& candidate = candidates.of_lane[lane];
    candidate.position_error = answer.position_error[lane];
    candidate.rotation_error = answer.rotation_error[lane];
    // written so that NaN is hopeless
    if (!(candidate.position_error < kHopeless && candidate.rotation_error < kHopeless)) continue;
    for (std::size_t i = 0; i < seed.size(); ++i) candidate.q[i] = answer.q[i][lane];
    if (candidate.position_error > kExact || candidate.rotation_error > kExact)
      make_exact(*chain_, task, candidate);
    if (!(candidate.position_error <= tolerance && candidate.rotation_error <= tolerance)) continue;
    keep(*chain_, seed, lane, candidates);
  }
  IkSolutions solutions;
  for (int k = 0; k < candidates.count; ++k) {
    const Candidate& candidate = candidates.of_lane[candidates.order[k]];
    if (!chain_->is_within_limits({candidate.q, seed.size()})) continue;
    solutions.push_back({.q = Eigen::Map<const JointVector>(candidate.q, count),
                         .position_error = candidate.position_error,
                         .rotation_error = candidate.rotation_error});
  }
  if (beyond_limits != nullptr) *beyond_limits = candidates.count - static_cast<int>(solutions.size());
  return solutions;
}

}  // namespace sinew
