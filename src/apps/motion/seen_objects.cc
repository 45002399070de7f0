// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/seen_objects.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"

namespace sinew {

SeenObjects::SeenObjects(std::string robot, std::string space)
    : robot_(std::move(robot)), space_(std::move(space)), frame_(std::make_unique<Frame<World>>()) {}

Status SeenObjects::look() {
  // a second time for a channel that was made anew since
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!reader_) {
      auto opened =
          Reader<World>::open({.name = robot_ + "/world_truth", .space = space_, .may_create = false});
      if (!opened) break;
      reader_ = *std::move(opened);
    }
    if (reader_->read_newest(*frame_) == SINEW_OK) return Done{};
    reader_.reset();
  }
  return Error{ErrorCode::NotFound,
               fmt::format("nobody tells where things are: there is nothing on the channel {}/world_truth; a "
                           "simulated world puts it, or a program that sees them",
                           robot_)};
}

Result<Pose> SeenObjects::find(std::string_view name) {
  if (const Status seen = look(); !seen) return seen.error();
  const World& world = frame_->message;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(world.object_count, kMaxObjects); ++i) {
    const WorldObject& object = world.objects[i];
    if (text_of(object.name) == name)
      return Pose{.rotation = Quaternion(object.qw, object.qx, object.qy, object.qz),
                  .position = {object.position[0], object.position[1], object.position[2]}};
    names.emplace_back(text_of(object.name));
  }
  return Error{ErrorCode::NotFound,
               fmt::format("there is no object '{}' in the world{}", name, did_you_mean(name, names))};
}

}  // namespace sinew
