// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/standing.h"

#include <algorithm>

#include "sinew/model/positions.h"

namespace sinew {
namespace {

constexpr std::string_view kWorkspace = "workspace ";
constexpr double kLooksUp = 0.7;  // cosine of some 45 degrees

bool is_moved(const RobotModel& model, std::size_t link) {
  for (std::size_t joint = model.links[link].parent_joint; joint != kNone;
       joint = model.links[model.joints[joint].parent_link].parent_joint)
    if (model.joints[joint].kind != JointKind::Fixed) return true;
  return false;
}

}  // namespace

bool is_ground(const Obstacle& object) SINEW_REALTIME {
  const bool is_wide = object.solid.kind == SolidKind::Plane || object.solid.kind == SolidKind::HeightField;
  return is_wide && object.link == kNone && !text_of(object.name).starts_with(kWorkspace) &&
         (object.X_LO.rotation * Vector3::UnitZ()).z() > kLooksUp;
}

bool stands_on(const RobotShapes& shapes, std::span<const Placement> X_RL_home, std::size_t link,
               const Obstacle& ground) SINEW_REALTIME {
  const RobotModel& model = shapes.model();
  if (!is_moved(model, link)) return true;
  bool are_named = false;
  for (const IgnoredPair& pair : model.ignored_pairs) {
    if (pair.link_b != kNone) continue;
    if (pair.link_a == link) return true;
    are_named = true;
  }
  if (are_named) return false;
  const Placement X_RO(ground.X_LO);
  return std::ranges::any_of(shapes.bodies(), [&](const Body& body) {
    return body.link == link &&
           is_within(body.solid, X_RL_home[link] * body.X_LS, ground.solid, X_RO, kStandsWithin);
  });
}

std::vector<std::size_t> links_on_floor(const RobotShapes& shapes) {
  const Obstacle floor{.solid = make_plane()};
  std::vector<Placement> X_RL_home(shapes.tree().link_count());
  shapes.tree().link_frames(starting_positions(shapes.model()), X_RL_home);
  std::vector<std::size_t> links;
  for (std::size_t link = 0; link < X_RL_home.size(); ++link) {
    const bool has_shape =
        std::ranges::any_of(shapes.bodies(), [&](const Body& body) { return body.link == link; });
    if (has_shape && stands_on(shapes, X_RL_home, link, floor)) links.push_back(link);
  }
  return links;
}

}  // namespace sinew
