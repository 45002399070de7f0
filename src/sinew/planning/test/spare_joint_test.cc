// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/spare_joint.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"
#include "sinew/planning/way_proof.h"

namespace sinew {
namespace {

using arms::chain_of;
using arms::draw;
using arms::draw_joints;
using arms::Random;

class SpareJointTest : public testing::TestWithParam<RobotModel (*)()> {
 protected:
  RobotModel model_ = GetParam()();
  SerialChain chain_ = chain_of(model_);
  std::unique_ptr<const SpareJoint> arm_ = SpareJoint::find(chain_);
};
INSTANTIATE_TEST_SUITE_P(Arms, SpareJointTest, testing::Values(&arms::panda, &arms::iiwa));

TEST_P(SpareJointTest, ListsEveryPostureThatIsDrawn) {
  ASSERT_NE(arm_, nullptr);
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const std::vector<double> drawn = draw_joints(random, chain_);
    const JointVector q = JointVector::Map(drawn.data(), 7);
    const Pose X_BT = chain_.tool_pose(drawn);
    bool is_listed = false;
    for (const IkSolution& solution : arm_->postures(X_BT, drawn.back())) {
      ASSERT_EQ(solution.q[6], drawn.back());
      ASSERT_TRUE(chain_.is_within_limits(numbers(solution.q)));
      const PoseDistance off = distance(chain_.tool_pose(numbers(solution.q)), X_BT);
      ASSERT_LT(off.position, 1e-6);
      ASSERT_LT(off.rotation, 1e-6);
      is_listed = is_listed || (solution.q - q).cwiseAbs().maxCoeff() < 1e-5;
    }
    EXPECT_TRUE(is_listed) << "posture " << i;
  }
}

// a path that some posture has gone along can be followed
TEST_P(SpareJointTest, AWayThatThereIsIsFoundAndNotShownInfeasible) {
  const auto wider = SpareJoint::find(chain_, kSpareSlack);
  Random random(4);
  for (int i = 0; i < 5; ++i) {
    std::vector<double> begin = draw_joints(random, chain_);
    for (double& value : begin) value *= 0.8;
    begin[3] = draw(random, -2.0, -1.0);
    std::vector<double> end = begin;
    for (double& value : end) value += draw(random, -0.15, 0.15);
    if (!chain_.is_within_limits(begin) || !chain_.is_within_limits(end)) continue;
    // the tool goes as these joints lead it
    const ToolPath path{.X_BT =
                            [&](double s) {
                              std::vector<double> q;
                              for (std::size_t j = 0; j < 7; ++j)
                                q.push_back(begin[j] + s * (end[j] - begin[j]));
                              return chain_.tool_pose(q);
                            },
                        .V_BT = {}};
    EXPECT_FALSE(is_shown_infeasible(chain_, *wider, path)) << "path " << i;
    const std::vector<JointVector> way = way_of_joints(chain_, *arm_, path);
    ASSERT_FALSE(way.empty()) << "path " << i;
    for (std::size_t k = 0; k < way.size(); ++k) {
      const double s = static_cast<double>(k) / static_cast<double>(way.size() - 1);
      ASSERT_TRUE(chain_.is_within_limits(numbers(way[k])));
      ASSERT_LT(distance(chain_.tool_pose(numbers(way[k])), path.X_BT(s)).position, 1e-6);
      const double change = k > 0 ? (way[k] - way[k - 1]).cwiseAbs().maxCoeff() : 0.0;
      ASSERT_LT(change, 0.5) << "a jump";
    }
  }
}

TEST(SpareJointsTest, APathThatLeavesTheReachIsShownInfeasible) {
  const RobotModel model = arms::panda();
  const SerialChain chain = chain_of(model);
  const auto wider = SpareJoint::find(chain, kSpareSlack);
  const Pose from{.rotation = Quaternion(0.0, 1.0, 0.0, 0.0), .position = {0.5, 0.0, 0.4}};
  const ToolPath path = straight_tool_path(from, {.rotation = from.rotation, .position = {1.5, 0.0, 0.4}});
  EXPECT_TRUE(is_shown_infeasible(chain, *wider, path));
  EXPECT_TRUE(way_of_joints(chain, *SpareJoint::find(chain), path).empty());
}

TEST(SpareJointsTest, ArmsWithoutAJointToSpareHaveNone) {
  const RobotModel model = arms::ur5e();
  const SerialChain chain = chain_of(model);
  EXPECT_EQ(SpareJoint::find(chain), nullptr);
}

}  // namespace
}  // namespace sinew
