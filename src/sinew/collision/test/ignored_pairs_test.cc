// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/ignored_pairs.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/collision/test/draws.h"

namespace sinew {
namespace {

/// A base and `count` links, each a turning joint about z after the one before, 0.3 m along x.
RobotModel chain_of_boxes(std::size_t count, double range) {
  RobotModel model{.name = "chain"};
  const Shape box{
      .kind = ShapeKind::Box, .X_LG = {.position = {0.15, 0.0, 0.0}}, .half_extents = {0.12, 0.03, 0.03}};
  for (std::size_t i = 0; i <= count; ++i) {
    model.links.push_back({.name = "link" + std::to_string(i), .collisions = {box}});
    if (i == 0) continue;
    model.links[i].parent_joint = i - 1;
    model.links[i - 1].child_joints = {i - 1};
    Joint joint{.name = "joint" + std::to_string(i), .kind = JointKind::Revolute};
    joint.parent_link = i - 1;
    joint.child_link = i;
    joint.X_PJ.position = {0.3, 0.0, 0.0};
    joint.axis = Vector3::UnitZ();
    joint.limits.lower = -range;
    joint.limits.upper = range;
    joint.position = i - 1;
    model.joints.push_back(joint);
    model.positions.push_back(i - 1);
  }
  return model;
}

std::string reason_for(const PairSearch& search, std::size_t a, std::size_t b) {
  for (const IgnoredPair& pair : search.ignored) {
    if (pair.link_a == a && pair.link_b == b) return pair.reason;
  }
  return "checked";
}

PairSearch search_of(const RobotModel& model, const PairSearchOptions& options = {.samples = 2000}) {
  const auto shapes = RobotShapes::make(model);
  SINEW_ASSERT(shapes.has_value());
  return find_ignored_pairs(*shapes, options);
}

TEST(IgnoredPairsTest, NeighboursAndWhatCannotMeetNeedNoCheck) {
  const PairSearch stiff = search_of(chain_of_boxes(3, 0.5));
  EXPECT_EQ(reason_for(stiff, 0, 1), "adjacent");
  EXPECT_EQ(reason_for(stiff, 2, 3), "adjacent");
  EXPECT_EQ(reason_for(stiff, 0, 2), "never");
  EXPECT_EQ(reason_for(stiff, 0, 3), "never");
  const PairSearch limber = search_of(chain_of_boxes(3, 3.0));
  EXPECT_EQ(reason_for(limber, 0, 2), "checked");
  EXPECT_EQ(reason_for(limber, 0, 3), "checked");
}

TEST(IgnoredPairsTest, WhatAlwaysTouchesOrTouchesAtHomeNeedsNoCheck) {
  RobotModel model = chain_of_boxes(2, 1.0);
  model.links[2].collisions[0] = {.kind = ShapeKind::Sphere, .radius = 0.5};
  EXPECT_EQ(reason_for(search_of(model), 0, 2), "always");
  RobotModel folded = chain_of_boxes(2, 3.0);
  folded.postures.push_back({.name = "home", .positions = {3.0, -3.0}});
  EXPECT_EQ(reason_for(search_of(chain_of_boxes(2, 3.0)), 0, 2), "checked");
  EXPECT_EQ(reason_for(search_of(folded), 0, 2), "home");
}

// rings that turn about one axis, one within the other: four joints lie between the first and the last
TEST(IgnoredPairsTest, WhatNeverChangesItsDistanceNeedsNoCheck) {
  RobotModel model = chain_of_boxes(4, 3.0);
  for (Link& link : model.links) link.collisions.clear();
  for (Joint& joint : model.joints) joint.X_PJ.position = Vector3::Zero();
  model.links[0].collisions = {{.kind = ShapeKind::Cylinder, .radius = 0.1, .length = 0.05}};
  Shape last{.kind = ShapeKind::Cylinder, .radius = 0.1, .length = 0.05};
  last.X_LG.position.z() = 0.0605;
  model.links[4].collisions = {last};
  model.links[2].collisions = {{.kind = ShapeKind::Sphere, .radius = 0.02}};
  EXPECT_EQ(reason_for(search_of(model), 0, 4), "constant");
  // the same beside the axis comes nearer and goes away again
  model.links[4].collisions[0].radius = 0.02;
  model.links[4].collisions[0].X_LG.position = {0.09, 0.0, 0.0605};
  model.links[0].collisions = {{.kind = ShapeKind::Box, .half_extents = {0.1, 0.02, 0.025}}};
  EXPECT_EQ(reason_for(search_of(model), 0, 4), "checked");
}

// two long arms side by side meet in few postures: drawing alone would seldom find one
TEST(IgnoredPairsTest, KeepsPairsThatSeldomMeet) {
  const RobotModel model = draws::robot("mds");
  for (const char* finger : {"thumb", "index", "middle", "pinkie", "palm"}) {
    const std::size_t left = find_link(model, std::string("left_") + finger);
    const std::size_t right = find_link(model, std::string("right_") + finger);
    ASSERT_NE(left, kNone);
    const auto is_ignored = [&](const IgnoredPair& pair) {
      return (pair.link_a == left && pair.link_b == right) || (pair.link_a == right && pair.link_b == left);
    };
    EXPECT_TRUE(std::none_of(model.ignored_pairs.begin(), model.ignored_pairs.end(), is_ignored)) << finger;
  }
}

TEST(IgnoredPairsTest, SameSeedSamePairsAndProgressGoesToOne) {
  const RobotModel model = chain_of_boxes(4, 1.2);
  double last = 0.0;
  bool rises = true;
  const PairSearchOptions options{.samples = 500, .seed = 3, .progress = [&](double done) {
                                    rises = rises && done >= last;
                                    last = done;
                                  }};
  const PairSearch first = search_of(model, options);
  const double end = last;
  last = 0.0;
  const PairSearch second = search_of(model, options);
  EXPECT_TRUE(rises);
  EXPECT_EQ(end, 1.0);
  ASSERT_EQ(first.ignored.size(), second.ignored.size());
  for (std::size_t i = 0; i < first.findings.size(); ++i) {
    EXPECT_EQ(first.findings[i].nearest, second.findings[i].nearest);
    EXPECT_EQ(first.findings[i].hits, second.findings[i].hits);
  }
}

// the robots of this tree: home is clear, and nothing that drawing finds in touch is ignored as never
TEST(IgnoredPairsTest, ShippedRobotsAreClearAtHomeAndHideNothing) {
  for (const char* name :
       {"panda", "ur5e", "kr60", "scorbot-er3", "yarc-industrial", "yarc-mobile", "betabots", "mds"}) {
    RobotModel model = draws::robot(name);
    const auto shapes = RobotShapes::make(model);
    ASSERT_TRUE(shapes);
    CollisionChecker checker(*shapes);
    EXPECT_TRUE(checker.is_clear(draws::home(model))) << name;
    std::vector<IgnoredPair> never;
    std::erase_if(model.ignored_pairs, [&](const IgnoredPair& pair) {
      const bool is_never = pair.reason == "never";
      if (is_never) never.push_back(pair);
      return is_never;
    });
    const PairSearch search = search_of(model, {.samples = 300, .seed = 99, .clearance = 1e9});
    for (const IgnoredPair& pair : never) {
      const auto is_same = [&](const PairFinding& finding) {
        return std::minmax(finding.link_a, finding.link_b) == std::minmax(pair.link_a, pair.link_b);
      };
      const auto found = std::find_if(search.findings.begin(), search.findings.end(), is_same);
      if (found == search.findings.end()) continue;
      EXPECT_EQ(found->hits, 0U) << name << ": " << model.links[pair.link_a].name << ' '
                                 << model.links[pair.link_b].name;
    }
  }
}

}  // namespace
}  // namespace sinew
