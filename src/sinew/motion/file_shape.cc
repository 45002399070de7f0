// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/file_shape.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/hash.h"
#include "sinew/base/text.h"
#include "sinew/mesh/height_text.h"
#include "sinew/mesh/shape_file.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {
namespace {

/// What a hull may fill in without being called convex [m].
constexpr double kFlatness = 1e-4;
constexpr double kHullTolerance = 1e-3;
constexpr std::size_t kMostHullPoints = 256;

bool has_file(const WorldObject& object) {
  return object.kind == ObjectKind::Mesh || object.kind == ObjectKind::HeightField;
}

Result<std::string> read_bytes(const WorldObject& object) {
  const std::string path(text_of(object.file));
  const bool is_mesh = object.kind == ObjectKind::Mesh;
  if (path.empty() || path.front() != '/')
    return Error{ErrorCode::InvalidInput,
                 fmt::format("its file '{}' must be named from the root: other processes read it", path)};
  return read_shape_file(is_mesh ? "mesh" : "height field", path,
                         is_mesh ? kMostWorldFileBytes : std::min(kMostWorldFileBytes, kMostHeightBytes));
}

Status set_mesh(FileShape& shape, const std::string& bytes) {
  const std::string path(text_of(shape.source.file));
  const auto& size = shape.source.size;
  const auto mesh = mesh_from_bytes(path, bytes, {size[0], size[1], size[2]});
  if (!mesh) return mesh.error();
  const MeshFacts facts = facts_of(*mesh);
  const double longest = (facts.highest - facts.lowest).maxCoeff();
  if (longest > kLongestMesh)
    return Error{
        ErrorCode::OutOfLimits,
        fmt::format("mesh {}: it is {} long, more than {}; is it in millimetres? then scale it by 0.001",
                    path, length_text(longest), length_text(kLongestMesh))};
  if (is_convex(*mesh, kFlatness)) {
    SimpleHull hull = simplify_hull(mesh->vertices, kHullTolerance, kMostHullPoints);
    shape.points = std::move(hull.points);
    shape.solid = make_hull(shape.points, hull.rounding);
    return Done{};
  }
  auto tree = TriangleTree::make(mesh->vertices, mesh->triangles);
  if (!tree) return Error{tree.error().code, fmt::format("mesh {}: {}", path, tree.error().message)};
  shape.surface = *std::move(tree);
  shape.solid = make_surface(*shape.surface);
  return Done{};
}

Status set_field(FileShape& shape, const std::string& bytes) {
  auto rows = heights_from_text(std::string(text_of(shape.source.file)), bytes);
  if (!rows) return rows.error();
  const auto& size = shape.source.size;
  for (double& height : rows->heights) height *= size[2];
  const Eigen::Vector2d cell(size[0] / static_cast<double>(rows->columns - 1),
                             size[1] / static_cast<double>(rows->rows - 1));
  auto field = HeightField::make(rows->columns, rows->rows, cell, rows->heights);
  if (!field) return field.error();
  shape.field = *std::move(field);
  shape.solid = make_height_field(*shape.field);
  shape.origin = {-0.5 * size[0], -0.5 * size[1], 0.0};
  return Done{};
}

}  // namespace

bool FileShape::is_of(const WorldObject& object) const {
  return source.kind == object.kind && source.file_hash == object.file_hash && source.size == object.size &&
         text_of(source.file) == text_of(object.file);
}

Result<std::shared_ptr<const FileShape>> read_file_shape(const WorldObject& object) {
  for (const double size : object.size) {
    if (!(size > 0.0) || !std::isfinite(size))
      return Error{ErrorCode::InvalidInput, fmt::format("its size {} {} {} must be three positive numbers",
                                                        object.size[0], object.size[1], object.size[2])};
  }
  const auto bytes = read_bytes(object);
  if (!bytes) return bytes.error();
  if (const std::uint64_t hash = fnv1a(*bytes); hash != object.file_hash)
    return Error{ErrorCode::Damaged,
                 fmt::format("{} has changed since it was added (hash {:016x}, not {:016x}); add it again",
                             text_of(object.file), hash, object.file_hash)};
  auto shape = std::make_shared<FileShape>();
  shape->source = object;
  const Status set = object.kind == ObjectKind::Mesh ? set_mesh(*shape, *bytes) : set_field(*shape, *bytes);
  if (!set) return set.error();
  return std::shared_ptr<const FileShape>(std::move(shape));
}

Status set_file_hash(WorldObject& object) {
  if (!has_file(object)) return Done{};
  const auto bytes = read_bytes(object);
  if (!bytes) return bytes.error();
  object.file_hash = fnv1a(*bytes);
  return Done{};
}

std::string shape_text(const FileShape& shape) {
  if (shape.surface) return fmt::format("a surface of {} triangles", shape.surface->triangle_count());
  if (shape.field)
    return fmt::format("a field of {} by {} heights", shape.field->columns(), shape.field->rows());
  return fmt::format("a convex hull of {} corners, at most {} too large", shape.points.size(),
                     length_text(shape.solid.rounding));
}

}  // namespace sinew
