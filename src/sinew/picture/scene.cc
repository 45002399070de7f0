// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/scene.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace picture {
namespace {

constexpr double kSmallestBall = 0.01;   // [m]
const Vector3 kPlain(0.72, 0.74, 0.77);  // what has no colour of its own, sRGB

struct Box {
  Vector3 lowest = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 highest = Vector3::Constant(-std::numeric_limits<double>::infinity());

  void hold(const Vector3& point) {
    lowest = lowest.cwiseMin(point);
    highest = highest.cwiseMax(point);
  }
  void hold(const std::vector<Facet>& facets) {
    for (const Facet& facet : facets) {
      for (const Vector3& corner : facet.corners) hold(corner);
    }
  }
};

void add_links(const RobotModel& model, const std::vector<Pose>& X_WL, const RobotFiles& files,
               Scene& scene) {
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    // a link that only collides is better seen so than not at all
    const std::vector<Shape>& shapes = link.visuals.empty() ? link.collisions : link.visuals;
    for (const Shape& shape : shapes) {
      const Vector3 colour = shape.colour ? Vector3(shape.colour->head<3>()) : kPlain;
      const bool is_clear = shape.colour && (*shape.colour)[3] < 0.05;
      if (is_clear) continue;
      const Status added =
          add_shape(shape, X_WL[i] * shape.X_LG, linear_from_srgb(colour), files, scene.robot);
      if (added) continue;
      const std::string& name = shape.mesh_path.empty() ? shape.mesh_name : shape.mesh_path;
      scene.remarks.push_back(
          {.place = {.file = name},
           .what = fmt::format("link '{}' is drawn without this mesh ({})", link.name,
                               shape.mesh_path.empty() ? "it is missing" : added.error().message),
           .remedy = "mend it or its name"});
    }
  }
}

void add_axes(const RobotModel& model, const std::vector<Pose>& X_WL, double length, Scene& scene) {
  // z onto x and y by a third of a turn about the diagonal
  const Quaternion third(0.5, 0.5, 0.5, 0.5);
  const auto add = [&](const Pose& X_WT) {
    const Quaternion to_y = third.conjugate();
    add_arrow(X_WT * Pose{.rotation = third}, length, linear_from_srgb({0.86, 0.16, 0.18}), scene.axes);
    add_arrow(X_WT * Pose{.rotation = to_y}, length, linear_from_srgb({0.20, 0.66, 0.26}), scene.axes);
    add_arrow(X_WT, length, linear_from_srgb({0.16, 0.38, 0.88}), scene.axes);
  };
  for (const Arm& arm : model.arms) {
    if (arm.tools.empty()) {
      add(X_WL[arm.tip_link]);
    } else {
      add(X_WL[arm.tools.front().link] * arm.tools.front().X_LT);
    }
  }
}

Ball ball_around(const Scene& scene, const Box& box) {
  Ball ball{.centre = (box.lowest + box.highest) / 2.0, .radius = kSmallestBall};
  for (const std::vector<Facet>* facets : {&scene.robot, &scene.axes}) {
    for (const Facet& facet : *facets) {
      for (const Vector3& corner : facet.corners)
        ball.radius = std::max(ball.radius, (corner - ball.centre).norm());
    }
  }
  return ball;
}

}  // namespace

Result<Scene> make_scene(const RobotModel& model, std::span<const double> q, const PictureOptions& options) {
  if (q.size() != model.positions.size()) {
    return Error{ErrorCode::InvalidInput, fmt::format("{} has {} joint positions, not {}", model.name,
                                                      model.positions.size(), q.size())};
  }
  if (!std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); }))
    return Error{ErrorCode::InvalidInput, "a joint position is not a finite number; give all of them"};
  Scene scene;
  const std::vector<Pose> X_WL = link_poses(model, q);
  add_links(model, X_WL, *options.files, scene);
  Box box;
  box.hold(scene.robot);
  for (const Pose& pose : X_WL) box.hold(pose.position);
  scene.ground = std::min(0.0, box.lowest.z());
  const double size = (box.highest - box.lowest).norm();
  if (options.has_tool_axes) add_axes(model, X_WL, std::max(0.09 * size, kSmallestBall), scene);
  box.hold(scene.axes);
  scene.ball = ball_around(scene, box);
  return scene;
}

}  // namespace picture

std::vector<Pose> link_poses(const RobotModel& model, std::span<const double> q) {
  std::vector<Pose> X_WL(model.links.size());
  for (const Joint& joint : model.joints) {
    const Joint& source = joint.mimic ? model.joints[joint.mimic->joint] : joint;
    double position = source.position == kNone ? 0.0 : q[source.position];
    if (joint.mimic) position = joint.mimic->factor * position + joint.mimic->offset;
    Pose X_JC;
    if (joint.kind == JointKind::Prismatic) X_JC.position = position * joint.axis;
    if (joint.kind == JointKind::Revolute || joint.kind == JointKind::Continuous)
      X_JC.rotation = quaternion_from_rotation_vector(position * joint.axis);
    X_WL[joint.child_link] = X_WL[joint.parent_link] * joint.X_PJ * X_JC;
  }
  return X_WL;
}

}  // namespace sinew
