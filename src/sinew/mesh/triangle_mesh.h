// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// A surface of triangles. Corners at the same place are one vertex.
struct TriangleMesh {
  std::vector<Vector3> vertices;                        ///< [m], all finite.
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< Into vertices; anticlockwise seen from outside.
};

/// Bounds that no part of a robot comes near.
inline constexpr std::size_t kMostMeshBytes = std::size_t{256} << 20U;
inline constexpr std::size_t kMostMeshTriangles = 4'000'000;

/// Reads an STL (binary or text), OBJ or COLLADA (.dae) file; `scale` is the URDF's, along x, y and z. A
/// COLLADA file's unit counts, its up axis does not, as in ROS. Refuses what is damaged, too large, not
/// finite, or without a triangle.
Result<TriangleMesh> read_mesh(const std::filesystem::path& path, const Vector3& scale = Vector3::Ones());

/// What can be seen of a mesh without knowing what it is for.
struct MeshFacts {
  Vector3 lowest = Vector3::Zero();   ///< Corner of its box [m].
  Vector3 highest = Vector3::Zero();  ///< The opposite corner [m].
  std::size_t open_edges = 0;         ///< Edges that do not join exactly two triangles of like winding.
};
MeshFacts facts_of(const TriangleMesh& mesh);

}  // namespace sinew
