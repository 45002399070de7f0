// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/program_check.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/language/interpreter.h"
#include "sinew/language/parser.h"
#include "sinew/motion/program_file.h"

#include "apps/cli/plan_scene.h"
#include "apps/cli/program_check_robot.h"

namespace sinew::cli {
namespace {

std::string said_about(const std::string& robot, const std::string& text, const Obstacles& world = {}) {
  const auto chosen = sinew::choose_chain({.robot = robot});
  if (!chosen) return chosen.error().message;
  const language::ParsedProgram parsed = language::parse_program(text, "x.prog");
  const auto arm = CheckedArm::make(*chosen);
  if (!arm) return arm.error().message;
  if (world.size() > 0 && !(*arm)->set_world(world)) return "the world does not fit";
  std::string said;
  const language::CheckReport report = check_program(parsed.program, (*arm)->robot(), &(*arm)->judge());
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
  EXPECT_EQ(said_about("yarc-industrial", "MOVEL 0 5000 1764 0 0 0"),
            "x.prog:1:1: error: after 12.2 % of the way, at x 0.0 mm y 1.553 m z 1.764 m, the arm reaches no "
            "further\n");
  EXPECT_NE(said_about("yarc-industrial", "MOVEJ_RPY 0 5000 0 0 0 0").find("x.prog:1:1: error: "),
            std::string::npos);
}

// by name or by number, written down or worked out on the way
TEST(CheckedArm, KnowsInputsOutputsAndGrippersOfTheRobot) {
  EXPECT_EQ(
      said_about("ur5e",
                 "SET {lamq}\nWAIT UNTIL IN {dor} [1]\nIF IN 9\n  RESET 77\nEND\nGRIPPER {griper} OPEN\n"
                 "PRINT AIN {flow}"),
      "x.prog:1:5: error: there is no output {lamq} (did you mean 'lamp'?); known: gripper, lamp, glue\n"
      "x.prog:2:15: error: there is no input {dor} (did you mean 'door'?); known: part_ready, door, part, "
      "touch\n"
      "x.prog:3:7: error: there is no input {9}; known: part_ready, door, part, touch\n"
      "x.prog:4:9: error: there is no output {77}; known: gripper, lamp, glue\n"
      "x.prog:6:9: error: there is no gripper {griper} (did you mean 'gripper'?); known: gripper\n"
      "x.prog:7:11: error: there is no analog input {flow}; there is none at all\n");
  EXPECT_EQ(
      said_about("ur5e", "n = 8\nSET (n)\nGRIPPER 40\nSET {lamp}\nGRIPPER CLOSE\nWAIT UNTIL IN (n) [1]"),
      "x.prog:2:1: error: there is no output {8}; known: gripper, lamp, glue\n"
      "x.prog:3:1: error: gripper {gripper} hangs on an output: it opens and closes, and has no width\n"
      "x.prog:6:12: error: the input {8} cannot be read\n");
  EXPECT_EQ(said_about("scorbot-er3", "GRIPPER 80\nGRIPPER CLOSE [f=100]"),
            "x.prog:1:1: error: gripper {gripper} opens to 75.0 mm, and 80.0 mm are asked for\n"
            "x.prog:2:1: error: gripper {gripper} has at most 60 N, and 100 N are asked for\n");
}

TEST(RobotNamedIn, IsFoundAmongTheFirstComments) {
  EXPECT_EQ(robot_named_in("# robot: ur5e\nSTOP\n"), "ur5e");
  EXPECT_EQ(robot_named_in("# a seam\n# robot:  kr60 \n"), "kr60");
  EXPECT_EQ(robot_named_in("# robot: ur5e"), "ur5e");
  EXPECT_EQ(robot_named_in("STOP\n# robot: ur5e\n"), "");
  EXPECT_EQ(robot_named_in("#"), "");
  EXPECT_EQ(robot_named_in(""), "");
}

// a displacement is reckoned from where the move before it ended
TEST(CheckedArm, FollowsDisplacements) {
  const auto chosen = sinew::choose_chain({.robot = "yarc-industrial"});
  ASSERT_TRUE(chosen);
  const auto made = CheckedArm::make(*chosen);
  ASSERT_TRUE(made);
  CheckedArm& arm = **made;
  constexpr double kDegree = std::numbers::pi / 180.0;
  ASSERT_TRUE(arm.start_at({0, 0, 0, 0, -30 * kDegree, 0}));
  const Pose before = *arm.robot().flange_now();
  const auto parsed = language::parse_program(
      "DMOVE 0 -50 20 0 0 0 {B}\nDMOVE 0 0 10 0 0 5 {T}\nDMOVEJ 0 0 0 0 2 0", "x.prog");
  const auto report = check_program(parsed.program, arm.robot(), &arm.judge());
  EXPECT_TRUE(report.findings.all().empty());
  EXPECT_EQ(report.moves, 3U);
  const std::vector<double> q = *arm.robot().joints_now();
  ASSERT_TRUE(arm.start_at({q[0], q[1], q[2], q[3], q[4] - 2 * kDegree, q[5]}));
  const Pose after = *arm.robot().flange_now();
  const Vector3 wanted = before.position + Vector3(0, -0.05, 0.02) + before.rotation * Vector3(0, 0, 0.01);
  EXPECT_LT((after.position - wanted).norm(), 1e-6);
  EXPECT_NEAR(distance(before, after).rotation, 5 * kDegree, 1e-6);
}

Obstacle box_at(const char* name, const Vector3& p, const Vector3& half) {
  Obstacle box{.solid = make_box(half), .X_LO = {.position = p}};
  set_text(box.name, name);
  return box;
}

// what is in the way is told by name, at the line of the move; other ways round it are taken
TEST(CheckedArm, SeesCollisionsWithTheWorld) {
  Obstacles world;
  ASSERT_TRUE(world.add(box_at("crate", {0.0, 1.05, 1.2}, {0.1, 0.1, 0.1})));
  const std::string said =
      said_about("yarc-industrial", "MOVEJ 0 0 0 0 -30 0\nMOVEL {TCP} 0 1174.4 1176 0 0 0", world);
  EXPECT_TRUE(said.starts_with("x.prog:2:1: error: at x 0.0 mm y ")) << said;
  EXPECT_NE(said.find("'crate'"), std::string::npos) << said;
  EXPECT_EQ(said_about("yarc-industrial", "MOVEJ 60 0 0 0 -30 0\nMOVEJ -60 -20 -20 0 -30 0", world), "");
}

// the base may stand on a floor that the arm must not touch
TEST(CheckedArm, StandsOnAFloor) {
  Obstacle floor{.solid = make_plane()};
  set_text(floor.name, "floor");
  Obstacles world;
  ASSERT_TRUE(world.add(floor));
  EXPECT_EQ(said_about("yarc-industrial", "MOVEJ 0 0 0 0 -30 0", world), "");
  EXPECT_NE(said_about("yarc-industrial", "MOVEJ 0 -110 -30 0 0 0", world), "");
}

// `sinew check` itself, with the world that a simulated robot stands in unless another is named
TEST(CheckCommand, KnowsTheFloorThatARunKnows) {
  const std::string path = testing::TempDir() + "sinew_floor_check.prog";
  std::ofstream(path) << "MOVEJ 0 30 0 0 0 0\n";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{path, "--robot", "ur5e"}, {path, "--robot", "ur5e", "--world", "empty"}}) {
    std::ostringstream out;
    const Command command = check_command();
    const auto parsed = parse_words(command, words);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_FALSE(command.run(*parsed, out));
    EXPECT_NE(out.str().find("floor"), std::string::npos) << out.str();
  }
  // and with what a running robot is told, which is what a run looks at
  auto told = std::make_unique<World>(World{.object_count = 1});
  told->objects[0].kind = ObjectKind::Plane;
  set_text(told->objects[0].name, "floor");
  const std::vector<double> home{0.0, -1.5, 1.5, 0.0, 0.0, 0.0};
  EXPECT_EQ(*count_errors(path, {.robot = "ur5e"}, {.q_all = home, .world = told.get()}, false), 1U);
  std::filesystem::remove(path);
}

// what robot.yaml says may be carried is one thing, what the motors can hold another
TEST(CheckedArm, SaysWhichMotorAPayloadIsTooHeavyFor) {
  const std::string said = said_about("panda", "PAYLOAD 20\nMOVEJ 0 -45 0 -135 0 90 45\n");
  EXPECT_TRUE(said.starts_with("x.prog:1:1: error: a PAYLOAD of 20 kg is too heavy: 'panda_joint2' needs "))
      << said;
  EXPECT_NE(said.find(" N·m to hold it and has 87 N·m"), std::string::npos) << said;
  EXPECT_EQ(said_about("panda", "PAYLOAD 3\nMOVEJ 0 -45 0 -135 0 90 45\n"), "");
}

TEST(CheckedArm, TellsHowLongMovesAndWaitsTakeTogether) {
  const auto chosen = sinew::choose_chain({.robot = "yarc-industrial"});
  ASSERT_TRUE(chosen);
  const auto time_of = [&](const std::string& text) {
    const auto arm = CheckedArm::make(*chosen);
    const language::ParsedProgram parsed = language::parse_program(text, "x.prog");
    EXPECT_TRUE(parsed.findings.all().empty()) << text;
    check_program(parsed.program, (*arm)->robot(), &(*arm)->judge());
    return (*arm)->judge().cycle_time();
  };
  EXPECT_NEAR(*time_of("MOVEJ 10 0 0 0 -30 0 [3]\nWAIT 0.5\nMOVEJ 0 0 0 0 -30 0 [2]"), 5.5, 1e-9);
  EXPECT_FALSE(time_of("MOVEJ 200 0 0 0 0 0 [3]"));
  const std::string corner = "MOVEJ 0 0 0 0 -30 0\nDMOVE 0 0 100 0 0 0 [r=";
  const std::string rest = "] {B}\nDMOVE 100 0 0 0 0 0 {B}\n";
  EXPECT_LT(*time_of(corner + "40" + rest), *time_of(corner + "0" + rest));
}

// a time that is too short is told with the one that would do, and the rest of the program is looked at
TEST(CheckedArm, GoesOnAfterAMistake) {
  const std::string said = said_about("yarc-industrial",
                                      "MOVEJ 90 0 0 0 -30 0 [0.1]\nMOVEJ 100 0 0 0 -30 0 [3]\n"
                                      "MOVEJ 0 0 400 0 0 0");
  EXPECT_TRUE(
      said.starts_with("x.prog:1:1: error: it cannot be done in 0.100 s: within the limits it takes "))
      << said;
  EXPECT_EQ(said.find("x.prog:2"), std::string::npos) << said;
  EXPECT_NE(said.find("x.prog:3:1: error: joint 'J3' cannot go to 400.0 deg"), std::string::npos) << said;
}

// what is wrong with moves only when they run into each other is told as well, once
TEST(CheckedArm, SaysWhatARunWouldSayOfBlendedMoves) {
  const std::string said = said_about("yarc-industrial",
                                      "MOVEJ 0 0 0 0 -30 0\nDMOVE 0 0 100 0 0 0 [t=2, r=10] {B}\n"
                                      "DMOVE 100 0 0 0 0 0 [v=100] {B}\nMOVEJ 0 0 0 0 -30 0");
  EXPECT_EQ(
      said,
      "x.prog:2:1: error: 1 of 2 moves that are blended into each other say how long they take; give all "
      "of them a time, or none\n");
  // what comes from outside ends a chain here as there
  EXPECT_EQ(said_about("ur5e",
                       "MOVEJ POINT {home}\nDMOVE 0 0 50 0 0 0 [t=2, r=10] {B}\nIF NOT IN {touch}\n"
                       "  DMOVE 0 50 0 0 0 0 [v=100] {B}\nEND"),
            "");
}

// no more than a run would plan together, so that it comes to an end
TEST(CheckedArm, LooksAtAsManyBlendedMovesTogetherAsARunDoes) {
  std::string text = "MOVEJ 0 0 0 0 -30 0\nBLEND 5\n";
  for (int i = 0; i < 400; ++i) text += i % 2 == 0 ? "MOVEJ 2 0 0 0 -30 0\n" : "MOVEJ 0 0 0 0 -32 0\n";
  const auto chosen = sinew::choose_chain({.robot = "yarc-industrial"});
  const auto arm = CheckedArm::make(*chosen);
  const language::ParsedProgram parsed = language::parse_program(text, "x.prog");
  std::size_t longest = 0;
  std::size_t moves = 0;
  (*arm)->judge().on_stretch([&](const ProgramStretch& stretch) {
    longest = std::max(longest, stretch.places.size());
    moves += stretch.places.size();
  });
  EXPECT_TRUE(check_program(parsed.program, (*arm)->robot(), &(*arm)->judge()).findings.all().empty());
  EXPECT_EQ(longest, language::kMostAhead);
  EXPECT_EQ(moves, 401U);
}

TEST(CheckedArm, BeginsAtALine) {
  const auto chosen = sinew::choose_chain({.robot = "yarc-industrial"});
  const language::ParsedProgram parsed = language::parse_program(
      "UNITS (m)\nMOVEJ 200 0 0 0 0 0\n\nMOVEL 0 1.1744 1.764 0 0 0\nMOVEJ 0 0 0 0 -30 0", "x.prog");
  const auto check = [&](std::uint32_t line) {
    const auto arm = CheckedArm::make(*chosen);
    std::string said;
    const auto report = check_program(parsed.program, (*arm)->robot(), &(*arm)->judge(), {.from_line = line});
    for (const language::Finding& finding : report.findings.all())
      said += finding_text(finding, parsed.program.file_names()) + "\n";
    return said;
  };
  EXPECT_NE(check(0).find("x.prog:2:1: error: joint 'J1' cannot go to 200.0 deg"), std::string::npos);
  EXPECT_EQ(check(4), "");
  EXPECT_EQ(check(3), "x.prog:3:1: error: no statement begins on line 3; begin at one that has one\n");
}

TEST(CheckedArm, CountsMovesThatItDidNotComeBy) {
  EXPECT_EQ(
      said_about("yarc-industrial",
                 "ON FALSE DO CALL away()\nMOVEJ 0 0 0 0 -30 0\nIF FALSE\n  MOVEJ 1 0 0 0 0 0\nEND\n"
                 "SUB away()\n  MOVEJ 0 0 0 0 0 0\n  MOVEJ 0 0 0 0 9 0\nEND\n"),
      "x.prog:4:3: warning: one move of the program from here on was not looked at: the walk of the check "
      "did not come by\n"
      "x.prog:7:3: warning: 2 moves of SUB away from here on were not looked at: the walk of the check did "
      "not come by\n");
}

TEST(CheckedArm, FindsNoErrorInAnyShippedProgram) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("programs")) {
    if (entry.path().extension() != ".prog") continue;
    const auto program = read_program(entry.path().string());
    ASSERT_TRUE(program) << program.error().message;
    const auto chosen = sinew::choose_chain({.robot = robot_named_in(program->text)});
    ASSERT_TRUE(chosen) << entry.path() << ": " << chosen.error().message;
    const auto arm = CheckedArm::make(*chosen);
    const auto report = check_program(program->parsed.program, (*arm)->robot(), &(*arm)->judge());
    for (const language::Finding& finding : report.findings.all())
      EXPECT_NE(finding.severity, language::Severity::Error)
          << finding_text(finding, program->parsed.program.file_names());
    // a walk ends where the program asks WHERE something is
    EXPECT_TRUE(report.moves > 0 || !report.is_whole) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 8);
}

/// programs/hanoi.prog, perhaps changed, among the things of a world.
class TowerCheck : public testing::Test {
 protected:
  language::CheckReport check(const std::string& from = "", const std::string& to = "",
                              const std::string& world = "hanoi") {
    text_ = read_program("programs/hanoi.prog")->text;
    if (!from.empty()) text_.replace(text_.find(from), from.size(), to);
    const language::ParsedProgram parsed = language::parse_program(text_, "hanoi.prog");
    const auto chosen = sinew::choose_chain({.robot = robot_named_in(text_)});
    const auto arm = CheckedArm::make(*chosen);
    const auto scene = load_scene(world, {.model = &chosen->robot.model, .has_unknown = false});
    EXPECT_TRUE(scene) << scene.error().message;
    EXPECT_TRUE((*arm)->set_world(scene->world));
    (*arm)->assume(scene->things);
    auto report = check_program(parsed.program, (*arm)->robot(), &(*arm)->judge());
    for (const language::Finding& finding : report.findings.all())
      said_ += finding_text(finding, parsed.program.file_names()) + "\n";
    return report;
  }

  std::string text_;
  std::string said_;
};

// it asks WHERE things are from its first line on: all of its moves are looked at, discs in the hand and out
// of it
TEST_F(TowerCheck, IsWalkedToItsEndWithThingsWhereTheWorldHasThem) {
  const language::CheckReport report = check();
  EXPECT_EQ(world_named_in(text_), "hanoi");
  EXPECT_TRUE(report.is_whole);
  EXPECT_TRUE(report.assumes_objects);
  EXPECT_FALSE(report.findings.has_errors()) << said_;
  // seven moves of discs of six moves each, there and back to where it waits
  EXPECT_GE(report.moves, 7U * 6U + 2U) << said_;
  EXPECT_EQ(report.unseen, 0U) << said_;
  EXPECT_EQ(said_.find("warning"), std::string::npos) << said_;
}

// a run's own check, and the pendant's, look at what a running robot sees as a check looks at a world's file
TEST_F(TowerCheck, IsWalkedToItsEndWithThingsWhereARunningRobotSeesThem) {
  const language::CheckReport of_file = check();
  const auto chosen = sinew::choose_chain({.robot = robot_named_in(text_)});
  const auto scene = load_scene("hanoi", {.model = &chosen->robot.model, .has_floor = false});
  auto seen = std::make_unique<World>();
  for (const WalkedObject& thing : scene->things) {
    WorldObject& object = seen->objects[seen->object_count++];
    set_text(object.name, thing.name);
    // a cube in the ball about it
    object.size.fill(2.0 * thing.reach / std::numbers::sqrt3);
    object.position = {thing.X_RO.position.x(), thing.X_RO.position.y(), thing.X_RO.position.z()};
    object.qw = thing.X_RO.rotation.w();
    object.qx = thing.X_RO.rotation.x();
    object.qy = thing.X_RO.rotation.y();
    object.qz = thing.X_RO.rotation.z();
  }
  const auto arm = CheckedArm::make(*chosen);
  ASSERT_TRUE((*arm)->look_around(nullptr, seen.get()));
  const language::ParsedProgram parsed = language::parse_program(text_, "hanoi.prog");
  const auto report = check_program(parsed.program, (*arm)->robot(), &(*arm)->judge());
  EXPECT_TRUE(report.is_whole);
  EXPECT_TRUE(report.assumes_objects);
  EXPECT_FALSE(report.findings.has_errors());
  EXPECT_EQ(report.moves, of_file.moves);
  // and without anybody who tells, the walk ends at the first WHERE
  const auto blind = CheckedArm::make(*chosen);
  ASSERT_TRUE((*blind)->look_around(nullptr, nullptr));
  EXPECT_FALSE(check_program(parsed.program, (*blind)->robot(), &(*blind)->judge()).is_whole);
}

TEST_F(TowerCheck, AMistakeFarBehindTheFirstWhereIsFound) {
  const language::CheckReport report =
      check("MOVEL POSE(x, y, z + 2.4, 0, 90, turn)", "MOVEL POSE(x + 900, y, z, 0, 90, turn)");
  EXPECT_TRUE(report.findings.has_errors());
  EXPECT_NE(said_.find(": error: "), std::string::npos);
  EXPECT_NE(said_.find("the arm reaches no further"), std::string::npos) << said_;
}

TEST_F(TowerCheck, AThingThatTheWorldDoesNotHaveEndsTheWalkThere) {
  const language::CheckReport report = check("discs = 3", "discs = 4");
  EXPECT_FALSE(report.is_whole);
  EXPECT_FALSE(report.findings.has_errors()) << said_;
  EXPECT_NE(said_.find("warning: there is no object 'disc_4' in the world"), std::string::npos) << said_;
}

// a board that it is not told to be beside is in its way no more than in a run's
TEST_F(TowerCheck, WhatIsNotKnownIsNotInTheWay) {
  const auto all = load_scene("hanoi", {.has_floor = false});
  const auto known = load_scene("hanoi", {.has_floor = false, .has_unknown = false});
  EXPECT_EQ(all->world.size(), known->world.size() + 1);
  EXPECT_EQ(all->things.size(), 1U + 3U + 3U);
  EXPECT_EQ(known->things.size(), all->things.size());
}

// what was set up where the robot stands counts here as it does in the controller
TEST(CountErrors, KeepsToTheLimitsOfTheSite) {
  const std::string path = testing::TempDir() + "sinew_site_check.prog";
  std::ofstream(path) << "MOVEJ 60 0 0 0 -30 0\n";
  const std::vector<double> home(6, 0.0);
  const auto errors = [&](std::string_view site) {
    return count_errors(path, {.robot = "yarc-industrial"}, {.q_all = home, .site = site}, false);
  };
  EXPECT_EQ(*errors(""), 0U);
  EXPECT_EQ(*errors("limits:\n  J1: {lower: -0.5, upper: 0.5}\n"), 1U);
  EXPECT_FALSE(errors("limits: [nonsense]\n"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace sinew::cli
