// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/simulation/scene.h"

namespace sinew {

/// Two bodies by their names in the MJCF; "world" is what stands fixed, the floor included.
using BodyPair = std::pair<std::string, std::string>;

struct MjcfOptions {
  bool with_visuals = false;            ///< Also what is only seen: for pictures.
  std::vector<BodyPair> excluded = {};  ///< Pairs that never touch, beside those that the robots ignore.
};

/// A scene in MuJoCo's language, and what could not be said in it.
struct Mjcf {
  std::string text;
  std::vector<std::string> remarks;
};

/// Writes a scene as MJCF for MuJoCo 2.2.2. Bodies, joints and motors of a robot are named "ROBOT/link",
/// "ROBOT/joint"; a free base has the joint "ROBOT/"; an object's body and its joint carry its name, the
/// floor is "floor". The motors
/// are plain torques: servo and effort limit stand outside (servo.h).
///
/// Contact by the recipe that holds what is held: elliptic cones, impratio 10, three passes against slip,
/// several contacts for each pair of convex shapes; a cylinder becomes a prism of sixteen sides, because
/// MuJoCo's own does not rest on boxes.
Result<Mjcf> write_mjcf(const Scene& scene, const MjcfOptions& options = {});

/// Refuses what no simulation can start from: names that clash or are empty, sizes and masses that are not
/// above zero, numbers that are not finite, more than kMaxObjects objects.
Status check_scene(const Scene& scene);
Status check_object(const SceneObject& object);

}  // namespace sinew
