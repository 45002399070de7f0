// SPDX-License-Identifier: BSD-3-Clause
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"

#include "apps/cli/console_line.h"
#include "apps/cli/console_session.h"
#include "apps/cli/joint_motion.h"
#include "apps/cli/joint_rows.h"

namespace sinew::cli {
namespace {

using Texts = std::vector<std::string>;

const RobotModel& mds() {
  static const RobotModel kModel = [] {
    auto robot = load_robot("mds");
    EXPECT_TRUE(robot) << robot.error().message;
    return robot->model;
  }();
  return kModel;
}

TEST(ConsoleTest, WhatStandsInBracesIsOneWord) {
  EXPECT_EQ(console_words("  goto\tLSP -0.1 \n"), (Texts{"goto", "LSP", "-0.1"}));
  EXPECT_EQ(console_words("world add {name: t, box: [1, 2, 3]} x"),
            (Texts{"world", "add", "{name: t, box: [1, 2, 3]}", "x"}));
  EXPECT_EQ(console_words(" \t"), Texts{});
  // braces that do not match must not swallow or lose anything
  EXPECT_EQ(console_words("a } b"), (Texts{"a", "}", "b"}));
  EXPECT_EQ(console_words("a { b c"), (Texts{"a", "{ b c"}));
}

Texts joints_after_goto(std::span<const std::string> words) {
  return words.empty() ? Texts{"goto", "get"} : Texts{"LSP", "LSR", "RSP"};
}

TEST(ConsoleTest, TabCompletesAsFarAsItIsCertainAndThenShowsTheChoice) {
  EXPECT_EQ(complete_line("got", joints_after_goto).inserted, "o ");
  EXPECT_EQ(complete_line("g", joints_after_goto).choices, (Texts{"get", "goto"}));
  EXPECT_EQ(complete_line("goto L", joints_after_goto).inserted, "S");
  EXPECT_EQ(complete_line("goto LS", joints_after_goto).choices, (Texts{"LSP", "LSR"}));
  EXPECT_EQ(complete_line("goto R", joints_after_goto).inserted, "SP ");
  EXPECT_EQ(complete_line("goto ", joints_after_goto).choices.size(), 3U);
  EXPECT_EQ(complete_line("goto X", joints_after_goto).inserted, "");
}

TEST(ConsoleTest, JointsGoByNameAndAliasAndErrorsSuggestTheNearest) {
  const auto by_alias = joint_to_move(mds(), "RSP");
  ASSERT_TRUE(by_alias);
  EXPECT_EQ(*by_alias, *joint_to_move(mds(), "RightShoulderExt"));
  EXPECT_NE(joint_to_move(mds(), "RightShoulderEx").error().message.find("did you mean 'RightShoulderExt'?"),
            std::string::npos);
  EXPECT_NE(joint_to_move(mds(), "JawJut").error().message.find("is not in use"), std::string::npos);
  EXPECT_TRUE(joint_to_look_at(mds(), "JawJut"));
}

TEST(ConsoleTest, PositionsAreReadInTheirUnitsAndKeptWithinLimits) {
  const Joint& joint = mds().joints[find_joint(mds(), "REP")];
  EXPECT_DOUBLE_EQ(*position_from(joint, "-0.5"), -0.5);
  EXPECT_DOUBLE_EQ(*position_from(joint, "-90deg"), -std::numbers::pi / 2);
  EXPECT_NE(position_from(joint, "5mm").error().message.find("rad or deg"), std::string::npos);
  EXPECT_NE(position_from(joint, "90deg")
                .error()
                .message.find("joint 'RightElbowFlex' cannot go to 90.0 deg: its limits are "),
            std::string::npos);
  for (const char* word : {"nan", "inf", "", "deg", "1x", "1e999"})
    EXPECT_FALSE(position_from(joint, word)) << word;
}

TEST(JointRowsTest, CarryAddressAliasAndActivity) {
  RobotSnapshot now;
  now.safety.state = ControlState::Running;
  now.state.measured_mask = ~std::uint64_t{0};
  const auto elbow = *joint_to_move(mds(), "REP");
  const auto wrist = *joint_to_move(mds(), "RWR");
  now.processed.velocity[elbow] = 0.1;
  now.processed.held_mask = std::uint64_t{1} << wrist;
  now.processed.wanted[wrist] = 0.3;
  const auto rows = joint_rows(mds(), now);
  ASSERT_EQ(rows.size(), 43U);
  EXPECT_EQ(rows[elbow].alias, "REP");
  EXPECT_EQ(rows[elbow].address, "0x48");
  EXPECT_EQ(rows[elbow].activity, JointActivity::Moving);
  EXPECT_EQ(rows[wrist].activity, JointActivity::Held);
  EXPECT_EQ(rows[*joint_to_look_at(mds(), "JawJut")].activity, JointActivity::Off);
  now.safety.state = ControlState::Stopped;
  EXPECT_EQ(joint_rows(mds(), now)[wrist].activity, JointActivity::Stopped);
}

}  // namespace
}  // namespace sinew::cli
