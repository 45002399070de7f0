// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <fcl/fcl.h>

#include "rival.h"

namespace sinew::bench {
namespace {

std::shared_ptr<fcl::CollisionGeometryd> fcl_geometry(const Solid& solid) {
  const Vector3 size = 2.0 * solid.half;
  switch (solid.kind) {
    case SolidKind::Sphere:
      return std::make_shared<fcl::Sphered>(solid.rounding);
    case SolidKind::Capsule:
      return std::make_shared<fcl::Capsuled>(solid.rounding, size.z());
    case SolidKind::Cylinder:
      return std::make_shared<fcl::Cylinderd>(solid.half.x(), size.z());
    default:
      return std::make_shared<fcl::Boxd>(size);
  }
}

fcl::Transform3d fcl_transform(const Placement& X) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  transform.linear() = X.R;
  transform.translation() = X.p;
  return transform;
}

bool note_hit(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* is_hit) {
  const fcl::CollisionRequestd request;
  fcl::CollisionResultd result;
  if (fcl::collide(a, b, request, result) == 0) return false;
  *static_cast<bool*>(is_hit) = true;
  return true;
}

bool note_distance(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* least, double& bound) {
  const fcl::DistanceRequestd request;
  fcl::DistanceResultd result;
  auto& smallest = *static_cast<double*>(least);
  smallest = std::min(smallest, fcl::distance(a, b, request, result));
  bound = smallest;
  return smallest <= 0.0;
}

}  // namespace

struct FclScene::Inside {
  const RobotShapes& shapes;
  std::vector<fcl::CollisionObjectd> links;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<Placement> X_WL;
  fcl::DynamicAABBTreeCollisionManagerd world;

  void place(std::span<const double> q) {
    shapes.tree().link_frames(q, X_WL);
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Body& body = shapes.bodies()[i];
      links[i].setTransform(fcl_transform(X_WL[body.link] * body.X_LS));
      links[i].computeAABB();
    }
  }
};

FclScene::FclScene(const RobotShapes& shapes, const Obstacles& world)
    : inside_(new Inside{.shapes = shapes}) {
  const std::span<const Body> bodies = shapes.bodies();
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    inside_->links.emplace_back(fcl_geometry(bodies[a].solid));
    for (std::size_t b = a + 1; b < bodies.size(); ++b) {
      if (shapes.may_collide(bodies[a].link, bodies[b].link)) inside_->pairs.emplace_back(a, b);
    }
  }
  inside_->X_WL.resize(shapes.tree().link_count());
  for (const Obstacle& object : world.objects()) {
    inside_->objects.push_back(std::make_unique<fcl::CollisionObjectd>(
        fcl_geometry(object.solid), fcl_transform(Placement(object.X_LO))));
    inside_->world.registerObject(inside_->objects.back().get());
  }
  inside_->world.setup();
}

FclScene::~FclScene() = default;

bool FclScene::is_available() {
  return true;
}

bool FclScene::is_clear(std::span<const double> q) {
  inside_->place(q);
  bool is_hit = false;
  for (fcl::CollisionObjectd& link : inside_->links) {
    inside_->world.collide(&link, &is_hit, note_hit);
    if (is_hit) return false;
  }
  for (const auto& [a, b] : inside_->pairs) {
    fcl::CollisionObjectd& first = inside_->links[a];
    fcl::CollisionObjectd& second = inside_->links[b];
    if (first.getAABB().overlap(second.getAABB()) && note_hit(&first, &second, &is_hit)) return false;
  }
  return true;
}

double FclScene::smallest_distance(std::span<const double> q) {
  inside_->place(q);
  double least = std::numeric_limits<double>::infinity();
  for (fcl::CollisionObjectd& link : inside_->links) inside_->world.distance(&link, &least, note_distance);
  for (const auto& [a, b] : inside_->pairs) {
    fcl::CollisionObjectd& first = inside_->links[a];
    fcl::CollisionObjectd& second = inside_->links[b];
    if (first.getAABB().distance(second.getAABB()) >= least) continue;
    double bound = least;
    note_distance(&first, &second, &least, bound);
  }
  return least;
}

}  // namespace sinew::bench
