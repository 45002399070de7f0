// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/inverse_kinematics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

std::span<const double> span_of(const JointVector& q) {
  return {q.data(), static_cast<std::size_t>(q.size())};
}

// enough to walk from any posture to any other
constexpr int kMostPostureSteps = 60;

/// The rows of the components asked for, in their own axes; the others zero.
Jacobian task_jacobian(const SerialChain& chain, const Pose& X_BT, const PoseTask& task,
                       const JointVector& q) {
  Jacobian jacobian;
  chain.tool_pose(span_of(q), jacobian);
  const bool by_tool = task.is_pointing || task.axes == TaskAxes::Tool;
  const Matrix3 R_SB = by_tool ? X_BT.rotation.conjugate().toRotationMatrix() : Matrix3::Identity();
  jacobian.topRows<3>() = (R_SB * jacobian.topRows<3>()).eval();
  jacobian.bottomRows<3>() = (R_SB * jacobian.bottomRows<3>()).eval();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    if (!task.position[k]) jacobian.row(row).setZero();
    if (task.is_pointing ? k == 2 : !task.rotation[k]) jacobian.row(3 + row).setZero();
  }
  return jacobian;
}

JointVector within_limits(const SerialChain& chain, JointVector q) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    double& value = q[static_cast<Eigen::Index>(i)];
    value = std::clamp(value, chain.limits(i).lower, chain.limits(i).upper);
  }
  return q;
}

bool all_numbers(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

IkResult result_of(const NumericalIkResult& found) {
  IkResult result{.status = found.status,
                  .nearest = found.q,
                  .position_error = found.position_error,
                  .rotation_error = found.rotation_error,
                  .limit_joint = found.limit_joint,
                  .method = IkMethod::Numerical};
  if (found.status == IkStatus::Solved) {
    result.solutions.push_back(
        {.q = found.q, .position_error = found.position_error, .rotation_error = found.rotation_error});
  }
  return result;
}

/// Few digits, but never so few that something looks like nothing.
std::string residual_text(const IkResult& result) {
  const auto text = [](double value, const char* unit, const std::string& usual) {
    return value > 0.0 && value < 0.05 ? fmt::format("{:.2g} {}", value, unit) : usual;
  };
  constexpr double kDegree = std::numbers::pi / 180.0;
  return text(result.position_error * 1e3, "mm", length_text(result.position_error)) + " and " +
         text(result.rotation_error / kDegree, "deg", angle_text(result.rotation_error));
}

/// Of the two words of a component such as "p_x", the axis; nothing when it is none.
std::optional<std::size_t> axis_of(std::string_view word) {
  if (word.size() != 3 || word[1] != '_' || word[2] < 'x' || word[2] > 'z') return std::nullopt;
  return static_cast<std::size_t>(word[2] - 'x');
}

}  // namespace

InverseKinematics::InverseKinematics(const SerialChain& chain)
    : chain_(chain), closed_(ClosedFormIk::find(chain)), numerical_(chain) {}

std::string_view InverseKinematics::description() const noexcept {
  if (!closed_) return "numerical";
  return closed_->description();
}

IkResult InverseKinematics::solve_closed(const Pose& X_BT, std::span<const double> seed,
                                         const IkOptions& options) const {
  IkResult result{.solutions = closed_->solve(X_BT, seed, options.tolerance), .method = IkMethod::ClosedForm};
  if (result.solutions.empty()) return result;
  result.status = IkStatus::Solved;
  result.nearest = result.solutions[0].q;
  result.position_error = result.solutions[0].position_error;
  result.rotation_error = result.solutions[0].rotation_error;
  return result;
}

IkResult InverseKinematics::solve(const Pose& X_BT, std::span<const double> seed,
                                  const IkOptions& options) const noexcept {
  const bool fits =
      seed.size() == chain_.size() && (options.posture.empty() || options.posture.size() == seed.size());
  const bool is_usable = is_valid(X_BT) && fits && all_numbers(seed) && all_numbers(options.posture);
  if (!is_usable) return {.status = IkStatus::InvalidInput, .nearest = chain_.middle()};
  if (closed_ && asks_for_everything(options.task)) {
    IkResult result = solve_closed(X_BT, seed, options);
    // only seven joints can choose a posture
    if (chain_.size() > 6 && !options.posture.empty() && result.status == IkStatus::Solved) {
      const JointVector posture =
          Eigen::Map<const JointVector>(options.posture.data(), result.nearest.size());
      const IkResult other = solve_closed(X_BT, options.posture, options);
      const bool is_nearer = other.status == IkStatus::Solved &&
                             (other.nearest - posture).norm() < (result.nearest - posture).norm();
      if (is_nearer) result = other;
      approach_posture(X_BT, options, result);
    }
    if (result.status == IkStatus::Solved) return result;
  }
  const NumericalIkOptions search{
      .tolerance = options.tolerance, .most_rounds = options.most_rounds, .random_seed = options.random_seed};
  IkResult result = result_of(numerical_.solve(X_BT, seed, options.task, search));
  if (!options.posture.empty()) approach_posture(X_BT, options, result);
  if (result.status != IkStatus::Solved) accept_nearest(X_BT, seed, options, result);
  if (result.status == IkStatus::Solved || !options.accept_nearest_orientation) return result;

  const IkResult turned = turn_towards(X_BT, options, result.nearest);
  return turned.status == IkStatus::Solved ? turned : result;
}

/// What is near enough counts as solved. The search weighs metres and radians alike and may end in another
/// posture; a place that is kept exactly leaves more for the rotation.
void InverseKinematics::accept_nearest(const Pose& X_BT, std::span<const double> seed,
                                       const IkOptions& options, IkResult& result) const {
  const PoseTolerance& accepted = options.accepted;
  if (!(accepted.position > 0.0 && accepted.rotation > 0.0)) return;
  const auto miss = [&](const IkResult& found) {
    return std::max(found.position_error / accepted.position, found.rotation_error / accepted.rotation);
  };
  const auto turn_from = [&](const JointVector& start) {
    const IkResult turned = turn_towards(X_BT, options, start);
    if (turned.status != IkStatus::Solved || miss(turned) >= miss(result)) return;
    result.nearest = turned.nearest;
    result.position_error = turned.position_error;
    result.rotation_error = turned.rotation_error;
  };
  if (asks_for_everything(options.task)) {
    turn_from(result.nearest);
    turn_from(Eigen::Map<const JointVector>(seed.data(), static_cast<Eigen::Index>(seed.size())));
  }
  if (!accepted.holds(result.position_error, result.rotation_error)) return;
  result.status = IkStatus::Solved;
  result.solutions.push_back({.q = result.nearest,
                              .position_error = result.position_error,
                              .rotation_error = result.rotation_error});
}

/// Walks in the null space of the task; each step is made exact again and kept when it is nearer to the
/// posture.
void InverseKinematics::approach_posture(const Pose& X_BT, const IkOptions& options, IkResult& result) const {
  if (result.status != IkStatus::Solved) return;
  IkSolution& best = result.solutions[0];
  JointVector& q = best.q;
  const JointVector posture = Eigen::Map<const JointVector>(options.posture.data(), q.size());
  const NumericalIkOptions exact{.tolerance = options.tolerance};
  double part = 1.0;
  for (int step = 0; step < kMostPostureSteps && part > 1e-3; ++step) {
    const JointVector along =
        null_space_projector(task_jacobian(chain_, X_BT, options.task, q), 1e-6) * (posture - q);
    if (along.norm() < 1e-7) break;
    const JointVector tried = within_limits(chain_, q + part * along);
    const NumericalIkResult moved = numerical_.refine(X_BT, span_of(tried), options.task, exact);
    const bool is_nearer = (moved.q - posture).norm() < (q - posture).norm();
    if (moved.status == IkStatus::Solved && is_nearer) {
      best = {.q = moved.q, .position_error = moved.position_error, .rotation_error = moved.rotation_error};
      part = std::min(1.0, 2.0 * part);
    } else {
      part *= 0.5;
    }
  }
  result.nearest = best.q;
  result.position_error = best.position_error;
  result.rotation_error = best.rotation_error;
}

/// The position exactly, then turned towards the orientation as far as the arm can.
IkResult InverseKinematics::turn_towards(const Pose& X_BT, const IkOptions& options,
                                         const JointVector& start) const {
  PoseTask position = options.task;
  position.rotation = {false, false, false};
  position.is_pointing = false;
  const NumericalIkOptions exact{.tolerance = options.tolerance, .most_rounds = options.most_rounds};
  NumericalIkResult best = numerical_.solve(X_BT, span_of(start), position, exact);
  if (best.status != IkStatus::Solved) return result_of(best);
  best.rotation_error = distance(X_BT, chain_.tool_pose(span_of(best.q))).rotation;
  double part = 1.0;
  for (int step = 0; step < kMostPostureSteps && part > 1e-3; ++step) {
    const JointMatrix free = null_space_projector(task_jacobian(chain_, X_BT, position, best.q), 1e-6);
    Jacobian jacobian;
    const Pose X_BN = chain_.tool_pose(span_of(best.q), jacobian);
    const Vector3 error = rotation_vector(X_BT.rotation * X_BN.rotation.conjugate());
    const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMaxChainJoints> turning =
        jacobian.bottomRows<3>() * free;
    const Matrix3 damped = turning * turning.transpose() + 1e-6 * Matrix3::Identity();
    const JointVector along = turning.transpose() * (damped.inverse() * error);
    if (along.norm() < 1e-9) break;
    const JointVector tried = within_limits(chain_, best.q + part * along);
    NumericalIkResult moved = numerical_.refine(X_BT, span_of(tried), position, exact);
    moved.rotation_error = distance(X_BT, chain_.tool_pose(span_of(moved.q))).rotation;
    if (moved.status == IkStatus::Solved && moved.rotation_error < best.rotation_error) {
      best = moved;
      part = std::min(1.0, 2.0 * part);
    } else {
      part *= 0.5;
    }
  }
  return result_of(best);
}

Result<PoseTask> pose_task_from_text(std::string_view text, TaskAxes axes) {
  PoseTask task{.position = {false, false, false}, .rotation = {false, false, false}, .axes = axes};
  bool is_empty = true;
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" ,");
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" ,", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    const auto axis = axis_of(word);
    if (!axis || (word[0] != 'p' && word[0] != 't')) {
      return Error{
          ErrorCode::InvalidInput,
          fmt::format(
              "no pose component '{}': there are p_x, p_y, p_z (position) and t_x, t_y, t_z (rotation)",
              word)};
    }
    (word[0] == 'p' ? task.position : task.rotation)[*axis] = true;
    is_empty = false;
  }
  if (is_empty) {
    return Error{ErrorCode::InvalidInput,
                 "no pose component given: name at least one of p_x p_y p_z t_x t_y t_z"};
  }
  return task;
}

std::string explain(const IkResult& result, const RobotModel& model, const SerialChain& chain) {
  const std::string residual = residual_text(result);
  switch (result.status) {
    case IkStatus::OutOfReach:
      return "out of reach: the nearest posture misses by " + residual;
    case IkStatus::JointLimit: {
      const JointLimits& range = chain.limits(result.limit_joint);
      const auto text = [&](double q) {
        return chain.is_revolute(result.limit_joint) ? angle_text(q) : length_text(q);
      };
      return fmt::format("joint '{}' would have to go beyond its limits, {} to {}",
                         model.joints[chain.joint(result.limit_joint)].name, text(range.lower),
                         text(range.upper));
    }
    case IkStatus::Singular:
      return "singular: where the arm comes near, it cannot move in the direction that is missing; it misses "
             "by " +
             residual;
    case IkStatus::NotConverged:
      return "no answer found within the rounds allowed; the nearest misses by " + residual;
    case IkStatus::InvalidInput:
      return "a number of the target or the seed is not finite, the quaternion has no unit length, or the "
             "seed has the "
             "wrong count of joints";
    case IkStatus::Solved:
      break;
  }
  return "solved";
}

}  // namespace sinew
