// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/lights.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::picture {
namespace {

constexpr int kSuns = 24;
constexpr double kSunRadius = 0.075;  // [rad]: large, so that shadows are soft
constexpr int kSkyLights = 64;
constexpr int kSunMap = 640;  // [cells] along a side, at most
constexpr int kSkyMap = 256;
constexpr double kGoldenAngle = 2.399963229728653;  // [rad]

// Light that comes from all sides however much stands in the way.
const Vector3 kEverywhere(0.055, 0.057, 0.062);

}  // namespace

Lights::Lights(const std::vector<Facet>& facets, const Ball& ball, const Camera& camera, int side)
    : ball_(ball),
      towards_sun_((Vector3::UnitZ() - 0.62 * camera.right() - 0.42 * camera.level_up()).normalized()) {
  lights_.reserve(kSuns + kSkyLights);
  const Vector3 level = towards_sun_.cross(Vector3::UnitZ()).normalized();
  const Vector3 other = towards_sun_.cross(level);
  for (int i = 0; i < kSuns; ++i) {
    // even over a disc; the first is in its middle
    const double radius = kSunRadius * std::sqrt(static_cast<double>(i) / kSuns);
    const double angle = kGoldenAngle * i;
    add((towards_sun_ + radius * (std::cos(angle) * level + std::sin(angle) * other)).normalized(),
        Vector3(0.86, 0.83, 0.78) / kSuns, std::min(side, kSunMap));
  }
  for (int i = 0; i < kSkyLights; ++i) {
    // even over the upper half and a little below, so that undersides are not black
    const double z = -0.25 + 1.25 * (i + 0.5) / kSkyLights;
    const double across = std::sqrt(std::max(0.0, 1.0 - z * z));
    const double angle = kGoldenAngle * i;
    const double brightness = z > 0.0 ? 0.75 + 0.25 * z : 0.35;
    add({across * std::cos(angle), across * std::sin(angle), z},
        brightness * 1.55 / kSkyLights * Vector3(0.92, 0.97, 1.05), std::min(side, kSkyMap));
  }
  cast(facets);
}

void Lights::add(const Vector3& towards, const Vector3& strength, int map_size) {
  const Vector3 across = std::abs(towards.z()) < 0.9 ? Vector3::UnitZ() : Vector3::UnitX();
  const Vector3 right = towards.cross(across).normalized();
  lights_.push_back({.towards = towards,
                     .right = right,
                     .up = towards.cross(right),
                     .strength = strength,
                     .map = Raster(map_size, map_size)});
}

RasterPoint Lights::project(const Light& light, const Vector3& p_WQ) const {
  const Vector3 offset = p_WQ - ball_.centre;
  const double half = light.map.width() / 2.0;
  const double cells = half / ball_.radius;  // a metre in cells
  return {.x = half + cells * offset.dot(light.right),
          .y = half + cells * offset.dot(light.up),
          .nearness = offset.dot(light.towards)};
}

void Lights::cast(const std::vector<Facet>& facets) {
  for (Light& light : lights_) {
    for (std::size_t i = 0; i < facets.size(); ++i) {
      const auto& [a, b, c] = facets[i].corners;
      light.map.draw({project(light, a), project(light, b), project(light, c)}, static_cast<std::int32_t>(i));
    }
  }
}

// Four cells around the place, weighed by how near they are.
double Lights::visibility(const Light& light, const Vector3& p_WQ) const {
  const RasterPoint at = project(light, p_WQ);
  const double x = at.x - 0.5;
  const double y = at.y - 0.5;
  const int size = light.map.width();
  if (!(x >= 0.0 && y >= 0.0 && x < size - 1.0 && y < size - 1.0)) return 1.0;
  const int column = static_cast<int>(x);
  const int row = static_cast<int>(y);
  const double dx = x - column;
  const double dy = y - row;
  const double slack = 3.0 * ball_.radius / size;
  const auto lit = [&](int c, int r) { return light.map.nearness(c, r) <= at.nearness + slack ? 1.0 : 0.0; };
  return (1.0 - dy) * ((1.0 - dx) * lit(column, row) + dx * lit(column + 1, row)) +
         dy * ((1.0 - dx) * lit(column, row + 1) + dx * lit(column + 1, row + 1));
}

Vector3 Lights::arriving(const Vector3& p_WQ, const Vector3& normal) const {
  Vector3 sum = kEverywhere;
  for (const Light& light : lights_) {
    const double slant = normal.dot(light.towards);
    if (slant > 0.0) sum += slant * visibility(light, p_WQ) * light.strength;
  }
  return sum;
}

double Lights::share_on_ground(const Vector3& p_WQ) const {
  double seen = 0.0;
  double all = 0.0;
  for (const Light& light : lights_) {
    const double strength = light.towards.z() * light.strength.y();
    if (strength <= 0.0) continue;
    all += strength;
    seen += strength * visibility(light, p_WQ);
  }
  // faint shade far from the robot is left out: it shows nothing
  return std::min(1.0, seen / (0.94 * all));
}

bool Lights::sees_sun(const Vector3& p_WQ) const {
  return visibility(lights_.front(), p_WQ) > 0.5;
}

}  // namespace sinew::picture
