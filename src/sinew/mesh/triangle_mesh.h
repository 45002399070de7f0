// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/robot_files.h"
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
Result<TriangleMesh> read_mesh(const std::filesystem::path& path, const Vector3& scale = Vector3::Ones(),
                               const RobotFiles& files = RobotFiles::all());

/// The same from the bytes of the file at `path`, whose ending says what they are.
Result<TriangleMesh> mesh_from_bytes(const std::filesystem::path& path, const std::string& bytes,
                                     const Vector3& scale = Vector3::Ones());

/// What can be seen of a mesh without knowing what it is for.
struct MeshFacts {
  Vector3 lowest = Vector3::Zero();   ///< Corner of its box [m].
  Vector3 highest = Vector3::Zero();  ///< The opposite corner [m].
  std::size_t open_edges = 0;         ///< Edges that do not join exactly two triangles of like winding.
};
MeshFacts facts_of(const TriangleMesh& mesh);

/// Whether it is closed and no vertex is more than `tolerance` [m] outside any of its faces: its convex hull
/// adds nothing to it. Its triangles may all be wound the other way. Of a very fine one (vertices times
/// triangles beyond 10⁸) false: it is not tried.
bool is_convex(const TriangleMesh& mesh, double tolerance);

}  // namespace sinew
