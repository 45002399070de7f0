// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/kinematics/closed_form_ik.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/model/robot_model.h"
#include "sinew/planning/even_sequence.h"

namespace sinew {

/// All postures of an arm that put its tool at a pose, over the values of the joints that it has to spare:
/// the first and last joints stand still, and the six between them are solved in closed form. Never changes:
/// many threads may share it.
class PostureFamily {
 public:
  /// A joint that the arm has to spare, and where it is looked at [rad, m].
  struct SpareJoint {
    std::size_t variable = 0;
    double lower = 0.0;
    double upper = 0.0;
  };

  /// Of `chain`, a chain of `model`; the chain must outlive the family. Nothing: the chain has no joint to
  /// spare, or no six joints between its ends have a closed form.
  static std::unique_ptr<const PostureFamily> find(const RobotModel& model, const SerialChain& chain);
  PostureFamily(const PostureFamily&) = delete;
  PostureFamily& operator=(const PostureFamily&) = delete;

  std::span<const SpareJoint> spare() const noexcept { return spare_; }

  /// All postures with the tool at X_BT and the spare joints at theirs in `q`; the others turn as near to `q`
  /// as their limits let them.
  IkSolutions postures(const Pose& X_BT, std::span<const double> q) const;

 private:
  PostureFamily(const SerialChain& chain, SerialChain middle, std::size_t first);
  static std::unique_ptr<const PostureFamily> with_middle(const RobotModel& model, const SerialChain& chain,
                                                          std::size_t first);

  const SerialChain& chain_;
  SerialChain middle_;  // from the link S that the joints before it carry, to the link E of its last joint
  std::size_t first_;   // variables before the middle
  std::optional<ClosedFormIk> closed_;
  std::vector<SpareJoint> spare_;
  std::size_t begin_frame_ = kNone;  // of SerialChain::joint_poses(): S; none: S stands still in B
  std::size_t end_frame_ = 0;        // E
  Pose X_BS_;                        // where S stands still
};

/// Goes through the postures of a family, over all values of its spare joints alike and ever more densely.
class PostureSweep {
 public:
  /// From the sample that `seed` says. `family` must outlive it.
  PostureSweep(const PostureFamily& family, const Pose& X_BT, std::span<const double> near,
               std::uint64_t seed);

  /// The postures of the next values of the spare joints: none to eight.
  IkSolutions next();
  std::size_t samples() const noexcept { return samples_; }
  /// How far apart the values of spare joint `i` are by now, about [rad, m].
  double spacing(std::size_t i) const;

 private:
  const PostureFamily& family_;
  Pose X_BT_;
  std::vector<double> q_;
  planning::EvenSequence sequence_;
  std::size_t samples_ = 0;
};

}  // namespace sinew
