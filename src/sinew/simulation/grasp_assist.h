// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "sinew/simulation/device.h"
#include "sinew/simulation/physics.h"
#include "sinew/simulation/scene.h"
#include "sinew/simulation/touch_sense.h"

namespace sinew {

/// Holds fast what a gripper holds until it is told to open, in worlds that ask for it (`assisted: true`): as
/// if glued to the hand. Everybody is told, because it is not what a real gripper does.
class GraspAssist {
 public:
  /// After TouchSense::look() of the same step.
  void step(const Scene& scene, std::span<const SimulatedDevice> devices, Physics& physics,
            TouchSense& sense);
  /// Lets all go, as when a world is loaded anew.
  void forget() { held_.clear(); }

 private:
  struct Held {
    std::size_t robot = 0;
    std::size_t gripper = 0;
    int weld = -1;  ///< Among MuJoCo's equalities.
  };
  std::vector<Held> held_;
};

}  // namespace sinew
