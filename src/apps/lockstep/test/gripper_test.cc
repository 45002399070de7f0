// SPDX-License-Identifier: BSD-3-Clause
// Requests for a gripper: fingers go where they are sent, or as far as what they hold.
#include "apps/lockstep/test/program_bench.h"

namespace sinew {
namespace {

constexpr double kThousandth = 1e-3;

class GripperTest : public ProgramTest {
 protected:
  Reply grip(double width, const std::string& name = {}) {
    Request request{.verb = RequestVerb::MoveGripper};
    request.position = {width, 0, 0};
    set_text(request.text, name);
    return wait(robot_->ask(request), 10.0);
  }
  Reply reach(double x, double y, double z) {
    Request request{.verb = RequestVerb::MoveTool};
    request.position = {x, y, z};
    request.rpy = {0, 0.5 * std::numbers::pi, std::atan2(y, x)};
    return wait(robot_->ask(request), 20.0);
  }
  double seconds() const { return seconds_from_nanoseconds(robot_->now_ns()); }
  double width() const { return 2.0 * robot_->simulation().joint_position(0, 5); }
};

TEST_F(GripperTest, OpensToTheWidthThatIsAskedFor) {
  use("scorbot-er3");
  for (const double wanted : {0.05, 0.075, 0.0, 0.02}) {
    const Reply reply = grip(wanted);
    EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
    EXPECT_NEAR(width(), wanted, 0.1 * kThousandth);
    EXPECT_LT(reply.position_error, 0.1 * kThousandth);
  }
}

TEST_F(GripperTest, TellsAtOnceThatItHoldsSomethingAndHowWideThatIs) {
  use("scorbot-er3", {{.name = "block",
                       .X_WO = {.position = {0.35, 0.0, 0.02}},
                       .size = {0.03, 0.03, 0.04},
                       .is_free = true,
                       .mass = 0.05}});
  grip(0.05);
  ASSERT_EQ(reach(0.35, 0, 0.02).status, ReplyStatus::Done);
  const double began = seconds();
  const Reply reply = grip(0.0);
  EXPECT_EQ(reply.status, ReplyStatus::Done);
  EXPECT_NEAR(reply.position_error, 0.03, 0.5 * kThousandth);
  EXPECT_EQ(std::string(text_of(reply.reason)).substr(0, 16), "holds something ") << text_of(reply.reason);
  // simulated: 10 mm at 50 mm/s to the block, and some time to be sure
  EXPECT_LT(seconds() - began, 1.0);
  const GraspState& grasp = robot_->simulation().touch().grasp(0);
  ASSERT_EQ(grasp.gripper_count, 1U);
  EXPECT_EQ(grasp.grippers[0].phase, GraspPhase::Holding);
  EXPECT_EQ(text_of(grasp.grippers[0].object), "block");
  EXPECT_GT(grasp.grippers[0].force, 2.0);
  ASSERT_EQ(reach(0.35, 0, 0.15).status, ReplyStatus::Done);
  pass(5.0);
  EXPECT_GT(robot_->simulation().object_pose("block")->position.z(), 0.14) << "and it is held";
  grip(0.05);
  pass(1.0);
  EXPECT_LT(robot_->simulation().object_pose("block")->position.z(), 0.05);
  EXPECT_EQ(grasp.grippers[0].phase, GraspPhase::Free);
}

TEST_F(GripperTest, RefusesWidthsAndGrippersThatAreNotThere) {
  use("scorbot-er3");
  for (const auto& [width, name, words] :
       {std::tuple(0.2, "", "opens to 75.0 mm, and 200.0 mm are asked for"),
        std::tuple(-0.1, "", "a gripper cannot be -0.1 m wide"),
        std::tuple(std::nan(""), "", "a gripper cannot be nan m wide"),
        std::tuple(0.05, "griper", "there is no gripper {griper} (did you mean 'gripper'?)")}) {
    const Reply reply = grip(width, name);
    EXPECT_EQ(reply.status, ReplyStatus::Refused);
    EXPECT_NE(text_of(reply.reason).find(words), std::string::npos) << text_of(reply.reason);
  }
}

// whole counts of its encoders are coarser than what counts as arrived
TEST_F(GripperTest, AnArmWithCoarseEncodersDoesNotWaitAtItsGoal) {
  use("scorbot-er3");
  ASSERT_EQ(reach(0.35, 0.05, 0.1).status, ReplyStatus::Done);
  const double began = seconds();
  ASSERT_EQ(reach(0.35, 0.05, 0.11).status, ReplyStatus::Done);
  EXPECT_LT(seconds() - began, 1.5) << "simulated";
}

}  // namespace
}  // namespace sinew
