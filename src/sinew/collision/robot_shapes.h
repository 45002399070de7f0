// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/realtime.h"
#include "sinew/base/result.h"
#include "sinew/collision/link_tree.h"
#include "sinew/collision/solid.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// The corners of a mesh shape, scaled, in the shape's frame G [m]; nothing when the file cannot be read.
using MeshPoints = std::function<std::vector<Vector3>(const Shape& shape)>;

/// A pair of links that must stay further apart than others, or may come nearer.
struct PairMargin {
  std::size_t link_a = kNone;
  std::size_t link_b = kNone;
  double margin = 0.0;  ///< [m]
};

struct RobotShapesOptions {
  MeshPoints mesh_points{};      ///< Without it, no mesh has a shape.
  double hull_tolerance = 1e-3;  ///< [m] By how much the shape of a mesh may exceed its convex hull.
  double margin = 0.0;           ///< [m] Between any two links, and to the world.
  std::vector<PairMargin> pair_margins{};
};

/// One solid on a link L. Convex.
struct Body {
  std::size_t link = kNone;
  Solid solid;
  Placement X_LS;
  BoundingBall ball;  ///< Around it, in L.
};

/// What a robot collides with and how its links move: made once from a model, then shared by all threads.
class RobotShapes {
 public:
  /// `model` must outlive this object. Refused: more than kMaxCheckedLinks links or 256 shapes.
  static Result<RobotShapes> make(const RobotModel& model, const RobotShapesOptions& options = {});

  RobotShapes(RobotShapes&&) noexcept = default;
  RobotShapes& operator=(RobotShapes&&) noexcept = default;

  const RobotModel& model() const noexcept { return *model_; }
  std::span<const Body> bodies() const noexcept { return bodies_; }
  /// What could not be given a shape, a line each: meshes without points. The guard is blind to it.
  std::span<const std::string> missing() const noexcept { return missing_; }
  /// By how much the bodies exceed the shapes of the model at most [m]; zero without meshes.
  double excess() const noexcept { return excess_; }

  /// False when a person or `sinew new` has said that they need no check, or they are one.
  bool may_collide(std::size_t link_a, std::size_t link_b) const SINEW_REALTIME;
  double margin(std::size_t link_a, std::size_t link_b) const SINEW_REALTIME;
  /// To things of the world that ask for less [m].
  double margin() const noexcept { return margin_; }
  double largest_margin() const noexcept { return largest_margin_; }

  /// Where the links are, and how far they move.
  const LinkTree& tree() const noexcept { return tree_; }

 private:
  explicit RobotShapes(const RobotModel& model) : model_(&model), tree_(model) {}
  void add_link(std::size_t link, const RobotShapesOptions& options);
  Solid solid_of(const Shape& shape, const std::string& link_name, const RobotShapesOptions& options);
  void set_pairs(const RobotShapesOptions& options);
  std::size_t cell(std::size_t link_a, std::size_t link_b) const;

  const RobotModel* model_;
  LinkTree tree_;
  std::vector<Body> bodies_;
  std::vector<SimpleHull> hulls_;  ///< Moving this object keeps what the bodies point to.
  std::vector<std::string> missing_;
  double excess_ = 0.0;
  std::vector<double> margins_;  ///< Per pair of links; negative: not checked.
  double margin_ = 0.0;
  double largest_margin_ = 0.0;
};

}  // namespace sinew
