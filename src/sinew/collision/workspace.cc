// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/workspace.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace sinew {
namespace {

/// The points that any bound concerns, each once.
std::vector<ToolFrame> points_of(const RobotModel& model) {
  std::vector<ToolFrame> points;
  for (const WorkspaceBound& bound : model.workspace) {
    for (const ToolFrame& point : bound.points) {
      const bool is_known =
          std::ranges::any_of(points, [&](const ToolFrame& p) { return p.name == point.name; });
      if (!is_known) points.push_back(point);
    }
  }
  return points;
}

std::size_t object_count(const WorkspaceBound& bound) {
  return bound.kind == WorkspaceKind::KeepIn ? 6 : 1;
}

std::string point_name(const ToolFrame& point) {
  return fmt::format("tool {}", point.name);
}

Status add(std::string_view name, Obstacle object, Obstacles& objects) {
  set_text(object.name, name);
  auto added = objects.add(object);
  if (!added) return added.error();
  return Done{};
}

// A point has to do with bounds alone, and these say which.
Status add_points(const RobotModel& model, Obstacles& objects) {
  const std::vector<ToolFrame> points = points_of(model);
  Obstacle object{.solid = make_sphere(0.0)};
  object.may_touch.set();
  object.may_touch_objects.set();
  std::size_t next = points.size();
  for (const WorkspaceBound& bound : model.workspace)
    for (std::size_t i = 0; i < object_count(bound) && next < kMaxObstacles; ++i)
      object.may_touch_objects.reset(next++);
  for (const ToolFrame& point : points) {
    object.X_LO = point.X_LT;
    object.link = point.link;
    if (Status added = add(point_name(point), object, objects); !added) return added;
  }
  return Done{};
}

// Let pass by a bound: links and points that it does not concern, and what is held, where that is free.
Obstacle concerning(const WorkspaceBound& bound, const Obstacles& points) {
  Obstacle object;
  object.may_touch.set();
  for (const std::size_t link : bound.links) object.may_touch.reset(link);
  if (!bound.concerns_held) object.may_touch_objects.set();
  for (std::size_t i = 0; i < points.size() && points[i].link != kNone; ++i) object.may_touch_objects.set(i);
  for (const ToolFrame& point : bound.points) object.may_touch_objects.reset(points.find(point_name(point)));
  return object;
}

// Outside of each face there is a half-space.
Status add_faces(const WorkspaceBound& bound, Obstacle object, Obstacles& objects) {
  static constexpr std::array<std::string_view, 6> kFaceNames{"+x", "-x", "+y", "-y", "+z", "-z"};
  object.solid = make_plane();
  for (std::size_t face = 0; face < kFaceNames.size(); ++face) {
    const auto axis = static_cast<Eigen::Index>(face / 2);
    const Vector3 outwards = (face % 2 == 0 ? 1.0 : -1.0) * Vector3::Unit(axis);
    const Pose X_OF{.rotation = Quaternion::FromTwoVectors(Vector3::UnitZ(), -outwards).normalized(),
                    .position = outwards * bound.half_extents[axis]};
    object.X_LO = bound.X_WO * X_OF;
    if (Status added = add(fmt::format("workspace {} {}", bound.name, kFaceNames[face]), object, objects);
        !added)
      return added;
  }
  return Done{};
}

Status add_bound(const WorkspaceBound& bound, Obstacles& objects) {
  Obstacle object = concerning(bound, objects);
  if (bound.kind == WorkspaceKind::KeepIn) return add_faces(bound, object, objects);
  object.solid = bound.kind == WorkspaceKind::Plane ? make_plane() : make_box(bound.half_extents);
  object.X_LO = bound.X_WO;
  return add(fmt::format("workspace {}", bound.name), object, objects);
}

}  // namespace

Result<Obstacles> workspace_obstacles(const RobotModel& model) {
  if (model.links.size() > kMaxCheckedLinks && !model.workspace.empty())
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("a workspace for {} links: at most {}", model.links.size(), kMaxCheckedLinks)};
  Obstacles objects;
  if (Status added = add_points(model, objects); !added) return added.error();
  for (const WorkspaceBound& bound : model.workspace)
    if (Status added = add_bound(bound, objects); !added) return added.error();
  return objects;
}

bool join_workspace(const Obstacles& workspace, const Obstacles& world, Obstacles& joined) SINEW_REALTIME {
  if (workspace.size() + world.size() > kMaxObstacles) return false;
  for (const Obstacle& object : world.objects())
    if (workspace.find(text_of(object.name)) != kNone) return false;
  joined = workspace;
  for (Obstacle object : world.objects()) {
    object.may_touch_objects <<= workspace.size();
    static_cast<void>(joined.add(object));
  }
  return true;
}

}  // namespace sinew
