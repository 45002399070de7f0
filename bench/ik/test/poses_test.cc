// SPDX-License-Identifier: BSD-3-Clause
#include "poses.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"

namespace sinew::bench {
namespace {

constexpr const char* kPoseHeader = "px,py,pz,qx,qy,qz,qw";

class PosesTest : public testing::Test {
 protected:
  Result<PoseList> read(const std::string& text) const { return poses_from_text(text, "p.csv", chain_); }
  std::string refusal(const std::string& text) const {
    const auto poses = read(text);
    return poses ? "accepted" : poses.error().message;
  }

  RobotModel model_ = arms::scorbot();
  SerialChain chain_ = arms::chain_of(model_);
};

TEST_F(PosesTest, ColumnsMayStandInAnyOrder) {
  const auto poses = read(
      "seed_rand5, qw,pz,py,px,seed_rand1,qx,qy,qz,seed_rand2,seed_rand3,seed_rand4,remark\r\n"
      "0.5,0.6,3,+2,-1e-1,0.1,0.8,0,0,0.2,0.3,0.4,nan\r\n\r\n");
  ASSERT_TRUE(poses) << poses.error().message;
  ASSERT_EQ(poses->targets.size(), 1U);
  EXPECT_EQ(poses->targets[0].position, Vector3(-0.1, 2, 3));
  EXPECT_NEAR(poses->targets[0].rotation.w(), 0.6, 1e-15);
  EXPECT_NEAR(poses->targets[0].rotation.x(), 0.8, 1e-15);
  EXPECT_EQ(poses->seeds, (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5}));
  EXPECT_TRUE(poses->joints.empty());
  EXPECT_EQ(poses->unused_columns, std::vector<std::string>{"remark"});
}

TEST_F(PosesTest, WithoutSeedsBeginsInTheMiddle) {
  const auto poses = read(std::string(kPoseHeader) + "\n0.3,0,0.3,0,0,0,1");
  ASSERT_TRUE(poses) << poses.error().message;
  const JointVector middle = chain_.middle();
  EXPECT_EQ(poses->seeds, std::vector<double>(middle.begin(), middle.end()));
}

TEST_F(PosesTest, RefusalsNameFileLineAndColumn) {
  const std::string header = kPoseHeader;
  EXPECT_EQ(refusal(""), "p.csv:1: column 'px' is missing: the first line must name px,py,pz,qx,qy,qz,qw");
  EXPECT_EQ(refusal("px,py,pz,qx,qy,qz,q_w\n"),
            "p.csv:1: column 'qw' is missing: the first line must name "
            "px,py,pz,qx,qy,qz,qw");
  EXPECT_EQ(refusal(header + ",px\n"), "p.csv:1: column 'px' is named twice");
  EXPECT_EQ(refusal(header + "\n"), "p.csv:1: there is no pose after the header");
  EXPECT_EQ(refusal(header + "\n0,0,0,0,0,0,1\n\n0,0,x,0,0,0,1\n"),
            "p.csv:4: column 'pz': 'x' is no finite number");
  EXPECT_EQ(refusal(header + "\n0,0,0,nan,0,0,1\n"), "p.csv:2: column 'qx': 'nan' is no finite number");
  EXPECT_EQ(refusal(header + "\n0,inf,0,0,0,0,1\n"), "p.csv:2: column 'py': 'inf' is no finite number");
  EXPECT_EQ(refusal(header + "\n0,,0,0,0,0,1\n"), "p.csv:2: column 'py': '' is no finite number");
  EXPECT_EQ(refusal(header + "\n0,0,0,0,0,1\n"), "p.csv:2: there are 6 columns, but the first line names 7");
  EXPECT_EQ(refusal(header + "\n0,0,0,0,0,0,0\n"),
            "p.csv:2: column 'qx': the quaternion qx,qy,qz,qw has length 0, not 1");
}

TEST_F(PosesTest, RefusesAnotherCountOfJoints) {
  const std::string header = kPoseHeader;
  EXPECT_EQ(refusal(header + ",q1,q2,q3,q4,q5,q6\n"),
            "p.csv:1: column 'q6': the chain has 5 joints, q1 to q5");
  EXPECT_EQ(refusal(header + ",q1,q2,q3,q5\n"),
            "p.csv:1: column 'q4' is missing: the chain has 5 joints, q1 to q5");
  EXPECT_EQ(refusal(header + ",seed_rand1\n"),
            "p.csv:1: column 'seed_rand2' is missing: the chain has 5 joints, seed_rand1 to seed_rand5");
}

TEST_F(PosesTest, FileThatCannotBeReadIsSaid) {
  EXPECT_EQ(read_poses("/nowhere/p.csv", chain_).error().message,
            "cannot read the poses of /nowhere/p.csv: No such file or directory");
  EXPECT_EQ(read_poses("/", chain_).error().message, "cannot read the poses of /: it is a folder");
}

TEST_F(PosesTest, DrawnPosesAreTheSameForTheSameSeed) {
  const PoseList once = draw_poses(chain_, 20, 3);
  const PoseList again = draw_poses(chain_, 20, 3);
  const PoseList other = draw_poses(chain_, 20, 4);
  EXPECT_EQ(once.joints, again.joints);
  EXPECT_NE(once.joints, other.joints);
  EXPECT_EQ(count_strange(once, chain_), 0U);
}

TEST_F(PosesTest, PosesThatTheirJointsDoNotMakeAreCounted) {
  PoseList poses = draw_poses(chain_, 20, 3);
  poses.targets[4].position.x() += 1e-3;
  poses.joints[0] += 1e-3;
  EXPECT_EQ(count_strange(poses, chain_), 2U);
  poses.shorten(4);
  EXPECT_EQ(count_strange(poses, chain_), 1U);
}

}  // namespace
}  // namespace sinew::bench
