// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/load_robot.h"

#include "apps/cli/console_line.h"
#include "apps/cli/console_session.h"
#include "apps/cli/console_steer.h"
#include "apps/cli/console_world.h"
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

std::string line_from(const Texts& words) {
  const auto line = object_line_from(words);
  return line ? *line : "refused: " + line.error().message;
}

const RobotModel& scorbot() {
  static const RobotModel kModel = [] {
    auto robot = load_robot("scorbot-er3");
    EXPECT_TRUE(robot) << robot.error().message;
    return robot->model;
  }();
  return kModel;
}

TEST(ConsoleTest, AStepOfJoggingIsOfAJointOrOfTheTool) {
  const auto joint = jog_wish_from(scorbot(), Texts{"elbow", "-5deg"});
  ASSERT_TRUE(joint) << joint.error().message;
  EXPECT_EQ(joint->frame, JogFrame::Joints);
  EXPECT_EQ(joint->is_step, 1U);
  EXPECT_EQ(joint->joint_mask, 4U);
  EXPECT_DOUBLE_EQ(joint->joint_velocity[2], -5.0 * std::numbers::pi / 180.0);
  const auto tool = jog_wish_from(scorbot(), Texts{"tool", "z", "10", "mm", "at", "20%"});
  ASSERT_TRUE(tool) << tool.error().message;
  EXPECT_EQ(tool->frame, JogFrame::Tool);
  EXPECT_DOUBLE_EQ(tool->linear[2], 0.01);
  EXPECT_DOUBLE_EQ(tool->speed, 0.2);
  const auto turned = jog_wish_from(scorbot(), Texts{"arm", "rx", "0.1"});
  ASSERT_TRUE(turned) << turned.error().message;
  EXPECT_EQ(turned->frame, JogFrame::Base);
  EXPECT_DOUBLE_EQ(turned->angular[0], 0.1);
  EXPECT_EQ(text_of(turned->arm), "arm");
}

TEST(ConsoleTest, StepsThatMakeNoSenseAreRefusedWithWhatWould) {
  const auto refusal = [](const RobotModel& model, const Texts& words) {
    const auto wish = jog_wish_from(model, words);
    return wish ? std::string("taken") : wish.error().message;
  };
  EXPECT_NE(refusal(scorbot(), {}).find("'jog JOINT BY'"), std::string::npos);
  EXPECT_NE(refusal(scorbot(), {"elbwo", "1deg"}).find("did you mean 'elbow'?"), std::string::npos);
  EXPECT_EQ(refusal(scorbot(), {"elbow", "10mm"}), "'10mm' is no angle");
  EXPECT_EQ(refusal(scorbot(), {"x", "10deg"}), "'10deg' is no length");
  EXPECT_NE(refusal(scorbot(), {"tabel", "x", "10mm"}).find("there is no frame 'tabel'"), std::string::npos);
  EXPECT_EQ(refusal(scorbot(), {"x", "10mm", "with", "pen"}), "arm 'arm' has no tool 'pen'; it has none");
  EXPECT_EQ(refusal(scorbot(), {"x", "10mm", "at", "0"}), "a share of the speed is over 0 to 100 %, not 0");
  EXPECT_EQ(refusal(scorbot(), {"x", "10mm", "at"}), "what comes behind 'at'?");
  EXPECT_EQ(refusal(mds(), {"x", "10mm"}), "which arm? left, right");
}

TEST(ConsoleTest, ALineIsAbsoluteOrADifferenceAndKeepsHowTheToolIsTurned) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  const std::vector<double> ready{0, 60 * kDegree, -90 * kDegree, -60 * kDegree, 0, 0};
  const auto goal = [&](const Texts& words) {
    const auto request = line_request_from(scorbot(), ready, words);
    EXPECT_TRUE(request) << request.error().message;
    return request ? *request : Request{};
  };
  const Request here = goal({"by", "0", "0", "0"});
  EXPECT_EQ(here.verb, RequestVerb::MoveLine);
  EXPECT_NEAR(here.rpy[1], std::numbers::pi / 2, 1e-6) << "the hand points down";
  const Request there = goal({"0.3", "50mm", "0.2", "at", "50mm"});
  EXPECT_DOUBLE_EQ(there.position[0], 0.3);
  EXPECT_DOUBLE_EQ(there.position[1], 0.05);
  EXPECT_DOUBLE_EQ(there.tool_speed, 0.05);
  EXPECT_EQ(there.rpy, here.rpy);
  const Request up = goal({"by", "arm", "0", "0", "20mm", "at", "30%"});
  EXPECT_NEAR(up.position[2], here.position[2] + 0.02, 1e-12);
  EXPECT_DOUBLE_EQ(up.speed, 0.3);
  // the hand's own x axis points down
  const Request ahead = goal({"by", "20mm", "0", "0", "in", "tool"});
  EXPECT_NEAR(ahead.position[2], here.position[2] - 0.02, 1e-9);
  const Request level = goal({"level"});
  EXPECT_NEAR(level.position[0], 0.016 + 0.221 + 0.221 + 0.143, 1e-6);
  EXPECT_FALSE(line_request_from(scorbot(), ready, Texts{"0.3", "0.1"}));
  EXPECT_FALSE(line_request_from(scorbot(), ready, Texts{"levle"}));
  EXPECT_FALSE(line_request_from(scorbot(), ready, Texts{"0.3", "0", "nan"}));
}

TEST(ConsoleTest, JogAndLineKnowTheFramesOfTheRobot) {
  RobotModel model = scorbot();
  model.frames = {{.name = "table",
                   .X_RU = {.rotation = quaternion_from({0, 0, std::numbers::pi / 2}),
                            .position = Vector3(0.3, 0.0, 0.1)}}};
  const auto step = jog_wish_from(model, Texts{"table", "x", "10mm"});
  ASSERT_TRUE(step) << step.error().message;
  EXPECT_EQ(step->frame, JogFrame::User);
  EXPECT_NEAR(step->frame_rpy[2], std::numbers::pi / 2, 1e-9);
  constexpr double kDegree = std::numbers::pi / 180.0;
  const std::vector<double> ready{0, 60 * kDegree, -90 * kDegree, -60 * kDegree, 0, 0};
  const auto line = line_request_from(model, ready, Texts{"0.1", "0", "0.05", "in", "table"});
  ASSERT_TRUE(line) << line.error().message;
  const auto X_RB = fixed_place(model, model.arms[0].base_link);
  ASSERT_TRUE(X_RB);
  const Vector3 goal = *X_RB * Vector3(line->position[0], line->position[1], line->position[2]);
  EXPECT_NEAR((goal - Vector3(0.3, 0.1, 0.15)).norm(), 0.0, 1e-9);
  const auto wrong = jog_wish_from(model, Texts{"tabel", "x", "10mm"});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("(did you mean 'table'?); known: base, tool, table"),
            std::string::npos)
      << wrong.error().message;
}

TEST(ConsoleTest, TabKnowsWhatMayFollowJogAndLine) {
  const auto has = [](const Texts& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(has(after_jog(scorbot(), Texts{}), "elbow"));
  EXPECT_TRUE(has(after_jog(scorbot(), Texts{"arm"}), "tool"));
  EXPECT_TRUE(after_jog(scorbot(), Texts{"elbow"}).empty());
  EXPECT_TRUE(has(after_line(scorbot(), Texts{}), "ready"));
  EXPECT_TRUE(has(after_line(scorbot(), Texts{"1", "2", "3"}), "at"));
  EXPECT_TRUE(has(after_line(scorbot(), Texts{"1", "2", "3", "in"}), "tool"));
}

TEST(ConsoleTest, ObjectsArePutByWordsOrAsALine) {
  EXPECT_EQ(line_from({"{name: a,", "sphere: 1}"}), "{name: a, sphere: 1}");
  EXPECT_EQ(line_from({"box", "table", "1", "0.6", "0.05", "0.5", "0", "0.2", "margin", "0.02"}),
            "{name: \"table\", box: [1, 0.6, 0.05], at: [0.5, 0, 0.2], margin: 0.02}");
  EXPECT_EQ(line_from({"sphere", "ball", "0.1"}), "{name: \"ball\", sphere: 0.1}");
  EXPECT_EQ(
      line_from({"mesh", "rock", "/a/../b \"c\".stl", "1", "2", "3", "0", "0", "1.5", "scale", "0.001",
                 "link", "hand"}),
      "{name: \"rock\", mesh: \"/b \\\"c\\\".stl\", at: [1, 2, 3], rpy: [0, 0, 1.5], scale: 0.001, link: "
      "\"hand\"}");
  EXPECT_EQ(line_from({"field", "hill", "/h.txt", "4", "3", "1"}),
            "{name: \"hill\", field: \"/h.txt\", size: [4, 3, 1]}");
  EXPECT_TRUE(line_from({"mesh", "rock", "rock.stl"}).starts_with("{name: \"rock\", mesh: \"/"));
  for (const Texts& bad : {Texts{},
                           {"bix", "a"},
                           {"box", "a", "1", "2"},
                           {"mesh", "a"},
                           {"sphere", "a", "nan"},
                           {"sphere", "a", "1", "2", "3"},
                           {"sphere", "a", "1", "colour", "red"},
                           {"sphere", "a", "1", "margin"},
                           {"field", "a", "/h.txt", "1", "1"}})
    EXPECT_TRUE(line_from(bad).starts_with("refused: ")) << line_from(bad);
}

TEST(ConsoleTest, ObjectsAreMovedWithAllThatTheyAre) {
  const auto world = std::make_unique<World>();
  world->object_count = 1;
  WorldObject& rock = world->objects[0];
  rock = {.kind = ObjectKind::Mesh, .attached = 1, .size = {1, 2, 3}, .margin = 0.5};
  set_text(rock.name, "rock");
  set_text(rock.file, "/rock.stl");
  set_text(rock.link, "hand");
  EXPECT_EQ(
      *moved_line_from(*world, Texts{"rock", "1", "2", "3"}),
      "{name: \"rock\", mesh: \"/rock.stl\", at: [1, 2, 3], rpy: [0, 0, 0], scale: [1, 2, 3], margin: 0.5, "
      "link: \"hand\"}");
  EXPECT_FALSE(moved_line_from(*world, Texts{"rack", "1", "2", "3"}));
  EXPECT_FALSE(moved_line_from(*world, Texts{"rock", "1", "2", "x"}));
  EXPECT_FALSE(moved_line_from(*world, Texts{"rock"}));
  EXPECT_EQ(after_world({}, world.get()), (Texts{"add", "move", "remove", "list"}));
  EXPECT_EQ(after_world(Texts{"remove"}, world.get()), Texts{"rock"});
  EXPECT_EQ(after_world(Texts{"remove"}, nullptr), Texts{});
  EXPECT_EQ(after_world(Texts{"add"}, nullptr),
            (Texts{"box", "sphere", "cylinder", "plane", "mesh", "field"}));
  EXPECT_NE(object_row(rock).find("scale 1 2 3  carried by hand  /rock.stl"), std::string::npos);
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
