// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/off_screen.h"

#include <algorithm>
#include <memory>
#include <numbers>

#include <GL/osmesa.h>
#include <mujoco/mujoco.h>

namespace sinew {
namespace {

constexpr double kDegreePerRadian = 180.0 / std::numbers::pi;
constexpr int kMostShapes = 5000;

/// OpenGL into memory while it lives.
class OffScreen {
 public:
  OffScreen(int width, int height) : buffer_(static_cast<std::size_t>(width * height) * 4) {
    context_ = OSMesaCreateContextExt(GL_RGBA, 24, 8, 8, nullptr);
    is_current_ = context_ != nullptr &&
                  OSMesaMakeCurrent(context_, buffer_.data(), GL_UNSIGNED_BYTE, width, height) == GL_TRUE;
  }
  ~OffScreen() {
    if (context_ != nullptr) OSMesaDestroyContext(context_);
  }
  OffScreen(const OffScreen&) = delete;
  OffScreen& operator=(const OffScreen&) = delete;
  bool is_current() const { return is_current_; }

 private:
  std::vector<unsigned char> buffer_;
  OSMesaContext context_ = nullptr;
  bool is_current_ = false;
};

/// MuJoCo's scene and its textures, freed in order.
struct Drawing {
  mjvScene scene{};
  mjrContext context{};

  explicit Drawing(const mjModel& model) {
    mjv_defaultScene(&scene);
    mjr_defaultContext(&context);
    mjv_makeScene(&model, &scene, kMostShapes);
    mjr_makeContext(&model, &context, mjFONTSCALE_100);
    mjr_setBuffer(mjFB_OFFSCREEN, &context);
  }
  ~Drawing() {
    mjr_freeContext(&context);
    mjv_freeScene(&scene);
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;
};

mjvCamera camera_from(const Viewpoint& view) {
  mjvCamera camera{};
  mjv_defaultCamera(&camera);
  std::copy_n(view.target.data(), 3, camera.lookat);
  camera.distance = view.distance;
  camera.azimuth = view.azimuth * kDegreePerRadian;
  camera.elevation = view.elevation * kDegreePerRadian;
  return camera;
}

Picture picture_from(const mjrContext& context, int width, int height) {
  Picture picture{.width = width, .height = height};
  const auto row = static_cast<std::size_t>(width) * 3;
  std::vector<std::uint8_t> upside_down(row * static_cast<std::size_t>(height));
  mjr_readPixels(upside_down.data(), nullptr, {0, 0, width, height}, &context);
  for (int y = height - 1; y >= 0; --y) {
    const auto begin = upside_down.begin() + static_cast<std::ptrdiff_t>(row) * y;
    picture.pixels.insert(picture.pixels.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  return picture;
}

}  // namespace

Result<Picture> take_picture(const Physics& physics, const Viewpoint& view, int width, int height) {
  const OffScreen off_screen(width, height);
  if (!off_screen.is_current())
    return Error{ErrorCode::SystemFailure, "OpenGL without a screen cannot be had: is libosmesa6 installed?"};
  Drawing drawing(physics.model());
  mjvOption option{};
  mjv_defaultOption(&option);
  option.geomgroup[1] = view.shows_collisions ? 0 : 1;
  option.geomgroup[3] = view.shows_collisions ? 1 : 0;
  mjvCamera camera = camera_from(view);
  mjv_updateScene(&physics.model(), &physics.data(), &option, nullptr, &camera, mjCAT_ALL, &drawing.scene);
  mjr_render({0, 0, width, height}, &drawing.scene, &drawing.context);
  return picture_from(drawing.context, width, height);
}

Viewpoint view_of_all(const Physics& physics) {
  constexpr double kLargest = 5.0;  // [m] What is larger is ground
  const mjModel& model = physics.model();
  Vector3 lowest = Vector3::Constant(-0.2);
  Vector3 highest = Vector3::Constant(0.2);
  bool is_first = true;
  for (int i = 0; i < model.ngeom; ++i) {
    const double radius = model.geom_rbound[i];
    if (radius <= 0.0 || radius > kLargest) continue;
    const Eigen::Map<const Vector3> centre(physics.data().geom_xpos + 3 * i);
    const Vector3 low = centre - Vector3::Constant(radius);
    const Vector3 high = centre + Vector3::Constant(radius);
    lowest = is_first ? low : lowest.cwiseMin(low);
    highest = is_first ? high : highest.cwiseMax(high);
    is_first = false;
  }
  lowest.z() = std::max(lowest.z(), 0.0);
  return {.target = 0.5 * (lowest + highest), .distance = (highest - lowest).norm()};
}

}  // namespace sinew
