// SPDX-License-Identifier: BSD-3-Clause
// Compiled for plain processors, as Debian's library is.
#include "fcl_robot.h"

#include <algorithm>

#include "sinew/mesh/triangle_mesh.h"

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

}  // namespace

FclRobot::FclRobot(const PlanSetting& setting) : setting_(setting), q_(setting.others) {
  const RobotModel& model = *setting.model;
  for (std::size_t link = 0; link < model.links.size(); ++link) {
    for (const Shape& shape : model.links[link].collisions) {
      const Geometry geometry = geometry_of(shape);
      if (geometry == nullptr) continue;
      shapes_.push_back({link, transform_of(shape.X_LG), fcl::CollisionObjectd(geometry),
                         shape.kind == ShapeKind::Sphere ? shape.radius : 0.0});
    }
  }
}

// joint by joint
void FclRobot::place(std::span<const double> planned) {
  for (std::size_t j = 0; j < planned.size(); ++j) q_[setting_.planned[j]] = planned[j];
  const RobotModel& model = *setting_.model;
  X_WL_.assign(model.links.size(), fcl::Transform3d::Identity());
  for (const Joint& joint : model.joints) {
    fcl::Transform3d motion = fcl::Transform3d::Identity();
    const Joint& leader = joint.mimic ? model.joints[joint.mimic->joint] : joint;
    double value = joint.kind == JointKind::Fixed ? 0.0 : q_[leader.position];
    if (joint.mimic) value = joint.mimic->factor * value + joint.mimic->offset;
    if (joint.kind == JointKind::Prismatic) motion.translation() = value * joint.axis;
    if (joint.kind == JointKind::Revolute || joint.kind == JointKind::Continuous) {
      motion.linear() = Eigen::AngleAxisd(value, joint.axis).toRotationMatrix();
    }
    X_WL_[joint.child_link] = X_WL_[joint.parent_link] * transform_of(joint.X_PJ) * motion;
  }
  for (LinkShape& shape : shapes_) {
    shape.object.setTransform(X_WL_[shape.link] * shape.X_LG);
    shape.object.computeAABB();
  }
}

bool FclRobot::is_ignored(std::size_t link_a, std::size_t link_b) const {
  const auto& ignored = setting_.model->ignored_pairs;
  return link_a == link_b || std::any_of(ignored.begin(), ignored.end(), [&](const IgnoredPair& pair) {
           return (pair.link_a == link_a && pair.link_b == link_b) ||
                  (pair.link_a == link_b && pair.link_b == link_a);
         });
}

std::unique_ptr<fcl::CollisionObjectd> fcl_object_of(const Obstacle& object) {
  return std::make_unique<fcl::CollisionObjectd>(geometry_of(object.solid), transform_of(object.X_LO));
}

bool are_in_collision(const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b) {
  const fcl::CollisionRequestd request;
  fcl::CollisionResultd result;
  return fcl::collide(&a, &b, request, result) > 0;
}

}  // namespace sinew::bench
