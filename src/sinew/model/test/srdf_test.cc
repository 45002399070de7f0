// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/srdf.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"

namespace sinew {
namespace {

// A shipped robot with all forgotten that a SRDF can say.
RobotModel bare(RobotModel model) {
  model.arms.clear();
  model.postures.clear();
  model.ignored_pairs.clear();
  return model;
}

// A SRDF has no words for what stands on the floor.
std::ptrdiff_t pairs_of_links(const RobotModel& model) {
  return std::ranges::count_if(model.ignored_pairs,
                               [](const IgnoredPair& pair) { return pair.link_b != kNone; });
}

TEST(SrdfTest, SaysTheSameAfterWritingAndReading) {
  for (const char* name : {"panda", "mds", "ur5e", "scorbot-er3"}) {
    const auto robot = load_robot(name);
    ASSERT_TRUE(robot) << robot.error().message;
    RobotModel model = bare(robot->model);
    const auto remarks = apply_srdf_text(srdf_text(robot->model), "robot.srdf", model);
    ASSERT_TRUE(remarks) << remarks.error().message;
    EXPECT_TRUE(remarks->empty()) << remark_text(remarks->front());
    ASSERT_EQ(model.arms.size(), robot->model.arms.size());
    for (std::size_t i = 0; i < model.arms.size(); ++i) {
      EXPECT_EQ(model.arms[i].name, robot->model.arms[i].name);
      EXPECT_EQ(model.arms[i].base_link, robot->model.arms[i].base_link);
      EXPECT_EQ(model.arms[i].tip_link, robot->model.arms[i].tip_link);
    }
    EXPECT_EQ(std::ssize(model.ignored_pairs), pairs_of_links(robot->model)) << name;
    // every joint of an arm comes back exactly
    for (const Arm& arm : model.arms) {
      const auto path = joints_between(model, arm.base_link, arm.tip_link);
      ASSERT_TRUE(path);
      for (const std::size_t j : *path) {
        const std::size_t q = model.joints[j].position;
        if (q == kNone) continue;
        EXPECT_EQ(model.postures[0].positions[q], robot->model.postures[0].positions[q]) << name;
      }
    }
  }
}

TEST(SrdfTest, TakesChainsStatesPairsAndToolsAndTellsTheRest) {
  const auto robot = load_robot("ur5e");
  ASSERT_TRUE(robot);
  RobotModel model = bare(robot->model);
  const auto remarks = apply_srdf_text(R"(<robot name="ur5e">
  <group name="manipulator">
    <joint name="shoulder_pan_joint"/><joint name="shoulder_lift_joint"/><joint name="elbow_joint"/>
  </group>
  <group name="ends"><joint name="shoulder_pan_joint"/><joint name="wrist_3_joint"/></group>
  <group_state name="up" group="manipulator"><joint name="elbow_joint" value="9"/><joint name="knee" value="0"/></group_state>
  <end_effector name="pen" parent_link="forearm_link" group="x"/>
  <virtual_joint name="v" type="fixed" parent_frame="world" child_link="base_link"/>
  <disable_collisions link1="base_link" link2="forearm_link" reason="Never"/>
  <disable_collisions link1="forearm_link" link2="base_link" reason="Never"/>
</robot>)",
                                       "ur.srdf", model);
  ASSERT_TRUE(remarks) << remarks.error().message;
  ASSERT_EQ(model.arms.size(), 1U);
  EXPECT_EQ(model.links[model.arms[0].tip_link].name, "forearm_link");
  EXPECT_EQ(model.arms[0].tools[0].name, "pen");
  EXPECT_EQ(model.postures[0].positions[2], model.joints[2].limits.upper);
  ASSERT_EQ(model.ignored_pairs.size(), 1U);
  EXPECT_EQ(model.ignored_pairs[0].reason, "never");
  ASSERT_EQ(remarks->size(), 4U);
  const auto tells = [&](const char* part) {
    return std::any_of(remarks->begin(), remarks->end(),
                       [&](const Remark& r) { return r.what.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(tells("the group 'ends' is no chain"));
  EXPECT_TRUE(tells("outside its limits"));
  EXPECT_TRUE(tells("there is no joint 'knee'"));
  EXPECT_TRUE(tells("a virtual joint is passed over"));
}

TEST(SrdfTest, LeavesTheModelAloneWhenItRefuses) {
  const auto robot = load_robot("ur5e");
  ASSERT_TRUE(robot);
  RobotModel model = robot->model;
  const auto remarks = apply_srdf_text(
      "<robot name='ur5e'><group name='g'><chain base_link='base_link' tip_link='forearm_link'/></group>\n"
      "<group_state name='s'><joint name='elbow_joint' value='nan'/></group_state></robot>",
      "ur.srdf", model);
  ASSERT_FALSE(remarks);
  EXPECT_EQ(remarks.error().message,
            "ur.srdf:2: 'value' of <joint> is 'nan', not a finite number; write a number such as 0.5");
  EXPECT_EQ(find_arm(model, "g"), kNone);
}

}  // namespace
}  // namespace sinew
