// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/posture_family.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"
#include "sinew/planning/tool_path.h"

namespace sinew {
namespace {

using arms::chain_of;
using arms::draw_joints;
using arms::Random;

/// A column that lifts an arm of seven joints whose first two axes do not meet and whose last three do.
RobotModel lifted_arm() {
  const Vector3 x = Vector3::UnitX();
  const Vector3 y = Vector3::UnitY();
  return arms::arm_of("lifted",
                      {{.xyz = {-0.09, 0, 0.38}, .lower = 0.0, .upper = 0.38, .kind = JointKind::Prismatic},
                       {.xyz = {0.12, 0, 0.35}, .lower = -1.6, .upper = 1.6},
                       {.xyz = {0.117, 0, 0.06}, .axis = y, .lower = -1.2, .upper = 1.5},
                       {.xyz = {0.219, 0, 0}, .axis = x},
                       {.xyz = {0.133, 0, 0}, .axis = y, .lower = -2.2, .upper = 2.2},
                       {.xyz = {0.197, 0, 0}, .axis = x},
                       {.xyz = {0.1245, 0, 0}, .axis = y, .lower = -2.1, .upper = 2.1},
                       {.xyz = {0.1385, 0, 0}, .axis = x}},
                      {.position = {0.16, 0, 0}});
}

class PostureFamilyTest : public testing::TestWithParam<RobotModel (*)()> {
 protected:
  RobotModel model_ = GetParam()();
  SerialChain chain_ = chain_of(model_);
  std::unique_ptr<const PostureFamily> family_ = PostureFamily::find(model_, chain_);
};
INSTANTIATE_TEST_SUITE_P(Arms, PostureFamilyTest, testing::Values(&arms::panda, &arms::iiwa, &lifted_arm));

TEST_P(PostureFamilyTest, ListsEveryPostureThatIsDrawn) {
  ASSERT_NE(family_, nullptr);
  ASSERT_EQ(family_->spare().size(), chain_.size() - 6);
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const std::vector<double> drawn = draw_joints(random, chain_);
    const JointVector q = JointVector::Map(drawn.data(), static_cast<Eigen::Index>(drawn.size()));
    const Pose X_BT = chain_.tool_pose(drawn);
    bool is_listed = false;
    for (const IkSolution& solution : family_->postures(X_BT, drawn)) {
      ASSERT_TRUE(chain_.is_within_limits(numbers(solution.q), 1e-9));
      const PoseDistance off = distance(chain_.tool_pose(numbers(solution.q)), X_BT);
      ASSERT_LT(off.position, 1e-5);
      ASSERT_LT(off.rotation, 1e-5);
      is_listed = is_listed || (solution.q - q).cwiseAbs().maxCoeff() < 1e-4;
    }
    EXPECT_TRUE(is_listed) << "posture " << i;
  }
}

// any posture is near one of a sweep that is long enough
TEST_P(PostureFamilyTest, ASweepComesNearEveryPosture) {
  ASSERT_NE(family_, nullptr);
  Random random(4);
  int near = 0;
  constexpr int kCases = 20;
  for (int i = 0; i < kCases; ++i) {
    const std::vector<double> drawn = draw_joints(random, chain_);
    const JointVector q = JointVector::Map(drawn.data(), static_cast<Eigen::Index>(drawn.size()));
    PostureSweep sweep(*family_, chain_.tool_pose(drawn), drawn, 1);
    double least = 1e9;
    while (sweep.samples() < 2000 && least > 0.2) {
      for (const IkSolution& solution : sweep.next())
        least = std::min(least, (solution.q - q).cwiseAbs().maxCoeff());
    }
    near += least <= 0.2 ? 1 : 0;
  }
  // but for those beside a singularity, which turn far on a short way
  EXPECT_GE(near, kCases - 2);
}

TEST(PostureFamilyTest, AnArmOfSixJointsHasNone) {
  const RobotModel model = arms::ur5e();
  EXPECT_EQ(PostureFamily::find(model, chain_of(model)), nullptr);
}

}  // namespace
}  // namespace sinew
