// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/numerical_ik.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/SVD>

#include "sinew/base/assert.h"
#include "sinew/kinematics/convert.h"
#include "sinew/kinematics/joint_turns.h"
#include "sinew/kinematics/kernels.h"

namespace sinew {
namespace {

constexpr int kSeedBlocks = 48;
constexpr double kTurn = 2.0 * std::numbers::pi;
// a slide without limits is searched this far [m]
constexpr double kFarthestSlide = 10.0;
// in double precision, far better than anybody asks
constexpr double kPolishGoal = 1e-8;
// half the square of the error at which single precision hands over
constexpr float kArrived = 1e-7F;
// from this round on an answer is worth long patience
constexpr int kHardFrom = 60;
// and after so many without one there hardly is any
constexpr int kThorough = 200;

kernel::Task<float> rounded_task(const kernel::Task<double>& task, int variables) {
  kernel::Task<float> result{
      .X_S0 = rounded(task.X_S0), .X_ST = rounded(task.X_ST), .is_pointing = task.is_pointing};
  for (int k = 0; k < 6; ++k) result.weight[k] = static_cast<float>(task.weight[k]);
  for (int i = 0; i < variables; ++i) {
    result.lower[i] = static_cast<float>(task.lower[i]);
    result.upper[i] = static_cast<float>(task.upper[i]);
  }
  return result;
}

/// 2 sin(angle / 2) as the kernel measures it, to an angle.
double angle_of(double chord) {
  return 2.0 * std::asin(std::min(1.0, 0.5 * chord));
}

/// A number in [0, 1), the same on every machine.
double draw_number(std::uint64_t& state) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<double>(state >> 11) * 0x1p-53;
}

bool is_usable(const SerialChain& chain, const Pose& X_BT, std::span<const double> seed) {
  return is_valid(X_BT) && seed.size() == chain.size() &&
         std::all_of(seed.begin(), seed.end(), [](double value) { return std::isfinite(value); });
}

/// True when the whole position is asked for and the links are too short.
bool is_beyond_reach(const SerialChain& chain, const kernel::Task<double>& task, const Pose& X_BT) {
  const bool needs_position = task.weight[0] > 0.0 && task.weight[1] > 0.0 && task.weight[2] > 0.0;
  return needs_position && (X_BT.position - chain.first_joint()).norm() > chain.reach() * (1.0 + 1e-6);
}

/// True when nearly all of what is missing at `q` lies along directions that a singularity takes from the
/// arm; those that an arm of five joints never has do not count.
bool is_error_where_nothing_moves(const SerialChain& chain, const kernel::Task<double>& task,
                                  const Pose& X_BT, const double* q) {
  Jacobian jacobian;
  const Pose X_BN = chain.tool_pose(std::span<const double>(q, chain.size()), jacobian);
  const Matrix3 R_SB =
      Eigen::Map<const Matrix3>(task.X_S0.x) * Eigen::Map<const Matrix3>(chain.doubles().X_B0.x).transpose();
  Eigen::Matrix<double, 6, 1> error;
  error << R_SB * (X_BT.position - X_BN.position),
      R_SB * rotation_vector(X_BT.rotation * X_BN.rotation.conjugate());
  jacobian.topRows<3>() = (R_SB * jacobian.topRows<3>()).eval();
  jacobian.bottomRows<3>() = (R_SB * jacobian.bottomRows<3>()).eval();
  for (int k = 0; k < 6; ++k) {
    if (task.weight[k] > 0.0) continue;
    jacobian.row(k).setZero();
    error[k] = 0.0;
  }
  const Eigen::JacobiSVD<Jacobian> svd(jacobian, Eigen::ComputeFullU);
  double lost = 0.0;
  for (Eigen::Index i = 0; i < svd.singularValues().size(); ++i) {
    if (svd.singularValues()[i] > 1e-2) continue;
    lost += std::pow(svd.matrixU().col(i).dot(error), 2);
  }
  return lost > 0.8 * error.squaredNorm();
}

void write_seed(const double* q, const Pose& X_0T, int lane, kernel::SeedBlock& block,
                kernel::SeedPoses& poses) {
  for (int i = 0; i < kernel::kMaxJoints; ++i) block.q[i][lane] = static_cast<float>(q[i]);
  const Matrix3 R = X_0T.rotation.toRotationMatrix();
  for (int k = 0; k < 9; ++k) poses.row[k][lane] = static_cast<float>(R(k % 3, k / 3));
  for (int k = 0; k < 3; ++k) poses.row[9 + k][lane] = static_cast<float>(X_0T.position[k]);
  poses.row[12][lane] = static_cast<float>(X_0T.position.squaredNorm());
}

}  // namespace

NumericalIk::~NumericalIk() = default;
NumericalIk::NumericalIk(NumericalIk&&) noexcept = default;

NumericalIk::NumericalIk(const SerialChain& chain)
    : chain_(chain), seeds_(kSeedBlocks), seed_poses_(kSeedBlocks) {
  const auto count = static_cast<Eigen::Index>(chain.size());
  lower_.resize(count);
  upper_.resize(count);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const double open = chain.is_revolute(i) ? kTurn : kFarthestSlide;
    lower_[static_cast<Eigen::Index>(i)] = std::max(chain.limits(i).lower, -open);
    upper_[static_cast<Eigen::Index>(i)] = std::min(chain.limits(i).upper, open);
  }
  length_ = std::clamp(std::isfinite(chain.reach()) ? chain.reach() : 1.0, 1e-3, 1e3);

  make_seeds();
}

/// Postures drawn evenly from all ranges, with their poses.
void NumericalIk::make_seeds() {
  const kernel::ChainJoint<double>& first = chain_.doubles().joints[0];
  is_round_ = chain_.doubles().is_plain && first.is_revolute;
  std::uint64_t state = 1;
  kernel::Chain<double> from_first_joint = chain_.doubles();
  from_first_joint.X_B0 = motion_of(Pose{});
  for (std::size_t b = 0; b < seeds_.size(); ++b) {
    for (int lane = 0; lane < kernel::kLanes; ++lane) {
      double q[kernel::kMaxJoints] = {};
      for (Eigen::Index i = 0; i < lower_.size(); ++i) {
        // within one turn: farther ones are the same postures again
        const double from = std::max(lower_[i], std::min(-std::numbers::pi, upper_[i] - kTurn));
        const double to = std::min(upper_[i], std::max(std::numbers::pi, lower_[i] + kTurn));
        q[i] = from + (to - from) * draw_number(state);
      }
      kernel::Motion<double> X_0T;
      kernel::kernels().forward(from_first_joint, q, X_0T);
      Pose pose = pose_of(X_0T);
      if (is_round_) {
        // joint 0 shall turn the seed towards the target
        const double azimuth = std::atan2(pose.position.y(), pose.position.x());
        q[0] = std::remainder(q[0] - azimuth, kTurn);
        pose = Pose{.rotation = quaternion_from({.yaw = -azimuth})} * pose;
      }
      write_seed(q, pose, lane, seeds_[b], seed_poses_[b]);
    }
  }
}

kernel::Task<double> NumericalIk::task_of(const Pose& X_BT, const PoseTask& wanted) const {
  kernel::Task<double> task{
      .X_S0 = chain_.doubles().X_B0, .X_ST = motion_of(X_BT), .is_pointing = wanted.is_pointing};
  if (wanted.is_pointing || wanted.axes == TaskAxes::Tool) {
    const Pose X_SB = {.rotation = X_BT.rotation.conjugate()};
    task.X_S0 = motion_of(X_SB * pose_of(chain_.doubles().X_B0));
    task.X_ST = motion_of(X_SB * X_BT);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    task.weight[k] = wanted.position[k] ? 1.0 / length_ : 0.0;
    const bool is_wanted = wanted.is_pointing ? k < 2 : wanted.rotation[k];
    task.weight[3 + k] = is_wanted ? 1.0 : 0.0;
  }
  for (Eigen::Index i = 0; i < lower_.size(); ++i) {
    task.lower[i] = lower_[i];
    task.upper[i] = upper_[i];
  }
  return task;
}

NumericalIkResult NumericalIk::solve(const Pose& X_BT, std::span<const double> seed, const PoseTask& wanted,
                                     const NumericalIkOptions& options) const noexcept {
  NumericalIkResult result{.q = chain_.middle()};
  if (!is_usable(chain_, X_BT, seed)) {
    result.status = IkStatus::InvalidInput;
    return result;
  }
  const kernel::Kernels& fast = kernel::kernels();
  const kernel::Task<double> task = task_of(X_BT, wanted);
  const kernel::Task<float> rough = rounded_task(task, chain_.doubles().variable_count);
  kernel::Search search;
  search.rounds = 0;
  search.goal = kArrived;
  search.random = options.random_seed * 0x9e3779b97f4a7c15ULL + 1;
  for (int lane = 0; lane < kernel::kLanes; ++lane) {
    search.age[lane] = 0;
    search.old_cost[lane] = 1e30F;
  }
  for (std::size_t i = 0; i < seed.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    search.q[i][0] = static_cast<float>(std::clamp(seed[i], lower_[k], upper_[k]));
  }
  const kernel::SeedTable table{.blocks = seeds_.data(),
                                .poses = seed_poses_.data(),
                                .count = static_cast<int>(seeds_.size()),
                                .is_round = is_round_};
  fast.choose_seeds(chain_.floats(), rough, table, search);
  // what no posture reaches needs no long search, only the nearest
  const int most_rounds =
      is_beyond_reach(chain_, task, X_BT) ? std::min(40, options.most_rounds) : options.most_rounds;
  while (search.rounds < most_rounds) {
    fast.search(chain_.floats(), rough, table, most_rounds - search.rounds, search);
    if (search.found != 0 && try_found(task, seed, options, search, result)) return result;
  }
  explain(task, X_BT, search, options, result);
  return result;
}

bool NumericalIk::try_found(const kernel::Task<double>& task, std::span<const double> seed,
                            const NumericalIkOptions& options, kernel::Search& search,
                            NumericalIkResult& result) const {
  ++search.rounds;
  for (int lane = 0; lane < kernel::kLanes; ++lane) {
    if ((search.found >> lane & 1U) == 0) continue;
    kernel::Polish polish{};
    for (std::size_t i = 0; i < seed.size(); ++i) {
      polish.q[i] = std::clamp(static_cast<double>(search.q[i][lane]), task.lower[i], task.upper[i]);
    }
    kernel::kernels().polish(chain_.doubles(), task, kPolishGoal, search.rounds < kHardFrom ? 12 : 40,
                             polish);
    if (polish.position_error <= options.tolerance && polish.rotation_error <= options.tolerance) {
      for (std::size_t i = 0; i < seed.size(); ++i) {
        result.q[static_cast<Eigen::Index>(i)] = nearest_turn(chain_, i, polish.q[i], seed[i]);
      }
      result.status = IkStatus::Solved;
      result.position_error = polish.position_error;
      result.rotation_error = polish.rotation_error;
      result.rounds = search.rounds;
      return true;
    }
    // it came near without arriving: elsewhere then
    std::uint64_t state = search.random ^ static_cast<std::uint64_t>(search.rounds * kernel::kLanes + lane);
    for (std::size_t i = 0; i < seed.size(); ++i) {
      search.q[i][lane] =
          static_cast<float>(task.lower[i] + (task.upper[i] - task.lower[i]) * draw_number(state));
    }
    search.age[lane] = 0;
    search.old_cost[lane] = 1e30F;
  }
  return false;
}

/// The nearest that any of the eight searches comes to.
kernel::Polish NumericalIk::nearest_of(const kernel::Task<double>& task, const kernel::Search& search) const {
  kernel::Polish nearest{};
  double least = std::numeric_limits<double>::infinity();
  for (int lane = 0; lane < kernel::kLanes; ++lane) {
    kernel::Polish polish{};
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      polish.q[i] = std::clamp(static_cast<double>(search.q[i][lane]), task.lower[i], task.upper[i]);
    }
    kernel::kernels().polish(chain_.doubles(), task, kPolishGoal, 200, polish);
    const double far = std::hypot(polish.position_error / length_, polish.rotation_error);
    if (far >= least) continue;
    least = far;
    nearest = polish;
  }
  return nearest;
}

void NumericalIk::explain(const kernel::Task<double>& task, const Pose& X_BT, const kernel::Search& search,
                          const NumericalIkOptions& options, NumericalIkResult& result) const {
  const kernel::Polish polish = nearest_of(task, search);
  for (std::size_t i = 0; i < chain_.size(); ++i) result.q[static_cast<Eigen::Index>(i)] = polish.q[i];
  result.position_error = polish.position_error;
  result.rotation_error = angle_of(polish.rotation_error);
  result.rounds = search.rounds;
  if (polish.position_error <= options.tolerance && polish.rotation_error <= options.tolerance) {
    result.status = IkStatus::Solved;
    return;
  }
  if (is_beyond_reach(chain_, task, X_BT)) {
    result.status = IkStatus::OutOfReach;
    return;
  }

  // a short search cannot say what there is not
  if (search.rounds < kThorough) {
    result.status = IkStatus::NotConverged;
    return;
  }
  // could it be reached if the joints had no limits?
  kernel::Task<double> unlimited = task;
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    if (!chain_.is_revolute(i)) continue;
    unlimited.lower[i] = -1e3;
    unlimited.upper[i] = 1e3;
  }
  kernel::Polish free = polish;
  kernel::kernels().polish(chain_.doubles(), unlimited, kPolishGoal, 200, free);
  if (free.position_error <= options.tolerance && free.rotation_error <= options.tolerance) {
    double worst = 0.0;
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const double q = nearest_turn(chain_, i, free.q[i], 0.5 * (task.lower[i] + task.upper[i]));
      const double beyond = std::max(task.lower[i] - q, q - task.upper[i]);
      if (beyond <= worst) continue;
      worst = beyond;
      result.limit_joint = i;
    }
    result.status = worst > 0.0 ? IkStatus::JointLimit : IkStatus::NotConverged;
    return;
  }
  const bool is_near = free.position_error < 1e-3 && free.rotation_error < 1e-3;
  const bool is_stuck = is_near && is_error_where_nothing_moves(chain_, task, X_BT, free.q);
  result.status = is_stuck ? IkStatus::Singular : IkStatus::OutOfReach;
}

NumericalIkResult NumericalIk::refine(const Pose& X_BT, std::span<const double> q, const PoseTask& wanted,
                                      const NumericalIkOptions& options) const noexcept {
  NumericalIkResult result{.q = chain_.middle()};
  if (!is_usable(chain_, X_BT, q)) {
    result.status = IkStatus::InvalidInput;
    return result;
  }
  kernel::Task<double> task = task_of(X_BT, wanted);
  kernel::Polish polish{};
  for (std::size_t i = 0; i < q.size(); ++i) {
    // where there is no limit, none is invented
    task.lower[i] = chain_.limits(i).lower;
    task.upper[i] = chain_.limits(i).upper;
    polish.q[i] = std::clamp(q[i], task.lower[i], task.upper[i]);
  }
  kernel::kernels().polish(chain_.doubles(), task, kPolishGoal, 50, polish);
  for (std::size_t i = 0; i < q.size(); ++i) result.q[static_cast<Eigen::Index>(i)] = polish.q[i];
  result.position_error = polish.position_error;
  result.rotation_error = angle_of(polish.rotation_error);
  const bool is_there =
      polish.position_error <= options.tolerance && polish.rotation_error <= options.tolerance;
  result.status = is_there ? IkStatus::Solved : IkStatus::NotConverged;
  return result;
}

const char* ik_status_text(IkStatus status) {
  switch (status) {
    case IkStatus::Solved:
      return "solved";
    case IkStatus::OutOfReach:
      return "out of reach";
    case IkStatus::JointLimit:
      return "joint limit";
    case IkStatus::Singular:
      return "singular";
    case IkStatus::NotConverged:
      return "not converged";
    case IkStatus::InvalidInput:
      return "invalid input";
  }
  return "unknown";
}

}  // namespace sinew
