// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: where the picture is taken from.

#include <vector>

#include "sinew/picture/picture.h"
#include "sinew/picture/raster.h"
#include "sinew/spatial/pose.h"

namespace sinew::picture {

/// A ball that holds all that is to be seen.
struct Ball {
  Vector3 centre = Vector3::Zero();  ///< [m]
  double radius = 1.0;               ///< [m]
};

/// A camera in perspective.
class Camera {
 public:
  /// Looks at `ball` so that all of it is in the picture.
  Camera(const Ball& ball, View view, int raster_width, int raster_height);

  /// Shifts and zooms so that these points fill the raster but for a margin.
  void frame(const std::vector<Vector3>& points);

  RasterPoint project(const Vector3& p_WQ) const;

  /// Direction of unit length through a place on the raster.
  Vector3 ray(double x, double y) const;

  const Vector3& eye() const { return eye_; }
  /// Along the raster's rows, and towards its top as far as it is level, or so for a camera that looks down.
  const Vector3& right() const { return right_; }
  Vector3 level_up() const;

 private:
  Vector3 eye_;
  Vector3 right_;
  Vector3 down_;
  Vector3 forward_;
  double focal_ = 1.0;  // [cells]
  double width_ = 0.0;
  double height_ = 0.0;
  double centre_x_ = 0.0;
  double centre_y_ = 0.0;
};

}  // namespace sinew::picture
