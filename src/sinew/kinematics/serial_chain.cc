// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/serial_chain.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>
#include <fmt/format.h>

#include "sinew/base/assert.h"
#include "sinew/kinematics/convert.h"
#include "sinew/kinematics/kernels.h"

namespace sinew {
namespace {

static_assert(kMaxChainJoints == kernel::kMaxJoints && ChainBatch::kLanes == kernel::kLanes);

/// A rotation whose z axis lies along `axis`; none where it already does.
Quaternion rotation_of_z_to(const Vector3& axis) {
  return Quaternion::FromTwoVectors(Vector3::UnitZ(), axis).normalized();
}

/// R = Rz(before) · Rx(alpha) · Rz(after)
struct EulerZxz {
  double before = 0.0;
  double cos_alpha = 1.0;
  double sin_alpha = 0.0;
  double after = 0.0;
};

EulerZxz euler_zxz(const Matrix3& R) {
  const double sine = std::hypot(R(0, 2), R(1, 2));
  // parallel axes: all of the turn may come after
  const bool is_parallel = sine < 1e-14;
  const double before = is_parallel ? 0.0 : std::atan2(R(0, 2), -R(1, 2));
  const double alpha = std::atan2(is_parallel ? 0.0 : sine, R(2, 2));
  const Matrix3 rest =
      (Eigen::AngleAxisd(-alpha, Vector3::UnitX()) * Eigen::AngleAxisd(-before, Vector3::UnitZ()))
          .toRotationMatrix() *
      R;
  return {.before = before,
          .cos_alpha = is_parallel ? std::copysign(1.0, R(2, 2)) : R(2, 2),
          .sin_alpha = is_parallel ? 0.0 : sine,
          .after = std::atan2(rest(1, 0), rest(0, 0))};
}

kernel::Chain<float> rounded_chain(const kernel::Chain<double>& chain) {
  kernel::Chain<float> result{.joint_count = chain.joint_count,
                              .variable_count = chain.variable_count,
                              .is_plain = chain.is_plain,
                              .X_B0 = rounded(chain.X_B0),
                              .X_ET = rounded(chain.X_ET)};
  for (int i = 0; i < chain.joint_count; ++i) {
    const kernel::ChainJoint<double>& joint = chain.joints[i];
    result.joints[i] = {
        .cos_alpha = static_cast<float>(joint.cos_alpha),
        .sin_alpha = static_cast<float>(joint.sin_alpha),
        .p = {static_cast<float>(joint.p[0]), static_cast<float>(joint.p[1]), static_cast<float>(joint.p[2])},
        .factor = static_cast<float>(joint.factor),
        .angle_offset = static_cast<float>(joint.angle_offset),
        .slide_offset = static_cast<float>(joint.slide_offset),
        .variable = joint.variable,
        .is_revolute = joint.is_revolute};
  }
  return result;
}

bool all_finite(std::span<const double> q) {
  return std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); });
}

/// The farthest that the links of a chain reach from its first joint.
double bound_of_reach(const kernel::Chain<double>& chain, std::span<const JointLimits> limits) {
  double reach = Eigen::Map<const Vector3>(chain.X_ET.o).norm();
  for (int i = 0; i < chain.joint_count; ++i) {
    const kernel::ChainJoint<double>& joint = chain.joints[i];
    if (i + 1 < chain.joint_count) reach += Eigen::Map<const Vector3>(joint.p).norm();
    if (joint.is_revolute) continue;
    const JointLimits& range = limits[static_cast<std::size_t>(joint.variable)];
    reach += std::max(std::abs(joint.factor * range.lower + joint.slide_offset),
                      std::abs(joint.factor * range.upper + joint.slide_offset));
  }
  return reach;
}

}  // namespace

std::size_t SerialChain::variable_of(const RobotModel& model, std::size_t joint) {
  const auto found = std::find_if(variables_.begin(), variables_.end(),
                                  [&](const Variable& variable) { return variable.joint == joint; });
  if (found != variables_.end()) return static_cast<std::size_t>(found - variables_.begin());
  const Joint& leader = model.joints[joint];
  variables_.push_back({.joint = joint,
                        .position = leader.position,
                        .is_revolute = leader.kind != JointKind::Prismatic,
                        .limits = leader.limits});
  return variables_.size() - 1;
}

Result<SerialChain> SerialChain::make(const RobotModel& model, std::size_t base_link, std::size_t tip_link,
                                      const Pose& X_LT) {
  SINEW_ASSERT(base_link < model.links.size() && tip_link < model.links.size());
  const auto path = joints_between(model, base_link, tip_link);
  if (!path) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("link '{}' does not hang on link '{}'; see 'sinew model ROBOT' for the tree",
                             model.links[tip_link].name, model.links[base_link].name)};
  }
  SerialChain chain;
  if (const Status status = chain.fold(model, *path, X_LT); !status) return status.error();
  if (chain.joints_.empty()) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("no joint moves between link '{}' and link '{}'; name a tip farther out",
                             model.links[base_link].name, model.links[tip_link].name)};
  }
  return chain;
}

Status SerialChain::fold(const RobotModel& model, std::span<const std::size_t> path, const Pose& X_LT) {
  auto folded = std::make_shared<kernel::Chain<double>>();
  Pose X_ZC;          // from the last joint's z-aligned frame to the child link reached
  double turn = 0.0;  // Rz left over from the last link, to come before the joint's own motion
  folded->is_plain = true;
  for (const std::size_t index : path) {
    const Joint& joint = model.joints[index];
    X_ZC = X_ZC * joint.X_PJ;
    if (joint.kind == JointKind::Fixed) continue;
    if (joints_.size() == kMaxChainJoints) {
      return Error{
          ErrorCode::OutOfLimits,
          fmt::format("more than {} joints move between base and tip, up to '{}'; choose a shorter chain",
                      kMaxChainJoints, joint.name)};
    }
    const Quaternion R_JZ = rotation_of_z_to(joint.axis);
    const Pose X_ZZ = X_ZC * Pose{.rotation = R_JZ};
    if (joints_.empty()) {
      folded->X_B0 = motion_of(X_ZZ);
    } else {
      // the turn before the link belongs to the joint before it
      const EulerZxz euler = euler_zxz(X_ZZ.rotation.toRotationMatrix());
      kernel::ChainJoint<double>& last = folded->joints[joints_.size() - 1];
      const Quaternion back(Eigen::AngleAxisd(-euler.before, Vector3::UnitZ()));
      last.angle_offset += euler.before;
      last.cos_alpha = euler.cos_alpha;
      last.sin_alpha = euler.sin_alpha;
      Eigen::Map<Vector3>(last.p) = back * X_ZZ.position;
      joints_.back().X_KJ = Pose{.rotation = back} * joints_.back().X_KJ;
      turn = euler.after;
    }
    const bool is_mimic = joint.mimic.has_value();
    const std::size_t variable = variable_of(model, is_mimic ? joint.mimic->joint : index);
    const bool is_revolute = joint.kind != JointKind::Prismatic;
    const double offset = is_mimic ? joint.mimic->offset : 0.0;
    folded->joints[joints_.size()] = {.cos_alpha = 1.0,
                                      .factor = is_mimic ? joint.mimic->factor : 1.0,
                                      .angle_offset = turn + (is_revolute ? offset : 0.0),
                                      .slide_offset = is_revolute ? 0.0 : offset,
                                      .variable = static_cast<int>(variable),
                                      .is_revolute = is_revolute};
    folded->is_plain = folded->is_plain && is_revolute && !is_mimic;
    joints_.push_back({.joint = index, .X_KJ = {.rotation = R_JZ.conjugate()}});
    X_ZC = {.rotation = R_JZ.conjugate()};
  }
  folded->X_ET = motion_of(X_ZC * X_LT);
  folded->joint_count = static_cast<int>(joints_.size());
  folded->variable_count = static_cast<int>(variables_.size());
  std::vector<JointLimits> limits;
  for (const Variable& variable : variables_) limits.push_back(variable.limits);
  reach_ = bound_of_reach(*folded, limits);
  doubles_ = folded;
  floats_ = std::make_shared<const kernel::Chain<float>>(rounded_chain(*folded));
  return Done{};
}

Result<SerialChain> SerialChain::first_joints(std::size_t count, double slack) const {
  SINEW_ASSERT(count > 0 && count < size());
  if (!doubles_->is_plain) {
    return Error{ErrorCode::InvalidInput, "only a chain of revolute joints without mimics can be cut short"};
  }
  SerialChain part = *this;
  part.variables_.resize(count);
  part.joints_.resize(count);
  std::vector<JointLimits> limits;
  for (Variable& variable : part.variables_) {
    variable.limits.lower -= slack;
    variable.limits.upper += slack;
    limits.push_back(variable.limits);
  }
  auto folded = std::make_shared<kernel::Chain<double>>(*doubles_);
  folded->joint_count = folded->variable_count = static_cast<int>(count);
  // the last joint has no link beyond it
  kernel::ChainJoint<double>& last = folded->joints[count - 1];
  last.cos_alpha = 1.0;
  last.sin_alpha = 0.0;
  std::fill(std::begin(last.p), std::end(last.p), 0.0);
  folded->X_ET = motion_of(Pose{});
  part.reach_ = bound_of_reach(*folded, limits);
  part.doubles_ = folded;
  part.floats_ = std::make_shared<const kernel::Chain<float>>(rounded_chain(*folded));
  return part;
}

bool SerialChain::is_within_limits(std::span<const double> q, double slack) const noexcept {
  SINEW_ASSERT(q.size() == size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const JointLimits& range = variables_[i].limits;
    // written so that NaN is outside
    if (!(std::isfinite(q[i]) && q[i] >= range.lower - slack && q[i] <= range.upper + slack)) return false;
  }
  return true;
}

JointVector SerialChain::middle() const noexcept {
  JointVector q(static_cast<Eigen::Index>(size()));
  for (std::size_t i = 0; i < size(); ++i) {
    const JointLimits& range = variables_[i].limits;
    const double middle = 0.5 * (range.lower + range.upper);
    q[static_cast<Eigen::Index>(i)] =
        std::isfinite(middle) ? middle : std::clamp(0.0, range.lower, range.upper);
  }
  return q;
}

Pose SerialChain::tool_pose(std::span<const double> q) const noexcept {
  SINEW_ASSERT(q.size() == size() && all_finite(q));
  kernel::Motion<double> X_BT;
  kernel::kernels().forward(*doubles_, q.data(), X_BT);
  return pose_of(X_BT);
}

Pose SerialChain::tool_pose(std::span<const double> q, Jacobian& jacobian) const noexcept {
  SINEW_ASSERT(q.size() == size() && all_finite(q));
  kernel::Motion<double> X_BT;
  jacobian.resize(6, static_cast<Eigen::Index>(size()));
  kernel::kernels().jacobian(*doubles_, q.data(), X_BT, jacobian.data());
  return pose_of(X_BT);
}

Pose SerialChain::joint_poses(std::span<const double> q, std::span<Pose> X_BJ) const noexcept {
  SINEW_ASSERT(q.size() == size() && X_BJ.size() == joint_count() && all_finite(q));
  kernel::Motion<double> X_BK[kernel::kMaxJoints];
  kernel::Motion<double> X_BT;
  kernel::kernels().frames(*doubles_, q.data(), X_BK, X_BT);
  for (std::size_t i = 0; i < joint_count(); ++i) X_BJ[i] = pose_of(X_BK[i]) * joints_[i].X_KJ;
  return pose_of(X_BT);
}

Vector3 SerialChain::first_joint() const noexcept {
  return Eigen::Map<const Vector3>(doubles_->X_B0.o);
}

Dexterity dexterity(const Jacobian& jacobian) {
  const Eigen::JacobiSVD<Jacobian> svd(jacobian);
  const auto& values = svd.singularValues();
  const double smallest = values[values.size() - 1];
  return {.manipulability = values.prod(),
          .smallest_singular_value = smallest,
          .condition = smallest > 0.0 ? values[0] / smallest : std::numeric_limits<double>::infinity()};
}

JointMatrix null_space_projector(const Jacobian& jacobian, double cutoff) {
  const Eigen::JacobiSVD<Jacobian> svd(jacobian, Eigen::ComputeFullV);
  JointMatrix projector = JointMatrix::Identity(jacobian.cols(), jacobian.cols());
  for (Eigen::Index i = 0; i < svd.singularValues().size(); ++i) {
    if (svd.singularValues()[i] <= cutoff) continue;
    projector -= svd.matrixV().col(i) * svd.matrixV().col(i).transpose();
  }
  return projector;
}

ChainBatch::ChainBatch(const SerialChain& chain)
    : chain_(chain), lanes_(std::make_unique<kernel::ChainLanes>()) {}
ChainBatch::~ChainBatch() = default;

float& ChainBatch::q(std::size_t variable, int lane) {
  return lanes_->q[variable][lane];
}
void ChainBatch::evaluate() noexcept {
  kernel::kernels().batch(chain_.floats(), *lanes_);
}
float ChainBatch::position(int row, int lane) const {
  return lanes_->position[row][lane];
}
float ChainBatch::rotation(int row, int column, int lane) const {
  return lanes_->rotation[3 * column + row][lane];
}
float ChainBatch::jacobian(int row, std::size_t variable, int lane) const {
  return lanes_->jacobian[variable][row][lane];
}

}  // namespace sinew
