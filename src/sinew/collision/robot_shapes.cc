// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/robot_shapes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/collision/obstacles.h"

namespace sinew {
namespace {

constexpr std::size_t kMostBodies = 256;
constexpr double kNotChecked = -1.0;

Status check_options(const RobotModel& model, const RobotShapesOptions& options) {
  if (model.links.size() > kMaxCheckedLinks) {
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("robot '{}' has {} links; collisions are checked for at most {}", model.name,
                             model.links.size(), kMaxCheckedLinks)};
  }
  const auto is_bad = [](double margin) { return !std::isfinite(margin) || margin < 0.0; };
  const bool pairs_bad =
      std::any_of(options.pair_margins.begin(), options.pair_margins.end(), [&](const PairMargin& pair) {
        return is_bad(pair.margin) || pair.link_a >= model.links.size() || pair.link_b >= model.links.size();
      });
  if (is_bad(options.margin) || pairs_bad) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("a margin of robot '{}' is negative, no number, or of a link that does not exist",
                    model.name)};
  }
  return Done{};
}

}  // namespace

Solid RobotShapes::solid_of(const Shape& shape, const std::string& link_name,
                            const RobotShapesOptions& options) {
  switch (shape.kind) {
    case ShapeKind::Box:
      return make_box(shape.half_extents);
    case ShapeKind::Sphere:
      return make_sphere(shape.radius);
    case ShapeKind::Cylinder:
      return make_cylinder(shape.radius, shape.length);
    case ShapeKind::Mesh:
      break;
  }
  const std::vector<Vector3> points =
      options.mesh_points ? options.mesh_points(shape) : std::vector<Vector3>{};
  if (points.empty()) {
    missing_.push_back(fmt::format("link '{}': mesh '{}' has no points here; it is not checked for collision",
                                   link_name, shape.mesh_name));
    return make_hull({});
  }
  hulls_.push_back(simplify_hull(points, options.hull_tolerance));
  excess_ = std::max(excess_, hulls_.back().rounding);
  return make_hull(hulls_.back().points, hulls_.back().rounding);
}

void RobotShapes::add_link(std::size_t link, const RobotShapesOptions& options) {
  const Link& source = model_->links[link];
  for (const Shape& shape : source.collisions) {
    Body body{.link = link, .solid = solid_of(shape, source.name, options), .X_LS = Placement(shape.X_LG)};
    if (body.solid.kind == SolidKind::Hull && body.solid.points.empty()) continue;
    const BoundingBall ball = ball_around(body.solid);
    body.ball = {.centre = body.X_LS * ball.centre, .radius = ball.radius};
    bodies_.push_back(body);
  }
}

std::size_t RobotShapes::cell(std::size_t link_a, std::size_t link_b) const {
  return link_a * model_->links.size() + link_b;
}

void RobotShapes::set_pairs(const RobotShapesOptions& options) {
  const std::size_t count = model_->links.size();
  margins_.assign(count * count, options.margin);
  largest_margin_ = options.margin;
  for (const PairMargin& pair : options.pair_margins) {
    margins_[cell(pair.link_a, pair.link_b)] = margins_[cell(pair.link_b, pair.link_a)] = pair.margin;
    largest_margin_ = std::max(largest_margin_, pair.margin);
  }
  for (const IgnoredPair& pair : model_->ignored_pairs) {
    if (pair.link_b == kNone) continue;
    margins_[cell(pair.link_a, pair.link_b)] = margins_[cell(pair.link_b, pair.link_a)] = kNotChecked;
  }
  for (std::size_t i = 0; i < count; ++i) margins_[cell(i, i)] = kNotChecked;
}

Result<RobotShapes> RobotShapes::make(const RobotModel& model, const RobotShapesOptions& options) {
  if (Status fine = check_options(model, options); !fine) return fine.error();
  RobotShapes shapes(model);
  shapes.margin_ = options.margin;
  for (std::size_t link = 0; link < model.links.size(); ++link) shapes.add_link(link, options);
  if (shapes.bodies_.size() > kMostBodies) {
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("robot '{}' has {} collision shapes; at most {} are checked: join some",
                             model.name, shapes.bodies_.size(), kMostBodies)};
  }
  for (const Body& body : shapes.bodies_) {
    if (Status fine = check_solid(body.solid); !fine) {
      return Error{fine.error().code,
                   fmt::format("link '{}': {}", model.links[body.link].name, fine.error().message)};
    }
  }
  shapes.set_pairs(options);
  return shapes;
}

bool RobotShapes::may_collide(std::size_t link_a, std::size_t link_b) const SINEW_REALTIME {
  return margins_[cell(link_a, link_b)] >= 0.0;
}

double RobotShapes::margin(std::size_t link_a, std::size_t link_b) const SINEW_REALTIME {
  return std::max(margins_[cell(link_a, link_b)], 0.0);
}

}  // namespace sinew
