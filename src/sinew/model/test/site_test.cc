// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/site.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "sinew/model/robot_yaml.h"
#include "sinew/model/urdf.h"

namespace sinew {
namespace {

constexpr const char* kSiteUrdf = R"(<robot name="arm">
  <link name="base"/><link name="upper"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="fore"/><link name="hand"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore"/>
    <limit velocity="2" effort="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="fore"/><child link="hand"/>
    <limit lower="0" upper="0.5" velocity="1" effort="1"/></joint>
</robot>)";
constexpr const char* kSiteYaml = R"(urdf: arm.urdf
aliases: {shoulder: S}
limits: {shoulder: {acceleration: 3}}
home: {shoulder: 0.5, slide: 0.1}
postures: {far: {shoulder: 1.9}}
workspace: {planes: [{name: floor}]}
)";

RobotModel made_model() {
  auto read = read_urdf_text(kSiteUrdf, "arm.urdf");
  EXPECT_TRUE(read);
  const auto root = parse_yaml(kSiteYaml, "robot.yaml");
  EXPECT_TRUE(root);
  EXPECT_TRUE(apply_robot_yaml(*root, read->model));
  return std::move(read->model);
}

// "" when the text is taken, else the refusal.
std::string site_refusal(const std::string& text) {
  RobotModel model = made_model();
  const Status applied = apply_site_text(text, "site.yaml", model);
  return applied ? "" : applied.error().message;
}

TEST(SiteTest, NarrowsLimitsAndAddsBounds) {
  RobotModel model = made_model();
  const Status applied = apply_site_text(R"(limits:
  S: {lower_deg: -45, upper: 1, velocity: 0.5, acceleration: 2}
  slide: {upper: 0.3}
  elbow: {velocity: 1}
workspace:
  keep_out: [{name: press, xyz: [1, 0, 0.5], size: [0.4, 0.6, 1]}]
  planes: [{name: door, xyz: [1.2, 0, 0], normal: [-1, 0, 0]}]
)",
                                         "site.yaml", model);
  ASSERT_TRUE(applied) << applied.error().message;
  const JointLimits& shoulder = model.joints[find_joint(model, "shoulder")].limits;
  EXPECT_NEAR(shoulder.lower, -0.785398, 1e-6);
  EXPECT_EQ(shoulder.upper, 1.0);
  EXPECT_EQ(shoulder.velocity, 0.5);
  EXPECT_EQ(shoulder.acceleration, 2.0);
  EXPECT_EQ(model.joints[find_joint(model, "slide")].limits.lower, 0.0);
  EXPECT_EQ(model.joints[find_joint(model, "slide")].limits.upper, 0.3);
  ASSERT_EQ(model.workspace.size(), 3U);
  EXPECT_EQ(model.workspace[0].name, "floor");
  EXPECT_EQ(model.workspace[1].name, "press");
  // links, not only tools
  EXPECT_EQ(model.workspace[1].links, std::vector<std::size_t>{find_link(model, "upper")});
  EXPECT_EQ(model.workspace[2].name, "door");
}

TEST(SiteTest, WhatItSaysNothingAboutStays) {
  RobotModel model = made_model();
  ASSERT_TRUE(apply_site_text("limits: {}\nworkspace: {}\n", "site.yaml", model));
  const RobotModel made = made_model();
  for (std::size_t i = 0; i < made.joints.size(); ++i) {
    EXPECT_EQ(model.joints[i].limits.lower, made.joints[i].limits.lower);
    EXPECT_EQ(model.joints[i].limits.upper, made.joints[i].limits.upper);
    EXPECT_EQ(model.joints[i].limits.velocity, made.joints[i].limits.velocity);
  }
  EXPECT_EQ(model.workspace.size(), 1U);
}

TEST(SiteTest, LimitsAreOnlyMadeNarrower) {
  EXPECT_EQ(
      site_refusal("limits:\n  slide: {upper: 0.4}\n  shoulder: {upper: 2.1}\n"),
      "site.yaml:3: 'upper' of joint 'shoulder' is 120.3 deg, beyond the 114.6 deg that the robot is made "
      "for; on site, limits can only be made narrower");
  EXPECT_NE(site_refusal("limits: {slide: {lower: -0.1}}").find("beyond the 0.0 mm"), std::string::npos);
  EXPECT_NE(site_refusal("limits: {shoulder: {velocity: 1.5}}").find("beyond the 57.3 deg/s"),
            std::string::npos);
  EXPECT_NE(site_refusal("limits: {shoulder: {acceleration: 4}}").find("beyond the 3 "), std::string::npos);
  EXPECT_NE(site_refusal("limits: {slide: {acceleration: 4}}").find("no 'acceleration' of joint 'slide'"),
            std::string::npos);
  // what robot.yaml has itself, written with fewer digits, is no widening
  EXPECT_EQ(site_refusal("limits: {shoulder: {upper: 2.0000000001}}"), "");
}

// whatever is written there, no limit gets wider
TEST(SiteTest, NoFileWidensALimit) {
  std::mt19937 random(7);
  const auto draw = [&random](double least, double most) {
    return std::to_string(std::uniform_real_distribution<double>(least, most)(random));
  };
  const RobotModel made = made_model();
  const JointLimits& as_made = made.joints[find_joint(made, "shoulder")].limits;
  int taken = 0;
  for (int i = 0; i < 500; ++i) {
    RobotModel model = made_model();
    const std::string lower = draw(-3.0, 1.0);
    const std::string upper = draw(-1.0, 3.0);
    const std::string velocity = draw(-1.0, 3.0);
    const std::string text =
        "limits: {shoulder: {lower: " + lower + ", upper: " + upper + ", velocity: " + velocity + "}}";
    taken += apply_site_text(text, "site.yaml", model) ? 1 : 0;
    const JointLimits& limits = model.joints[find_joint(model, "shoulder")].limits;
    ASSERT_GE(limits.lower, as_made.lower) << text;
    ASSERT_LE(limits.upper, as_made.upper) << text;
    ASSERT_LE(limits.velocity, as_made.velocity) << text;
    ASSERT_LT(limits.lower, limits.upper) << text;
    ASSERT_GT(limits.velocity, 0.0) << text;
  }
  EXPECT_GT(taken, 10);
}

TEST(SiteTest, AJointKeepsARangeAndItsHome) {
  EXPECT_NE(site_refusal("limits: {slide: {lower: 0.2, upper: 0.2}}").find("could not move"),
            std::string::npos);
  EXPECT_NE(site_refusal("limits: {slide: {lower: 0.2}}").find("could not go home to 100.0 mm"),
            std::string::npos);
  EXPECT_NE(site_refusal("limits: {elbow: {upper: 1}}").find("turns without end"), std::string::npos);
  // other postures may lie outside: who goes there is refused
  EXPECT_EQ(site_refusal("limits: {shoulder: {upper: 1.5}}"), "");
}

TEST(SiteTest, ARefusedFileChangesNothing) {
  RobotModel model = made_model();
  ASSERT_FALSE(apply_site_text("limits: {shoulder: {upper: 1}}\nworkspace: {planes: [{name: floor}]}\n",
                               "site.yaml", model));
  EXPECT_EQ(model.joints[find_joint(model, "shoulder")].limits.upper, 2.0);
  EXPECT_EQ(model.workspace.size(), 1U);
}

TEST(SiteTest, WhatIsNoSiteIsRefusedWithItsLine) {
  EXPECT_NE(site_refusal("").find("site.yaml"), std::string::npos);
  EXPECT_NE(site_refusal("limits: {}\nurdf: other.urdf\n").find("site.yaml:2: "), std::string::npos);
  EXPECT_NE(
      site_refusal("limits: {}\nworkspace:\n  planes: [{name: floor}]\n").find("bound 'floor' stands twice"),
      std::string::npos);
  EXPECT_NE(site_refusal("limits: {shoulder: {upper: .nan}}").find("site.yaml:1: "), std::string::npos);
  EXPECT_NE(site_refusal("limits: {nobody: {upper: 1}}").find("there is no joint 'nobody'"),
            std::string::npos);
  EXPECT_NE(site_refusal("limits: [").find("site.yaml"), std::string::npos);
}

TEST(SiteTest, BoundsOfRobotAndSiteTogetherAreAtMostSixteen) {
  std::string text = "workspace:\n  planes:\n";
  for (int i = 0; i < 15; ++i) text += "    - {name: p" + std::to_string(i) + "}\n";
  EXPECT_EQ(site_refusal(text), "");
  EXPECT_NE(site_refusal(text + "    - {name: last}\n").find("17 bounds of the workspace"),
            std::string::npos);
}

class SiteFileTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/sinew_site_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    write("robot.yaml", kSiteYaml);
    write("arm.urdf", kSiteUrdf);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, std::string_view text) const { std::ofstream(folder_ / name) << text; }
  auto load(const std::filesystem::path& site) const { return load_robot_on_site(folder_.string(), site); }

  std::filesystem::path folder_;
};

TEST_F(SiteFileTest, ARobotWithoutASiteIsAsItWasMade) {
  for (const auto& site : {std::filesystem::path(), folder_ / "site.yaml", folder_ / "none" / "site.yaml"}) {
    const auto loaded = load(site);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->site, "");
    EXPECT_EQ(loaded->robot.model.workspace.size(), 1U);
  }
}

TEST_F(SiteFileTest, ASiteIsLaidUponTheRobot) {
  write("site.yaml", "limits: {shoulder: {upper: 1}}\n");
  const auto loaded = load(folder_ / "site.yaml");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->site, "limits: {shoulder: {upper: 1}}\n");
  EXPECT_EQ(loaded->robot.model.joints[0].limits.upper, 1.0);
}

TEST_F(SiteFileTest, ASiteThatCannotBeUsedIsNeverLeftOut) {
  for (const std::string_view text :
       {"", "limits: {shoulder: {upper: 1", "limits: {shoulder: {upper: 3}}", "\xff"}) {
    write("site.yaml", text);
    const auto loaded = load(folder_ / "site.yaml");
    ASSERT_FALSE(loaded) << text;
    EXPECT_NE(loaded.error().message.find("site.yaml"), std::string::npos) << loaded.error().message;
    EXPECT_NE(loaded.error().message.find("move it away"), std::string::npos) << loaded.error().message;
  }
  write("site.yaml", "# " + std::string(kMostSiteBytes, 'x') + "\nlimits: {}\n");
  EXPECT_FALSE(load(folder_ / "site.yaml"));
  std::filesystem::remove(folder_ / "site.yaml");
  std::filesystem::create_directory(folder_ / "site.yaml");
  EXPECT_FALSE(load(folder_ / "site.yaml"));
}

}  // namespace
}  // namespace sinew
