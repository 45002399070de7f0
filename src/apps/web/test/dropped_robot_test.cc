// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/dropped_robot.h"

#include <unistd.h>

#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/model/load_robot.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kUrdf = R"(<robot name="two"><link name="a"/><link name="b"><visual><geometry>
<mesh filename="package://two/meshes/b.stl"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>)";

class Dropped : public testing::Test {
 protected:
  Dropped() { fs::create_directories(folder_); }
  ~Dropped() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::temp_directory_path() / fmt::format("dropped_robot_{}", getpid());
};

TEST(Base64, IsReadBack) {
  EXPECT_EQ(bytes_from_base64("aGVsbG8="), "hello");
  EXPECT_EQ(bytes_from_base64("aGVsbG8"), "hello");
  EXPECT_EQ(bytes_from_base64("/+8A"), std::string("\xff\xef\0", 3));
  EXPECT_EQ(bytes_from_base64(""), "");
  EXPECT_FALSE(bytes_from_base64("a"));
  EXPECT_FALSE(bytes_from_base64("a-b_"));
}

TEST(Base64, GoesBothWaysAtEveryLength) {
  EXPECT_EQ(base64_from_bytes("hello"), "aGVsbG8=");
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(bytes_from_base64(base64_from_bytes(bytes)), bytes);
    EXPECT_EQ(base64_from_bytes(bytes).size() % 4, 0U);
    bytes += static_cast<char>(37 * i);
  }
}

TEST_F(Dropped, AUrdfBecomesARobotThatLoads) {
  const auto report =
      make_dropped_robot({.name = "two", .main = "", .files = {{"two/urdf/two.urdf", kUrdf}}}, folder_);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ((*report)["joints"], 1);
  // the mesh that is missing is told
  EXPECT_NE(report->dump().find("b.stl"), std::string::npos) << report->dump(1);
  EXPECT_EQ((*report)["joint_list"][0]["name"], "j");
  EXPECT_EQ((*report)["joint_list"][0]["upper"], 1.0);
  EXPECT_EQ((*report)["findings"].size(), (*report)["warnings"].size());
  EXPECT_FALSE((*report)["findings"][0]["what"].get<std::string>().empty());
  EXPECT_EQ(report->dump().find(".dropped"), std::string::npos) << report->dump(1);
  EXPECT_TRUE(bytes_from_base64((*report)["picture"].get<std::string>())->starts_with("\x89PNG"));
  const auto robot = load_robot((folder_ / "two").string());
  ASSERT_TRUE(robot) << robot.error().message;
  EXPECT_EQ(robot->model.positions.size(), 1U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "something was left behind";
}

TEST_F(Dropped, WhatIsNoRobotLeavesNothingBehind) {
  for (const char* text :
       {"", "<robot", "<html/>", "<robot name=\"x\"><link name=\"a\"/><link name=\"b\"/></robot>"}) {
    const auto report =
        make_dropped_robot({.name = "bad", .main = "", .files = {{"bad.urdf", text}}}, folder_);
    ASSERT_FALSE(report) << text;
    EXPECT_TRUE(report.error().message.starts_with("bad.urdf")) << report.error().message;
    EXPECT_TRUE(fs::is_empty(folder_)) << text;
  }
  EXPECT_FALSE(make_dropped_robot({.name = "bad", .main = "", .files = {{"readme.txt", "hello"}}}, folder_));
}

TEST_F(Dropped, ARobotThatIsThereIsNotReplaced) {
  const DroppedRobot two{.name = "two", .main = "", .files = {{"two.urdf", kUrdf}}};
  ASSERT_TRUE(make_dropped_robot(two, folder_));
  EXPECT_FALSE(make_dropped_robot(two, folder_));
}

TEST_F(Dropped, PathsThatLeadElsewhereAreRefused) {
  for (const char* path :
       {"../a.urdf", "/etc/a.urdf", "a/../../b.urdf", "", ".hidden", "a//../b", "a\\b.urdf", "a\n"})
    EXPECT_FALSE(dropped_robot_from({{"name", "x"}, {"files", {{{"path", path}, {"base64", ""}}}}})) << path;
  for (const char* name : {"", "..", "a/b", "a.b", "a b"})
    EXPECT_FALSE(dropped_robot_from({{"name", name}, {"files", Json::array()}})) << name;
  EXPECT_TRUE(dropped_robot_from({{"name", "x"}, {"files", {{{"path", "a/b.urdf"}, {"base64", "aGk="}}}}}));
}

}  // namespace
}  // namespace sinew
