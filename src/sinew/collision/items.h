// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bitset>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/collision/collision_checker.h"

/// What is checked against what. Inside this room only.
namespace sinew::collision {

/// A body of the robot or an object of the world.
struct Item {
  const Solid* solid = nullptr;  // null: no item
  Placement X_LS;
  BoundingBall ball;           // in L
  std::size_t link = 0;        // link_count(): the world
  std::size_t object = kNone;  // into the world
};

/// The bodies of a robot and the objects around it; sized once.
struct Items {
  explicit Items(const RobotShapes& robot);

  void set_world(const Obstacles& new_world);
  bool is_checked(const Item& a, const Item& b) const;
  double margin_of(const Item& a, const Item& b) const;
  Contact contact(const Item& a, const Item& b, const Separation& gap) const;
  std::size_t nowhere() const { return shapes->tree().link_count(); }
  void find_stands(std::size_t object);

  const RobotShapes* shapes;
  Obstacles world;
  std::size_t first_object;  // robot's bodies before, objects from here on
  std::size_t item_count = 0;
  double largest_margin = 0.0;
  std::vector<Item> items;
  std::vector<Placement> X_RL_home;                      // of the links, in the posture home
  std::vector<std::bitset<kMaxObstacles>> may_stand_on;  // per link: the grounds that it may touch
};

/// A way is halved at most this often.
inline constexpr int kMostHalvings = 16;
/// [m] Two distances after this much motion can be told apart: 500 times their error.
inline constexpr double kTellingWay = 500.0 * kDistanceError;

bool is_finite(std::span<const double> q);

}  // namespace sinew::collision
