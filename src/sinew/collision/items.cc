// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/items.h"

#include <algorithm>
#include <cmath>

#include "sinew/collision/standing.h"
#include "sinew/model/positions.h"

namespace sinew::collision {

bool is_finite(std::span<const double> q) {
  return std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); });
}

Items::Items(const RobotShapes& robot)
    : shapes(&robot),
      first_object((robot.bodies().size() + 7) / 8 * 8),
      items(first_object + kMaxObstacles),
      X_RL_home(robot.tree().link_count()),
      may_stand_on(robot.tree().link_count()) {
  robot.tree().link_frames(starting_positions(robot.model()), X_RL_home);
  for (std::size_t i = 0; i < robot.bodies().size(); ++i) {
    const Body& body = robot.bodies()[i];
    items[i] = {.solid = &body.solid, .X_LS = body.X_LS, .ball = body.ball, .link = body.link};
  }
  item_count = first_object;
}

void Items::set_world(const Obstacles& new_world) {
  world = new_world;
  largest_margin = shapes->largest_margin();
  for (std::size_t i = 0; i < world.size(); ++i) {
    const Obstacle& object = world[i];
    Item& item = items[first_object + i];
    item.solid = &object.solid;
    item.X_LS = Placement(object.X_LO);
    item.ball = ball_around(object.solid);
    item.ball.centre = item.X_LS * item.ball.centre;
    item.link = std::min(object.link, nowhere());
    item.object = i;
    largest_margin = std::max(largest_margin, object.margin);
    find_stands(i);
  }
  item_count = first_object + world.size();
}

void Items::find_stands(std::size_t object) {
  for (std::size_t link = 0; link < may_stand_on.size(); ++link)
    may_stand_on[link][object] =
        is_ground(world[object]) && stands_on(*shapes, X_RL_home, link, world[object]);
}

bool Items::is_checked(const Item& a, const Item& b) const {
  if (a.object == kNone && b.object == kNone) return shapes->may_collide(a.link, b.link);
  if (a.object == kNone) {
    const Obstacle& object = world[b.object];
    const bool may_stand = a.link != nowhere() && may_stand_on[a.link][b.object];
    return a.link != b.link && !object.may_touch[a.link] && !may_stand;
  }
  if (a.link == b.link && a.link != nowhere()) return false;
  const bool is_carried = a.link != nowhere() || b.link != nowhere();
  return is_carried && !world[a.object].may_touch_objects[b.object] &&
         !world[b.object].may_touch_objects[a.object];
}

double Items::margin_of(const Item& a, const Item& b) const {
  if (a.object == kNone && b.object == kNone) return shapes->margin(a.link, b.link);
  double margin = shapes->margin();
  if (a.object != kNone) margin = std::max(margin, world[a.object].margin);
  if (b.object != kNone) margin = std::max(margin, world[b.object].margin);
  return margin;
}

Contact Items::contact(const Item& a, const Item& b, const Separation& gap) const {
  return {.link_a = a.link == nowhere() ? kNone : a.link,
          .link_b = b.link == nowhere() ? kNone : b.link,
          .object_a = a.object,
          .object_b = b.object,
          .distance = gap.distance,
          .margin = margin_of(a, b),
          .point_a = gap.point_a,
          .point_b = gap.point_b};
}

}  // namespace sinew::collision
