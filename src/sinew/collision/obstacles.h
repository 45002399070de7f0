// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <string_view>

#include "sinew/base/fixed_string.h"
#include "sinew/base/fixed_vector.h"
#include "sinew/base/result.h"
#include "sinew/collision/solid.h"
#include "sinew/model/robot_model.h"

namespace sinew {

inline constexpr std::size_t kMaxObstacles = 128;
inline constexpr std::size_t kMaxCheckedLinks = 256;

/// A thing around the robot, or in its gripper.
struct Obstacle {
  std::array<char, 32> name{};
  Solid solid;
  Pose X_LO;                 ///< On its link L; in the frame of the robot's root link when it has none.
  std::size_t link = kNone;  ///< The link that carries it; kNone: fixed in the world.
  double margin = 0.0;  ///< [m] The robot keeps at least this far away, and its own margin if that is more.
  std::bitset<kMaxCheckedLinks> may_touch;       ///< Links that are not checked against it.
  std::bitset<kMaxObstacles> may_touch_objects;  ///< While carried: objects that it may touch.
};

/// All that the robot must not run into. A plain value of fixed size: copying and changing it allocate
/// nothing (but the texts of refusals). Objects keep their order; an index is valid until a removal.
class Obstacles {
 public:
  /// Refused: a name that is empty or known, bad numbers, more than kMaxObstacles.
  Result<std::size_t> add(const Obstacle& object);
  Status move(std::string_view name, const Pose& X_LO);
  Status remove(std::string_view name);
  /// Into the gripper: from now on it moves with `link`. `may_touch` besides that link: such as fingers.
  Status attach(std::string_view name, std::size_t link, const Pose& X_LO,
                const std::bitset<kMaxCheckedLinks>& may_touch = {});
  /// Put down at `X_WO`.
  Status detach(std::string_view name, const Pose& X_WO);

  /// The object of that name; kNone when there is none.
  std::size_t find(std::string_view name) const;
  std::size_t size() const noexcept { return objects_.size(); }
  const Obstacle& operator[](std::size_t i) const { return objects_[i]; }
  const FixedVector<Obstacle, kMaxObstacles>& objects() const noexcept { return objects_; }

 private:
  Result<std::size_t> known(std::string_view name) const;
  FixedVector<Obstacle, kMaxObstacles> objects_;
};

}  // namespace sinew
