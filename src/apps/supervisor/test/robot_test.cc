// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/robot.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "sinew/base/time.h"
#include "sinew/processes/test/temporary_folder.h"

namespace sinew::supervisor {
namespace {

/// Robots whose processes are shells, in a folder of their own; driven as the supervisor drives them.
class RobotTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(processes::make_run_folder(folder_)); }

  processes::RobotPlan plan_of(std::initializer_list<std::string> commands) const {
    processes::RobotPlan plan{.name = "arm", .robot = "arm", .folder = folder_.path};
    for (const std::string& command : commands)
      plan.processes.push_back({.role = "role" + std::to_string(plan.processes.size()),
                                .words = {"/bin/sh", "-c", command},
                                .says_ready = true});
    return plan;
  }

  /// Turns until the robot has come to `phase`; between two turns it sleeps only as long as it says.
  void turn_until(Robot& robot, RobotPhase phase) {
    for (int turns = 0; robot.phase() != phase; ++turns) {
      ASSERT_LT(turns, 100'000) << phase_text(robot.phase());
      robot.turn(monotonic_now_ns());
      if (robot.phase() != phase) sleep_as_told(robot);
    }
  }

  // what it waits for but time is a death; a robot that has to act may not sleep at all
  static void sleep_as_told(const Robot& robot) {
    pollfd watched[8]{};
    nfds_t count = 0;
    for (const auto& child : robot.children())
      if (child->watch() >= 0) watched[count++] = {.fd = child->watch(), .events = POLLIN, .revents = 0};
    const bool is_due = robot.next_look_ns() <= monotonic_now_ns();
    ASSERT_TRUE(is_due || count > 0 || robot.next_look_ns() != kNever_ns) << "nothing would wake it";
    poll(watched, count, is_due ? 1 : -1);
  }

  const processes::TemporaryFolder temporary_;
  const processes::RunFolder folder_{.space = "test", .path = temporary_.path() + "/run"};
};

const std::string kReadyAndStay = "echo ready >&3; exec sleep 1000";

TEST_F(RobotTest, WhatIsToBeStartedOrEndedIsDueAtOnce) {
  const processes::RobotPlan plan = plan_of({kReadyAndStay, kReadyAndStay});
  Robot robot(folder_, plan, Robot::Origin::Asked);
  EXPECT_EQ(robot.next_look_ns(), 0);
  ASSERT_NO_FATAL_FAILURE(turn_until(robot, RobotPhase::Up));
  EXPECT_EQ(robot.next_look_ns(), kNever_ns);
  robot.stop(10 * kSecond_ns);
  EXPECT_EQ(robot.next_look_ns(), 0);
  robot.turn(monotonic_now_ns());
  EXPECT_GT(robot.next_look_ns(), monotonic_now_ns()) << "it waits for the last one to end";
  ASSERT_NO_FATAL_FAILURE(turn_until(robot, RobotPhase::Gone));
}

// the rest of a dead process's session is killed in turns: other robots do not wait for it
TEST_F(RobotTest, ADeadProcessIsClearedAwayInTurns) {
  const std::string other = folder_.path + "/other";
  const processes::RobotPlan plan =
      plan_of({"sleep 1000 & echo $! > " + other + "; echo ready >&3; exec sleep 1000"});
  Robot robot(folder_, plan, Robot::Origin::Asked);
  ASSERT_NO_FATAL_FAILURE(turn_until(robot, RobotPhase::Up));
  const Child& child = *robot.children()[0];
  int left_behind = 0;
  std::ifstream(other) >> left_behind;
  ASSERT_GT(left_behind, 1);

  ASSERT_EQ(kill(child.identity().pid, SIGKILL), 0);
  pollfd death{.fd = child.watch(), .events = POLLIN, .revents = 0};
  ASSERT_EQ(poll(&death, 1, -1), 1);
  robot.turn(monotonic_now_ns());
  EXPECT_EQ(child.phase(), Phase::Running) << "somebody of its session was there to be killed";
  EXPECT_EQ(child.watch(), -1) << "a death that is known shall wake nobody";
  EXPECT_EQ(robot.next_look_ns(), 0);
  while (child.phase() == Phase::Running) robot.turn(monotonic_now_ns());
  EXPECT_EQ(child.phase(), Phase::Waiting);
  EXPECT_NE(child.word().find("killed by signal 9"), std::string::npos) << child.word();
  EXPECT_FALSE(processes::identity_of(left_behind) &&
               processes::is_alive(*processes::identity_of(left_behind)));
  robot.stop(kSecond_ns);
  ASSERT_NO_FATAL_FAILURE(turn_until(robot, RobotPhase::Gone));
}

TEST_F(RobotTest, AProgramThatEndsAtOnceFailsTheStartAndSaysHow) {
  const processes::RobotPlan plan = plan_of({"echo no such arm >&2; exit 7"});
  Robot robot(folder_, plan, Robot::Origin::Asked);
  ASSERT_NO_FATAL_FAILURE(turn_until(robot, RobotPhase::Gone));
  EXPECT_NE(robot.failure().find("ended with status 7"), std::string::npos) << robot.failure();
  EXPECT_NE(robot.failure().find("no such arm"), std::string::npos) << robot.failure();
}

}  // namespace
}  // namespace sinew::supervisor
