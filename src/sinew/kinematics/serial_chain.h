// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "sinew/base/realtime.h"
#include "sinew/base/result.h"
#include "sinew/model/robot_model.h"
#include "sinew/spatial/pose.h"

namespace sinew {

namespace kernel {
template <class Real>
struct Chain;
struct ChainLanes;
}  // namespace kernel

/// The most joints that move in one chain.
inline constexpr int kMaxChainJoints = 16;

/// One number per variable of a chain [rad, m]; lives on the stack.
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxChainJoints, 1>;

/// Velocity of the tip per velocity of each variable: three rows linear, three angular, in axes of the base
/// B, at T.
using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxChainJoints>;

/// How well a posture can move its tip in all directions.
struct Dexterity {
  double manipulability = 0.0;           ///< sqrt(det(J Jᵀ)), of Jᵀ J with fewer than six variables.
  double smallest_singular_value = 0.0;  ///< Zero at a singularity.
  double condition = 0.0;                ///< Largest over smallest singular value; infinite at a singularity.
};

/// The joints from a base link B to a tool T at the tip, in a compact form for fast kinematics. Its variables
/// are the positions that move the tip, in order along the chain; joints that mimic others have none of their
/// own.
///
/// Built once, then never changed: many threads may share it. Nothing but make() allocates. Joint positions
/// must be finite.
class SerialChain {
 public:
  /// The chain from `base_link` to a tool fixed to `tip_link` at X_LT. Refuses a tip that does not hang on
  /// the base, a chain without a joint that moves, and one with more than kMaxChainJoints.
  static Result<SerialChain> make(const RobotModel& model, std::size_t base_link, std::size_t tip_link,
                                  const Pose& X_LT = {});

  /// The first `count` variables alone, fewer than size(), each with `slack` [rad, m] more at both ends of
  /// its range; the tool is the frame that the last of them turns. Refuses chains with prismatic or mimic
  /// joints.
  Result<SerialChain> first_joints(std::size_t count, double slack = 0.0) const;

  /// How many variables q has.
  std::size_t size() const noexcept { return variables_.size(); }

  /// Variable i among the robot's positions (RobotModel::positions).
  std::size_t position(std::size_t i) const noexcept { return variables_[i].position; }
  /// Its joint in the model.
  std::size_t joint(std::size_t i) const noexcept { return variables_[i].joint; }
  bool is_revolute(std::size_t i) const noexcept { return variables_[i].is_revolute; }
  const JointLimits& limits(std::size_t i) const noexcept { return variables_[i].limits; }
  /// True when every number of q is finite and within limits, give or take `slack`.
  bool is_within_limits(std::span<const double> q, double slack = 0.0) const SINEW_REALTIME;
  /// The middle of each range; zero where there is no limit.
  JointVector middle() const SINEW_REALTIME;

  /// Where the tool is.
  Pose tool_pose(std::span<const double> q) const SINEW_REALTIME;
  /// Where the tool is, and how it moves with the joints.
  Pose tool_pose(std::span<const double> q, Jacobian& jacobian) const SINEW_REALTIME;
  /// The frames of all joints that move, mimics included, after their motion: the model's child links.
  /// `X_BJ` holds joint_count() poses.
  Pose joint_poses(std::span<const double> q, std::span<Pose> X_BJ) const SINEW_REALTIME;
  std::size_t joint_count() const noexcept { return joints_.size(); }
  /// Joint i of joint_poses() in the model.
  std::size_t moving_joint(std::size_t i) const noexcept { return joints_[i].joint; }

  /// An upper bound of the distance from the first joint to the tool [m]; infinite with unlimited prismatic
  /// joints.
  double reach() const noexcept { return reach_; }
  /// Where the first joint is; the centre of reach().
  Vector3 first_joint() const SINEW_REALTIME;

  /// For the solvers of this room.
  const kernel::Chain<double>& doubles() const noexcept { return *doubles_; }
  const kernel::Chain<float>& floats() const noexcept { return *floats_; }

 private:
  struct Variable {
    std::size_t joint = kNone;
    std::size_t position = kNone;
    bool is_revolute = true;
    JointLimits limits;
  };
  struct MovingJoint {
    std::size_t joint = kNone;
    Pose X_KJ;  ///< From the kernel's frame to the model's.
  };

  SerialChain() = default;
  std::size_t variable_of(const RobotModel& model, std::size_t joint);
  Status fold(const RobotModel& model, std::span<const std::size_t> path, const Pose& X_LT);

  std::vector<Variable> variables_;
  std::vector<MovingJoint> joints_;
  std::shared_ptr<const kernel::Chain<double>> doubles_;
  std::shared_ptr<const kernel::Chain<float>> floats_;
  double reach_ = 0.0;
};

/// Manipulability and singularity measures of a Jacobian (metres and radians weigh the same).
Dexterity dexterity(const Jacobian& jacobian);

/// I - J⁺J: what joint velocities may do without moving the tip. Directions with a singular value below
/// `cutoff` count as free.
using JointMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxChainJoints, kMaxChainJoints>;
JointMatrix null_space_projector(const Jacobian& jacobian, double cutoff = 1e-9);

/// Eight configurations at once in single precision, for planners and samplers that need millions.
/// Use: fill q(i, lane), evaluate(), read. Belongs to one thread; 11 kB, so make it once.
class ChainBatch {
 public:
  static constexpr int kLanes = 8;

  /// `chain` must outlive this object.
  explicit ChainBatch(const SerialChain& chain);
  ~ChainBatch();
  ChainBatch(const ChainBatch&) = delete;
  ChainBatch& operator=(const ChainBatch&) = delete;

  float& q(std::size_t variable, int lane);
  /// Forward kinematics and Jacobian of all lanes.
  void evaluate() SINEW_REALTIME;
  float position(int row, int lane) const;
  float rotation(int row, int column, int lane) const;
  float jacobian(int row, std::size_t variable, int lane) const;

 private:
  const SerialChain& chain_;
  std::unique_ptr<kernel::ChainLanes> lanes_;
};

}  // namespace sinew
