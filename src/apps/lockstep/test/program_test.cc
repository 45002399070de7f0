// SPDX-License-Identifier: BSD-3-Clause
// Programs run by the motion service on a simulated robot, as a user would have them run.
#include <algorithm>
#include <set>

#include "apps/lockstep/test/program_bench.h"

namespace sinew {
namespace {

TEST_F(ProgramTest, MovesWaitsAndSaysSo) {
  use("ur5e");
  const std::uint64_t number = run("MOVEJ 10 -80 80 -90 -90 0\nPRINT \"there\"\nWAIT 0.5\nPRINT 1 + 1\n");
  const Reply reply = wait(number);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_EQ(said(number), (std::vector<std::string>{"there", "2"}));
  EXPECT_NEAR(joint_deg(0), 10.0, 0.1);
  EXPECT_NEAR(joint_deg(1), -80.0, 0.1);
  EXPECT_EQ(phase(), ProgramPhase::Ended);
}

TEST_F(ProgramTest, UntilEndsAMoveOnItsWayAndTheNextGoesOnFromThere) {
  use("ur5e");
  const std::uint64_t number =
      run("MOVEJ POINT {home}\nDMOVEJ 90 0 0 0 0 0 [v=30] UNTIL IN {touch}\nPRINT ANGLE(HEREJ(), 1)\nDMOVEJ "
          "0 10 0 "
          "0 0 0\n");
  ASSERT_TRUE(step_until([&] { return joint_deg(0) > 20.0; }));
  press("touch", true);
  const Reply reply = wait(number);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  ASSERT_EQ(said(number).size(), 1U);
  const double stopped = std::stod(said(number)[0]);
  EXPECT_GT(stopped, 20.0);
  EXPECT_LT(stopped, 75.0);
  EXPECT_NEAR(joint_deg(0), stopped, 0.1);
  EXPECT_NEAR(joint_deg(1), -80.0, 0.1);
}

TEST_F(ProgramTest, AnInterruptedRelativeMoveGoesWhereItWasToGo) {
  use("ur5e");
  const std::uint64_t number =
      run("ON IN {touch} DO CALL note()\nDMOVEJ 60 0 0 0 0 0 [v=30]\nPRINT \"done\"\nSUB note()\n  PRINT "
          "\"touched\"\n  "
          "WAIT 0.2\nEND\n");
  ASSERT_TRUE(step_until([&] { return joint_deg(0) > 15.0; }));
  press("touch", true);
  ASSERT_TRUE(step_until([&] { return said(number).size() == 1; }));
  EXPECT_LT(joint_deg(0), 50.0) << "it stops before the SUB runs";
  const Reply reply = wait(number);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_EQ(said(number), (std::vector<std::string>{"touched", "done"}));
  EXPECT_NEAR(joint_deg(0), 60.0, 0.1);
}

TEST_F(ProgramTest, AConditionThatFailsItStopsTheRobotSmoothlyAndSaysWhere) {
  use("ur5e");
  const std::uint64_t number = run("ON IN {door} DO FAIL \"the door is open\"\nDMOVEJ 90 0 0 0 0 0 [v=30]\n");
  ASSERT_TRUE(step_until([&] { return joint_deg(0) > 20.0; }));
  press("door", true);
  const Reply reply = wait(number);
  EXPECT_EQ(reply.status, ReplyStatus::Aborted);
  EXPECT_TRUE(std::string(text_of(reply.reason)).ends_with("test.prog:1:1: the door is open"))
      << text_of(reply.reason);
  EXPECT_EQ(phase(), ProgramPhase::Failed);
  EXPECT_EQ(robot_->controller().output().safety.state, ControlState::Running) << "a smooth stop is no fault";
  const double stopped = joint_deg(0);
  EXPECT_LT(stopped, 80.0);
  pass(1.0);
  EXPECT_NEAR(joint_deg(0), stopped, 0.05);
}

TEST_F(ProgramTest, AMoveThatCannotBeFailsWhereItStandsAfterThoseBeforeIt) {
  use("ur5e");
  const std::uint64_t number =
      run("MOVEJ POINT {home}\nMOVEJ 10 -90 90 -90 -90 0 [r=20]\n\nMOVEL 400 -200 3000 180 0 90\n");
  const Reply reply = wait(number);
  EXPECT_EQ(reply.status, ReplyStatus::Aborted);
  const std::string words(text_of(reply.reason));
  EXPECT_NE(words.find("test.prog:4:1: "), std::string::npos) << words;
  EXPECT_NE(words.find("reaches no further"), std::string::npos) << words;
  EXPECT_NEAR(joint_deg(0), 10.0, 0.1);
}

TEST_F(ProgramTest, PauseHoldsMovesAndWaitsAndResumeGoesOn) {
  use("ur5e");
  const std::uint64_t number = run("DMOVEJ 90 0 0 0 0 0 [v=30]\nWAIT 1\nPRINT \"over\"\n");
  ASSERT_TRUE(step_until([&] { return joint_deg(0) > 20.0; }));
  ask(RequestVerb::Pause);
  pass(1.0);
  EXPECT_EQ(phase(), ProgramPhase::Paused);
  const double paused = joint_deg(0);
  EXPECT_LT(paused, 80.0);
  pass(2.0);
  EXPECT_NEAR(joint_deg(0), paused, 0.05);
  ask(RequestVerb::Resume);
  ASSERT_TRUE(step_until([&] { return robot_->motion_state().program_line == 2; }));
  EXPECT_NEAR(joint_deg(0), 90.0, 0.1);
  ask(RequestVerb::Pause);
  pass(3.0);
  EXPECT_TRUE(said(number).empty()) << "the time of a WAIT stands as well";
  const std::uint64_t resumed = ask(RequestVerb::Resume);
  const Reply reply = wait(number);
  EXPECT_EQ(wait(resumed).status, ReplyStatus::Done);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
}

TEST_F(ProgramTest, StepsStatementByStatement) {
  use("ur5e");
  const std::uint64_t number =
      ask(RequestVerb::StepProgram, file_of("a = 1\nPRINT a\n\nDMOVEJ 5 0 0 0 0 0\nPRINT a + 1\n"));
  std::vector<std::uint32_t> lines;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(step_until([&] { return phase() == ProgramPhase::Stepped; }));
    lines.push_back(robot_->motion_state().program_line);
    pass(0.2);
    EXPECT_EQ(phase(), ProgramPhase::Stepped);
    ask(RequestVerb::StepProgram);
    pass(0.02);
  }
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{1, 2, 4, 5}));
  EXPECT_EQ(wait(number).status, ReplyStatus::Done);
  EXPECT_EQ(said(number), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(wait(ask(RequestVerb::StepProgram)).status, ReplyStatus::Refused);
}

TEST_F(ProgramTest, PausesAtBreakpointsAndAtPauseAndBeginsAtALine) {
  use("ur5e");
  ask(RequestVerb::SetBreakpoints, "3");
  const std::uint64_t number =
      ask(RequestVerb::RunProgram, file_of("PRINT 1\na = 7\nPRINT a\nPAUSE \"look\"\nPRINT 3\n"), 2);
  ASSERT_TRUE(step_until([&] { return phase() == ProgramPhase::AtBreakpoint; }));
  EXPECT_EQ(robot_->motion_state().program_line, 3U);
  EXPECT_TRUE(said(number).empty());
  ask(RequestVerb::Resume);
  ASSERT_TRUE(step_until([&] { return phase() == ProgramPhase::Paused; }));
  EXPECT_EQ(robot_->motion_state().program_line, 4U);
  EXPECT_EQ(said(number), (std::vector<std::string>{"7", "look"}));
  ask(RequestVerb::Resume);
  EXPECT_EQ(wait(number).status, ReplyStatus::Done);
  EXPECT_EQ(said(number).back(), "3");
  const Reply refused = wait(ask(RequestVerb::SetBreakpoints, "3 x"));
  EXPECT_EQ(refused.status, ReplyStatus::Refused);
}

TEST_F(ProgramTest, SwitchesOutputsAndEndsPulsesByItself) {
  use("ur5e");
  const std::uint64_t number =
      run("SET {lamp}\nPULSE {glue} [0.3]\nWAIT 0.1\nPRINT 1\nWAIT 0.4\nPRINT 2\nRESET 1\nWAIT 0.1\n");
  ASSERT_TRUE(step_until([&] { return said(number).size() == 1; }));
  EXPECT_TRUE(is_on("lamp"));
  EXPECT_TRUE(is_on("glue"));
  ASSERT_TRUE(step_until([&] { return said(number).size() == 2; }));
  EXPECT_FALSE(is_on("glue"));
  EXPECT_TRUE(is_on("lamp"));
  EXPECT_EQ(wait(number).status, ReplyStatus::Done);
  EXPECT_FALSE(is_on("lamp")) << "by its number as well";

  const std::uint64_t wrong = run("PULSE {glue} [60]\nSET {lmap}\n");
  const Reply reply = wait(wrong);
  EXPECT_EQ(reply.status, ReplyStatus::Aborted);
  EXPECT_NE(std::string(text_of(reply.reason))
                .find("test.prog:2:1: there is no output {lmap} (did you mean 'lamp'?)"),
            std::string::npos)
      << text_of(reply.reason);
  pass(0.05);
  EXPECT_FALSE(is_on("glue")) << "a pulse ends with its program";
}

TEST_F(ProgramTest, AStopEndsItAndOutputsThatFallAtAStopOfTheRobotFall) {
  use("ur5e");
  const std::uint64_t number = run("SET {lamp}\nSET {glue}\nDMOVEJ 90 0 0 0 0 0 [v=30]\n");
  ASSERT_TRUE(step_until([&] { return joint_deg(0) > 20.0; }));
  ask(RequestVerb::Stop);
  const Reply reply = wait(number);
  EXPECT_EQ(reply.status, ReplyStatus::Aborted);
  EXPECT_NE(std::string(text_of(reply.reason)).find("test.prog:3:1: stopped by request"), std::string::npos)
      << text_of(reply.reason);
  EXPECT_TRUE(is_on("glue")) << "the motion was stopped, not the robot";
  robot_->controller().take_request({.verb = ControlVerb::Stop}, robot_->now_ns());
  pass(0.5);
  EXPECT_FALSE(is_on("glue"));
  EXPECT_TRUE(is_on("lamp"));
}

TEST_F(ProgramTest, ARobotThatIsStoppedFailsItsProgram) {
  use("ur5e");
  const std::uint64_t number = run("DMOVEJ 90 0 0 0 0 0 [v=30]\n");
  ASSERT_TRUE(step_until([&] { return joint_deg(0) > 20.0; }));
  robot_->controller().take_request({.verb = ControlVerb::Stop}, robot_->now_ns());
  EXPECT_EQ(wait(number).status, ReplyStatus::Aborted);
}

TEST_F(ProgramTest, BlendedMovesDoNotStopAtTheirCorners) {
  use("ur5e");
  const std::uint64_t number = run(
      "MOVEJ_RPY -400 -100 300 180 0 90\nPRINT 1\nMOVEL -400 0 300 180 0 90 [v=100, r=20]\nMOVEL -500 0 300 "
      "180 0 90 "
      "[v=100, r=20]\nMOVEL -500 100 300 180 0 90 [v=100]\nPRINT 2\n");
  ASSERT_TRUE(step_until([&] { return said(number).size() == 1; }, 10.0))
      << robot_->motion_state().program_message.data();
  std::vector<Vector3> tool;
  std::set<std::uint32_t> lines;
  ASSERT_TRUE(step_until([&] {
    tool.push_back(tool_pose().position);
    lines.insert(robot_->motion_state().program_line);
    return said(number).size() == 2;
  }));
  double slowest = 1.0;
  for (std::size_t i = 501; i + 600 < tool.size(); ++i)
    slowest = std::min(slowest, (tool[i] - tool[i - 1]).norm() * 1000.0);
  EXPECT_GT(slowest, 0.05) << "[m/s] of 0.1 asked for";
  EXPECT_TRUE(lines.contains(3) && lines.contains(4) && lines.contains(5)) << "it tells which line it is at";
}

TEST_F(ProgramTest, WhatIsReadOnceIsRunWhateverBecomesOfItsFile) {
  use("ur5e");
  const std::string path = file_of("WAIT 0.5\nPRINT \"old\"\n");
  const std::uint64_t number = ask(RequestVerb::RunProgram, path);
  pass(0.2);
  std::ofstream(path) << "PRINT \"new\"\n";
  const Reply second = wait(ask(RequestVerb::RunProgram, path));
  EXPECT_EQ(second.status, ReplyStatus::Refused) << "one at a time";
  EXPECT_EQ(wait(number).status, ReplyStatus::Done);
  EXPECT_EQ(said(number), (std::vector<std::string>{"old"}));
  // behind a hash, another content is refused
  const Reply changed = wait(ask(RequestVerb::RunProgram, "0123456789abcdef " + path));
  EXPECT_EQ(changed.status, ReplyStatus::Refused);
  EXPECT_NE(std::string(text_of(changed.reason)).find("is not what was checked"), std::string::npos);
  const Reply wrong = wait(ask(RequestVerb::RunProgram, file_of("PRINT\n")));
  EXPECT_EQ(wrong.status, ReplyStatus::Refused);
  EXPECT_NE(std::string(text_of(wrong.reason)).find("test.prog:1:"), std::string::npos)
      << text_of(wrong.reason);
  EXPECT_EQ(wait(ask(RequestVerb::RunProgram, "/nowhere.prog")).status, ReplyStatus::Refused);
}

TEST_F(ProgramTest, AGripperOfJointsOpensToItsWidth) {
  use("scorbot-er3");
  const std::size_t finger = robot_->model().grippers[0].joints[0].position;
  const std::uint64_t number = run("GRIPPER OPEN\nPRINT 1\nGRIPPER 30\nPRINT 2\nGRIPPER CLOSE [v=20]\n");
  ASSERT_TRUE(step_until([&] { return said(number).size() == 1; }));
  EXPECT_NEAR(robot_->state().position[finger], 0.0375, 1e-3);
  ASSERT_TRUE(step_until([&] { return said(number).size() == 2; }));
  EXPECT_NEAR(robot_->state().position[finger], 0.015, 1e-3);
  const Reply reply = wait(number);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_NEAR(robot_->state().position[finger], 0.0, 1e-3);
  const Reply wide = wait(run("GRIPPER 80\n"));
  EXPECT_NE(std::string(text_of(wide.reason))
                .find("test.prog:1:1: gripper {gripper} opens to 75.0 mm, and 80.0 mm are asked for"),
            std::string::npos)
      << text_of(wide.reason);
}

// half a circle, broken off half way: the other half follows, not the whole once more
TEST_F(ProgramTest, ACircleThatIsInterruptedIsGoneRoundOnce) {
  use("ur5e");
  const std::uint64_t number =
      run("ON IN {touch} DO CALL note()\nMOVEJ_RPY -400 -100 300 180 0 90\nPRINT 1\n"
          "MOVEC -300 0 300 180 0 90; -400 100 300 180 0 90 [v=50]\nSUB note()\n  PRINT \"touched\"\n  WAIT "
          "0.2\nEND\n");
  const Vector3 centre(-0.4, 0.0, 0.3);
  ASSERT_TRUE(step_until([&] { return said(number).size() == 1; }));
  double length = 0.0;
  double off = 0.0;
  Vector3 before = tool_pose().position;
  bool is_pressed = false;
  ASSERT_TRUE(step_until([&] {
    const Vector3 now = tool_pose().position;
    length += (now - before).norm();
    off = std::max(off, std::abs((now - centre).norm() - 0.1));
    before = now;
    if (!is_pressed && now.y() > 0.03) press("touch", is_pressed = true);
    return robot_->final_reply(number).has_value();
  }));
  const Reply reply = wait(number);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_EQ(said(number).back(), "touched");
  EXPECT_NEAR(length, 0.1 * std::numbers::pi, 1e-3);
  EXPECT_LT(off, 1e-4);
  EXPECT_LT((before - Vector3(-0.4, 0.1, 0.3)).norm(), 1e-4);
}

// as for any motion, robot.yaml says what happens when something comes into the way
TEST_F(ProgramTest, SomethingInTheWayOfAProgramIsGoneRoundWhenThatIsAskedFor) {
  for (const OnObstacle on_obstacle : {OnObstacle::Stop, OnObstacle::Replan}) {
    use("ur5e", {}, {}, {.on_obstacle = on_obstacle});
    chain_.reset();
    wait(run("MOVEJ POINT {home}\nDMOVEJ 60 0 0 0 0 0\n"));
    const Vector3 place = tool_pose().position;
    wait(run("MOVEJ POINT {home}\n"));
    const double begin = joint_deg(0);
    const std::uint64_t number = run("DMOVEJ 80 0 0 0 0 0 [v=20]\nPRINT \"there\"\n");
    ASSERT_TRUE(step_until([&] { return joint_deg(0) > begin + 15.0; }));
    ask(RequestVerb::AddObject, fmt::format("{{name: cup, box: [0.06, 0.06, 0.06], at: [{}, {}, {}]}}",
                                            place.x(), place.y(), place.z()));
    const Reply reply = wait(number);
    if (on_obstacle == OnObstacle::Stop) {
      EXPECT_EQ(reply.status, ReplyStatus::Aborted);
      EXPECT_LT(joint_deg(0), begin + 60.0);
      continue;
    }
    EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
    EXPECT_NEAR(joint_deg(0), begin + 80.0, 0.1);
    ASSERT_EQ(said(number).size(), 2U);
    EXPECT_NE(said(number)[0].find("looking for another way"), std::string::npos) << said(number)[0];
    EXPECT_EQ(robot_->controller().output().safety.refusals, 0U);
  }
}

// where robot.yaml says what may be carried
TEST_F(ProgramTest, APayloadMakesMovesGentlerAndTooMuchIsRefused) {
  use("ur5e", {}, {}, {.payload = 5.0});
  const auto hardest = [&](const std::string& load) {
    wait(run("MOVEJ POINT {home}\n"));
    const std::uint64_t number = run(load + "DMOVEJ 40 0 0 0 0 0\n");
    double most = 0.0;
    double before = 0.0;
    step_until([&] {
      const double speed = robot_->controller().output().command.velocity[0];
      most = std::max(most, std::abs(speed - before) * 1000.0);
      before = speed;
      return robot_->final_reply(number).has_value();
    });
    EXPECT_EQ(wait(number).status, ReplyStatus::Done) << text_of(wait(number).reason);
    return most;
  };
  const double without = hardest("");
  EXPECT_NEAR(hardest("PAYLOAD 5\n") / without, 0.5, 0.03);
  EXPECT_NEAR(hardest("PAYLOAD 2.5\n") / without, 0.75, 0.03);
  const Reply reply = wait(run("PAYLOAD 6\nDMOVEJ 10 0 0 0 0 0\n"));
  EXPECT_EQ(reply.status, ReplyStatus::Aborted);
  EXPECT_NE(std::string(text_of(reply.reason)).find("test.prog:1:1: a PAYLOAD of 6 kg is more than the 5 kg"),
            std::string::npos)
      << text_of(reply.reason);
}

}  // namespace
}  // namespace sinew
