// SPDX-License-Identifier: BSD-3-Clause
// What is solid in a simulated world is known to guard and planner: the floor before all.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/split_mix.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/control/safety_text.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/lockstep/lockstep.h"

namespace sinew {
namespace {

/// `world` with that robot where its own stands, or at its origin.
Scene scene_of(const std::string& world, const std::string& robot) {
  const WorldPlaces places = usual_world_places();
  auto scene = load_world(world, places);
  EXPECT_TRUE(scene) << scene.error().message;
  auto stands = scene_robot(robot, "robot", "", places.robots);
  EXPECT_TRUE(stands) << stands.error().message;
  if (!scene->robots.empty() && scene->robots.front().model.name == stands->model.name)
    stands->start = scene->robots.front().start;
  scene->robots.clear();
  scene->robots.push_back(*std::move(stands));
  return *std::move(scene);
}

std::unique_ptr<Lockstep> lockstep_of(const std::string& world, const std::string& robot) {
  Scene scene = scene_of(world, robot);
  // a world that has another robot's things where this one stands is no place for it
  std::erase_if(scene.objects, [](const SceneObject& object) { return !object.is_known || object.is_free; });
  scene.robots.front().model.homing.clear();
  const auto settings = load_robot(robot, usual_places())->settings.control;
  auto made = Lockstep::make(std::move(scene), "robot", *read_control(settings));
  EXPECT_TRUE(made) << made.error().message;
  EXPECT_TRUE((*made)->show_world());
  EXPECT_TRUE((*made)->add_motion());
  (*made)->controller().set_source(0, "test", 0);
  return *std::move(made);
}

class FloorTest : public testing::TestWithParam<std::string> {
 protected:
  void use(const std::string& world) {
    lockstep_ = lockstep_of(world, GetParam());
    for (int i = 0; i < 100; ++i) lockstep_->step();
    checker_.emplace(lockstep_->shapes());
    checker_->set_world(lockstep_->shown_world()->obstacles);
  }
  const RobotModel& model() const { return lockstep_->model(); }
  std::vector<double> here() const {
    const JointArray& q = lockstep_->state().position;
    return {q.begin(), q.begin() + static_cast<std::ptrdiff_t>(model().positions.size())};
  }
  std::string name_of(const Contact& contact) const {
    const std::size_t object = contact.object_b != kNone ? contact.object_b : contact.object_a;
    return object == kNone ? "" : std::string(text_of(lockstep_->shown_world()->obstacles[object].name));
  }

  // a posture in the floor, nothing else in the way to it; none: the robot does not reach it
  std::optional<std::vector<double>> in_the_floor() {
    SplitMix random(11);
    const std::vector<double> from = here();
    for (int tries = 0; tries < 3000; ++tries) {
      std::vector<double> q = from;
      for (std::size_t i = 0; i < q.size(); ++i) {
        const Joint& joint = model().joints[model().positions[i]];
        if (joint.is_enabled && joint.kind == JointKind::Revolute)
          q[i] = random.between(joint.limits.lower, joint.limits.upper);
      }
      const CheckResult there = checker_->check(q);
      if (there.verdict != Verdict::TooNear || name_of(there.contact) != "floor") continue;
      if (name_of(checker_->sweep(from, q).contact) == "floor") return q;
    }
    return std::nullopt;
  }

  bool touches_floor() const {
    return std::ranges::any_of(lockstep_->simulation().contacts(), [&](const Touch& touch) {
      const std::string& other = touch.a == "floor" ? touch.b : touch.a;
      return (touch.a == "floor" || touch.b == "floor") && other.starts_with("robot/") &&
             is_moved_arm(other.substr(6));
    });
  }
  // wheels and bases may
  bool is_moved_arm(const std::string& link) const {
    const std::size_t joint = model().links[find_link(model(), link)].parent_joint;
    return joint != kNone && model().joints[joint].kind == JointKind::Revolute;
  }

  std::unique_ptr<Lockstep> lockstep_;
  std::optional<CollisionChecker> checker_;
};

TEST_P(FloorTest, IsKnownInEveryWorldAndNobodyStartsInIt) {
  for (const std::string& world : world_names(usual_world_places())) {
    SCOPED_TRACE(world);
    use(world);
    EXPECT_NE(lockstep_->shown_world()->obstacles.find("floor"), kNone);
    const CheckResult found = checker_->check(starting_positions(model()));
    // the table of one robot may be in the way of another
    if (found.verdict == Verdict::Clear)
      EXPECT_EQ(lockstep_->controller().state(), ControlState::Running);
    else
      EXPECT_EQ(name_of(found.contact), "table") << model().links[found.contact.link_a].name;
  }
}

TEST_P(FloorTest, TheGuardStopsBeforeItAndThePlannerNamesIt) {
  use("empty");
  const auto q = in_the_floor();
  if (!q) GTEST_SKIP() << "it does not reach the floor";
  const std::uint64_t mask = enabled_mask(model());
  Request request{.verb = RequestVerb::MoveJoints, .joint_mask = mask};
  std::ranges::copy(*q, request.joints.begin());
  const auto reply = lockstep_->wait_for(lockstep_->ask(request));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, ReplyStatus::Blocked) << text_of(reply->reason);
  EXPECT_NE(text_of(reply->reason).find("floor"), std::string_view::npos) << text_of(reply->reason);

  JointReference reference{.stamp_ns = lockstep_->now_ns(), .joint_mask = mask};
  std::ranges::copy(*q, reference.position.begin());
  lockstep_->put(0, reference);
  bool was_held = false;
  for (int i = 0; i < 20'000; ++i) {
    const ControlOutput& output = lockstep_->step();
    was_held = was_held || output.command.held_mask != 0;
    ASSERT_FALSE(touches_floor());
  }
  EXPECT_TRUE(was_held);
  EXPECT_EQ(lockstep_->controller().state(), ControlState::Running);
  EXPECT_EQ(checker_->check(here()).verdict, Verdict::Clear);
}

INSTANTIATE_TEST_SUITE_P(Shipped, FloorTest, testing::ValuesIn(robot_names(usual_places())),
                         [](const testing::TestParamInfo<std::string>& param) {
                           std::string name = param.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// ---- homing ----

class HomingWorldTest : public testing::TestWithParam<std::string> {};

// the device stands at its switches in worlds that put it at home: it does not know, and has to look
TEST_P(HomingWorldTest, TheArmSearchesWhereverItStands) {
  Scene scene = scene_of(GetParam(), "scorbot-er3:homing");
  auto made = Lockstep::make(std::move(scene), "robot", {});
  ASSERT_TRUE(made) << made.error().message;
  Lockstep& robot = **made;
  for (int i = 0; i < 100; ++i) robot.step();
  ASSERT_EQ(robot.controller().state(), ControlState::Starting);
  robot.controller().take_request({.verb = ControlVerb::Home}, robot.now_ns());
  std::vector<double> least(robot.model().positions.size(), INFINITY);
  std::vector<double> most(least.size(), -INFINITY);
  for (int i = 0; i < 300'000 && robot.controller().state() != ControlState::Running; ++i) {
    robot.step();
    for (std::size_t k = 0; k < least.size(); ++k) {
      least[k] = std::min(least[k], robot.simulation().joint_position(0, k));
      most[k] = std::max(most[k], robot.simulation().joint_position(0, k));
    }
  }
  ASSERT_EQ(robot.controller().state(), ControlState::Running);
  EXPECT_EQ(robot.state().fault_bits, 0U);
  for (const HomeSwitch& home : robot.model().homing)
    EXPECT_GT(most[home.position] - least[home.position], 0.9 * home.width);
}

INSTANTIATE_TEST_SUITE_P(Worlds, HomingWorldTest, testing::ValuesIn(world_names(usual_world_places())));

}  // namespace
}  // namespace sinew
