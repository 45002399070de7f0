// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/camera.h"

#include <algorithm>
#include <cmath>

namespace sinew::picture {
namespace {

constexpr double kHalfAngle = 0.22;  // [rad], of the narrower side: a long lens bends little
constexpr double kFilled = 0.86;     // of the picture's nearer sides

struct Outlook {
  Vector3 towards_eye;
  Vector3 up;
};

Outlook outlook_of(View view) {
  switch (view) {
    case View::Front:
      return {.towards_eye = {1.0, 0.0, 0.06}, .up = Vector3::UnitZ()};
    case View::Side:
      return {.towards_eye = {0.0, -1.0, 0.06}, .up = Vector3::UnitZ()};
    case View::Top:
      return {.towards_eye = Vector3::UnitZ(), .up = Vector3::UnitY()};
    case View::Iso:
      break;
  }
  return {.towards_eye = {0.82, -0.92, 0.55}, .up = Vector3::UnitZ()};
}

}  // namespace

Camera::Camera(const Ball& ball, View view, int raster_width, int raster_height)
    : width_(raster_width),
      height_(raster_height),
      centre_x_(raster_width / 2.0),
      centre_y_(raster_height / 2.0) {
  const Outlook outlook = outlook_of(view);
  forward_ = -outlook.towards_eye.normalized();
  right_ = forward_.cross(outlook.up).normalized();
  down_ = forward_.cross(right_);
  eye_ = ball.centre - forward_ * (ball.radius / std::sin(kHalfAngle));
  focal_ = std::min(raster_width, raster_height) / 2.0 / std::tan(kHalfAngle);
}

void Camera::frame(const std::vector<Vector3>& points) {
  if (points.empty()) return;
  RasterPoint low = project(points.front());
  RasterPoint high = low;
  for (const Vector3& point : points) {
    const RasterPoint at = project(point);
    low = {.x = std::min(low.x, at.x), .y = std::min(low.y, at.y)};
    high = {.x = std::max(high.x, at.x), .y = std::max(high.y, at.y)};
  }
  const double fit = std::min(width_ / (high.x - low.x), height_ / (high.y - low.y));
  const double zoom = std::isfinite(fit) ? kFilled * fit : 1.0;
  centre_x_ = width_ / 2.0 - zoom * ((low.x + high.x) / 2.0 - centre_x_);
  centre_y_ = height_ / 2.0 - zoom * ((low.y + high.y) / 2.0 - centre_y_);
  focal_ *= zoom;
}

Vector3 Camera::level_up() const {
  const Vector3 level(forward_.x(), forward_.y(), 0.0);
  return level.norm() > 1e-3 ? Vector3(level.normalized()) : Vector3(-down_);
}

RasterPoint Camera::project(const Vector3& p_WQ) const {
  const Vector3 offset = p_WQ - eye_;
  const double depth = offset.dot(forward_);
  return {.x = centre_x_ + focal_ * offset.dot(right_) / depth,
          .y = centre_y_ + focal_ * offset.dot(down_) / depth,
          .nearness = 1.0 / depth};
}

Vector3 Camera::ray(double x, double y) const {
  return (forward_ + (x - centre_x_) / focal_ * right_ + (y - centre_y_) / focal_ * down_).normalized();
}

}  // namespace sinew::picture
