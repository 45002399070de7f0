// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: what shines on the robot, and what stands in its way.

#include <vector>

#include "sinew/picture/camera.h"
#include "sinew/picture/solids.h"

namespace sinew::picture {

/// A sun with soft edges and a bright sky, both as many parallel lights, each with a map of how far it gets.
class Lights {
 public:
  /// The sun stands to the left of `camera` and behind it. `side` is the picture's longer side [pixels],
  /// which says how fine the maps must be.
  Lights(const std::vector<Facet>& facets, const Ball& ball, const Camera& camera, int side);

  /// Light on a surface at p_WQ that faces along `normal`: red, green and blue, about 1 where nothing is in
  /// the way.
  Vector3 arriving(const Vector3& p_WQ, const Vector3& normal) const;

  /// The share of light that a level ground at p_WQ gets of what it would without the robot, 0 to 1.
  double share_on_ground(const Vector3& p_WQ) const;

  /// Where the sun is, of unit length.
  const Vector3& towards_sun() const { return towards_sun_; }
  /// Whether the middle of the sun is seen from p_WQ.
  bool sees_sun(const Vector3& p_WQ) const;

 private:
  struct Light {
    Vector3 towards;  // of unit length
    Vector3 right;
    Vector3 up;
    Vector3 strength;  // red, green, blue
    Raster map;
  };

  void add(const Vector3& towards, const Vector3& strength, int map_size);
  void cast(const std::vector<Facet>& facets);
  RasterPoint project(const Light& light, const Vector3& p_WQ) const;
  double visibility(const Light& light, const Vector3& p_WQ) const;

  Ball ball_;
  Vector3 towards_sun_;
  std::vector<Light> lights_;
};

}  // namespace sinew::picture
