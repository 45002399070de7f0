// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sinew/collision/collision_checker.h"
#include "sinew/planning/path_constraint.h"

namespace sinew {

/// What a robot keeps away from things.
struct ClearanceOptions {
  MeshPoints mesh_points{};  ///< Without it, no mesh has a shape.
  double margin = 0.0;       ///< [m] Between any two links, and to the world.
  std::vector<PairMargin> pair_margins{};
};

namespace planning {

/// Some of a robot's joint positions, in the order of the planned ones.
using Configuration = std::array<float, kMaxChainJoints>;

/// As single precision holds it.
inline Configuration rounded(std::span<const double> q) {
  Configuration result{};
  for (std::size_t j = 0; j < q.size(); ++j) result[j] = static_cast<float>(q[j]);
  return result;
}

/// Tells whether a robot may be somewhere and may go straight from one configuration to another. Belongs to
/// one thread. Inside this room only.
///
/// The planned joints move, the others stay where set_others() puts them.
class MotionJudge {
 public:
  /// `model` must outlive this object. `planned`: into RobotModel::positions.
  static Result<MotionJudge> make(const RobotModel& model, std::span<const std::size_t> planned,
                                  const ClearanceOptions& options);

  std::size_t size() const noexcept { return planned_.size(); }
  std::span<const std::size_t> planned() const noexcept { return planned_; }
  const RobotModel& model() const noexcept { return *model_; }

  void set_world(const Obstacles& world);
  const Obstacles& world() const noexcept { return world_; }
  /// All positions of the robot; those that are not planned stay there.
  void set_others(std::span<const double> q);
  /// The tool of `chain`, whose variables must be the planned joints, keeps `constraint`. Must outlive its
  /// use; nothing: no constraint.
  void set_keeper(const ToolKeeper* keeper) noexcept { keeper_ = keeper; }
  const ToolKeeper* keeper() const noexcept { return keeper_; }

  /// With the exact pair; a constraint is not looked at.
  CheckResult check(std::span<const double> q);
  /// The nearest pair.
  CheckResult nearest(std::span<const double> q);

  /// Where ways begin and end. The search keeps a little room for its proofs, unless they have none.
  void set_ends(const Configuration& start, std::span<const Configuration> goals);
  /// Samples of the way, 16 cm of motion apart, are clear: good enough to go on searching, proof of nothing.
  /// Includes q1, not q0.
  bool seems_clear(const float* q0, const float* q1);
  /// Of at most eight configurations, a bit each: in the way of something for certain. The others may be
  /// clear or not.
  unsigned blocked_among(std::span<const Configuration> configurations);
  /// Of at most eight configurations, a bit each: clear, with no more room than must be.
  unsigned clear_among(std::span<const Configuration> configurations);
  /// Every configuration of a way is clear, both ends included.
  bool prove(const float* q0, const float* q1);
  /// Seems clear and is proven.
  bool is_clear(const float* q0, const float* q1);
  /// The same, with no more room than must be, whatever ends were set.
  bool is_barely_clear(const float* q0, const float* q1);

  /// How far any point of the robot moves at most on the way [m].
  double travel(const float* q0, const float* q1) const;

  /// Samples of ways that were found blocked, the newest kMostBlocked; joint by joint, lane by lane.
  static constexpr std::size_t kMostBlocked = 256;
  using Batch = std::array<std::array<float, CollisionChecker::kLanes>, kMaxChainJoints>;
  std::span<const Batch> blocked() const noexcept { return {blocked_.data(), blocked_count_}; }
  void forget_blocked() noexcept { blocked_count_ = next_blocked_ = 0; }

 private:
  /// A checker that sees everything larger by `reach` on all sides.
  struct Level {
    Level(double by, RobotShapes robot) : reach(by), shapes(std::move(robot)), checker(shapes) {}
    double reach;  // [m]
    RobotShapes shapes;
    CollisionChecker checker;
  };
  MotionJudge() = default;
  Status add_level(const ClearanceOptions& options, double reach);
  void set_weights();
  void set_lanes(const float* q0, const float* q1, const std::array<float, CollisionChecker::kLanes>& at);
  void set_lanes(std::span<const Configuration> configurations);
  void note_blocked();
  bool keeps_tool(const float* q0, const float* q1) const;

  const RobotModel* model_ = nullptr;
  std::vector<std::size_t> planned_;
  std::vector<std::unique_ptr<Level>> levels_;  // from the widest to the bare one
  const ToolKeeper* keeper_ = nullptr;
  std::size_t search_level_ = 0;
  Obstacles world_;
  std::vector<double> others_;
  std::vector<float> lanes_;
  std::vector<double> sweep_from_;
  std::vector<double> sweep_to_;
  std::array<float, kMaxChainJoints> weights_{};  // [m/rad, 1]
  std::vector<Batch> blocked_;
  std::size_t blocked_count_ = 0;
  std::size_t next_blocked_ = 0;
};

}  // namespace planning
}  // namespace sinew
