// SPDX-License-Identifier: BSD-3-Clause
// Compiled for plain processors, as Debian's library is.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fcl/fcl.h>

#include "sinew/mesh/triangle_mesh.h"

#include "rival.h"

namespace sinew::bench {
namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry mesh_geometry(const Shape& shape) {
  const auto mesh = read_mesh(shape.mesh_path, shape.mesh_scale);
  if (!mesh) return nullptr;
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  std::vector<fcl::Triangle> triangles;
  for (const auto& corners : mesh->triangles) triangles.emplace_back(corners[0], corners[1], corners[2]);
  model->beginModel();
  model->addSubModel(mesh->vertices, triangles);
  model->endModel();
  return model;
}

Geometry geometry_of(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::Box:
      return std::make_shared<fcl::Boxd>(2.0 * shape.half_extents);
    case ShapeKind::Sphere:
      return std::make_shared<fcl::Sphered>(shape.radius);
    case ShapeKind::Cylinder:
      return std::make_shared<fcl::Cylinderd>(shape.radius, shape.length);
    case ShapeKind::Mesh:
      break;
  }
  return mesh_geometry(shape);
}

Geometry geometry_of(const Solid& solid) {
  const Vector3 size = 2.0 * solid.half;
  switch (solid.kind) {
    case SolidKind::Sphere:
      return std::make_shared<fcl::Sphered>(solid.rounding);
    case SolidKind::Cylinder:
      return std::make_shared<fcl::Cylinderd>(solid.half.x(), size.z());
    default:
      return std::make_shared<fcl::Boxd>(size);
  }
}

fcl::Transform3d transform_of(const Pose& X) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  transform.linear() = X.rotation.toRotationMatrix();
  transform.translation() = X.position;
  return transform;
}

bool note_hit(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* is_hit) {
  const fcl::CollisionRequestd request;
  fcl::CollisionResultd result;
  if (fcl::collide(a, b, request, result) == 0) return false;
  *static_cast<bool*>(is_hit) = true;
  return true;
}

/// A shape on a link.
struct LinkShape {
  std::size_t link = 0;
  fcl::Transform3d X_LG;
  fcl::CollisionObjectd object;
};

}  // namespace

struct FclJudge::Inside {
  explicit Inside(const PlanSetting& the_setting) : setting(the_setting), q(the_setting.others) {}

  const PlanSetting& setting;
  std::vector<double> q;
  std::vector<fcl::Transform3d> X_WL;
  std::vector<fcl::Transform3d> X_WL_before;
  std::vector<LinkShape> shapes;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  std::unique_ptr<fcl::DynamicAABBTreeCollisionManagerd> world;

  // plain forward kinematics, joint by joint
  void place(std::span<const double> planned) {
    for (std::size_t j = 0; j < planned.size(); ++j) q[setting.planned[j]] = planned[j];
    const RobotModel& model = *setting.model;
    X_WL.assign(model.links.size(), fcl::Transform3d::Identity());
    for (const Joint& joint : model.joints) {
      fcl::Transform3d motion = fcl::Transform3d::Identity();
      const Joint& leader = joint.mimic ? model.joints[joint.mimic->joint] : joint;
      double value = joint.kind == JointKind::Fixed ? 0.0 : q[leader.position];
      if (joint.mimic) value = joint.mimic->factor * value + joint.mimic->offset;
      if (joint.kind == JointKind::Prismatic) motion.translation() = value * joint.axis;
      if (joint.kind == JointKind::Revolute || joint.kind == JointKind::Continuous) {
        motion.linear() = Eigen::AngleAxisd(value, joint.axis).toRotationMatrix();
      }
      X_WL[joint.child_link] = X_WL[joint.parent_link] * transform_of(joint.X_PJ) * motion;
    }
    for (LinkShape& shape : shapes) {
      shape.object.setTransform(X_WL[shape.link] * shape.X_LG);
      shape.object.computeAABB();
    }
  }

  bool is_ignored(std::size_t a, std::size_t b) const {
    return a == b || std::any_of(setting.model->ignored_pairs.begin(), setting.model->ignored_pairs.end(),
                                 [&](const IgnoredPair& pair) {
                                   return (pair.link_a == a && pair.link_b == b) || (pair.link_a == b && pair.link_b == a);
                                 });
  }
};

FclJudge::FclJudge(const PlanSetting& setting) : inside_(std::make_unique<Inside>(setting)) {
  const RobotModel& model = *setting.model;
  for (std::size_t link = 0; link < model.links.size(); ++link) {
    for (const Shape& shape : model.links[link].collisions) {
      const Geometry geometry = geometry_of(shape);
      if (geometry == nullptr) continue;
      inside_->shapes.push_back({link, transform_of(shape.X_LG), fcl::CollisionObjectd(geometry)});
    }
  }
  for (std::size_t a = 0; a < inside_->shapes.size(); ++a) {
    for (std::size_t b = a + 1; b < inside_->shapes.size(); ++b) {
      if (!inside_->is_ignored(inside_->shapes[a].link, inside_->shapes[b].link)) inside_->pairs.emplace_back(a, b);
    }
  }
}

FclJudge::~FclJudge() = default;

bool FclJudge::is_available() {
  return true;
}

void FclJudge::set_world(const Obstacles& world) {
  inside_->world = std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
  inside_->objects.clear();
  for (const Obstacle& object : world.objects()) {
    inside_->objects.push_back(
        std::make_unique<fcl::CollisionObjectd>(geometry_of(object.solid), transform_of(object.X_LO)));
    inside_->world->registerObject(inside_->objects.back().get());
  }
  inside_->world->setup();
}

bool FclJudge::is_clear(std::span<const double> q) {
  inside_->place(q);
  bool is_hit = false;
  for (LinkShape& shape : inside_->shapes) {
    inside_->world->collide(&shape.object, &is_hit, note_hit);
    if (is_hit) return false;
  }
  for (const auto& [a, b] : inside_->pairs) {
    fcl::CollisionObjectd& first = inside_->shapes[a].object;
    fcl::CollisionObjectd& second = inside_->shapes[b].object;
    if (first.getAABB().overlap(second.getAABB()) && note_hit(&first, &second, &is_hit)) return false;
  }
  return true;
}

double FclJudge::travel(std::span<const double> from, std::span<const double> to) {
  inside_->place(from);
  inside_->X_WL_before = inside_->X_WL;
  inside_->place(to);
  double most = 0.0;
  for (const LinkShape& shape : inside_->shapes) {
    const fcl::AABBd& box = shape.object.collisionGeometry()->aabb_local;
    for (int corner = 0; corner < 8; ++corner) {
      const Vector3 p((corner & 1) != 0 ? box.max_.x() : box.min_.x(), (corner & 2) != 0 ? box.max_.y() : box.min_.y(),
                      (corner & 4) != 0 ? box.max_.z() : box.min_.z());
      const Vector3 p_L = shape.X_LG * p;
      most = std::max(most, (inside_->X_WL[shape.link] * p_L - inside_->X_WL_before[shape.link] * p_L).norm());
    }
  }
  return most;
}

bool FclJudge::is_path_clear(const Corners& path) {
  constexpr double kStep = 1e-3;  // [m]
  constexpr int kCoarse = 64;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const auto at = [&](double t) {
      std::vector<double> q(path[i].size());
      for (std::size_t j = 0; j < q.size(); ++j) q[j] = path[i][j] + t * (path[i + 1][j] - path[i][j]);
      return q;
    };
    // chords of short parts are as good as arcs
    double part = 0.0;
    for (int k = 0; k < kCoarse; ++k) part = std::max(part, travel(at(double(k) / kCoarse), at(double(k + 1) / kCoarse)));
    const int count = kCoarse * std::max(1, static_cast<int>(std::ceil(part / kStep)));
    for (int k = 0; k <= count; ++k) {
      if (!is_clear(at(double(k) / count))) return false;
    }
  }
  return true;
}

}  // namespace sinew::bench
