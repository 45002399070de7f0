// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/solids.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew::picture {
namespace {

constexpr int kSides = 48;       // of what is round
constexpr int kRings = 24;       // of a sphere, from pole to pole
constexpr double kCrease = 0.8;  // cosine of the angle beyond which a mesh has an edge

// Puts corners in G into the world.
class Builder {
 public:
  Builder(const Pose& X_WG, const Vector3& colour, std::vector<Facet>& facets)
      : X_WG_(X_WG), R_WG_(X_WG.rotation.toRotationMatrix()), colour_(colour), facets_(facets) {}

  void triangle(const std::array<Vector3, 3>& corners, const std::array<Vector3, 3>& normals) {
    Facet facet;
    for (std::size_t i = 0; i < 3; ++i) {
      facet.corners[i] = X_WG_.position + R_WG_ * corners[i];
      facet.normals[i] = R_WG_ * normals[i];
    }
    facet.colour = colour_;
    facets_.push_back(facet);
  }

  void quad(const std::array<Vector3, 4>& c, const std::array<Vector3, 4>& n) {
    triangle({c[0], c[1], c[2]}, {n[0], n[1], n[2]});
    triangle({c[0], c[2], c[3]}, {n[0], n[2], n[3]});
  }

 private:
  Pose X_WG_;
  Matrix3 R_WG_;
  Vector3 colour_;
  std::vector<Facet>& facets_;
};

Vector3 on_circle(int side) {
  const double angle = 2.0 * std::numbers::pi * side / kSides;
  return {std::cos(angle), std::sin(angle), 0.0};
}

void add_box(const Vector3& half, Builder& builder) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      Vector3 out = Vector3::Zero();
      out[axis] = sign;
      Vector3 u = Vector3::Zero();
      Vector3 v = Vector3::Zero();
      u[(axis + 1) % 3] = sign;
      v[(axis + 2) % 3] = 1.0;
      const auto corner = [&](double a, double b) -> Vector3 {
        return (out + a * u + b * v).cwiseProduct(half);
      };
      builder.quad({corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}, {out, out, out, out});
    }
  }
}

void add_sphere(double radius, Builder& builder) {
  const auto point = [](int ring, int side) -> Vector3 {
    const double latitude = std::numbers::pi * ring / kRings;
    Vector3 p = std::sin(latitude) * on_circle(side);
    p.z() = std::cos(latitude);
    return p;
  };
  for (int ring = 0; ring < kRings; ++ring) {
    for (int side = 0; side < kSides; ++side) {
      const std::array<Vector3, 4> n{point(ring, side), point(ring + 1, side), point(ring + 1, side + 1),
                                     point(ring, side + 1)};
      builder.quad({radius * n[0], radius * n[1], radius * n[2], radius * n[3]}, n);
    }
  }
}

// A frustum from (r0, z0) up to (r1, z1), closed at both ends.
void add_frustum(double r0, double z0, double r1, double z1, Builder& builder) {
  const Vector3 up = Vector3::UnitZ();
  for (int side = 0; side < kSides; ++side) {
    const Vector3 a = on_circle(side);
    const Vector3 b = on_circle(side + 1);
    // across the slope
    const Vector3 na = ((z1 - z0) * a + (r0 - r1) * up).normalized();
    const Vector3 nb = ((z1 - z0) * b + (r0 - r1) * up).normalized();
    builder.quad({r0 * a + z0 * up, r0 * b + z0 * up, r1 * b + z1 * up, r1 * a + z1 * up}, {na, nb, nb, na});
    if (r1 > 0.0) builder.triangle({z1 * up, r1 * a + z1 * up, r1 * b + z1 * up}, {up, up, up});
    if (r0 > 0.0) builder.triangle({z0 * up, r0 * b + z0 * up, r0 * a + z0 * up}, {-up, -up, -up});
  }
}

// Normals are smoothed across edges that are not sharp.
void add_mesh(const TriangleMesh& mesh, Builder& builder) {
  std::vector<Vector3> flat(mesh.triangles.size());
  std::vector<std::vector<std::uint32_t>> around(mesh.vertices.size());
  for (std::size_t t = 0; t < flat.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    flat[t] = (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]);
    for (const std::uint32_t v : mesh.triangles[t]) around[v].push_back(static_cast<std::uint32_t>(t));
  }
  for (std::size_t t = 0; t < flat.size(); ++t) {
    const Vector3 own = flat[t].normalized();
    std::array<Vector3, 3> corners;
    std::array<Vector3, 3> normals;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t v = mesh.triangles[t][i];
      Vector3 sum = Vector3::Zero();
      for (const std::uint32_t other : around[v]) {
        if (flat[other].dot(own) >= kCrease * flat[other].norm()) sum += flat[other];
      }
      corners[i] = mesh.vertices[v];
      normals[i] = sum.squaredNorm() > 0.0 ? Vector3(sum.normalized()) : own;
    }
    builder.triangle(corners, normals);
  }
}

}  // namespace

Vector3 linear_from_srgb(const Vector3& colour) {
  return colour.unaryExpr([](double c) {
    c = std::clamp(c, 0.0, 1.0);
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  });
}

double srgb_from_linear(double light) {
  light = std::clamp(light, 0.0, 1.0);
  return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1.0 / 2.4) - 0.055;
}

Status add_shape(const Shape& shape, const Pose& X_WG, const Vector3& colour, const RobotFiles& files,
                 std::vector<Facet>& facets) {
  Builder builder(X_WG, colour, facets);
  switch (shape.kind) {
    case ShapeKind::Box:
      add_box(shape.half_extents, builder);
      return Done{};
    case ShapeKind::Sphere:
      add_sphere(shape.radius, builder);
      return Done{};
    case ShapeKind::Cylinder:
      add_frustum(shape.radius, -shape.length / 2.0, shape.radius, shape.length / 2.0, builder);
      return Done{};
    case ShapeKind::Mesh:
      break;
  }
  const auto mesh = read_mesh(shape.mesh_path, shape.mesh_scale, files);
  if (!mesh) return mesh.error();
  add_mesh(*mesh, builder);
  return Done{};
}

void add_arrow(const Pose& X_WG, double length, const Vector3& colour, std::vector<Facet>& facets) {
  Builder builder(X_WG, colour, facets);
  add_frustum(0.045 * length, 0.0, 0.045 * length, 0.75 * length, builder);
  add_frustum(0.12 * length, 0.75 * length, 0.0, length, builder);
}

}  // namespace sinew::picture
