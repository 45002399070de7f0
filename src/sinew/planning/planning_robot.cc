// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/planning_robot.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sinew/collision/ignored_pairs.h"

namespace sinew {
namespace {

/// Fewer than for a robot that is kept, so that a command answers soon.
constexpr std::size_t kPairSamples = 2000;

// The link with the most joints that move between it and the root; of equals, the one furthest out.
std::string longest_tip(const RobotModel& model) {
  std::vector<std::size_t> moving(model.links.size(), 0);
  std::size_t best = 0;
  for (const Joint& joint : model.joints) {
    moving[joint.child_link] = moving[joint.parent_link] + (joint.position != kNone ? 1 : 0);
    if (moving[joint.child_link] >= moving[best]) best = joint.child_link;
  }
  return model.links[best].name;
}

bool says_only_adjacent(const RobotModel& model) {
  return std::all_of(model.ignored_pairs.begin(), model.ignored_pairs.end(), [](const IgnoredPair& pair) {
    return pair.link_b == kNone || pair.reason == "adjacent";
  });
}

}  // namespace

Result<PlanningRobot> load_planning_robot(const ChainChoice& choice, const MeshPoints& mesh_points,
                                          const LoadOptions& places) {
  ChainChoice named = choice;
  if (named.arm.empty() && named.tip.empty()) {
    LoadOptions options = places;
    if (!named.srdf.empty()) options.srdf = named.srdf;
    const auto robot = load_robot(named.robot, options);
    if (!robot) return robot.error();
    if (robot->model.arms.size() != 1) named.tip = longest_tip(robot->model);
  }
  auto chosen = choose_chain(named, places);
  if (!chosen) return chosen.error();
  PlanningRobot result{.chosen = *std::move(chosen)};
  RobotModel& model = result.chosen.robot.model;
  if (!says_only_adjacent(model)) return result;
  const auto shapes = RobotShapes::make(model, {.mesh_points = mesh_points});
  if (!shapes) return shapes.error();
  const PairSearch search = find_ignored_pairs(*shapes, {.samples = kPairSamples});
  result.found_pairs = search.ignored.size();
  model.ignored_pairs.insert(model.ignored_pairs.end(), search.ignored.begin(), search.ignored.end());
  return result;
}

Result<std::vector<std::size_t>> positions_for(const PlanningRobot& robot, std::size_t count) {
  const SerialChain& chain = robot.chosen.chain;
  const RobotModel& model = robot.chosen.robot.model;
  std::vector<std::size_t> positions;
  if (count == chain.size()) {
    for (std::size_t i = 0; i < count; ++i) positions.push_back(chain.position(i));
    return positions;
  }
  if (count == 0 || count > model.positions.size()) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} joint positions are given; robot '{}' has {}, and the chain to '{}' {}",
                             count, model.name, model.positions.size(), robot.chosen.tip, chain.size())};
  }
  positions.resize(count);
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

}  // namespace sinew
