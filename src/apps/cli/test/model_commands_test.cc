// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/model_commands.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sinew::cli {
namespace {

struct Answer {
  bool is_ok = false;
  std::string text;
};

Answer answer_of(const Command& command, const std::vector<std::string>& words) {
  const auto parsed = parse_words(command, words);
  EXPECT_TRUE(parsed) << parsed.error().message;
  std::ostringstream out;
  const Status done = command.run(*parsed, out);
  return {.is_ok = done.has_value(), .text = out.str()};
}

class ModelCommandsTest : public testing::Test {
 protected:
  ModelCommandsTest()
      : folder_(std::filesystem::temp_directory_path() / ("sinew-cli-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ModelCommandsTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
};

TEST_F(ModelCommandsTest, SaysWhichMotorsAreTooWeakAndWhatStandsOnTheFloor) {
  const std::string weak = write("weak.urdf", R"(<robot name="weak">
<link name="base"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="arm"><inertial><origin xyz="1 0 0"/><mass value="10"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
<collision><origin xyz="1 0 0"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="lift" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 -1 0"/>
<limit lower="-1" upper="1" velocity="1" effort="50"/></joint></robot>)");
  const Answer checked = answer_of(kModelCommand, {weak, "--check"});
  EXPECT_NE(checked.text.find("'lift' needs 98.1 N·m to hold the robot and has 50 N·m"), std::string::npos)
      << checked.text;
  EXPECT_NE(answer_of(kModelCommand, {weak}).text.find("stands on the floor by: base (not named"),
            std::string::npos);
  EXPECT_NE(
      answer_of(kModelCommand, {"p3at"}).text.find("stands on the floor by: base_link, front_left_wheel, "),
      std::string::npos);
  const Answer made = answer_of(kNewCommand, {weak, "--out", (folder_ / "weak").string()});
  EXPECT_NE(
      made.text.find("joint 'lift' may give 50 N m, and the robot's own weight asks up to 98.1 N m of it"),
      std::string::npos)
      << made.text;
}

TEST_F(ModelCommandsTest, ShowsARobotToPeopleAndPrograms) {
  const Answer shown = answer_of(kModelCommand, {"scorbot-er3"});
  ASSERT_TRUE(shown.is_ok);
  EXPECT_NE(shown.text.find("arm arm: base_link to grip, by base shoulder elbow pitch roll\n"),
            std::string::npos);
  EXPECT_NE(shown.text.find("gripper_right -> finger_right  prismatic, follows gripper\n"),
            std::string::npos);
  const Answer answer = answer_of(kModelCommand, {"scorbot-er3", "--json"});
  const auto json = nlohmann::json::parse(answer.text);
  EXPECT_EQ(json["chains"][0]["joints"].size(), 5U);
  EXPECT_EQ(json["joints"].size(), 8U);
  EXPECT_TRUE(json["joints"][4]["limits"]["upper"].is_null());
  EXPECT_TRUE(json["warnings"].empty());
}

TEST_F(ModelCommandsTest, FailsWhenTheRobotCannotBeUsed) {
  const std::string bad = write("bad.urdf", "<robot name='b'><link name='a'/><link name='b'/></robot>");
  EXPECT_FALSE(answer_of(kModelCommand, {bad, "--check"}).is_ok);
  const Answer answer = answer_of(kNewCommand, {bad, "--out", (folder_ / "out").string(), "--json"});
  EXPECT_FALSE(answer.is_ok);
  const auto json = nlohmann::json::parse(answer.text);
  EXPECT_FALSE(json["ok"]);
  EXPECT_NE(json["errors"][0].get<std::string>().find("there are two roots"), std::string::npos);
}

TEST_F(ModelCommandsTest, MakesARobotFromAUrdfAndReportsIt) {
  std::string urdf = "<robot name='three'><link name='l0'/>";
  for (const char* n : {"1", "2", "3"}) {
    const std::string before(1, static_cast<char>(n[0] - 1));
    urdf += std::string("<link name='l") + n + "'/><joint name='j" + n + "' type='revolute'><parent link='l" +
            before + "'/><child link='l" + n + "'/><axis xyz='0 0 1'/></joint>";
  }
  const std::string out = (folder_ / "three").string();
  const Answer answer =
      answer_of(kNewCommand, {write("three.urdf", urdf + "</robot>"), "--out", out, "--json"});
  ASSERT_TRUE(answer.is_ok);
  const auto json = nlohmann::json::parse(answer.text);
  EXPECT_TRUE(json["ok"]);
  EXPECT_EQ(json["chains"][0]["base"], "l0");
  EXPECT_EQ(json["chains"][0]["tip"], "l3");
  EXPECT_EQ(json["chains"][0]["joints"], (std::vector<std::string>{"j1", "j2", "j3"}));
  EXPECT_FALSE(json["warnings"].empty());
  EXPECT_TRUE(json["errors"].empty());
  EXPECT_TRUE(answer_of(kModelCommand, {out, "--check"}).is_ok);
}

TEST_F(ModelCommandsTest, DrawsARobot) {
  const std::string file = (folder_ / "arm.png").string();
  const Answer drawn = answer_of(kModelCommand, {"scorbot-er3", "--picture", file, "--size", "64x48",
                                                 "--posture", "level", "--view", "side"});
  EXPECT_TRUE(drawn.is_ok);
  EXPECT_EQ(drawn.text, "drew " + file + ": 64 x 48 pixels\n");
  EXPECT_GT(std::filesystem::file_size(file), 500U);
  EXPECT_TRUE(answer_of(kModelCommand,
                        {"ur5e", "--picture", file, "--size", "32x32", "--q", "0", "-1", "1", "0", "0", "0"})
                  .is_ok);
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--view", "back"},
                                                {"--size", "64"},
                                                {"--size", "9x9"},
                                                {"--posture", "leveled"},
                                                {"--q", "1", "2"}}) {
    std::vector<std::string> words{"scorbot-er3", "--picture", file};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_FALSE(answer_of(kModelCommand, words).is_ok) << wrong[0] << ' ' << wrong[1];
  }
}

// a broken mesh and one in millimetres are told, and the robot is usable all the same
TEST_F(ModelCommandsTest, ReportsOddMeshesOfANewRobot) {
  write("broken.stl", "broken");
  write("big.obj", "v 0 0 0\nv 900 0 0\nv 0 900 0\nf 1 2 3\n");
  const std::string urdf = write(
      "r.urdf",
      "<robot name='r'><link name='a'><visual><geometry><mesh filename='broken.stl'/></geometry></visual>"
      "<visual><geometry><mesh filename='big.obj'/></geometry></visual></link></robot>");
  const Answer made = answer_of(kNewCommand, {urdf, "--out", (folder_ / "r").string(), "--json"});
  ASSERT_TRUE(made.is_ok);
  const std::string warnings = nlohmann::json::parse(made.text)["warnings"].dump();
  EXPECT_NE(warnings.find("broken.stl: its header promises"), std::string::npos) << warnings;
  EXPECT_NE(warnings.find("is it in millimetres?"), std::string::npos) << warnings;
}

}  // namespace
}  // namespace sinew::cli
