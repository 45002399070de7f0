// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/tool_steps.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"

namespace sinew::planning {
namespace {

class ToolStepsTest : public testing::TestWithParam<RobotModel (*)()> {
 protected:
  static constexpr std::size_t kNodes = 200;

  Configuration drawn(arms::Random& random) const {
    Configuration q{};
    const std::vector<double> joints = arms::draw_joints(random, chain_);
    for (std::size_t j = 0; j < joints.size(); ++j) q[j] = static_cast<float>(joints[j]);
    return q;
  }
  Vector3 tool_at(const Configuration& q) const {
    const std::vector<double> joints(q.begin(), q.begin() + static_cast<std::ptrdiff_t>(chain_.size()));
    return chain_.tool_pose(joints).position;
  }
  // a root and what hangs on it
  ConfigurationTree make_tree(std::uint64_t seed) const {
    arms::Random random(seed);
    ConfigurationTree tree(chain_.size(), kNodes);
    for (std::size_t i = 0; i < kNodes; ++i)
      tree.add(drawn(random).data(), i == 0 ? ConfigurationTree::kNoNode : 0);
    return tree;
  }

  RobotModel model_ = GetParam()();
  SerialChain chain_ = arms::chain_of(model_);
};
INSTANTIATE_TEST_SUITE_P(Arms, ToolStepsTest, testing::Values(&arms::panda, &arms::ur5e));

TEST_P(ToolStepsTest, AreShortForToolAndJoints) {
  const ConfigurationTree tree = make_tree(1);
  ToolSteps steps(chain_, kNodes);
  steps.begin(1);
  double farthest = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const auto step = steps.draw(tree, 0);
    ASSERT_TRUE(step);
    Configuration parent{};
    tree.configuration(step->parent, parent.data());
    EXPECT_EQ(step->from, parent);
    double turn = 0.0;
    for (std::size_t j = 0; j < chain_.size(); ++j)
      turn += std::pow(static_cast<double>(step->to[j] - step->from[j]), 2.0);
    EXPECT_LE(turn, 1.0 + 1e-5);
    const double way = (tool_at(step->to) - tool_at(step->from)).norm();
    // the arc of a turn of 1 rad is not its chord
    EXPECT_LE(way, 0.25);
    farthest = std::max(farthest, way);
  }
  EXPECT_GE(farthest, 0.1);
}

// one tool in a corner: whatever is drawn, its steps lead on into the room
TEST_P(ToolStepsTest, LeadTheToolThroughAllThatItCanReach) {
  arms::Random random(2);
  ConfigurationTree tree(chain_.size(), 4000);
  tree.add(drawn(random).data(), ConfigurationTree::kNoNode);
  ToolSteps steps(chain_, 4000);
  steps.begin(1);
  while (!tree.is_full()) {
    const auto step = steps.draw(tree, 0);
    ASSERT_TRUE(step);
    tree.add(step->to.data(), step->parent);
  }
  for (int i = 0; i < 50; ++i) {
    const Vector3 wanted = 0.6 * tool_at(drawn(random)) + 0.4 * chain_.first_joint();
    double nearest = 1e9;
    for (std::uint32_t node = 0; node < tree.node_count(); ++node) {
      Configuration q{};
      tree.configuration(node, q.data());
      nearest = std::min(nearest, (tool_at(q) - wanted).norm());
    }
    EXPECT_LT(nearest, 0.2) << "place " << i;
  }
}

TEST_P(ToolStepsTest, NeverBeginAtWhatIsCutOff) {
  ConfigurationTree tree = make_tree(3);
  ToolSteps steps(chain_, kNodes);
  steps.begin(1);
  (void)steps.draw(tree, 0);
  for (std::uint32_t node = 1; node < kNodes; node += 2) tree.cut_off(node);
  int taken = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto step = steps.draw(tree, 0);
    if (!step) continue;
    ++taken;
    ASSERT_FALSE(tree.is_cut_off(step->parent));
  }
  // those that are cut off are in the way once each
  EXPECT_GE(taken, 2000 - static_cast<int>(kNodes) / 2);
}

TEST_P(ToolStepsTest, AreTheSameForTheSameSeed) {
  const ConfigurationTree tree = make_tree(4);
  ToolSteps some(chain_, kNodes);
  ToolSteps others(chain_, kNodes);
  some.begin(7);
  for (int i = 0; i < 10; ++i) (void)some.draw(tree, 0);
  some.begin(7);
  others.begin(7);
  for (int i = 0; i < 100; ++i) {
    const auto a = some.draw(tree, 0);
    const auto b = others.draw(tree, 0);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->parent, b->parent);
    EXPECT_EQ(a->to, b->to);
  }
}

}  // namespace
}  // namespace sinew::planning
