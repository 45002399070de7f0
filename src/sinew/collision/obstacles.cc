// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/obstacles.h"

#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

Status check_pose(std::string_view name, const Pose& pose) {
  if (is_valid(pose)) return Done{};
  return Error{ErrorCode::InvalidInput,
               fmt::format("the pose of object '{}' has a number that is not finite or a quaternion not of "
                           "length 1; send a valid pose",
                           name)};
}

Status check_object(const Obstacle& object, std::string_view name) {
  if (Status fine = check_solid(object.solid); !fine) {
    return Error{fine.error().code, fmt::format("object '{}': {}", name, fine.error().message)};
  }
  if (!std::isfinite(object.margin) || object.margin < 0.0) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("object '{}' has a margin of {} m; it must be zero or more", name, object.margin)};
  }
  return check_pose(name, object.X_LO);
}

}  // namespace

std::size_t Obstacles::find(std::string_view name) const {
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (text_of(objects_[i].name) == name) return i;
  }
  return kNone;
}

Result<std::size_t> Obstacles::known(std::string_view name) const {
  const std::size_t at = find(name);
  if (at != kNone) return at;
  return Error{ErrorCode::NotFound,
               fmt::format("no object '{}' among the {} of the world; add it first", name, objects_.size())};
}

Result<std::size_t> Obstacles::add(const Obstacle& object) {
  const std::string_view name = text_of(object.name);
  if (name.empty()) return Error{ErrorCode::InvalidInput, "an object without a name; give it one"};
  if (find(name) != kNone) {
    return Error{
        ErrorCode::AlreadyExists,
        fmt::format("there is an object '{}' already; move or remove it, or use another name", name)};
  }
  if (Status fine = check_object(object, name); !fine) return fine.error();
  if (!objects_.try_push_back(object)) {
    return Error{ErrorCode::Full,
                 fmt::format("no room for object '{}': the world holds {} already, the most it "
                             "can; remove some",
                             name, kMaxObstacles)};
  }
  return objects_.size() - 1;
}

Status Obstacles::move(std::string_view name, const Pose& X_LO) {
  const auto at = known(name);
  if (!at) return at.error();
  if (Status fine = check_pose(name, X_LO); !fine) return fine;
  objects_[*at].X_LO = X_LO;
  return Done{};
}

Status Obstacles::remove(std::string_view name) {
  const auto at = known(name);
  if (!at) return at.error();
  for (std::size_t i = *at; i + 1 < objects_.size(); ++i) objects_[i] = objects_[i + 1];
  objects_.pop_back();
  // what others may touch is told by place
  for (Obstacle& object : objects_) {
    for (std::size_t i = *at; i + 1 < kMaxObstacles; ++i) {
      object.may_touch_objects[i] = object.may_touch_objects[i + 1];
    }
    object.may_touch_objects[kMaxObstacles - 1] = false;
  }
  return Done{};
}

Status Obstacles::attach(std::string_view name, std::size_t link, const Pose& X_LO,
                         const std::bitset<kMaxCheckedLinks>& may_touch) {
  const auto at = known(name);
  if (!at) return at.error();
  if (Status fine = check_pose(name, X_LO); !fine) return fine;
  if (link >= kMaxCheckedLinks) {
    return Error{ErrorCode::OutOfLimits, fmt::format("object '{}' cannot hang on link {}: links are 0 to {}",
                                                     name, link, kMaxCheckedLinks - 1)};
  }
  Obstacle& object = objects_[*at];
  object.link = link;
  object.X_LO = X_LO;
  object.may_touch = may_touch;
  return Done{};
}

Status Obstacles::detach(std::string_view name, const Pose& X_WO) {
  const auto at = known(name);
  if (!at) return at.error();
  if (Status fine = check_pose(name, X_WO); !fine) return fine;
  Obstacle& object = objects_[*at];
  object.link = kNone;
  object.X_LO = X_WO;
  object.may_touch.reset();
  object.may_touch_objects.reset();
  return Done{};
}

}  // namespace sinew
