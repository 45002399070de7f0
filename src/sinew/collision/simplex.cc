// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/simplex.h"

#include <cmath>
#include <limits>

namespace sinew::collision {
namespace {

/// Which corners of a simplex carry the nearest point, and with what weight.
struct Choice {
  std::array<std::size_t, 3> corner{};
  std::array<double, 3> weight{};
  int count = 0;
  double square = std::numeric_limits<double>::infinity();  // of the distance
};

void judge(Choice& choice, const std::array<Corner, 4>& corners) {
  Vector3 point = Vector3::Zero();
  for (std::size_t i = 0; i < static_cast<std::size_t>(choice.count); ++i) {
    point += choice.weight[i] * corners[choice.corner[i]].w;
  }
  choice.square = point.squaredNorm();
}

Choice on_edge(const std::array<Corner, 4>& corners, std::size_t i, std::size_t j) {
  const Vector3 edge = corners[j].w - corners[i].w;
  const double along = -corners[i].w.dot(edge);
  const double length2 = edge.squaredNorm();
  Choice choice;
  if (along <= 0.0) {
    choice = {.corner = {i}, .weight = {1.0}, .count = 1};
  } else if (along >= length2) {
    choice = {.corner = {j}, .weight = {1.0}, .count = 1};
  } else {
    const double s = along / length2;
    choice = {.corner = {i, j}, .weight = {1.0 - s, s}, .count = 2};
  }
  judge(choice, corners);
  return choice;
}

void keep_better(Choice& best, const Choice& other) {
  if (other.square < best.square) best = other;
}

Choice on_edges(const std::array<Corner, 4>& corners, std::size_t i, std::size_t j, std::size_t k) {
  Choice best = on_edge(corners, i, j);
  keep_better(best, on_edge(corners, i, k));
  keep_better(best, on_edge(corners, j, k));
  return best;
}

Choice on_triangle(const std::array<Corner, 4>& corners, std::size_t i, std::size_t j, std::size_t k) {
  const Vector3& a = corners[i].w;
  const Vector3 ab = corners[j].w - a;
  const Vector3 ac = corners[k].w - a;
  const Vector3 n = ab.cross(ac);
  const double n2 = n.squaredNorm();
  // flat: its longest edge is all there is
  if (n2 <= 1e-24 * ab.squaredNorm() * ac.squaredNorm()) return on_edges(corners, i, j, k);
  // weights of the origin's shadow on the plane
  const double weight_k = ab.cross(-a).dot(n) / n2;
  const double weight_j = (-a).cross(ac).dot(n) / n2;
  const double weight_i = 1.0 - weight_j - weight_k;
  if (weight_i < 0.0 || weight_j < 0.0 || weight_k < 0.0) return on_edges(corners, i, j, k);
  Choice choice{.corner = {i, j, k}, .weight = {weight_i, weight_j, weight_k}, .count = 3};
  judge(choice, corners);
  return choice;
}

// Whether the plane of i, j and k has the origin and corner `other` on different sides, or is too flat to
// say.
bool is_outside(const std::array<Corner, 4>& corners, const std::array<std::size_t, 4>& order) {
  const Vector3& a = corners[order[0]].w;
  const Vector3 n = (corners[order[1]].w - a).cross(corners[order[2]].w - a);
  const double inner = n.dot(corners[order[3]].w - a);
  const double origin = -n.dot(a);
  if (std::abs(inner) <= 1e-12 * n.norm() * (corners[order[3]].w - a).norm()) return true;
  return inner * origin <= 0.0;
}

constexpr std::array<std::array<std::size_t, 4>, 4> kFaces = {
    {{0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}}};

}  // namespace

Vector3 Simplex::nearest() const {
  Vector3 point = Vector3::Zero();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) point += weights[i] * corners[i].w;
  return point;
}

Vector3 Simplex::point_a() const {
  Vector3 point = Vector3::Zero();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) point += weights[i] * corners[i].a;
  return point;
}

Vector3 Simplex::point_b() const {
  Vector3 point = Vector3::Zero();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) point += weights[i] * corners[i].b;
  return point;
}

bool Simplex::has(const Vector3& w) const {
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    if (corners[i].w == w) return true;
  }
  return false;
}

bool Simplex::reduce() {
  Choice best;
  if (count == 1) {
    best = {.corner = {0}, .weight = {1.0}, .count = 1};
  } else if (count == 2) {
    best = on_edge(corners, 0, 1);
  } else if (count == 3) {
    best = on_triangle(corners, 0, 1, 2);
  } else {
    for (const auto& face : kFaces) {
      if (is_outside(corners, face)) keep_better(best, on_triangle(corners, face[0], face[1], face[2]));
    }
    if (best.count == 0) return false;
  }
  // corner indices rise, so that none is overwritten before it is moved
  for (std::size_t i = 0; i < static_cast<std::size_t>(best.count); ++i) {
    corners[i] = corners[best.corner[i]];
    weights[i] = best.weight[i];
  }
  count = best.count;
  return true;
}

}  // namespace sinew::collision
