// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/plan_command.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/mesh/mesh_points.h"
#include "sinew/model/positions.h"
#include "sinew/planning/planning_robot.h"

#include "apps/cli/ompl_plan.h"
#include "apps/cli/plan_scene.h"

namespace sinew::cli {
namespace {

struct Ended {
  Status status;
  std::string out;
};

/// `sinew plan` with these words.
Ended plan(const std::vector<std::string>& words) {
  const Command command = plan_command();
  const auto parsed = parse_words(command, words);
  if (!parsed) return {.status = parsed.error(), .out = {}};
  std::ostringstream out;
  Status status = command.run(*parsed, out);
  return {.status = std::move(status), .out = out.str()};
}

std::string refusal(const std::vector<std::string>& words) {
  const Ended ended = plan(words);
  return ended.status ? "it was not refused" : ended.status.error().message;
}

// a post in the way of an arm that turns, in a scene with a floor that the base stands on
TEST(PlanCommandTest, PlansAroundASceneAndAnswersInJson) {
  const std::filesystem::path scene = std::filesystem::path(testing::TempDir()) / "plan_command_test.yaml";
  std::ofstream(scene)
      << "objects:\n  - {name: post, kind: box, xyz: [0.25, 0.25, 0.35], size: [0.08, 0.08, 0.7]}\n";
  const Ended ended = plan({"--robot", "panda", "--scene", scene.string(), "--from", "0",   "-0.785", "0",
                            "-2.356",  "0",     "1.571",   "0.785",        "--to",   "1.6", "-0.785", "0",
                            "-2.356",  "0",     "1.571",   "0.785",        "--time", "60",  "--json"});
  std::filesystem::remove(scene);
  ASSERT_TRUE(ended.status) << ended.status.error().message;
  const auto answer = nlohmann::json::parse(ended.out);
  EXPECT_EQ(answer["ok"], true);
  EXPECT_EQ(answer["status"], "solved");
  ASSERT_EQ(answer["joints"].size(), 7U);
  ASSERT_GT(answer["path"].size(), 2U);
  EXPECT_EQ(answer["path"].front()[0], 0.0);
  EXPECT_EQ(answer["path"].back()[0], 1.6);
}

TEST(PlanCommandTest, SevenNumbersAreAPoseWhereNoArmHasSevenJoints) {
  const std::vector<std::string> pose{"0.4", "0.2", "0.3", "0", "1", "0", "0"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), pose.begin(), pose.end());
    words.emplace_back("--json");
    return plan(words);
  };
  const Ended by_to = with({"--robot", "ur5e", "--time", "60", "--to"});
  const Ended by_pose = with({"--robot", "ur5e", "--time", "60", "--pose"});
  ASSERT_TRUE(by_to.status) << by_to.status.error().message;
  ASSERT_TRUE(by_pose.status) << by_pose.status.error().message;
  EXPECT_EQ(nlohmann::json::parse(by_to.out)["path"], nlohmann::json::parse(by_pose.out)["path"]);
  const Ended by_parts = plan({"--robot", "ur5e", "--time", "60", "--xyz", "0.4", "0.2", "0.3", "--rpy",
                               "3.141592653589793", "0", "0", "--json"});
  EXPECT_TRUE(by_parts.status);
}

TEST(PlanCommandTest, RefusesWhatCannotBeMeant) {
  EXPECT_EQ(
      refusal({"--robot", "ur5e", "--to", "1", "2", "3"}),
      "--to takes 6 joint positions, or the 7 numbers of a pose, not 3 numbers; --pose, or --xyz and --rpy, "
      "say a pose");
  EXPECT_EQ(refusal({"--robot", "panda", "--to", "1", "2", "3"}),
            "--to takes 7 joint positions, not 3 numbers; --pose, or --xyz and --rpy, say a pose");
  EXPECT_EQ(refusal({"--robot", "ur5e"}),
            "say where to: --to Q…, --pose x y z qw qx qy qz, or --xyz x y z [--rpy r p y]");
  EXPECT_EQ(
      refusal({"--robot", "ur5e", "--to", "0", "0", "0", "0", "0", "0", "--region", "1", "1", "1", "0"}),
      "--region is around a pose: say it by --pose, or by --xyz and --rpy");
  EXPECT_EQ(refusal({"--robot", "ur5e", "--xyz", "1", "0", "0", "--keep-box", "1", "0", "0", "0", "0", "0"}),
            "--keep-box takes the lowest corner first: X Y Z X Y Z");
}

// each planner that this build has; every way is proven again by a planner of its own
TEST(PlanCommandTest, OmplPlansOnTheSameProofs) {
  const std::vector<std::string> planners = ompl_planners();
  if (planners.empty()) GTEST_SKIP() << "built without OMPL";
  const std::filesystem::path scene = std::filesystem::path(testing::TempDir()) / "plan_with_ompl_test.yaml";
  std::ofstream(scene)
      << "objects:\n  - {name: post, kind: box, xyz: [0.25, 0.25, 0.35], size: [0.08, 0.08, 0.7]}\n";
  const auto robot = load_planning_robot({.robot = "panda"}, points_of_mesh);
  ASSERT_TRUE(robot);
  const RobotModel& model = robot->chosen.robot.model;
  const auto world = load_scene(scene.string(), {.model = &model});
  ASSERT_TRUE(world) << world.error().message;
  auto judge =
      Planner::make(model, {.clearance = {.mesh_points = points_of_mesh}, .chain = &robot->chosen.chain});
  ASSERT_TRUE(judge);
  judge->set_world(world->world);
  judge->set_others(starting_positions(model));
  for (const std::string& planner : planners) {
    std::vector<std::string> words{
        "--robot", "panda", "--scene", scene.string(), "--from", "0",   "-0.785", "0",
        "-2.356",  "0",     "1.571",   "0.785",        "--to",   "1.6", "-0.785", "0",
        "-2.356",  "0",     "1.571",   "0.785",        "--time", "60",  "--json"};
    words.insert(words.end(), {"--planner", planner});
    const Ended ended = plan(words);
    ASSERT_TRUE(ended.status) << planner << ": " << ended.status.error().message;
    const auto path = nlohmann::json::parse(ended.out)["path"].get<std::vector<std::vector<double>>>();
    ASSERT_GT(path.size(), 2U) << planner;
    EXPECT_EQ(path.front()[0], 0.0) << planner;
    EXPECT_EQ(path.back()[0], 1.6) << planner;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      EXPECT_TRUE(judge->is_way_clear(path[i], path[i + 1])) << planner << ", part " << i;
    }
  }
  std::filesystem::remove(scene);
}

TEST(PlanCommandTest, RefusesPlannersAndQuestionsThatOmplDoesNotKnow) {
  const std::vector<std::string> to{"--robot", "ur5e", "--to", "0", "-1.5", "1", "0", "0", "0", "--planner"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), to.begin(), to.end());
    return refusal(more);
  };
  if (ompl_planners().empty()) {
    EXPECT_EQ(with({"ompl-rrtconnect"}),
              "this build has no 'ompl-rrtconnect': install libompl-dev and build again, or plan without "
              "--planner");
    return;
  }
  EXPECT_EQ(with({"ompl-rrtconect"}),
            "there is no planner 'ompl-rrtconect' (did you mean 'ompl-rrtconnect'?); known: sinew, "
            "ompl-rrtconnect, ompl-bkpiece, ompl-lbkpiece, ompl-biest, ompl-sbl");
  EXPECT_EQ(with({"ompl-sbl", "--level", "0.1"}),
            "ompl-sbl knows no regions and no constraints: leave out --region, --level and --keep-box, or "
            "--planner");
  // the same words as without it
  EXPECT_EQ(refusal({"--robot", "ur5e", "--to", "9", "0", "0", "0", "0", "0", "--planner", "ompl-sbl"}),
            refusal({"--robot", "ur5e", "--to", "9", "0", "0", "0", "0", "0"}));
}

}  // namespace
}  // namespace sinew::cli
