// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/new_robot.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "sinew/model/chains.h"
#include "sinew/model/load_robot.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class NewRobotTest : public testing::Test {
 protected:
  NewRobotTest() : folder_(fs::temp_directory_path() / ("sinew-new-" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "meshes");
  }
  ~NewRobotTest() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  fs::path folder_;
};

// Three joints, the second without limits; a mesh; a gripper of two fingers.
constexpr const char* kPicker = R"(<robot name="picker &amp; placer">
  <link name="world"/><link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="tool0"/>
  <link name="f1"/><link name="f2"/>
  <joint name="fix" type="fixed"><parent link="world"/><child link="base"/></joint>
  <joint name="j1" type="revolute"><parent link="base"/><child link="a"/><limit lower="1" upper="2" velocity="3" effort="1"/></joint>
  <joint name="j2" type="revolute"><parent link="a"/><child link="b"/></joint>
  <joint name="j3" type="continuous"><parent link="b"/><child link="c"/></joint>
  <joint name="mount" type="fixed"><parent link="c"/><child link="tool0"/></joint>
  <joint name="g1" type="prismatic"><parent link="c"/><child link="f1"/><limit lower="0" upper="0.04" velocity="1" effort="1"/></joint>
  <joint name="g2" type="prismatic"><parent link="c"/><child link="f2"/><limit lower="0" upper="0.04" velocity="1" effort="1"/>
    <mimic joint="g1"/></joint>
</robot>)";

TEST_F(NewRobotTest, MakesAFolderThatLoadsAndTellsWhatItAssumed) {
  const auto robot = make_robot_folder(write("picker.urdf", kPicker), folder_ / "out");
  ASSERT_TRUE(robot) << robot.error().message;
  EXPECT_EQ(robot->model.name, "picker & placer");
  ASSERT_EQ(robot->model.arms.size(), 1U);
  EXPECT_EQ(robot->model.links[robot->model.arms[0].base_link].name, "base");
  EXPECT_EQ(robot->model.links[robot->model.arms[0].tip_link].name, "tool0");
  EXPECT_EQ(robot->model.arms[0].tools[0].name, "tool");
  const Joint& j2 = robot->model.joints[find_joint(robot->model, "j2")];
  EXPECT_NEAR(j2.limits.lower, -3.14159, 1e-5);
  EXPECT_EQ(j2.limits.velocity, 1.0);
  EXPECT_EQ(j2.limits.acceleration, 4.0);
  // zero is outside j1's range, so its home is the middle
  EXPECT_EQ(robot->model.postures[0].positions[0], 1.5);
  const auto tells = [&](const char* part) {
    return std::any_of(robot->remarks.begin(), robot->remarks.end(),
                       [&](const Remark& r) { return r.what.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(tells("joint 'j2' got lower: -3.14159, upper: 3.14159, velocity: 1"));
  EXPECT_TRUE(tells("joint 'j3' got velocity: 1"));
  EXPECT_TRUE(tells("links without a mass: a, b, c, f1, f2"));
  EXPECT_TRUE(load_robot((folder_ / "out").string()));
}

TEST_F(NewRobotTest, TakesTheMeshesAlong) {
  write("meshes/base.stl", "solid\n");
  const fs::path urdf =
      write("m.urdf",
            "<robot name='m'><link name='a'><visual><geometry><mesh filename='meshes/base.stl'/></geometry>"
            "</visual></link></robot>");
  const auto robot = make_robot_folder(urdf, folder_ / "deep/out");
  ASSERT_TRUE(robot) << robot.error().message;
  EXPECT_EQ(robot->model.links[0].visuals[0].mesh_name, "meshes/base.stl");
  EXPECT_EQ(fs::path(robot->model.links[0].visuals[0].mesh_path), folder_ / "deep/out/meshes/base.stl");
}

constexpr const char* kPickerSrdf = R"(<robot name="picker &amp; placer">
  <group name="manipulator"><chain base_link="world" tip_link="c"/></group>
  <group name="claws"><joint name="g1"/><joint name="g2"/></group>
  <group_state name="home" group="manipulator"><joint name="j1" value="2.00005"/><joint name="j2" value="0.5"/></group_state>
  <group_state name="tucked" group="manipulator"><joint name="j1" value="1.25"/></group_state>
  <end_effector name="hand" parent_link="c" group="claws"/>
  <disable_collisions link1="base" link2="c" reason="Never"/>
</robot>)";

// found beside the URDF by its name or the robot's, or named
TEST_F(NewRobotTest, TakesArmsPosturesAndPairsFromTheSrdf) {
  const fs::path urdf = write("picker.urdf.xacro", kPicker);
  write("picker.srdf", kPickerSrdf);
  const auto robot = make_robot_folder(urdf, folder_ / "out");
  ASSERT_TRUE(robot) << robot.error().message;
  const RobotModel& model = robot->model;
  ASSERT_EQ(model.arms.size(), 1U);
  EXPECT_EQ(model.arms[0].name, "manipulator");
  EXPECT_EQ(model.links[model.arms[0].tip_link].name, "c");
  ASSERT_EQ(model.arms[0].tools.size(), 2U);
  EXPECT_EQ(model.arms[0].tools[1].name, "hand");
  ASSERT_EQ(model.postures.size(), 2U);
  // a digit too many is no other place than the limit
  EXPECT_EQ(model.postures[0].positions[0], 2.0);
  EXPECT_EQ(model.postures[0].positions[1], 0.5);
  EXPECT_EQ(model.postures[1].positions[0], 1.25);
  EXPECT_TRUE(
      std::any_of(model.ignored_pairs.begin(), model.ignored_pairs.end(), [&](const IgnoredPair& pair) {
        return pair.reason == "never" && model.links[pair.link_b].name == "c";
      }));
  EXPECT_TRUE(fs::exists(folder_ / "out/robot.srdf"));
}

TEST_F(NewRobotTest, AnSrdfElsewhereIsNamedAndAMissingOneRefused) {
  const fs::path urdf = write("picker.urdf", kPicker);
  const fs::path srdf = write("other.srdf", kPickerSrdf);
  EXPECT_EQ(make_robot_folder(urdf, folder_ / "a")->model.arms[0].name, "arm");
  EXPECT_EQ(make_robot_folder(urdf, folder_ / "b", {.srdf = srdf})->model.arms[0].name, "manipulator");
  const auto missing = make_robot_folder(urdf, folder_ / "c", {.srdf = folder_ / "no.srdf"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_FALSE(fs::exists(folder_ / "c"));
  // the same wherever a robot is loaded from its URDF
  EXPECT_TRUE(load_robot(urdf.string())->model.arms.empty());
  EXPECT_EQ(load_robot(urdf.string(), {.srdf = srdf})->model.arms.size(), 1U);
  write("robot.srdf", kPickerSrdf);
  EXPECT_EQ(load_robot(urdf.string())->model.arms.size(), 1U);
}

// an arm of 2 kg, 0.5 m out, with a motor for a tenth of that: a spring bears the rest, of which no URDF
// tells
TEST_F(NewRobotTest, ProposesTheEffortThatTheWeightAsksFor) {
  const fs::path urdf = write("sagging.urdf", R"(<robot name="sagging"><link name="base"/>
    <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
    <link name="strong"><inertial><mass value="0.001"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
    <joint name="lift" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
    <joint name="tip" type="revolute"><parent link="arm"/><child link="strong"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>)");
  const auto robot = make_robot_folder(urdf, folder_ / "out");
  ASSERT_TRUE(robot) << robot.error().message;
  // 2 kg, 9.81 m/s², 0.5 m, and half as much again
  EXPECT_NEAR(robot->model.joints[0].limits.effort, 1.5 * 9.81, 0.02);
  EXPECT_EQ(robot->model.joints[1].limits.effort, 1.0);
  EXPECT_TRUE(std::any_of(robot->remarks.begin(), robot->remarks.end(), [](const Remark& remark) {
    return remark.what.starts_with("joint 'lift' may give 1 N m, and the robot's own weight asks up to 9.8");
  }));
}

TEST_F(NewRobotTest, NeverWritesOverARobotUnasked) {
  const fs::path urdf = write("picker.urdf", kPicker);
  ASSERT_TRUE(make_robot_folder(urdf, folder_ / "out"));
  const auto again = make_robot_folder(urdf, folder_ / "out");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::AlreadyExists);
  EXPECT_TRUE(make_robot_folder(urdf, folder_ / "out", {.may_replace = true}));
}

TEST_F(NewRobotTest, MakesNothingOfABadUrdf) {
  EXPECT_FALSE(make_robot_folder(write("bad.urdf", "<robot/>"), folder_ / "out"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST(ChainsTest, FindsTheArmsThatTheShippedRobotsHave) {
  for (const char* name : {"scorbot-er3", "ur5e", "panda", "kr60", "yarc-industrial", "betabots"}) {
    const auto robot = load_robot(name);
    ASSERT_TRUE(robot) << robot.error().message;
    const std::vector<Arm> chains = find_chains(robot->model);
    ASSERT_EQ(chains.size(), 1U) << name;
    EXPECT_EQ(chains[0].base_link, robot->model.arms[0].base_link) << name;
    EXPECT_EQ(chains[0].tip_link, robot->model.arms[0].tip_link) << name;
  }
  const auto mds = load_robot("mds");
  ASSERT_TRUE(mds);
  const std::vector<Arm> chains = find_chains(mds->model);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(chains[i].name, mds->model.arms[i].name);
    EXPECT_EQ(chains[i].tip_link, mds->model.arms[i].tip_link);
  }
  EXPECT_TRUE(find_chains(load_robot("p3at")->model).empty());
}

}  // namespace
}  // namespace sinew
