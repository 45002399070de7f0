// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sinew/collision/collision_checker.h"
#include "sinew/model/load_robot.h"

/// Random solids, worlds and configurations for tests and benchmarks; the same for the same seed.
namespace sinew::draws {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  // std::uniform_real_distribution is not the same everywhere
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1.0p-53);
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }

 private:
  std::mt19937_64 engine_;
};

inline Vector3 vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

inline Pose pose(Random& random, double size) {
  Vector3 turn = vector(random, 3.1);
  // also the aligned ones, where edges and faces are parallel
  if (random.below(8) == 0)
    turn = Vector3(0.0, 0.0, 1.5707963267948966 * static_cast<double>(random.below(4)));
  return {.rotation = quaternion_from_rotation_vector(turn), .position = vector(random, size)};
}

inline Solid primitive(Random& random) {
  const auto size = [&] { return random.uniform(0.02, 0.4); };
  switch (random.below(4)) {
    case 0:
      return make_sphere(size());
    case 1:
      return make_capsule(size(), size());
    case 2:
      return make_box({size(), size(), size()});
    default:
      return make_cylinder(size(), size());
  }
}

/// Corners and triangles.
struct Triangles {
  std::vector<Vector3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// A ring around z with a hole in its middle: closed, and far from convex. `parts` around and across.
inline Triangles ring(double radius, double thickness, std::uint32_t parts) {
  constexpr double kTurn = 6.283185307179586;
  Triangles ring;
  for (std::uint32_t i = 0; i < parts; ++i) {
    for (std::uint32_t j = 0; j < parts; ++j) {
      const double around = kTurn * i / parts;
      const double across = kTurn * j / parts;
      const double out = radius + thickness * std::cos(across);
      ring.vertices.emplace_back(out * std::cos(around), out * std::sin(around),
                                 thickness * std::sin(across));
      const std::uint32_t a = i * parts + j;
      const std::uint32_t b = (i + 1) % parts * parts + j;
      const std::uint32_t c = (i + 1) % parts * parts + (j + 1) % parts;
      const std::uint32_t d = i * parts + (j + 1) % parts;
      ring.triangles.push_back({a, b, c});
      ring.triangles.push_back({a, c, d});
    }
  }
  return ring;
}

/// `count` boxes, with a few other shapes when `is_mixed`, in a shell around the robot's middle.
inline Obstacles world(Random& random, std::size_t count, bool is_mixed = false, double size = 1.0) {
  Obstacles all;
  while (all.size() < count) {
    Obstacle object;
    set_text(object.name, "object " + std::to_string(all.size()));
    object.X_LO = pose(random, size);
    object.X_LO.position.z() += 0.4 * size;
    object.solid = make_box(Vector3::Constant(0.03) + 0.05 * (Vector3::Ones() + vector(random, 1.0)));
    if (is_mixed) object.solid = primitive(random), object.solid.half *= 0.3, object.solid.rounding *= 0.3;
    if (object.X_LO.position.head<2>().norm() > 0.35 * size) (void)all.add(object);
  }
  return all;
}

/// Within limits; a turn either way where there are none.
inline std::vector<double> configuration(Random& random, const RobotModel& model) {
  std::vector<double> q;
  for (const std::size_t joint : model.positions) {
    const JointLimits& limits = model.joints[joint].limits;
    q.push_back(random.uniform(std::max(limits.lower, -3.14159), std::min(limits.upper, 3.14159)));
  }
  return q;
}

/// The posture "home"; zero where it does not say.
inline std::vector<double> home(const RobotModel& model) {
  std::vector<double> q(model.positions.size(), 0.0);
  for (const NamedPosture& posture : model.postures) {
    if (posture.name != "home") continue;
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] = std::isfinite(posture.positions[i]) ? posture.positions[i] : 0.0;
  }
  return q;
}

inline RobotModel robot(const std::string& name) {
  auto loaded = load_robot(name);
  SINEW_ASSERT(loaded.has_value());
  return std::move(loaded->model);
}

}  // namespace sinew::draws
