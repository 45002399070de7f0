// SPDX-License-Identifier: BSD-3-Clause
// Compiled for plain processors, as Debian's library is.
#include "path_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

#include "fcl_robot.h"

namespace sinew::bench {
namespace {

constexpr double kStep = 1e-3;  // [m] what nothing may move by between two looks
/// [rad, m] Parts of an edge whose chords are as long as their arcs.
constexpr double kPart = 0.05;
constexpr double kFar = std::numeric_limits<double>::infinity();

using Box = fcl::AABBd;

double gap(const Box& a, const Box& b) {
  const Vector3 apart = (a.min_ - b.max_).cwiseMax(b.min_ - a.max_).cwiseMax(0.0);
  return apart.norm();
}

// From a point to the surface of a solid; negative inside. Nothing for solids that are none of these.
double distance_to(const Solid& solid, const Pose& X_OW, const Vector3& p_W) {
  const Vector3 p = X_OW * p_W;
  Vector3 beyond;
  if (solid.kind == SolidKind::Sphere) return p.norm() - solid.rounding;
  if (solid.kind == SolidKind::Cylinder) {
    beyond = {std::hypot(p.x(), p.y()) - solid.half.x(), std::abs(p.z()) - solid.half.z(), -kFar};
  } else {
    beyond = p.cwiseAbs() - solid.half;
  }
  return beyond.maxCoeff() > 0.0 ? beyond.cwiseMax(0.0).norm() : beyond.maxCoeff();
}

/// How much room there is at least, and between what.
struct Room {
  double distance = kFar;  // [m] below zero: none
  std::size_t link_a = kNone;
  std::size_t link_b = kNone;
  std::size_t object = kNone;
};

// Boxes that overlap say nothing.
bool is_beyond(double gap, const Room& room) {
  return gap > 0.0 && gap >= room.distance;
}

}  // namespace

struct PathCheck::Inside {
  explicit Inside(const PlanSetting& setting) : robot(setting) {}

  struct Thing {
    Obstacle obstacle;
    Pose X_OW;
    std::unique_ptr<fcl::CollisionObjectd> object;
  };
  /// A link with shapes, from one of them to before another.
  struct LinkRange {
    std::size_t link = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    Box box;
  };

  FclRobot robot;
  std::vector<LinkRange> links;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // of links that may not touch
  std::vector<Thing> things;

  void place(std::span<const double> q);
  double distance(const FclRobot::LinkShape& shape, const Thing& thing) const;
  double distance(const FclRobot::LinkShape& a, const FclRobot::LinkShape& b) const;
  void look_at_world(Room& room);
  void look_at_links(Room& room);
  Room room_at(std::span<const double> q);
  double travel(std::span<const double> from, std::span<const double> to);
  std::string text_of_hit(const Room& room) const;
};

void PathCheck::Inside::place(std::span<const double> q) {
  robot.place(q);
  for (LinkRange& range : links) {
    range.box = robot.shapes()[range.begin].object.getAABB();
    for (std::size_t i = range.begin + 1; i < range.end; ++i) range.box += robot.shapes()[i].object.getAABB();
  }
}

// At least; below zero only in collision.
double PathCheck::Inside::distance(const FclRobot::LinkShape& shape, const Thing& thing) const {
  if (shape.radius > 0.0) {
    return distance_to(thing.obstacle.solid, thing.X_OW, shape.object.getTranslation()) - shape.radius;
  }
  const double apart = gap(shape.object.getAABB(), thing.object->getAABB());
  if (apart > 0.0) return apart;
  return are_in_collision(shape.object, *thing.object) ? -1.0 : 0.0;
}

double PathCheck::Inside::distance(const FclRobot::LinkShape& a, const FclRobot::LinkShape& b) const {
  if (a.radius > 0.0 && b.radius > 0.0)
    return (a.object.getTranslation() - b.object.getTranslation()).norm() - a.radius - b.radius;
  const double apart = gap(a.object.getAABB(), b.object.getAABB());
  if (apart > 0.0) return apart;
  return are_in_collision(a.object, b.object) ? -1.0 : 0.0;
}

void PathCheck::Inside::look_at_world(Room& room) {
  for (const LinkRange& range : links) {
    for (std::size_t k = 0; k < things.size(); ++k) {
      if (is_beyond(gap(range.box, things[k].object->getAABB()), room)) continue;
      for (std::size_t i = range.begin; i < range.end && room.distance >= 0.0; ++i) {
        const double apart = distance(robot.shapes()[i], things[k]);
        if (apart < room.distance) room = {.distance = apart, .link_a = range.link, .object = k};
      }
    }
  }
}

void PathCheck::Inside::look_at_links(Room& room) {
  for (const auto& [a, b] : pairs) {
    if (is_beyond(gap(links[a].box, links[b].box), room)) continue;
    for (std::size_t i = links[a].begin; i < links[a].end && room.distance >= 0.0; ++i) {
      const FclRobot::LinkShape& first = robot.shapes()[i];
      if (is_beyond(gap(first.object.getAABB(), links[b].box), room)) continue;
      for (std::size_t k = links[b].begin; k < links[b].end; ++k) {
        const double apart = distance(first, robot.shapes()[k]);
        if (apart < room.distance)
          room = {.distance = apart, .link_a = links[a].link, .link_b = links[b].link};
      }
    }
  }
}

Room PathCheck::Inside::room_at(std::span<const double> q) {
  place(q);
  Room room;
  look_at_world(room);
  if (room.distance >= 0.0) look_at_links(room);
  return room;
}

// How far any corner of a shape moves at most [m].
double PathCheck::Inside::travel(std::span<const double> from, std::span<const double> to) {
  robot.place(from);
  std::vector<fcl::Transform3d> before;
  for (const LinkRange& range : links) before.push_back(robot.X_WL(range.link));
  robot.place(to);
  double most = 0.0;
  for (std::size_t l = 0; l < links.size(); ++l) {
    for (std::size_t i = links[l].begin; i < links[l].end; ++i) {
      const Box& box = robot.shapes()[i].object.collisionGeometry()->aabb_local;
      for (int corner = 0; corner < 8; ++corner) {
        const Vector3 p_L = robot.shapes()[i].X_LG * Vector3((corner & 1) != 0 ? box.max_.x() : box.min_.x(),
                                                             (corner & 2) != 0 ? box.max_.y() : box.min_.y(),
                                                             (corner & 4) != 0 ? box.max_.z() : box.min_.z());
        most = std::max(most, (robot.X_WL(links[l].link) * p_L - before[l] * p_L).norm());
      }
    }
  }
  return most;
}

std::string PathCheck::Inside::text_of_hit(const Room& room) const {
  const auto& names = robot.setting().model->links;
  const std::string other = room.object != kNone
                                ? fmt::format("'{}'", text_of(things[room.object].obstacle.name))
                                : fmt::format("link '{}'", names[room.link_b].name);
  return fmt::format("link '{}' and {}", names[room.link_a].name, other);
}

PathCheck::PathCheck(const PlanSetting& setting) : inside_(std::make_unique<Inside>(setting)) {
  const auto& shapes = inside_->robot.shapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (i == 0 || shapes[i].link != shapes[i - 1].link)
      inside_->links.push_back({.link = shapes[i].link, .begin = i});
    inside_->links.back().end = i + 1;
  }
  for (std::size_t a = 0; a < inside_->links.size(); ++a) {
    for (std::size_t b = a + 1; b < inside_->links.size(); ++b) {
      if (!inside_->robot.is_ignored(inside_->links[a].link, inside_->links[b].link))
        inside_->pairs.emplace_back(a, b);
    }
  }
}

PathCheck::~PathCheck() = default;

void PathCheck::set_world(const Obstacles& world) {
  inside_->things.clear();
  for (const Obstacle& object : world.objects()) {
    Inside::Thing thing{.obstacle = object, .X_OW = inverse(object.X_LO), .object = fcl_object_of(object)};
    thing.object->computeAABB();
    inside_->things.push_back(std::move(thing));
  }
}

bool PathCheck::is_clear(std::span<const double> q) {
  return inside_->room_at(q).distance >= 0.0;
}

std::string PathCheck::first_hit(const Corners& path) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const auto at = [&](double share) {
      std::vector<double> q(path[i].size());
      for (std::size_t j = 0; j < q.size(); ++j) q[j] = path[i][j] + share * (path[i + 1][j] - path[i][j]);
      return q;
    };
    double most = 0.0;
    for (std::size_t j = 0; j < path[i].size(); ++j)
      most = std::max(most, std::abs(path[i + 1][j] - path[i][j]));
    const int parts = std::max(1, static_cast<int>(std::ceil(most / kPart)));
    double part = 0.0;
    for (int k = 0; k < parts; ++k)
      part = std::max(part, inside_->travel(at(double(k) / parts), at(double(k + 1) / parts)));
    const int count = parts * std::max(1, static_cast<int>(std::ceil(part / kStep)));
    for (int k = 0; k <= count;) {
      const Room room = inside_->room_at(at(double(k) / count));
      if (room.distance < 0.0)
        return fmt::format("{} at {:.0f} % of edge {}", inside_->text_of_hit(room), 100.0 * k / count, i + 1);
      // both may move towards each other; the last look is at the corner
      const int clear = static_cast<int>(std::min(1e6, room.distance / (2.0 * kStep)));
      k = k < count ? std::min(count, k + std::max(1, clear)) : count + 1;
    }
  }
  return {};
}

}  // namespace sinew::bench
