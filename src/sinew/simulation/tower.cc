// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/tower.h"

#include <array>
#include <numbers>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double kDensity = 800.0;  // [kg/m^3]

const std::array<Eigen::Vector4d, kMostTowerDiscs>& disc_colours() {
  static const std::array<Eigen::Vector4d, kMostTowerDiscs> kColours{{{0.80, 0.20, 0.15, 1},
                                                                      {0.20, 0.60, 0.25, 1},
                                                                      {0.20, 0.35, 0.80, 1},
                                                                      {0.85, 0.65, 0.15, 1},
                                                                      {0.55, 0.30, 0.65, 1},
                                                                      {0.25, 0.60, 0.65, 1}}};
  return kColours;
}

SceneObject plate(std::size_t peg, const Vector3& place) {
  return {.name = fmt::format("peg_{}", peg + 1),
          .kind = ObjectKind::Box,
          .X_WO = {.position = place + Vector3(0, 0, 0.5 * kTowerPlateHeight)},
          .size = {kTowerPlateSide, kTowerPlateSide, kTowerPlateHeight},
          // grippers come nearer to it than any margin
          .is_known = false,
          .colour = {0.35, 0.3, 0.25, 1}};
}

}  // namespace

Status add_tower(const TowerOptions& options, Scene& scene) {
  if (options.discs < 1 || options.discs > kMostTowerDiscs)
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("a tower of {} discs cannot be: 1 to {}", options.discs, kMostTowerDiscs)};
  if (options.pegs.size() < 2)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("a tower needs 2 or more pegs, and has {}", options.pegs.size())};
  for (std::size_t peg = 0; peg < options.pegs.size(); ++peg)
    scene.objects.push_back(plate(peg, options.pegs[peg]));
  double level = options.pegs.front().z() + kTowerPlateHeight;
  for (int size = options.discs; size > 0; --size) {
    const double radius = tower_disc_radius(size);
    const Vector3 place(options.pegs.front().x(), options.pegs.front().y(), level + 0.5 * kTowerDiscHeight);
    scene.objects.push_back({.name = fmt::format("disc_{}", size),
                             .kind = ObjectKind::Cylinder,
                             .X_WO = {.position = place},
                             .size = {radius, kTowerDiscHeight, 0},
                             .is_free = true,
                             .mass = kDensity * std::numbers::pi * radius * radius * kTowerDiscHeight,
                             .colour = disc_colours()[static_cast<std::size_t>(size) - 1]});
    level += kTowerDiscHeight;
  }
  return Done{};
}

}  // namespace sinew
