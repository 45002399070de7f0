// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/follow_attempt.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

namespace sinew {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using TaskRows = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6>;
using TaskVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using TaskJacobian = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, kMaxChainJoints>;
using TaskMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

constexpr double kExact = 1e-10;       // [m, rad] where Newton's steps end
constexpr double kLeastStep = 1e-6;    // of u: less between two points is no progress
constexpr double kLeastTool = 1e-7;    // ds/du below which only the joints turn
constexpr double kSingular = 1e-9;     // of the largest pivot: what is smaller is none
constexpr double kDrift = 2.0;         // how eagerly spare joints leave their limits, per way of the tool
constexpr double kTurnDamping = 1e-4;  // where spare joints can hardly turn the tool, they do not
constexpr double kDriftIn = 0.05;      // share of the way in which that sets in
constexpr double kGuideGain = 40.0;    // how eagerly they come back to their guide, per way of the tool

/// Rows that pick from a twist in axes of the base what the task asks for.
TaskRows rows_of(const PoseTask& task, const Pose& X_BT) {
  const Matrix3 R_BT = X_BT.rotation.toRotationMatrix();
  const Matrix3 axes = task.axes == TaskAxes::Tool ? R_BT : Matrix3::Identity();
  Matrix6 rows = Matrix6::Zero();
  Eigen::Index count = 0;
  for (int k = 0; k < 3; ++k) {
    if (task.position[static_cast<std::size_t>(k)]) rows.block<1, 3>(count++, 0) = axes.col(k).transpose();
  }
  for (int k = 0; k < 3; ++k) {
    if (task.is_pointing) {
      // a direction turns about the two axes across it
      if (k < 2) rows.block<1, 3>(count++, 3) = R_BT.col(k).transpose();
    } else if (task.rotation[static_cast<std::size_t>(k)]) {
      rows.block<1, 3>(count++, 3) = axes.col(k).transpose();
    }
  }
  return rows.topRows(count);
}

Vector6 vector_of(const Twist& V) {
  Vector6 v;
  v << V.linear, V.angular;
  return v;
}

/// What would bring the tool from X_BT to where it is wanted, in axes of the base.
Vector6 error_of(const Pose& X_BT, const Pose& X_BT_wanted) {
  Vector6 error;
  error << X_BT_wanted.position - X_BT.position,
      X_BT.rotation * rotation_vector(X_BT.rotation.conjugate() * X_BT_wanted.rotation);
  return error;
}

/// At a singularity: the least motion that does `wanted`; no numbers when none does, unless it `may_miss`.
JointVector least_motion_at_singularity(const Matrix6& jacobian, const Vector6& wanted, bool may_miss) {
  Eigen::CompleteOrthogonalDecomposition<Matrix6> split;
  split.setThreshold(kSingular);
  split.compute(jacobian);
  const Vector6 found = split.solve(wanted);
  const bool does = may_miss || (jacobian * found - wanted).norm() <= 1e-6 * wanted.norm();
  return does ? JointVector(found) : JointVector::Constant(6, std::numeric_limits<double>::quiet_NaN());
}

class Attempt {
 public:
  Attempt(const SerialChain& chain, const InverseKinematics& ik, const ToolPath& path, const Stretch& stretch,
          const FollowOptions& options)
      : chain_(chain),
        ik_(ik),
        path_(path),
        stretch_(stretch),
        options_(options),
        sign_(stretch.to < stretch.from ? -1.0 : 1.0),
        is_whole_(asks_for_everything(options.task)) {}

  Followed run(std::span<const double> start);

 private:
  bool begin(std::span<const double> start);
  bool step();
  FollowedPoint predict(const FollowedPoint& last) const;
  double try_step(const FollowedPoint& last, FollowedPoint& next);
  bool settle(double s, JointVector& q);
  void find_tangent(FollowedPoint& point) const;
  static void continue_tangent(const FollowedPoint& last, FollowedPoint& point);
  JointVector least_motion(const TaskVector& wanted, const JointVector& q, bool may_miss = false) const;
  JointVector weights(const JointVector& q) const;
  JointVector away_from_limits(const JointVector& q) const;
  JointVector along_guide(const FollowedPoint& point) const;
  TaskVector look(const Pose& X_BT_wanted, const JointVector& q);
  JointVector with_turn(const JointVector& q, const JointVector& change, const Vector3& turn) const;
  TaskVector in_task(const Pose& X_BT_wanted, const Vector6& error) const;
  double error_between(const FollowedPoint& a, const FollowedPoint& b) const;
  bool is_jump(const FollowedPoint& a, const FollowedPoint& b) const;
  std::size_t joint_beyond_limits(const JointVector& q) const;
  void say_why_it_ended();

  const SerialChain& chain_;
  const InverseKinematics& ik_;
  const ToolPath& path_;
  const Stretch stretch_;
  const FollowOptions& options_;
  double sign_;
  bool is_whole_;
  bool has_spare_joints_ = false;
  double step_ = 0.1;  // of u
  Followed result_;
  // where settle() last ended
  TaskRows rows_;
  TaskJacobian jacobian_;  // of the task's components
  Jacobian whole_jacobian_;
  Vector6 off_ = Vector6::Zero();  // what is missing to the whole pose, also beyond the task
};

Followed Attempt::run(std::span<const double> start) {
  if (!begin(start)) return std::move(result_);
  while (result_.s != stretch_.to) {
    if (is_interrupted(options_.interruption)) {
      result_.status = FollowStatus::Interrupted;
      return std::move(result_);
    }
    if (static_cast<int>(result_.points.size()) >= options_.most_points) {
      result_.status = FollowStatus::TooLong;
      return std::move(result_);
    }
    if (!step()) {
      say_why_it_ended();
      return std::move(result_);
    }
  }
  result_.status = FollowStatus::Done;
  return std::move(result_);
}

bool Attempt::begin(std::span<const double> start) {
  result_.s = stretch_.from;
  result_.limit_joint = kNone;
  const Pose X_BT = path_.X_BT(stretch_.from);
  if (start.size() != chain_.size() || !chain_.is_within_limits(start, 1e-9) || !is_valid(X_BT)) return false;
  FollowedPoint point{.s = stretch_.from};
  point.q = Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(start.size()));
  const TaskVector off = in_task(X_BT, error_of(chain_.tool_pose(start), X_BT));
  has_spare_joints_ = static_cast<Eigen::Index>(chain_.size()) > off.size();
  if (off.norm() > options_.start_tolerance || !settle(stretch_.from, point.q)) {
    result_.status = FollowStatus::NotAtStart;
    return false;
  }
  find_tangent(point);
  result_.points.reserve(64);
  result_.points.push_back(point);
  return true;
}

TaskVector Attempt::in_task(const Pose& X_BT_wanted, const Vector6& error) const {
  if (is_whole_) return error;
  return rows_of(options_.task, X_BT_wanted) * error;
}

/// The joint motion that does `wanted` in the task's components; among many, the one that moves joints near
/// their limits least. `may_miss`: at a singularity, as much of it as can be.
JointVector Attempt::least_motion(const TaskVector& wanted, const JointVector& q, bool may_miss) const {
  if (is_whole_ && chain_.size() == 6) {
    const Matrix6 square = jacobian_;
    const Eigen::PartialPivLU<Matrix6> split(square);
    const Vector6 pivots = split.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > kSingular * pivots.maxCoeff()))
      return least_motion_at_singularity(square, wanted, may_miss);
    return split.solve(Vector6(wanted));
  }
  TaskJacobian scaled = jacobian_;
  if (has_spare_joints_) scaled = jacobian_ * weights(q).cwiseInverse().asDiagonal();
  TaskMatrix square = scaled * jacobian_.transpose();
  square.diagonal().array() += 1e-13;
  return scaled.transpose() * square.ldlt().solve(wanted);
}

/// What joints to spare add to `change` so that the tool turns by `turn`, as far as they can; what the task
/// asks for stays as it is.
JointVector Attempt::with_turn(const JointVector& q, const JointVector& change, const Vector3& turn) const {
  const auto rotation = whole_jacobian_.bottomRows<3>();
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMaxChainJoints> free(3, q.size());
  for (Eigen::Index joint = 0; joint < q.size(); ++joint) {
    // a joint's own motion, and what of it the task has to take back
    JointVector moved = JointVector::Zero(q.size());
    moved[joint] = 1.0;
    moved -= least_motion(jacobian_.col(joint), q);
    free.col(joint) = rotation * moved;
  }
  Matrix3 square = free * free.transpose();
  square.diagonal().array() += kTurnDamping;
  const Vector3 missing = turn - rotation * change;
  const JointVector more = free.transpose() * square.ldlt().solve(missing);
  return change + more - least_motion(jacobian_ * more, q);
}

/// What is missing at `q`, in the task's components; leaves the Jacobians of there.
TaskVector Attempt::look(const Pose& X_BT_wanted, const JointVector& q) {
  const Pose X_BT = chain_.tool_pose(numbers(q), whole_jacobian_);
  off_ = error_of(X_BT, X_BT_wanted);
  if (is_whole_) {
    jacobian_ = whole_jacobian_;
    return off_;
  }
  jacobian_ = rows_ * whole_jacobian_;
  return rows_ * off_;
}

/// Newton's steps to the pose at `s`. Leaves rows and Jacobian of where it ended.
bool Attempt::settle(double s, JointVector& q) {
  const Pose X_BT_wanted = path_.X_BT(s);
  if (!is_whole_) rows_ = rows_of(options_.task, X_BT_wanted);
  // the rotation first: what it disturbs of the task is made good below
  for (int round = 0; round < 2 && has_spare_joints_ && options_.keeps_near_orientation; ++round) {
    const TaskVector error = look(X_BT_wanted, q);
    const JointVector change = with_turn(q, least_motion(error, q), off_.tail<3>());
    if (!(change.cwiseAbs().maxCoeff() < 2.0 * options_.most_turn)) return false;
    q += change;
  }
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 8; ++round) {
    const TaskVector error = look(X_BT_wanted, q);
    const double off = error.norm();
    if (off < kExact) return true;
    // it must gain much each time, and never go far
    if (!(off < 0.5 * before)) return off < 10.0 * kExact;
    before = off;
    // what is missing in a direction that is lost is of second order, and vanishes with the rest
    const JointVector change = least_motion(error, q, true);
    if (!(change.cwiseAbs().maxCoeff() < 2.0 * options_.most_turn)) return false;
    q += change;
  }
  return false;
}

JointVector Attempt::weights(const JointVector& q) const {
  JointVector weight = JointVector::Ones(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const JointLimits& limits = chain_.limits(static_cast<std::size_t>(i));
    const double range = limits.upper - limits.lower;
    if (!std::isfinite(range)) continue;
    const double above = std::max((q[i] - limits.lower) / range, 1e-3);
    const double below = std::max((limits.upper - q[i]) / range, 1e-3);
    // grows like the slope of 1/(above below): nothing in the middle, without bound towards both ends
    weight[i] += 0.05 * std::abs(below - above) / (above * above * below * below);
  }
  return weight;
}

/// The direction in which the joints gain distance from their limits.
JointVector Attempt::away_from_limits(const JointVector& q) const {
  JointVector direction = JointVector::Zero(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const JointLimits& limits = chain_.limits(static_cast<std::size_t>(i));
    const double half = 0.5 * (limits.upper - limits.lower);
    if (!std::isfinite(half) || !(half > 0.0)) continue;
    const double off = (q[i] - 0.5 * (limits.upper + limits.lower)) / half;
    direction[i] = -off * off * off;
  }
  return direction;
}

/// How the joints would go if the task did not bind them: as the guide does, and back to it.
JointVector Attempt::along_guide(const FollowedPoint& point) const {
  const std::span<const JointVector> guide = stretch_.guide;
  const auto parts = static_cast<double>(guide.size() - 1);
  const double at = std::clamp(point.s, 0.0, 1.0) * parts;
  const std::size_t k = std::min(static_cast<std::size_t>(at), guide.size() - 2);
  const double share = at - static_cast<double>(k);
  // slopes across two parts, so that they change smoothly
  const auto slope = [&](std::size_t i) -> JointVector {
    const std::size_t before = i > 0 ? i - 1 : i;
    const std::size_t after = std::min(i + 1, guide.size() - 1);
    return (guide[after] - guide[before]) * (parts / static_cast<double>(after - before));
  };
  const JointVector here = (1.0 - share) * guide[k] + share * guide[k + 1];
  const JointVector along = (1.0 - share) * slope(k) + share * slope(k + 1);
  return sign_ * along + kGuideGain * (here - point.q);
}

/// Direction of the joints' path where settle() has just ended, and how fast the tool goes along it.
void Attempt::find_tangent(FollowedPoint& point) const {
  TaskVector wanted = sign_ * vector_of(path_.V_BT(point.s));
  if (!is_whole_) wanted = (rows_ * wanted).eval();
  JointVector dq_ds = least_motion(wanted, point.q);
  if (has_spare_joints_ && options_.keeps_near_orientation) {
    dq_ds = with_turn(point.q, dq_ds, sign_ * path_.V_BT(point.s).angular);
  } else if (has_spare_joints_ && !stretch_.guide.empty()) {
    const JointVector wish = along_guide(point);
    dq_ds += wish - least_motion(jacobian_ * wish, point.q);
  } else if (has_spare_joints_) {
    const JointVector away = away_from_limits(point.q);
    const double eagerness = kDrift * std::min(1.0, std::abs(point.s - stretch_.from) / kDriftIn);
    const TaskVector moved = jacobian_ * away;
    dq_ds += eagerness * wanted.norm() * (away - least_motion(moved, point.q));
  }
  // one unit of u is a metre of the tool, or a radian of a joint
  const double speed = std::sqrt(wanted.squaredNorm() + dq_ds.squaredNorm());
  point.ds_du = std::isfinite(speed) ? sign_ / std::max(speed, 1e-12) : 0.0;
  point.dq_du = dq_ds * std::abs(point.ds_du);
}

/// Where the arm is singular at its end, the joints end their path on the parabola that they are on: what the
/// tool does there tells nothing of the joints that turn about one axis.
void Attempt::continue_tangent(const FollowedPoint& last, FollowedPoint& point) {
  const double du = point.u - last.u;
  const double ds_du = 2.0 * (point.s - last.s) / du - last.ds_du;
  if (!(ds_du * last.ds_du > 0.0)) return;
  point.ds_du = ds_du;
  point.dq_du = 2.0 / du * (point.q - last.q) - last.dq_du;
}

/// How far off the tool is in the middle between two points when the joints go by a cubic [m, rad].
double Attempt::error_between(const FollowedPoint& a, const FollowedPoint& b) const {
  const double du = b.u - a.u;
  const JointVector q = 0.5 * (a.q + b.q) + 0.125 * du * (a.dq_du - b.dq_du);
  const double s = 0.5 * (a.s + b.s) + 0.125 * du * (a.ds_du - b.ds_du);
  const Pose X_BT_wanted = path_.X_BT(s);
  return in_task(X_BT_wanted, error_of(chain_.tool_pose(numbers(q)), X_BT_wanted)).norm();
}

/// Whether the joints have left their branch between two points: the chord does not agree with the tangents.
bool Attempt::is_jump(const FollowedPoint& a, const FollowedPoint& b) const {
  const double du = b.u - a.u;
  const JointVector chord = b.q - a.q;
  const JointVector bend = chord - 0.5 * du * (a.dq_du + b.dq_du);
  return !(chord.cwiseAbs().maxCoeff() <= options_.most_turn && bend.norm() <= 0.2 * du);
}

std::size_t Attempt::joint_beyond_limits(const JointVector& q) const {
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    const double value = q[static_cast<Eigen::Index>(i)];
    if (value < chain_.limits(i).lower - 1e-9 || value > chain_.limits(i).upper + 1e-9) return i;
  }
  return kNone;
}

FollowedPoint Attempt::predict(const FollowedPoint& last) const {
  FollowedPoint next;
  next.s = last.s + step_ * last.ds_du;
  // a last bit too small to matter goes with the step before it
  if (sign_ * (stretch_.to - next.s) < 1e-6) next.s = stretch_.to;
  next.u = last.u + (next.s - last.s) / last.ds_du;
  next.q = last.q + (next.u - last.u) * last.dq_du;
  return next;
}

/// Fills in `next`; the error of the cubic between both, infinite when they are not on one branch.
double Attempt::try_step(const FollowedPoint& last, FollowedPoint& next) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (next.s == last.s || !settle(next.s, next.q)) return kNever;
  find_tangent(next);
  if (next.ds_du == 0.0 && next.s == stretch_.to) continue_tangent(last, next);
  if (next.ds_du == 0.0 || is_jump(last, next)) return kNever;
  return error_between(last, next);
}

/// One point further, as far as accuracy allows; false when there is no way on.
bool Attempt::step() {
  const FollowedPoint& last = result_.points.back();
  while (step_ >= kLeastStep && std::abs(last.ds_du) >= kLeastTool) {
    step_ = std::min(step_, options_.most_turn);
    FollowedPoint next = predict(last);
    const double ratio = try_step(last, next) / options_.accuracy;
    if (ratio <= 1.0) {
      result_.limit_joint = joint_beyond_limits(next.q);
      if (result_.limit_joint != kNone) return false;
      step_ *= std::clamp(0.9 / std::pow(std::max(ratio, 1e-6), 0.25), 0.5, 3.0);
      result_.s = next.s;
      result_.points.push_back(std::move(next));
      return true;
    }
    step_ *= std::isfinite(ratio) ? std::clamp(0.9 / std::pow(ratio, 0.25), 0.1, 0.7) : 0.25;
  }
  return false;
}

void Attempt::say_why_it_ended() {
  if (result_.limit_joint != kNone) {
    result_.status = FollowStatus::JointLimit;
    return;
  }
  const double ahead = sign_ * std::min(1e-4, std::abs(stretch_.to - result_.s));
  const IkResult found =
      ik_.solve(path_.X_BT(result_.s + ahead), numbers(result_.points.back().q), {.task = options_.task});
  result_.status = found.status == IkStatus::Solved ? FollowStatus::Singular : FollowStatus::OutOfReach;
}

}  // namespace

Followed attempt_to_follow(const SerialChain& chain, const InverseKinematics& ik, const ToolPath& path,
                           const Stretch& stretch, std::span<const double> start,
                           const FollowOptions& options) {
  return Attempt(chain, ik, path, stretch, options).run(start);
}

}  // namespace sinew
