// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "sinew/collision/test/draws.h"

namespace sinew {

/// A folder of its own for shapes, gone at the end.
class ShapeFiles {
 public:
  ShapeFiles() : folder_(std::filesystem::temp_directory_path() / fmt::format("sinew-shapes-{}", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~ShapeFiles() { std::filesystem::remove_all(folder_); }
  ShapeFiles(const ShapeFiles&) = delete;
  ShapeFiles& operator=(const ShapeFiles&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return path(name);
  }
  std::string write_stl(const std::string& name, const draws::Triangles& mesh) const {
    std::string text = "solid thing\n";
    for (const auto& triangle : mesh.triangles) {
      text += "facet normal 0 0 0\nouter loop\n";
      for (const std::uint32_t corner : triangle) {
        const Vector3& v = mesh.vertices[corner];
        text += fmt::format("vertex {:.9g} {:.9g} {:.9g}\n", v.x(), v.y(), v.z());
      }
      text += "endloop\nendfacet\n";
    }
    return write(name, text + "endsolid thing\n");
  }

 private:
  std::filesystem::path folder_;
};

/// Adds a box with outward triangles; several make a table, which is not convex.
inline void add_box(draws::Triangles& mesh, const Vector3& centre, const Vector3& half) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(centre +
                            half.cwiseProduct(Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  constexpr std::array<std::array<std::uint32_t, 4>, 6> kSides{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& [a, b, c, d] : kSides) {
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.triangles.push_back({first + a, first + c, first + d});
  }
}

}  // namespace sinew
