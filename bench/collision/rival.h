// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "sinew/collision/obstacles.h"
#include "sinew/collision/robot_shapes.h"

namespace sinew::bench {

/// FCL on the same bodies, with its dynamic trees of boxes around the world as MoveIt uses them, and the self
/// pairs one by one. Its link poses are ours.
class FclScene {
 public:
  /// `shapes` must outlive this object.
  FclScene(const RobotShapes& shapes, const Obstacles& world);
  ~FclScene();

  /// False where Debian's libfcl-dev was not installed.
  static bool is_available();

  bool is_clear(std::span<const double> q);
  /// The smallest distance [m]; zero or less in collision.
  double smallest_distance(std::span<const double> q);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace sinew::bench
