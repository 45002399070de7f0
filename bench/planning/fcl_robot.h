// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <fcl/fcl.h>

#include "rival.h"

namespace sinew::bench {

/// A robot's shapes as FCL's, meshes as triangles, placed by plain forward kinematics: nothing of ours but
/// the model.
class FclRobot {
 public:
  /// A shape on a link.
  struct LinkShape {
    std::size_t link = 0;
    fcl::Transform3d X_LG;
    fcl::CollisionObjectd object;
    double radius = 0.0;  ///< Of a sphere [m]; zero: another shape.
  };

  /// `setting` must outlive this object.
  explicit FclRobot(const PlanSetting& setting);

  const PlanSetting& setting() const { return setting_; }
  std::vector<LinkShape>& shapes() { return shapes_; }
  const fcl::Transform3d& X_WL(std::size_t link) const { return X_WL_[link]; }

  /// Places all shapes; `planned`: the planned joints.
  void place(std::span<const double> planned);
  bool is_ignored(std::size_t link_a, std::size_t link_b) const;

 private:
  const PlanSetting& setting_;
  std::vector<double> q_;
  std::vector<fcl::Transform3d> X_WL_;
  std::vector<LinkShape> shapes_;
};

/// A thing of the world.
std::unique_ptr<fcl::CollisionObjectd> fcl_object_of(const Obstacle& object);

/// Whether FCL finds two shapes in each other.
bool are_in_collision(const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b);

}  // namespace sinew::bench
