// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/mesh/triangle_mesh.h"

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

using DirectedEdge = std::pair<std::uint32_t, std::uint32_t>;

std::vector<DirectedEdge> sorted_edges(const TriangleMesh& mesh) {
  std::vector<DirectedEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    edges.emplace_back(a, b);
    edges.emplace_back(b, c);
    edges.emplace_back(c, a);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

MeshFacts facts_of(const TriangleMesh& mesh) {
  MeshFacts facts;
  if (!mesh.vertices.empty()) facts.lowest = facts.highest = mesh.vertices.front();
  for (const Vector3& vertex : mesh.vertices) {
    facts.lowest = facts.lowest.cwiseMin(vertex);
    facts.highest = facts.highest.cwiseMax(vertex);
  }
  // on a closed surface each edge is walked once each way
  const std::vector<DirectedEdge> edges = sorted_edges(mesh);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const bool is_twice = i + 1 < edges.size() && edges[i] == edges[i + 1];
    const bool has_partner =
        std::binary_search(edges.begin(), edges.end(), DirectedEdge{edges[i].second, edges[i].first});
    if (is_twice || !has_partner) ++facts.open_edges;
  }
  return facts;
}

bool is_convex(const TriangleMesh& mesh, double tolerance) {
  if (mesh.vertices.size() * mesh.triangles.size() > 100'000'000) return false;
  bool may_be_outward = true;
  bool may_be_inward = true;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vector3& corner = mesh.vertices[a];
    const Vector3 across = (mesh.vertices[b] - corner).cross(mesh.vertices[c] - corner);
    const double size = across.norm();
    if (size < 1e-14) continue;
    const Vector3 n = across / size;
    for (const Vector3& vertex : mesh.vertices) {
      const double out = n.dot(vertex - corner);
      may_be_outward = may_be_outward && out <= tolerance;
      may_be_inward = may_be_inward && out >= -tolerance;
      if (!may_be_outward && !may_be_inward) return false;
    }
  }
  return facts_of(mesh).open_edges == 0;
}

}  // namespace sinew
