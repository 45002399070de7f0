// SPDX-License-Identifier: BSD-3-Clause
// The two-armed MDS in simulation, whole stack: what must never happen, whatever programs want of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/hash.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/model/positions.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/lockstep/lockstep.h"

namespace sinew {
namespace {

class MdsTest : public testing::Test {
 protected:
  void SetUp() override { make({}); }

  void make(std::vector<SceneObject> objects) {
    auto robot = scene_robot("mds", "mds", "home", usual_world_places().robots);
    ASSERT_TRUE(robot) << robot.error().message;
    Scene scene{.name = "test"};
    scene.robots.push_back(*std::move(robot));
    scene.objects = std::move(objects);
    auto made = Lockstep::make(std::move(scene), "mds", settings_);
    ASSERT_TRUE(made) << made.error().message;
    lockstep_ = *std::move(made);
    for (std::size_t i = 0; i < 3; ++i)
      lockstep_->controller().set_source(i, "program" + std::to_string(i), 0);
    checker_ = std::make_unique<CollisionChecker>(lockstep_->shapes());
  }

  void steps(int count) {
    for (int i = 0; i < count; ++i) lockstep_->step();
  }

  std::size_t joint_count() const { return lockstep_->model().positions.size(); }
  const JointLimits& limits(std::size_t i) const {
    return lockstep_->model().joints[lockstep_->model().positions[i]].limits;
  }
  const Safety& safety() const { return lockstep_->controller().output().safety; }

  /// Joint positions that bring a hand to `p`, the rest free; where the arm is, when there are none.
  JointArray hand_at(const char* arm_name, const Vector3& p) {
    const RobotModel& model = lockstep_->model();
    const Arm& arm = model.arms[find_arm(model, arm_name)];
    const auto chain = SerialChain::make(model, arm.base_link, arm.tip_link);
    JointVector seed(static_cast<Eigen::Index>(chain->size()));
    for (std::size_t i = 0; i < chain->size(); ++i)
      seed[static_cast<Eigen::Index>(i)] = lockstep_->state().position[chain->position(i)];
    Pose X_BT;
    X_BT.position = p;
    const auto task = pose_task_from_text("p_x p_y p_z");
    const IkResult result =
        InverseKinematics(*chain).solve(X_BT, {seed.data(), chain->size()}, {.task = *task});
    EXPECT_EQ(result.status, IkStatus::Solved) << explain(result, model, *chain);
    JointArray goal = lockstep_->state().position;
    for (std::size_t i = 0; i < chain->size(); ++i)
      goal[chain->position(i)] = result.solutions[0].q[static_cast<Eigen::Index>(i)];
    return goal;
  }

  void want(std::size_t source, std::uint64_t mask, const JointArray& goal) {
    JointReference reference{.stamp_ns = lockstep_->now_ns(), .joint_mask = mask};
    reference.position = goal;
    lockstep_->put(source, reference);
  }
  std::uint64_t mask_of(const char* arm_name) const {
    const RobotModel& model = lockstep_->model();
    return arm_mask(model, model.arms[find_arm(model, arm_name)]) & enabled_mask(model);
  }

  /// Whether the robot touches anything, in physics.
  std::string touched() {
    for (const auto& touch : lockstep_->simulation().contacts()) {
      const bool is_robot = touch.a.starts_with("mds/") || touch.b.starts_with("mds/");
      if (is_robot) return touch.a + " and " + touch.b;
    }
    return {};
  }

  RobotControl settings_;
  std::unique_ptr<Lockstep> lockstep_;
  std::unique_ptr<CollisionChecker> checker_;
};

TEST_F(MdsTest, StandsStillUntilSomethingIsWanted) {
  steps(1000);
  EXPECT_EQ(lockstep_->controller().state(), ControlState::Running);
  EXPECT_EQ(touched(), "");
  for (std::size_t i = 0; i < joint_count(); ++i) EXPECT_NEAR(lockstep_->state().velocity[i], 0.0, 0.01) << i;
}

TEST_F(MdsTest, BothHandsSentToOnePlaceStopApartAndSayWhich) {
  steps(10);
  want(0, mask_of("left"), hand_at("left", {0.3, 0.05, 0.0}));
  want(1, mask_of("right"), hand_at("right", {0.3, -0.05, 0.0}));
  steps(8000);
  want(0, mask_of("left"), hand_at("left", {0.3, -0.02, 0.0}));
  want(1, mask_of("right"), hand_at("right", {0.3, 0.02, 0.0}));
  for (int i = 0; i < 8000; ++i) {
    lockstep_->step();
    ASSERT_EQ(touched(), "") << i;
  }
  EXPECT_EQ(safety().reason, StopReason::SelfCollision);
  EXPECT_TRUE(text_of(safety().link_a).starts_with("left") || text_of(safety().link_b).starts_with("left"));
  EXPECT_TRUE(text_of(safety().link_a).starts_with("right") || text_of(safety().link_b).starts_with("right"));
  EXPECT_LT(std::abs(lockstep_->state().velocity[0]), 0.05);
}

// the published width of the base meets the published arms where they hang: robots/mds/README.md
TEST_F(MdsTest, ZeroIsInsideTheBaseAndZeroallEndsHeldBeforeIt) {
  steps(10);
  const JointArray zero{};
  const CheckResult there = checker_->nearest({zero.data(), joint_count()});
  const auto name = [&](std::size_t link) { return lockstep_->model().links[link].name; };
  EXPECT_EQ(name(there.contact.link_a), "base_link");
  EXPECT_TRUE(name(there.contact.link_b).ends_with("_forearm")) << name(there.contact.link_b);
  EXPECT_NEAR(there.contact.distance, -0.0535, 1e-3);

  want(0, enabled_mask(lockstep_->model()), zero);
  steps(10'000);
  EXPECT_EQ(touched(), "");
  EXPECT_EQ(safety().state, ControlState::Running);
  EXPECT_EQ(safety().reason, StopReason::SelfCollision);
  EXPECT_EQ(text_of(safety().link_a), "base_link");
  EXPECT_NE(safety().held_mask, 0U);
  EXPECT_GE(checker_->nearest({lockstep_->state().position.data(), joint_count()}).contact.distance,
            settings_.margin);
}

TEST_F(MdsTest, TheSameRunGivesTheSameBits) {
  const auto run = [this] {
    make({});
    std::mt19937_64 random(9);
    std::uint64_t hash = kHashStart;
    for (int i = 0; i < 10'000; ++i) {
      if (i % 100 == 10) {
        JointArray goal{};
        for (std::size_t joint = 0; joint < joint_count(); ++joint)
          goal[joint] =
              std::uniform_real_distribution<double>(limits(joint).lower, limits(joint).upper)(random);
        want(random() % 3, mask_of("left") | mask_of("right"), goal);
      }
      const JointCommand command = lockstep_->step().command;
      hash = fnv1a({reinterpret_cast<const char*>(&command), sizeof command}, hash);
    }
    return fnv1a(std::to_string(lockstep_->simulation().state_hash()), hash);
  };
  const std::uint64_t first = run();
  EXPECT_EQ(run(), first);
}

// the controller is killed in full motion: the device stops by its own watchdog, and touches nothing
TEST_F(MdsTest, ADeadControllerLeavesARobotThatStops) {
  steps(10);
  want(0, mask_of("left"), hand_at("left", {0.3, 0.2, 0.0}));
  steps(700);
  double fastest = 0.0;
  for (std::size_t i = 0; i < joint_count(); ++i)
    fastest = std::max(fastest, std::abs(lockstep_->state().velocity[i]));
  ASSERT_GT(fastest, 0.1);
  lockstep_->simulation().advance(kSecond_ns);
  JointState state;
  lockstep_->driver().read(lockstep_->now_ns(), state);
  EXPECT_NE(state.fault_bits & kFaultWatchdog, 0U);
  for (std::size_t i = 0; i < joint_count(); ++i) EXPECT_NEAR(state.velocity[i], 0.0, 0.02) << i;
  EXPECT_EQ(touched(), "");
}

}  // namespace
}  // namespace sinew
