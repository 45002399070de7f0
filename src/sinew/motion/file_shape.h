// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/solid.h"
#include "sinew/messages/world.h"

namespace sinew {

/// What the file of an object holds, made ready for the guard. Never moves, for its solid points into it.
struct FileShape {
  WorldObject source;  ///< Whose file, hash and size it was made from.
  std::vector<Vector3> points;
  std::optional<TriangleTree> surface;
  std::optional<HeightField> field;
  Solid solid;
  Vector3 origin = Vector3::Zero();  ///< Of the solid's frame, in the object's [m].

  /// Whether `object` has the same file, content and size.
  bool is_of(const WorldObject& object) const;
};

/// Larger files are refused.
inline constexpr std::size_t kMostWorldFileBytes = std::size_t{64} << 20U;
/// Longer meshes are refused: millimetres taken for metres [m].
inline constexpr double kLongestMesh = 100.0;

/// Reads the file of a mesh or a height field, outside any cycle. A convex mesh becomes its hull, larger by
/// at most a millimetre where 256 corners allow; any other becomes its surface, of which nothing is filled
/// in. Refused: a file that is missing, too large, of another hash, damaged; sizes that are not positive.
Result<std::shared_ptr<const FileShape>> read_file_shape(const WorldObject& object);

/// Sets the hash of the object's file to that of what it holds now; nothing when it has no file.
Status set_file_hash(WorldObject& object);

/// What the guard takes an object's file for, such as "a surface of 1200 triangles".
std::string shape_text(const FileShape& shape);

}  // namespace sinew
