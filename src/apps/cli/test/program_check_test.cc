// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/program_check.h"

#include <numbers>

#include <gtest/gtest.h>

#include "sinew/language/parser.h"

#include "apps/cli/program_check_robot.h"

namespace sinew::cli {
namespace {

std::string said_about(const std::string& robot, const std::string& text) {
  const auto chosen = sinew::choose_chain({.robot = robot});
  if (!chosen) return chosen.error().message;
  const language::ParsedProgram parsed = language::parse_program(text, "x.prog");
  CheckedArm arm(*chosen);
  std::string said;
  const language::CheckReport report = check_program(parsed.program, arm, &arm);
  for (const language::Finding& finding : report.findings.all())
    said += finding_text(finding, parsed.program.file_names()) + "\n";
  return said;
}

std::string listing_4(const std::string& height) {
  return "P0001 MOVEL_RPY_LSPB {TCP} 0.00 1174.40 " + height +
         " 0.00 0.00 0.00 [20] (mm,deg,s) {B}\n"
         "P0002 MOVEJ_SPLINE_LSPB {TCP} 0.00 0.00 0.00 0.00 0.00 0.00; 30.00 15.00 30.00 -15.00 20.00 15.00; "
         "0.00 "
         "0.00 0.00 0.00 0.00 0.00 [20] (mm,deg,s) {B}\nP0003 STOP\n";
}

// the height as printed does not lead to the zero posture, where the spline begins; 1764 does
TEST(CheckedArm, TakesListing4BothWays) {
  EXPECT_EQ(said_about("yarc-industrial", listing_4("1764.00")), "");
  EXPECT_EQ(said_about("yarc-industrial", listing_4("1176.00")),
            "x.prog:2:7: warning: the spline begins elsewhere than the robot is: joint 'J5' is 52.7 deg "
            "away; the way "
            "to the first point counts as part of it\n");
}

TEST(CheckedArm, KnowsReachLimitsToolsAndCounts) {
  EXPECT_EQ(said_about("yarc-industrial", "MOVEJ 200 0 0 0 0 0"),
            "x.prog:1:1: error: joint 'J1' cannot go to 200.0 deg: its limits are -180.0 deg to 180.0 deg\n");
  EXPECT_EQ(said_about("yarc-industrial", "MOVEL {TPC} 0 1174 1764 0 0 0\nMOVEJ 0 0 0"),
            "x.prog:1:7: error: there is no tool {TPC} (did you mean 'TCP'?); known: TCP\n"
            "x.prog:2:7: error: MOVEJ takes 6 joint positions, and here are 3\n");
  EXPECT_NE(said_about("yarc-industrial", "MOVEL 0 5000 0 0 0 0")
                .find("error: the tool cannot be put there: out of reach"),
            std::string::npos);
}

// a displacement is reckoned from where the move before it ended
TEST(CheckedArm, FollowsDisplacements) {
  const auto chosen = sinew::choose_chain({.robot = "yarc-industrial"});
  ASSERT_TRUE(chosen);
  CheckedArm arm(*chosen);
  constexpr double kDegree = std::numbers::pi / 180.0;
  ASSERT_TRUE(arm.start_at({0, 0, 0, 0, -30 * kDegree, 0}));
  const Pose before = *arm.flange_now();
  const auto parsed = language::parse_program(
      "DMOVE 0 -50 20 0 0 0 {B}\nDMOVE 0 0 10 0 0 5 {T}\nDMOVEJ 0 0 0 0 2 0", "x.prog");
  const auto report = check_program(parsed.program, arm, &arm);
  EXPECT_TRUE(report.findings.all().empty());
  EXPECT_EQ(report.moves, 3U);
  const std::vector<double> q = *arm.joints_now();
  ASSERT_TRUE(arm.start_at({q[0], q[1], q[2], q[3], q[4] - 2 * kDegree, q[5]}));
  const Pose after = *arm.flange_now();
  const Vector3 wanted = before.position + Vector3(0, -0.05, 0.02) + before.rotation * Vector3(0, 0, 0.01);
  EXPECT_LT((after.position - wanted).norm(), 1e-6);
  EXPECT_NEAR(distance(before, after).rotation, 5 * kDegree, 1e-6);
}

}  // namespace
}  // namespace sinew::cli
