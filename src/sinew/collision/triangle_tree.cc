// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/triangle_tree.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace sinew {
namespace {

Status check_triangles(std::span<const Vector3> vertices,
                       std::span<const std::array<std::uint32_t, 3>> triangles) {
  if (triangles.empty() || triangles.size() > TriangleTree::kMostTriangles) {
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("it has {} triangles; 1 to {} can be checked: simplify it", triangles.size(),
                             TriangleTree::kMostTriangles)};
  }
  for (const auto& triangle : triangles) {
    for (const std::uint32_t corner : triangle) {
      if (corner < vertices.size() && vertices[corner].allFinite()) continue;
      return Error{ErrorCode::InvalidInput,
                   fmt::format("a triangle has the corner {} of {}, or that is not finite; export it again",
                               corner, vertices.size())};
    }
  }
  return Done{};
}

}  // namespace

// Halves by the triangles' middles along the longest side; the first half follows its parent.
void TriangleTree::add_node(std::span<std::uint32_t> triangles) {
  const std::size_t self = nodes_.size();
  Vector3 low = corners_[std::size_t{3} * triangles.front()];
  Vector3 high = low;
  for (const std::uint32_t triangle : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      low = low.cwiseMin(corners_[std::size_t{3} * triangle + k]);
      high = high.cwiseMax(corners_[std::size_t{3} * triangle + k]);
    }
  }
  nodes_.push_back({.centre = 0.5 * (low + high), .half = 0.5 * (high - low), .triangle = triangles.front()});
  if (triangles.size() == 1) return;
  Eigen::Index axis = 0;
  (high - low).maxCoeff(&axis);
  const auto middle_of = [&](std::uint32_t triangle) {
    const Vector3* at = corners_.data() + std::size_t{3} * triangle;
    return at[0][axis] + at[1][axis] + at[2][axis];
  };
  const auto half = static_cast<std::ptrdiff_t>(triangles.size() / 2);
  std::nth_element(triangles.begin(), triangles.begin() + half, triangles.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return middle_of(a) < middle_of(b); });
  add_node(triangles.first(static_cast<std::size_t>(half)));
  nodes_[self].second_child = static_cast<std::uint32_t>(nodes_.size());
  add_node(triangles.subspan(static_cast<std::size_t>(half)));
}

Result<TriangleTree> TriangleTree::make(std::span<const Vector3> vertices,
                                        std::span<const std::array<std::uint32_t, 3>> triangles) {
  if (Status fine = check_triangles(vertices, triangles); !fine) return fine.error();
  TriangleTree tree;
  tree.corners_.reserve(3 * triangles.size());
  for (const auto& triangle : triangles) {
    for (const std::uint32_t corner : triangle) tree.corners_.push_back(vertices[corner]);
  }
  std::vector<std::uint32_t> order(triangles.size());
  std::iota(order.begin(), order.end(), 0U);
  tree.nodes_.reserve(2 * triangles.size());
  tree.add_node(order);
  const Vector3& centre = tree.nodes_.front().centre;
  for (const Vector3& corner : tree.corners_) tree.radius_ = std::max(tree.radius_, (corner - centre).norm());
  return tree;
}

}  // namespace sinew
