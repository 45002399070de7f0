// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/arm_solver.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

struct Asked {
  ArmAnswer answer;
  Pose X_BT;
};

/// What the arm answers from where the robot stands at first.
Asked ask(const std::string& robot, std::string_view arm, const Request& request) {
  const auto loaded = load_robot(robot);
  EXPECT_TRUE(loaded) << loaded.error().message;
  const auto solver = ArmSolver::make(loaded->model, arm, "");
  EXPECT_TRUE(solver) << solver.error().message;
  const std::vector<double> q = starting_positions(loaded->model);
  const auto goal = (*solver)->goal_of(request, q);
  EXPECT_TRUE(goal) << goal.error().message;
  Asked asked{.answer = (*solver)->solve(*goal, (*solver)->own_joints(q), (*solver)->own_joints(q)),
              .X_BT = goal->X_BT};
  return asked;
}

Request at(std::array<double, 3> position, std::array<double, 3> rpy) {
  return {.verb = RequestVerb::Solve, .position = position, .rpy = rpy};
}

// with the digits that the paper of MDS-Ach prints, which no posture meets exactly
TEST(ArmSolverTest, ThePapersHomePoseIsReachedAsItIsTyped) {
  Request home = at({0.41113, 0.58077, -0.07098}, {1.39899, -0.38662, -1.40029});
  const Asked asked = ask("mds", "left", home);
  ASSERT_FALSE(asked.answer.candidates.empty()) << asked.answer.words;
  EXPECT_GT(asked.answer.error.position + asked.answer.error.rotation, 0.0);
  EXPECT_TRUE(kPoseTolerance.holds(asked.answer.error.position, asked.answer.error.rotation));
}

TEST(ArmSolverTest, FiveJointsReachAPoseThatIsWrittenWithFewDigits) {
  // the hand of the SCORBOT in its first posture, to 0.1 mm and a hundredth of a degree
  const auto loaded = load_robot("scorbot-er3");
  ASSERT_TRUE(loaded);
  const auto solver = ArmSolver::make(loaded->model, "", "");
  ASSERT_TRUE(solver);
  std::vector<double> q = starting_positions(loaded->model);
  q[0] += 0.3;
  q[4] += 0.2;
  const Pose X_BT = (*solver)->tool_pose(q);
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
  Request request = at({rounded(X_BT.position.x()), rounded(X_BT.position.y()), rounded(X_BT.position.z())},
                       {rounded(rpy.roll), rounded(rpy.pitch), rounded(rpy.yaw + 1e-4)});
  const Asked near = ask("scorbot-er3", "", request);
  ASSERT_FALSE(near.answer.candidates.empty()) << near.answer.words;
  EXPECT_TRUE(kPoseTolerance.holds(near.answer.error.position, near.answer.error.rotation));
  request.is_exact = 1;
  const Asked exact = ask("scorbot-er3", "", request);
  EXPECT_TRUE(exact.answer.candidates.empty());
  EXPECT_NE(exact.answer.words, "") << "and why not is told";
}

}  // namespace
}  // namespace sinew
