// SPDX-License-Identifier: BSD-3-Clause
#include "ik_rows.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"

#include "ik_options.h"
#include "rival.h"

namespace sinew::bench {
namespace {

ChosenChain chosen_of(RobotModel model) {
  LoadedRobot robot;
  robot.model = std::move(model);
  SerialChain chain = arms::chain_of(robot.model);
  const std::size_t tip = robot.model.links.size() - 1;
  return {
      .robot = std::move(robot), .chain = std::move(chain), .tip = "tip", .base_link = 0, .tip_link = tip};
}

TEST(IkRowsTest, SummaryCountsRanks) {
  std::vector<double> times;
  for (int i = 200; i >= 1; --i) times.push_back(i);
  const TimeSummary summary = summary_of(times);
  EXPECT_EQ(summary.mean, 100.5);
  EXPECT_EQ(summary.median, 100.0);
  EXPECT_EQ(summary.p99, 198.0);
  EXPECT_EQ(summary.worst, 200.0);
  EXPECT_EQ(summary_of({7.0}).p99, 7.0);
}

TEST(IkRowsTest, EverySolverMeetsEveryPose) {
  const ChosenChain chosen = chosen_of(arms::kr6());
  const PoseList poses = draw_poses(chosen.chain, 120, 1);
  const auto rows = measure_ik("kr6", chosen, poses, {.with_numerical = true});
  ASSERT_EQ(rows.size(), KdlSolver::is_built_in() ? 3U : 2U);
  EXPECT_EQ(rows[0].method, "closed form: spherical wrist");
  EXPECT_EQ(rows[1].method, "numerical");
  for (const IkRow& row : rows) {
    EXPECT_EQ(row.times.size(), 120U);
    EXPECT_EQ(row.limit_violations, 0U);
    if (row.solver == "sinew") {
      EXPECT_EQ(row.solved, 120U);
      EXPECT_LE(row.max_position_error, kReached);
    }
  }
}

TEST(IkRowsTest, WhatNobodyReachesIsNoSuccess) {
  const ChosenChain chosen = chosen_of(arms::kr6());
  PoseList poses = draw_poses(chosen.chain, 4, 1);
  poses.targets[2].position.x() += 50.0;
  for (const IkRow& row : measure_ik("kr6", chosen, poses, {})) {
    EXPECT_LE(row.solved, 3U) << row.solver;
    EXPECT_EQ(success_of(row), 25.0 * static_cast<double>(row.solved));
  }
}

Result<IkBenchOptions> options_of(std::vector<const char*> words) {
  return ik_options_from(words);
}

TEST(IkOptionsTest, RefusesWhatCannotBe) {
  EXPECT_EQ(options_of({}).error().message,
            "say which robot: --robot NAME [--arm NAME], --urdf FILE --tip LINK, or --all");
  EXPECT_FALSE(options_of({"--robot", "a", "--urdf", "b"}));
  EXPECT_FALSE(options_of({"--all", "--poses", "b"}));
  EXPECT_EQ(options_of({"--robot", "a", "--count", "0"}).error().message,
            "--count takes a whole number from 1 to 10000000, not '0'");
  EXPECT_EQ(options_of({"--robbot", "a"}).error().message,
            "there is no option '--robbot' (did you mean '--robot'?); see --help");
  EXPECT_EQ(options_of({"--robot"}).error().message, "--robot needs a value; see --help");
}

}  // namespace
}  // namespace sinew::bench
