// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sinew/picture/lights.h"
#include "sinew/picture/scene.h"

namespace sinew {
namespace picture {
namespace {

constexpr int kFine = 4;  // samples to a pixel along each side
constexpr int kSmallestSide = 16;
constexpr int kLargestSide = 4096;
const Vector3 kSkyAbove(0.80, 0.84, 0.89);  // sRGB, at the top of the picture
const Vector3 kSkyBelow(0.955, 0.96, 0.965);

// The largest of 1, 2, 5, 10 and so on that is no longer than `length`.
double round_length(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(length)));
  for (const double factor : {5.0, 2.0}) {
    if (factor * power <= length) return factor * power;
  }
  return power;
}

Camera camera_for(const Scene& scene, View view, int width, int height) {
  Camera camera(scene.ball, view, width, height);
  std::vector<Vector3> points;
  for (const std::vector<Facet>* facets : {&scene.robot, &scene.axes}) {
    for (const Facet& facet : *facets)
      points.insert(points.end(), facet.corners.begin(), facet.corners.end());
  }
  camera.frame(points);
  return camera;
}

// Everything that one picture needs, and the way from a sample to its colour.
class Painter {
 public:
  Painter(const Scene& scene, const PictureOptions& options)
      : scene_(scene),
        width_(options.width),
        height_(options.height),
        camera_(camera_for(scene, options.view, kFine * options.width, kFine * options.height)),
        robot_(seen(scene.robot)),
        axes_(seen(scene.axes)),
        lights_(scene.robot, scene.ball, camera_, std::max(options.width, options.height)),
        grid_step_(round_length(0.4 * scene.ball.radius)) {}

  Image paint() const {
    Image image{.width = width_, .height = height_, .bytes = {}};
    image.bytes.reserve(3 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        const Vector3 light = pixel(x, y);
        for (int i = 0; i < 3; ++i) {
          // every other shade is enough for the eye, and makes the file a quarter smaller
          const double value = 127.0 * srgb_from_linear(light[i]);
          image.bytes.push_back(static_cast<std::uint8_t>(2 * std::lround(value)));
        }
      }
    }
    return image;
  }

 private:
  Raster seen(const std::vector<Facet>& facets) const {
    Raster raster(kFine * width_, kFine * height_);
    for (std::size_t i = 0; i < facets.size(); ++i) {
      const auto& [a, b, c] = facets[i].corners;
      raster.draw({camera_.project(a), camera_.project(b), camera_.project(c)}, static_cast<std::int32_t>(i));
    }
    return raster;
  }

  // Samples of one pixel that see the same triangle share its colour.
  Vector3 pixel(int column, int row) const {
    Vector3 sum = Vector3::Zero();
    std::array<std::int32_t, kFine * kFine> known{};
    std::array<Vector3, kFine * kFine> colours;
    std::size_t known_count = 0;
    double ground_share = -1.0;
    const Vector3 sky = linear_from_srgb(kSkyAbove + (row + 0.5) / height_ * (kSkyBelow - kSkyAbove));
    for (int y = kFine * row; y < kFine * (row + 1); ++y) {
      for (int x = kFine * column; x < kFine * (column + 1); ++x) {
        const std::int32_t axis = axes_.triangle(x, y);
        const std::int32_t part = robot_.triangle(x, y);
        if (axis == Raster::kNothing && part == Raster::kNothing) {
          sum += background(x, y, sky, ground_share);
          continue;
        }
        // arrows are counted backwards, from -2
        const std::int32_t id = axis != Raster::kNothing ? -2 - axis : part;
        const auto end = known.begin() + static_cast<std::ptrdiff_t>(known_count);
        const auto found = static_cast<std::size_t>(std::find(known.begin(), end, id) - known.begin());
        if (found == known_count) {
          known[known_count] = id;
          colours[known_count++] = surface(id, x + 0.5, y + 0.5);
        }
        sum += colours[found];
      }
    }
    return sum / (kFine * kFine);
  }

  Vector3 surface(std::int32_t id, double x, double y) const {
    const bool is_axis = id < 0;
    const Facet& facet =
        is_axis ? scene_.axes[static_cast<std::size_t>(-2 - id)] : scene_.robot[static_cast<std::size_t>(id)];
    const Vector3 ray = camera_.ray(x, y);
    const auto& [a, b, c] = facet.corners;
    const Vector3 across = (b - a).cross(c - a);
    const double distance = (a - camera_.eye()).dot(across) / ray.dot(across);
    const Vector3 point = camera_.eye() + distance * ray;
    // how near each corner is
    const double v = (point - a).cross(c - a).dot(across) / across.squaredNorm();
    const double w = (b - a).cross(point - a).dot(across) / across.squaredNorm();
    Vector3 normal =
        ((1.0 - v - w) * facet.normals[0] + v * facet.normals[1] + w * facet.normals[2]).normalized();
    // meshes may be inside out
    if (normal.dot(ray) > 0.0) normal = -normal;
    if (is_axis) return facet.colour * (0.55 + 0.45 * std::max(0.0, normal.dot(lights_.towards_sun())));
    const Vector3 off = point + 0.004 * scene_.ball.radius * normal;
    const Vector3 light = lights_.arriving(off, normal);
    return facet.colour.cwiseProduct(light) + Vector3::Constant(shine(ray, normal, off));
  }

  // The sun's highlight, and the sky in surfaces seen from the side.
  double shine(const Vector3& ray, const Vector3& normal, const Vector3& point) const {
    const Vector3 half = (lights_.towards_sun() - ray).normalized();
    const double facing = std::max(0.0, normal.dot(half));
    const double highlight = facing > 0.8 && lights_.sees_sun(point) ? 0.16 * std::pow(facing, 48.0) : 0.0;
    return highlight + 0.05 * std::pow(1.0 - std::max(0.0, -normal.dot(ray)), 4.0);
  }

  // A studio: the ground runs into the sky; it shows by its shadows and its grid.
  Vector3 background(int x, int y, const Vector3& sky, double& share) const {
    const Vector3 ray = camera_.ray(x + 0.5, y + 0.5);
    if (ray.z() >= -1e-6) return sky;
    const Vector3 point = camera_.eye() + (scene_.ground - camera_.eye().z()) / ray.z() * ray;
    const double away = (point - scene_.ball.centre).head<2>().norm() / scene_.ball.radius;
    if (away > 4.0) return sky;
    if (share < 0.0) share = lights_.share_on_ground(point + 0.002 * scene_.ball.radius * Vector3::UnitZ());
    return sky * share * (1.0 - grid(point) * std::clamp((2.2 - away) / 1.4, 0.0, 1.0));
  }

  // How dark the grid is at a point.
  double grid(const Vector3& point) const {
    const double x = std::abs(point.x() - grid_step_ * std::round(point.x() / grid_step_));
    const double y = std::abs(point.y() - grid_step_ * std::round(point.y() / grid_step_));
    return std::min(x, y) < 0.0025 * scene_.ball.radius ? 0.14 : 0.0;
  }

  const Scene& scene_;
  int width_;
  int height_;
  Camera camera_;
  Raster robot_;
  Raster axes_;
  Lights lights_;
  double grid_step_;  // [m]
};

Status check_size(const PictureOptions& options) {
  for (const int side : {options.width, options.height}) {
    if (side >= kSmallestSide && side <= kLargestSide) continue;
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("a picture of {} x {} pixels: each side must be {} to {}", options.width,
                             options.height, kSmallestSide, kLargestSide)};
  }
  return Done{};
}

}  // namespace
}  // namespace picture

std::optional<View> view_named(std::string_view name) {
  if (name == "front") return View::Front;
  if (name == "side") return View::Side;
  if (name == "top") return View::Top;
  if (name == "iso") return View::Iso;
  return std::nullopt;
}

Result<RobotPicture> draw_robot(const RobotModel& model, std::span<const double> q,
                                const PictureOptions& options) {
  if (Status checked = picture::check_size(options); !checked) return checked.error();
  auto scene = picture::make_scene(model, q, options);
  if (!scene) return scene.error();
  Image image = picture::Painter(*scene, options).paint();
  return RobotPicture{.image = std::move(image), .remarks = std::move(scene->remarks)};
}

Result<PicturePlace> place_in_picture(const RobotModel& model, std::span<const double> q, const Vector3& p_WQ,
                                      const PictureOptions& options) {
  if (Status checked = picture::check_size(options); !checked) return checked.error();
  const auto scene = picture::make_scene(model, q, options);
  if (!scene) return scene.error();
  const picture::Camera camera = picture::camera_for(*scene, options.view, options.width, options.height);
  const picture::RasterPoint place = camera.project(p_WQ);
  return PicturePlace{.x = place.x, .y = place.y};
}

}  // namespace sinew
