// SPDX-License-Identifier: BSD-3-Clause
// Something comes into the way of a hand that is on its way.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/positions.h"
#include "sinew/motion/arm_solver.h"

#include "apps/lockstep/test/mds_with_motion.h"

namespace sinew {
namespace {

class ObstacleTest : public testing::Test {
 protected:
  void make(OnObstacle on_obstacle) {
    lockstep_ = mds_with_motion({.on_obstacle = on_obstacle});
    const RobotModel& model = lockstep_->model();
    palm_ = find_link(model, "left_palm");
    elbow_ = model.joints[find_joint(model, "LEP")].position;
    begin_ = lockstep_->controller().output().command.position[elbow_];
  }

  Request elbow_to(double angle, double speed) const {
    Request request{
        .verb = RequestVerb::MoveJoints, .speed = speed, .joint_mask = std::uint64_t{1} << elbow_};
    request.joints[elbow_] = angle;
    return request;
  }
  Reply carry_out(const Request& request) { return answer_to(*lockstep_, lockstep_->ask(request)); }
  Vector3 palm() { return lockstep_->simulation().X_WL(0, palm_).position; }

  /// Begins to bend the elbow, and puts a box where the palm is to be near the end. Answers the request.
  std::uint64_t bend_into_a_box() {
    EXPECT_EQ(carry_out(elbow_to(begin_ + 0.9, 1.0)).status, ReplyStatus::Done);
    const Vector3 place = palm();
    EXPECT_EQ(carry_out(elbow_to(begin_, 1.0)).status, ReplyStatus::Done);
    const std::uint64_t number = lockstep_->ask(elbow_to(begin_ + 1.2, 0.3));
    for (int i = 0; i < 1000; ++i) lockstep_->step();
    Request box{.verb = RequestVerb::AddObject};
    set_text(box.text, fmt::format("{{name: cup, box: [0.04, 0.04, 0.04], at: [{}, {}, {}]}}", place.x(),
                                   place.y(), place.z()));
    EXPECT_EQ(carry_out(box).status, ReplyStatus::Done);
    return number;
  }
  std::uint64_t held_cycles_until(std::uint64_t number) {
    std::uint64_t held = 0;
    while (!lockstep_->final_reply(number)) held += lockstep_->step().command.held_mask != 0 ? 1 : 0;
    return held;
  }
  std::uint64_t refusals() { return lockstep_->controller().output().safety.refusals; }

  std::unique_ptr<Lockstep> lockstep_;
  std::size_t palm_ = 0;
  std::size_t elbow_ = 0;
  double begin_ = 0.0;
};

TEST_F(ObstacleTest, StopsBeforeItBeforeTheGuardHasTo) {
  make(OnObstacle::Stop);
  const std::uint64_t number = bend_into_a_box();
  EXPECT_EQ(held_cycles_until(number), 0U);
  const Reply reply = *lockstep_->final_reply(number);
  EXPECT_EQ(reply.status, ReplyStatus::Blocked);
  const std::string words(text_of(reply.reason));
  EXPECT_TRUE(words.starts_with("something has come into its way: ")) << words;
  EXPECT_NE(words.find("cup"), std::string::npos) << words;
  for (int i = 0; i < 3000; ++i) EXPECT_EQ(lockstep_->step().command.held_mask, 0U);
  EXPECT_FALSE(lockstep_->motion().is_busy());
  EXPECT_EQ(refusals(), 0U);
}

TEST_F(ObstacleTest, SlowsDownWaitsAndGoesOnWhenItIsGone) {
  make(OnObstacle::Slow);
  const std::uint64_t number = bend_into_a_box();
  for (int i = 0; i < 12'000; ++i) ASSERT_EQ(lockstep_->step().command.held_mask, 0U);
  EXPECT_FALSE(lockstep_->final_reply(number));
  EXPECT_NEAR(lockstep_->state().velocity[elbow_], 0.0, 1e-3);
  Request gone{.verb = RequestVerb::RemoveObject};
  set_text(gone.text, "cup");
  ASSERT_EQ(carry_out(gone).status, ReplyStatus::Done);
  EXPECT_EQ(held_cycles_until(number), 0U);
  EXPECT_EQ(lockstep_->final_reply(number)->status, ReplyStatus::Done);
  EXPECT_EQ(refusals(), 0U);
}

TEST_F(ObstacleTest, WaitsNoLongerThanItsPatience) {
  make(OnObstacle::Slow);
  const std::uint64_t number = bend_into_a_box();
  held_cycles_until(number);
  const Reply reply = *lockstep_->final_reply(number);
  EXPECT_EQ(reply.status, ReplyStatus::Blocked);
  EXPECT_TRUE(text_of(reply.reason).starts_with("something stays in its way: ")) << text_of(reply.reason);
}

// things that come and go elsewhere do not begin its waiting anew
TEST_F(ObstacleTest, WaitsNoLongerWhenTheWorldChangesElsewhere) {
  make(OnObstacle::Slow);
  const std::uint64_t number = bend_into_a_box();
  const std::int64_t began_ns = lockstep_->now_ns();
  int changes = 0;
  while (!lockstep_->final_reply(number) && lockstep_->now_ns() < began_ns + 120 * kSecond_ns) {
    for (int i = 0; i < 2000; ++i) lockstep_->step();
    Request box{.verb = RequestVerb::AddObject};
    set_text(box.text,
             fmt::format("{{name: ball, box: [0.04, 0.04, 0.04], at: [3, 3, {}]}}", 1 + changes++ % 2));
    lockstep_->ask(box);
  }
  ASSERT_TRUE(lockstep_->final_reply(number));
  EXPECT_EQ(lockstep_->final_reply(number)->status, ReplyStatus::Blocked);
}

// one joint has no way round: it says so; with all of the arm's joints there is one
TEST_F(ObstacleTest, LooksForAnotherWayToTheSameGoal) {
  make(OnObstacle::Replan);
  const std::uint64_t number = bend_into_a_box();
  EXPECT_EQ(held_cycles_until(number), 0U);
  EXPECT_EQ(lockstep_->final_reply(number)->status, ReplyStatus::Blocked);
  Request gone{.verb = RequestVerb::RemoveObject};
  set_text(gone.text, "cup");
  ASSERT_EQ(carry_out(gone).status, ReplyStatus::Done);
  ASSERT_EQ(carry_out(elbow_to(begin_ + 0.9, 1.0)).status, ReplyStatus::Done);
  const Vector3 place = palm();
  ASSERT_EQ(carry_out(elbow_to(begin_, 1.0)).status, ReplyStatus::Done);

  Request all = elbow_to(begin_ + 1.2, 0.3);
  const RobotModel& model = lockstep_->model();
  all.joint_mask = arm_mask(model, model.arms[find_arm(model, "left")]) & enabled_mask(model);
  for (std::size_t i = 0; i < model.positions.size(); ++i)
    if (i != elbow_) all.joints[i] = lockstep_->controller().output().command.position[i];
  const std::uint64_t second = lockstep_->ask(all);
  for (int i = 0; i < 1000; ++i) lockstep_->step();
  Request box{.verb = RequestVerb::AddObject};
  set_text(box.text, fmt::format("{{name: cup, box: [0.04, 0.04, 0.04], at: [{}, {}, {}]}}", place.x(),
                                 place.y(), place.z()));
  ASSERT_EQ(carry_out(box).status, ReplyStatus::Done);
  EXPECT_EQ(held_cycles_until(second), 0U);
  const Reply reply = *lockstep_->final_reply(second);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  int looked = 0;
  for (const Reply& told : lockstep_->replies())
    if (told.request == second && text_of(told.reason).starts_with("something has come into its way"))
      ++looked;
  EXPECT_EQ(looked, 1);
  EXPECT_EQ(refusals(), 0U);
}

/// A panda at home in an empty world, with a motion service that looks for other ways.
std::unique_ptr<Lockstep> panda_that_replans() {
  auto robot = scene_robot("panda", "panda", "home", usual_world_places().robots);
  SINEW_ASSERT(robot.has_value());
  Scene scene{.name = "test"};
  scene.robots.push_back(*std::move(robot));
  auto made = Lockstep::make(std::move(scene), "panda", {});
  SINEW_ASSERT(made.has_value() && (*made)->add_motion({.on_obstacle = OnObstacle::Replan}));
  for (int i = 0; i < 10; ++i) (*made)->step();
  return *std::move(made);
}

// as far to the tool's side as `y` says, from where it is
Request sideways(double y, double speed) {
  Request request{.verb = RequestVerb::MoveTool, .frame = RequestFrame::Tool, .speed = speed};
  request.position = {0.0, y, 0.0};
  return request;
}

TEST(RelativeMotionTest, PlannedAnewItEndsWhereItWasToEnd) {
  const std::unique_ptr<Lockstep> lockstep = panda_that_replans();
  const RobotModel& model = lockstep->model();
  const auto arm = ArmSolver::make(model, "", "");
  ASSERT_TRUE(arm);
  const auto tool = [&] {
    return (*arm)->tool_pose(
        {lockstep->controller().output().command.position.data(), model.positions.size()});
  };
  const Pose begin = tool();
  const Pose goal = begin * Pose{.position = {0.0, 0.5, 0.0}};
  ASSERT_EQ(answer_to(*lockstep, lockstep->ask(sideways(0.3, 1.0))).status, ReplyStatus::Done);
  const Vector3 on_the_way = tool().position;
  ASSERT_EQ(answer_to(*lockstep, lockstep->ask(sideways(-0.3, 1.0))).status, ReplyStatus::Done);
  ASSERT_LT(distance(begin, tool()).position, 1e-4);

  const std::uint64_t number = lockstep->ask(sideways(0.5, 0.2));
  while ((tool().position - begin.position).norm() < 0.05) lockstep->step();
  Request box{.verb = RequestVerb::AddObject};
  set_text(box.text, fmt::format("{{name: cup, box: [0.04, 0.04, 0.04], at: [{}, {}, {}]}}", on_the_way.x(),
                                 on_the_way.y(), on_the_way.z()));
  ASSERT_EQ(answer_to(*lockstep, lockstep->ask(box)).status, ReplyStatus::Done);
  const Reply reply = answer_to(*lockstep, number);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  const auto is_look = [&](const Reply& told) {
    return told.request == number && text_of(told.reason).starts_with("something has come into its way");
  };
  EXPECT_EQ(std::ranges::count_if(lockstep->replies(), is_look), 1) << "it was to be planned anew";
  EXPECT_LT(distance(goal, tool()).position, 1e-4)
      << "half a metre from where it began, not from where it stopped";
  EXPECT_LT(distance(goal, tool()).rotation, 1e-4);
}

}  // namespace
}  // namespace sinew
