// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/known_world.h"

#include <filesystem>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/schemas.h"
#include "sinew/motion/file_shape.h"
#include "sinew/motion/world_reader.h"
#include "sinew/simulation/object_message.h"

namespace sinew {
namespace {

// as motion makes the channel, whoever comes first
constexpr std::uint32_t kWorldsKept = 4;

/// Nothing: the guard understands it.
Status check_for_guard(WorldObject& object, const RobotModel& model) {
  if (object.kind == ObjectKind::Mesh || object.kind == ObjectKind::HeightField)
    if (const Status hashed = set_file_hash(object); !hashed) return hashed;
  const auto alone = std::make_unique<World>(World{.object_count = 1});
  alone->objects[0] = object;
  const auto read = read_world(*alone, model);
  return read ? Status(Done{}) : read.error();
}

}  // namespace

KnownWorld known_world(const Scene& scene, std::size_t robot) {
  KnownWorld known{.world = std::make_unique<World>()};
  const SceneRobot& self = scene.robots[robot];
  // a base that drives is nowhere for good
  if (self.is_free) return known;
  if (scene.has_floor) known.world->objects[known.world->object_count++] = floor_message(inverse(self.X_WB));
  for (SceneObject object : scene.objects) {
    if (object.is_free || !object.is_known) continue;
    std::error_code ignored;
    if (!object.file.empty()) object.file = std::filesystem::absolute(object.file, ignored).string();
    WorldObject message = message_of(object, inverse(self.X_WB) * object.X_WO);
    if (const Status checked = check_for_guard(message, self.model); !checked)
      known.remarks.push_back(fmt::format("the guard of {} is not told of '{}': {}", self.name, object.name,
                                          checked.error().message));
    else if (known.world->object_count == kMaxObjects)
      known.remarks.push_back(fmt::format("the guard of {} is not told of '{}': it knows {} things already",
                                          self.name, object.name, kMaxObjects));
    else
      known.world->objects[known.world->object_count++] = message;
  }
  return known;
}

Result<std::vector<std::string>> tell_known_world(const Scene& scene, std::size_t robot,
                                                  const std::string& space) {
  KnownWorld known = known_world(scene, robot);
  if (known.world->object_count == 0) return known.remarks;
  const ChannelPlace place{.name = scene.robots[robot].name + "/world",
                           .space = space,
                           .sender = "simulator",
                           .depth = kWorldsKept};
  auto before = Reader<World>::open(place);
  if (!before) return before.error();
  const auto told = std::make_unique<Frame<World>>();
  if (before->read_newest(*told) == SINEW_OK) return known.remarks;
  auto writer = Writer<World>::open(place);
  if (!writer) return writer.error();
  known.world->stamp_ns = monotonic_now_ns();
  if (writer->put(*known.world) != SINEW_OK)
    return Error{ErrorCode::NotFound, fmt::format("nobody takes a world on the channel '{}'", place.name)};
  return known.remarks;
}

}  // namespace sinew
