// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/collision_pairs.h"

#include <unistd.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"

namespace sinew::cli {
namespace {

// what is found is written so that the folder loads with just that
TEST(CollisionPairsTest, NewRobotLoadsWithThePairsFound) {
  const auto known = load_robot("kr60");
  ASSERT_TRUE(known);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("sinew-pairs-" + std::to_string(getpid()));
  auto robot = make_robot_folder(known->urdf, folder);
  ASSERT_TRUE(robot) << robot.error().message;
  const std::size_t neighbours = robot->model.ignored_pairs.size();
  ASSERT_TRUE(add_ignored_pairs(*robot));
  EXPECT_GT(robot->model.ignored_pairs.size(), neighbours);
  const auto loaded = load_robot(folder.string());
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->model.ignored_pairs.size(), robot->model.ignored_pairs.size());
}

TEST(CollisionPairsTest, NamesAreQuoted) {
  RobotModel model;
  model.links = {{.name = "a\"b"}, {.name = "c: d"}};
  EXPECT_EQ(ignored_pairs_yaml(model, 0), "");
  model.ignored_pairs = {{0, 1, "never"}};
  EXPECT_NE(ignored_pairs_yaml(model, 0).find(R"(  - {a: "a\"b", b: "c: d", reason: "never"})"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::cli
