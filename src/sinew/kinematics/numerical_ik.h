// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/kinematics/ik_types.h"

namespace sinew {

namespace kernel {
struct SeedBlock;
struct SeedPoses;
struct Search;
struct Polish;
template <class Real>
struct Task;
}  // namespace kernel

struct NumericalIkOptions {
  double tolerance = 1e-6;        ///< Of position [m] and rotation [rad].
  int most_rounds = 3000;         ///< Steps of eight searches before it gives up.
  std::uint64_t random_seed = 1;  ///< The same seed gives the same answer.
};

struct NumericalIkResult {
  IkStatus status = IkStatus::NotConverged;
  JointVector q;                ///< The answer, or the nearest found; always within limits.
  double position_error = 0.0;  ///< Of the components asked for [m].
  double rotation_error = 0.0;  ///< Of the components asked for [rad].
  std::size_t limit_joint = 0;  ///< The variable that goes beyond its range most; with JointLimit only.
  int rounds = 0;               ///< Steps taken.
};

/// Inverse kinematics of any chain by damped Newton steps: eight searches side by side in single precision,
/// one of them from the caller's seed and seven from the nearest of a table of postures; searches that get
/// nowhere begin anew. What arrives is made exact in double precision and checked.
///
/// Made once, then never changed: many threads may share it. solve() does not allocate.
class NumericalIk {
 public:
  /// `chain` must outlive this object.
  explicit NumericalIk(const SerialChain& chain);
  ~NumericalIk();
  NumericalIk(NumericalIk&&) noexcept;

  /// Joint positions that bring the tool to X_BT as far as `task` asks, beginning at `seed`.
  NumericalIkResult solve(const Pose& X_BT, std::span<const double> seed, const PoseTask& task = {},
                          const NumericalIkOptions& options = {}) const SINEW_REALTIME;

  /// Follows the damped Newton steps from `q` alone, without restarts, to the nearest that limits allow.
  NumericalIkResult refine(const Pose& X_BT, std::span<const double> q, const PoseTask& task = {},
                           const NumericalIkOptions& options = {}) const SINEW_REALTIME;

 private:
  void make_seeds();
  kernel::Task<double> task_of(const Pose& X_BT, const PoseTask& task) const;
  bool try_found(const kernel::Task<double>& task, std::span<const double> seed,
                 const NumericalIkOptions& options, kernel::Search& search, NumericalIkResult& result) const;
  kernel::Polish nearest_of(const kernel::Task<double>& task, const kernel::Search& search) const;
  void explain(const kernel::Task<double>& task, const Pose& X_BT, const kernel::Search& search,
               const NumericalIkOptions& options, NumericalIkResult& result) const;

  const SerialChain& chain_;
  std::vector<kernel::SeedBlock> seeds_;
  std::vector<kernel::SeedPoses> seed_poses_;
  bool is_round_ = false;  ///< As kernel::SeedTable has it.
  JointVector lower_;      ///< Where to search: the limits, or a turn either way where there are none.
  JointVector upper_;
  double length_ = 1.0;  ///< What weighs as much as a radian [m].
};

}  // namespace sinew
