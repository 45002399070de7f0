// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/world_reader.h"

#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

namespace sinew {
namespace {

Error refuse_object(const WorldObject& object, std::string_view why) {
  return {ErrorCode::InvalidInput, fmt::format("object '{}' of the world: {}", text_of(object.name), why)};
}

bool has_sizes(const WorldObject& object, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (!(object.size[i] > 0.0) || !std::isfinite(object.size[i])) return false;
  return true;
}

/// Of boxes, spheres, cylinders and planes.
Result<Solid> solid_of(const WorldObject& object) {
  const auto& size = object.size;
  switch (object.kind) {
    case ObjectKind::Box:
      if (!has_sizes(object, 3)) break;
      return make_box(0.5 * Vector3(size[0], size[1], size[2]));
    case ObjectKind::Sphere:
      if (!has_sizes(object, 1)) break;
      return make_sphere(size[0]);
    case ObjectKind::Cylinder:
      if (!has_sizes(object, 2)) break;
      return make_cylinder(size[0], size[1]);
    case ObjectKind::Plane:
      return make_plane();
    case ObjectKind::Mesh:
    case ObjectKind::HeightField:
      break;
  }
  return refuse_object(object,
                       fmt::format("kind {} with size {} {} {} cannot be: sizes are positive lengths in m",
                                   static_cast<unsigned>(object.kind), size[0], size[1], size[2]));
}

Result<Pose> pose_of(const WorldObject& object) {
  const Quaternion rotation(object.qw, object.qx, object.qy, object.qz);
  const Vector3 position(object.position[0], object.position[1], object.position[2]);
  if (!position.allFinite() || !(std::abs(rotation.norm() - 1.0) < 1e-6))
    return refuse_object(object, "its position must be finite and its quaternion of unit length");
  return Pose{.rotation = rotation.normalized(), .position = position};
}

/// Puts objects into a world, and what their files hold beside them.
class WorldBuilder {
 public:
  WorldBuilder(const RobotModel& model, const WorldInUse* before)
      : model_(model), before_(before), in_use_(std::make_unique<WorldInUse>()) {}

  Status add(const WorldObject& object) {
    const auto obstacle = obstacle_of(object);
    if (!obstacle) return obstacle.error();
    if (const auto added = in_use_->obstacles.add(*obstacle); !added) return added.error();
    return Done{};
  }
  std::unique_ptr<WorldInUse> take() { return std::move(in_use_); }

 private:
  Result<Obstacle> obstacle_of(const WorldObject& object);
  Status set_solid(const WorldObject& object, Obstacle& obstacle);
  Result<std::shared_ptr<const FileShape>> file_shape_of(const WorldObject& object) const;

  const RobotModel& model_;
  const WorldInUse* before_;
  std::unique_ptr<WorldInUse> in_use_;
};

Result<std::shared_ptr<const FileShape>> WorldBuilder::file_shape_of(const WorldObject& object) const {
  for (const WorldInUse* world : {before_, static_cast<const WorldInUse*>(in_use_.get())}) {
    if (world == nullptr) continue;
    for (const auto& shape : world->shapes)
      if (shape->is_of(object)) return shape;
  }
  return read_file_shape(object);
}

Status WorldBuilder::set_solid(const WorldObject& object, Obstacle& obstacle) {
  if (object.kind != ObjectKind::Mesh && object.kind != ObjectKind::HeightField) {
    const auto solid = solid_of(object);
    if (!solid) return solid.error();
    obstacle.solid = *solid;
    return Done{};
  }
  const auto shape = file_shape_of(object);
  if (!shape) return refuse_object(object, shape.error().message);
  in_use_->shapes.push_back(*shape);
  obstacle.solid = (*shape)->solid;
  obstacle.X_LO.position = obstacle.X_LO * (*shape)->origin;
  return Done{};
}

Result<Obstacle> WorldBuilder::obstacle_of(const WorldObject& object) {
  const auto pose = pose_of(object);
  if (!pose) return pose.error();
  if (!(object.margin >= 0.0) || !std::isfinite(object.margin))
    return refuse_object(object, "its margin must be 0 m or more");
  Obstacle obstacle{.X_LO = *pose, .margin = object.margin};
  set_text(obstacle.name, text_of(object.name));
  if (const Status set = set_solid(object, obstacle); !set) return set.error();
  if (object.attached == 0) return obstacle;
  if (object.kind == ObjectKind::Plane || object.kind == ObjectKind::HeightField)
    return refuse_object(object, "planes and height fields are grounds; no link can carry one");
  obstacle.link = find_link(model_, text_of(object.link));
  if (obstacle.link == kNone)
    return refuse_object(object, fmt::format("the robot has no link '{}' to carry it", text_of(object.link)));
  obstacle.may_touch.set(obstacle.link);
  return obstacle;
}

}  // namespace

Result<std::unique_ptr<WorldInUse>> read_world(const World& world, const RobotModel& model,
                                               const WorldInUse* before) {
  if (world.object_count > kMaxObjects)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("the world claims {} objects; at most {}", world.object_count, kMaxObjects)};
  WorldBuilder builder(model, before);
  for (std::uint32_t i = 0; i < world.object_count; ++i) {
    if (const Status added = builder.add(world.objects[i]); !added) return added.error();
  }
  return builder.take();
}

}  // namespace sinew
