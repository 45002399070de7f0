// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// A surface of triangles, and boxes around ever fewer of them for fast queries. What is wholly inside a
/// closed one touches nothing: only the surface counts. Made once, then never changed.
class TriangleTree {
 public:
  static constexpr std::size_t kMostTriangles = 65'536;

  /// `triangles` are indices into `vertices` [m]. Refused: none, more than kMostTriangles, an index beyond
  /// the vertices, a vertex that is not finite.
  static Result<TriangleTree> make(std::span<const Vector3> vertices,
                                   std::span<const std::array<std::uint32_t, 3>> triangles);

  /// A box along the axes. Its first child follows it.
  struct Node {
    Vector3 centre = Vector3::Zero();
    Vector3 half = Vector3::Zero();
    std::uint32_t second_child = 0;  ///< 0: it holds one triangle.
    std::uint32_t triangle = 0;
  };
  /// The first holds all.
  std::span<const Node> nodes() const noexcept { return nodes_; }
  std::size_t triangle_count() const noexcept { return corners_.size() / 3; }
  /// The three corners of a node's triangle.
  std::span<const Vector3> corners(const Node& node) const {
    return {corners_.data() + std::size_t{3} * node.triangle, 3};
  }
  /// Of the ball around all, whose middle is that of the first box [m].
  double radius() const noexcept { return radius_; }

 private:
  TriangleTree() = default;
  void add_node(std::span<std::uint32_t> triangles);

  std::vector<Vector3> corners_;
  std::vector<Node> nodes_;
  double radius_ = 0.0;
};

}  // namespace sinew
