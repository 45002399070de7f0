// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/urdf.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr const char* kTwoLinks = R"(<robot name="two">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base">
    <inertial>
      <origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/>
      <mass value="2"/>
      <inertia ixx="0.01" iyy="0.02" izz="0.025" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual><geometry><box size="0.2 0.4 0.6"/></geometry><material name="grey"/></visual>
    <collision><origin xyz="0 0 0.3"/><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="arm"><collision><geometry><cylinder radius="0.05" length="0.5"/></geometry></collision></link>
  <joint name="turn" type="revolute">
    <origin xyz="0 0 0.6" rpy="0 1.5707963267948966 0"/>
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" velocity="3" effort="40"/>
    <dynamics damping="0.5" friction="0.25"/>
  </joint>
</robot>)";

TEST(UrdfTest, ReadsLinksJointsShapesAndInertias) {
  const auto robot = read_urdf_text(kTwoLinks, "two.urdf");
  ASSERT_TRUE(robot) << robot.error().message;
  EXPECT_TRUE(robot->remarks.empty());
  const RobotModel& model = robot->model;
  EXPECT_EQ(model.name, "two");
  ASSERT_EQ(model.links.size(), 2U);
  const Link& base = model.links[0];
  EXPECT_EQ(base.child_joints, (std::vector<std::size_t>{0}));
  EXPECT_EQ(base.visuals[0].half_extents, Vector3(0.1, 0.2, 0.3));
  EXPECT_EQ(base.visuals[0].colour, Eigen::Vector4d(0.5, 0.5, 0.5, 1.0));
  EXPECT_EQ(base.collisions[0].kind, ShapeKind::Sphere);
  EXPECT_EQ(base.collisions[0].X_LG.position, Vector3(0, 0, 0.3));
  // turned a quarter about z, x and y change places
  EXPECT_NEAR(base.inertia->about_C(0, 0), 0.02, 1e-15);
  EXPECT_NEAR(base.inertia->about_C(1, 1), 0.01, 1e-15);

  const Joint& joint = model.joints[0];
  EXPECT_EQ(joint.kind, JointKind::Revolute);
  EXPECT_EQ(joint.limits.lower, -1.0);
  EXPECT_EQ(joint.limits.upper, 2.0);
  EXPECT_EQ(joint.limits.velocity, 3.0);
  EXPECT_EQ(joint.limits.effort, 40.0);
  EXPECT_TRUE(std::isinf(joint.limits.jerk));
  EXPECT_EQ(joint.damping, 0.5);
  EXPECT_EQ(joint.friction, 0.25);
  EXPECT_EQ(joint.position, 0U);
  EXPECT_NEAR((joint.X_PJ.rotation * Vector3::UnitZ() - Vector3::UnitX()).norm(), 0.0, 1e-15);
  EXPECT_EQ(model.links[1].parent_joint, 0U);
}

std::string joint_text(const std::string& name, const std::string& parent, const std::string& child,
                       const std::string& rest = "", const std::string& type = "continuous") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
         child + "'/>" + rest + "</joint>";
}

TEST(UrdfTest, PutsParentsFirstAndKeepsTheFilesOrderOtherwise) {
  const std::string text =
      "<robot name='r'><link name='c'/><link name='b'/><link name='a'/><link name='d'/>" +
      joint_text("bc", "b", "c") + joint_text("ab", "a", "b") + joint_text("ad", "a", "d") + "</robot>";
  const auto robot = read_urdf_text(text, "r.urdf");
  ASSERT_TRUE(robot) << robot.error().message;
  const RobotModel& model = robot->model;
  EXPECT_EQ(model.links[0].name, "a");
  EXPECT_EQ(model.links[1].name, "c");
  EXPECT_EQ(model.joints[0].name, "ab");
  EXPECT_EQ(model.joints[1].name, "bc");
  EXPECT_EQ(model.joints[2].name, "ad");
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const std::size_t above = model.links[model.joints[j].parent_link].parent_joint;
    EXPECT_TRUE(above == kNone || above < j);
    EXPECT_EQ(model.links[model.joints[j].child_link].parent_joint, j);
  }
}

TEST(UrdfTest, FollowsMimicsOfMimicsToTheLeader) {
  const std::string text =
      "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>" +
      joint_text("far", "a", "b", "<mimic joint='near' multiplier='2' offset='0.5'/>") +
      joint_text("near", "a", "c", "<mimic joint='leader' multiplier='-3' offset='0.1'/>") +
      joint_text("leader", "a", "d") + "</robot>";
  const auto robot = read_urdf_text(text, "r.urdf");
  ASSERT_TRUE(robot) << robot.error().message;
  const Joint& far = robot->model.joints[find_joint(robot->model, "far")];
  EXPECT_EQ(robot->model.joints[far.mimic->joint].name, "leader");
  EXPECT_DOUBLE_EQ(far.mimic->factor, -6.0);
  EXPECT_DOUBLE_EQ(far.mimic->offset, 0.7);
  EXPECT_EQ(far.position, kNone);
  EXPECT_EQ(robot->model.positions.size(), 1U);
}

class MeshFolder {
 public:
  MeshFolder() : path_(std::filesystem::temp_directory_path() / ("sinew-urdf-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_ / "shop/arm_description/meshes");
    std::filesystem::create_directories(path_ / "shop/arm_description/urdf");
    std::ofstream(path_ / "shop/arm_description/meshes/base.stl") << "solid\n";
  }
  ~MeshFolder() { std::filesystem::remove_all(path_); }
  std::filesystem::path urdf() const { return path_ / "shop/arm_description/urdf/arm.urdf"; }
  std::filesystem::path shop() const { return path_ / "shop"; }

 private:
  std::filesystem::path path_;
};

std::string with_mesh(const std::string& name) {
  return "<robot name='r'><link name='a'><visual><geometry><mesh filename='" + name +
         "'/></geometry></visual></link></robot>";
}

TEST(UrdfTest, FindsMeshesByPackageAndByPath) {
  const MeshFolder folder;
  for (const std::string name : {"package://arm_description/meshes/base.stl", "../meshes/base.stl"}) {
    const auto robot = read_urdf_text(with_mesh(name), folder.urdf());
    ASSERT_TRUE(robot) << robot.error().message;
    EXPECT_TRUE(robot->remarks.empty()) << name;
    EXPECT_EQ(robot->model.links[0].visuals[0].mesh_path,
              (folder.shop() / "arm_description/meshes/base.stl").string());
    EXPECT_EQ(robot->model.links[0].visuals[0].mesh_name, name);
  }
  const auto elsewhere = read_urdf_text(with_mesh("package://arm_description/meshes/base.stl"), "/arm.urdf",
                                        {.package_paths = {folder.shop()}});
  ASSERT_TRUE(elsewhere);
  EXPECT_TRUE(elsewhere->remarks.empty());
}

TEST(UrdfTest, SaysThatAFileIsMissing) {
  const auto robot = read_urdf("no/such/robot.urdf");
  ASSERT_FALSE(robot);
  EXPECT_EQ(robot.error().code, ErrorCode::NotFound);
  EXPECT_EQ(robot.error().message, "there is no file no/such/robot.urdf; check the path");
}

TEST(UrdfTest, TellsTheLineOfAMistake) {
  const auto robot =
      read_urdf_text("<robot name='r'>\n<link name='a'/>\n\n<link name='a'/>\n</robot>", "two.urdf");
  ASSERT_FALSE(robot);
  EXPECT_EQ(robot.error().message,
            "two.urdf:4: link 'a' stands twice; the first is in line 2; give each its own name");
}

std::string follower_urdf(const std::string& limits, const std::string& of_leader = "lower='-2' upper='2'") {
  return "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
         "<joint name='lead' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
         "<limit " +
         of_leader +
         " velocity='1' effort='1'/></joint>"
         "<joint name='follow' type='revolute'><parent link='a'/><child link='c'/><axis xyz='0 0 1'/>"
         "<mimic joint='lead' multiplier='-2' offset='0.5'/><limit " +
         limits + " effort='1'/></joint></robot>";
}

// whoever keeps the leader's limits keeps the follower's: -2 q + 0.5 in [-1, 1.5] is q in [-0.5, 0.75]
TEST(UrdfTest, NarrowsALeaderToWhatItsFollowerCanDo) {
  const auto read = read_urdf_text(follower_urdf("lower='-1' upper='1.5' velocity='1'"), "r.urdf");
  ASSERT_TRUE(read);
  const JointLimits& limits = read->model.joints[find_joint(read->model, "lead")].limits;
  EXPECT_DOUBLE_EQ(limits.lower, -0.5);
  EXPECT_DOUBLE_EQ(limits.upper, 0.75);
  EXPECT_DOUBLE_EQ(limits.velocity, 0.5);
  ASSERT_FALSE(read->remarks.empty());
  EXPECT_EQ(
      read->remarks.back().what,
      "joint 'lead' goes from -0.5 to 0.75 instead of -2 to 2: 'follow', which follows it, says -1 to 1.5");
  EXPECT_EQ(
      read->remarks[read->remarks.size() - 2].what,
      "joint 'lead' goes at most 0.5 per second instead of 1, as fast as 'follow', which follows it, can");
  const auto zero = read_urdf_text(follower_urdf("lower='0' upper='0' velocity='1'"), "r.urdf");
  ASSERT_TRUE(zero);
  EXPECT_EQ(zero->model.joints[find_joint(zero->model, "lead")].limits.upper, 2.0);
  const auto apart = read_urdf_text(follower_urdf("lower='20' upper='30' velocity='9'"), "r.urdf");
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->model.joints[find_joint(apart->model, "lead")].limits.upper, 2.0);
}

// a finger whose follower counts the other way round: the two ranges have one point in common
TEST(UrdfTest, KeepsALeaderThatItsFollowerWouldStop) {
  for (const char* limits : {"lower='0.5' upper='3' velocity='9'", "lower='0.4999' upper='3' velocity='9'"}) {
    const auto read = read_urdf_text(follower_urdf(limits, "lower='0' upper='0.8'"), "r.urdf");
    ASSERT_TRUE(read) << read.error().message;
    const JointLimits& own = read->model.joints[find_joint(read->model, "lead")].limits;
    EXPECT_EQ(own.lower, 0.0) << limits;
    EXPECT_EQ(own.upper, 0.8) << limits;
    EXPECT_NE(
        read->remarks.back().what.find("keeps its range of 0 to 0.8: 'follow', which follows it, says 0."),
        std::string::npos)
        << read->remarks.back().what;
  }
}

TEST(UrdfTest, TakesLimitsThatAreAllZeroAsNotSaid) {
  const auto read = read_urdf_text(R"(<robot name="r"><link name="a"/><link name="b"/>
    <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
    <limit lower="0" upper="0" velocity="0" effort="0"/></joint></robot>)",
                                   "r.urdf");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(std::isinf(read->model.joints[0].limits.upper));
  EXPECT_TRUE(std::isinf(read->model.joints[0].limits.velocity));
  EXPECT_EQ(read->remarks.size(), 2U);
}

// 70 joints: an arm of six at the end of the file, a hand of 64 before it whose last finger is followed
TEST(UrdfTest, HoldsTheJointsBeyondTheLastThatFitButNotThoseOfTheArm) {
  std::string text = "<robot name='r'><link name='base'/>";
  const auto add = [&](const std::string& name, const std::string& parent, const std::string& more) {
    text += "<link name='" + name + "'/><joint name='" + name + "_joint' type='revolute'><parent link='" +
            parent + "'/><child link='" + name +
            "'/><axis xyz='0 0 1'/><limit lower='0.25' upper='1' velocity='1' effort='1'/>" + more +
            "</joint>";
  };
  for (int i = 0; i < 64; ++i) add("key" + std::to_string(i), "base", "");
  add("shadow", "base", "<mimic joint='key63_joint' multiplier='2' offset='-0.1'/>");
  for (int i = 0; i < 6; ++i)
    add("arm" + std::to_string(i), i == 0 ? "base" : "arm" + std::to_string(i - 1), "");
  const auto read = read_urdf_text(text + "</robot>", "r.urdf");
  ASSERT_TRUE(read) << read.error().message;
  const RobotModel& model = read->model;
  EXPECT_EQ(model.positions.size(), kMostPositions);
  const auto joint = [&](const char* name) { return model.joints[find_joint(model, name)]; };
  EXPECT_NE(joint("arm5_joint").position, kNone);
  EXPECT_NE(joint("key57_joint").position, kNone);
  for (const char* name : {"key58_joint", "key63_joint", "shadow_joint"}) {
    EXPECT_EQ(joint(name).position, kNone) << name;
    EXPECT_EQ(joint(name).kind, JointKind::Fixed) << name;
    EXPECT_FALSE(joint(name).is_enabled) << name;
  }
  // zero is outside its range, and its follower is where that puts it
  EXPECT_NEAR(Eigen::AngleAxisd(joint("key63_joint").X_PJ.rotation).angle(), 0.25, 1e-12);
  EXPECT_NEAR(Eigen::AngleAxisd(joint("shadow_joint").X_PJ.rotation).angle(), 0.4, 1e-12);
  ASSERT_FALSE(read->remarks.empty());
  EXPECT_EQ(
      read->remarks.back().what,
      "the robot has 70 joints that move, more than 64: 6 of them are not enabled and are held where the "
      "description puts them: key58_joint, key59_joint, key60_joint, key61_joint, key62_joint, key63_joint");
}

}  // namespace
}  // namespace sinew
