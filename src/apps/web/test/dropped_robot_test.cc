// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/dropped_robot.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
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

// each way by which a description can name a file of this machine
TEST_F(Dropped, NothingOfThisMachineIsRead) {
  const fs::path secrets = folder_.string() + "_secret";
  fs::create_directories(secrets);
  std::ofstream(secrets / "secret.yaml") << "word: swordfish\n";
  std::ofstream(secrets / "secret.xacro") << "<robot name=\"swordfish\"><link name=\"swordfish\"/></robot>";
  const std::string place = secrets.string();
  const std::string from_here = "../../../" + secrets.filename().string();
  for (const std::string& inside :
       {fmt::format("<link name=\"${{load_yaml('{}/secret.yaml')['word']}}\"/>", place),
        fmt::format("<link name=\"${{load_yaml('{}/secret.yaml')['word']}}\"/>", from_here),
        fmt::format("<xacro:include filename=\"{}/secret.xacro\"/>", place),
        fmt::format("<xacro:include filename=\"{}/secret.xacro\"/>", from_here),
        std::string("<xacro:include filename=\"/etc/passwd\"/>"),
        std::string("<link name=\"${load_yaml('/etc/passwd')}\"/>")}) {
    const std::string text =
        fmt::format("<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">{}</robot>", inside);
    const auto report =
        make_dropped_robot({.name = "spy", .main = "", .files = {{"spy.xacro", text}}}, folder_);
    ASSERT_FALSE(report) << inside << report->dump();
    for (const char* word : {"swordfish", "root:", "nologin"})
      EXPECT_EQ(report.error().message.find(word), std::string::npos) << report.error().message;
    EXPECT_TRUE(fs::is_empty(folder_)) << inside;
  }
  fs::remove_all(secrets);
}

TEST_F(Dropped, IsListedDeletedAndCounted) {
  EXPECT_EQ(list_dropped_robots(folder_)["robots"].size(), 0U);
  ASSERT_TRUE(make_dropped_robot({.name = "two", .main = "", .files = {{"two.urdf", kUrdf}}}, folder_));
  const Json list = list_dropped_robots(folder_);
  ASSERT_EQ(list["robots"].size(), 1U) << list.dump();
  EXPECT_EQ(list["robots"][0]["name"], "two");
  EXPECT_GT(list["robots"][0]["bytes"], 300);
  EXPECT_EQ(list["bytes"], list["robots"][0]["bytes"]);
  EXPECT_EQ(list["robots"][0]["start"], "sinew start " + (folder_ / "two").string());
  for (const char* name : {"..", "", "two/robot.urdf", ".", "three"})
    EXPECT_FALSE(delete_dropped_robot(name, folder_)) << name;
  // what is no folder of ours stays
  fs::create_directory_symlink("/etc", folder_ / "link");
  EXPECT_FALSE(delete_dropped_robot("link", folder_));
  EXPECT_EQ(list_dropped_robots(folder_)["robots"].size(), 1U);
  fs::remove(folder_ / "link");
  EXPECT_TRUE(delete_dropped_robot("two", folder_));
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_EQ(delete_dropped_robot("two", folder_).error().code, ErrorCode::NotFound);
}

TEST_F(Dropped, OnlySoManyAndSoMuch) {
  const auto drop = [&](const std::string& name) {
    return make_dropped_robot({.name = name, .main = "", .files = {{"two.urdf", kUrdf}}}, folder_);
  };
  fs::create_directories(folder_ / "large");
  fs::resize_file((std::ofstream(folder_ / "large/mesh.stl"), folder_ / "large/mesh.stl"), kMostDroppedBytes);
  const auto large = drop("more");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::OutOfLimits);
  EXPECT_NE(large.error().message.find("delete one"), std::string::npos) << large.error().message;
  EXPECT_TRUE(delete_dropped_robot("large", folder_));
  EXPECT_TRUE(drop("more"));
  for (std::size_t i = 1; i < kMostDroppedRobots; ++i)
    fs::create_directories(folder_ / fmt::format("r{}", i));
  const auto many = drop("one-too-many");
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().message.find("32 dropped robots"), std::string::npos) << many.error().message;
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
