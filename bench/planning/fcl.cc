// SPDX-License-Identifier: BSD-3-Clause
// Compiled for plain processors, as Debian's library is.
#include <utility>

#include "fcl_robot.h"

namespace sinew::bench {
namespace {

bool note_hit(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* is_hit) {
  if (!are_in_collision(*a, *b)) return false;
  *static_cast<bool*>(is_hit) = true;
  return true;
}

}  // namespace

struct FclChecker::Inside {
  explicit Inside(const PlanSetting& setting) : robot(setting) {}

  FclRobot robot;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  std::unique_ptr<fcl::DynamicAABBTreeCollisionManagerd> world;
};

FclChecker::FclChecker(const PlanSetting& setting) : inside_(std::make_unique<Inside>(setting)) {
  const auto& shapes = inside_->robot.shapes();
  for (std::size_t a = 0; a < shapes.size(); ++a) {
    for (std::size_t b = a + 1; b < shapes.size(); ++b) {
      if (!inside_->robot.is_ignored(shapes[a].link, shapes[b].link)) inside_->pairs.emplace_back(a, b);
    }
  }
}

FclChecker::~FclChecker() = default;

bool FclChecker::is_available() {
  return true;
}

void FclChecker::set_world(const Obstacles& world) {
  inside_->world = std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
  inside_->objects.clear();
  for (const Obstacle& object : world.objects()) {
    inside_->objects.push_back(fcl_object_of(object));
    inside_->world->registerObject(inside_->objects.back().get());
  }
  inside_->world->setup();
}

bool FclChecker::is_clear(std::span<const double> q) {
  inside_->robot.place(q);
  bool is_hit = false;
  for (FclRobot::LinkShape& shape : inside_->robot.shapes()) {
    inside_->world->collide(&shape.object, &is_hit, note_hit);
    if (is_hit) return false;
  }
  for (const auto& [a, b] : inside_->pairs) {
    fcl::CollisionObjectd& first = inside_->robot.shapes()[a].object;
    fcl::CollisionObjectd& second = inside_->robot.shapes()[b].object;
    if (first.getAABB().overlap(second.getAABB()) && note_hit(&first, &second, &is_hit)) return false;
  }
  return true;
}

}  // namespace sinew::bench
