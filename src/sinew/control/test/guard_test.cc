// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/guard.h"

#include <cmath>
#include <random>

#include "sinew/collision/test/draws.h"
#include "sinew/control/test/controller_fixture.h"
#include "sinew/trajectory/jerk_limited.h"

namespace sinew {
namespace {

class GuardTest : public ControllerTest {
 protected:
  // how far the nearest pair is apart beyond its margin, by a check of its own
  double spare(const JointArray& q) {
    CollisionChecker checker(*shapes_);
    checker.set_world(world_);
    const CheckResult result = checker.nearest({q.data(), 4});
    return result.contact.distance - result.contact.margin;
  }

  void put_box(const char* name, const Vector3& centre, const Vector3& half) {
    Obstacle box{.solid = make_box(half)};
    set_text(box.name, name);
    box.X_LO.position = centre;
    ASSERT_TRUE(world_.add(box));
    controller_->take_world(world_);
  }

  void want_at(std::size_t source, const JointArray& position, std::uint64_t mask = 0b1111) {
    controller_->take_reference(source, {.stamp_ns = now_ns_, .joint_mask = mask, .position = position},
                                now_ns_);
  }

  // the least of it when the device goes on as it does for a while, and brakes then
  double spare_on_the_way_to_a_stop_after(double time) {
    const auto limits = *axis_limits(model_);
    std::array<AxisProfile, 4> stops;
    for (std::size_t joint = 0; joint < 4; ++joint) {
      const double velocity = last_.velocity[joint];
      stops[joint] = plan_stop({last_.position[joint] + velocity * time, velocity, 0.0}, limits[joint]);
    }
    double least = 1.0;
    for (double after = 0.0; after < 0.6; after += 0.05) {
      JointArray q{};
      for (std::size_t joint = 0; joint < 4; ++joint) q[joint] = stops[joint].at(after).position;
      least = std::min(least, spare(q));
    }
    return least;
  }

  Obstacles world_;
};

TEST_F(GuardTest, AnArmThatFoldsOntoItselfStopsApartAndNamesTheLinks) {
  cycle();
  want(0, 0b1110, 2.0);
  for (int i = 0; i < 5000; ++i) {
    cycle();
    ASSERT_GE(spare(last_.position), -1e-6) << i;
  }
  EXPECT_EQ(safety().reason, StopReason::SelfCollision);
  EXPECT_EQ(controller_->state(), ControlState::Running) << "only the arm is held";
  EXPECT_NE(text_of(safety().link_a).find("link"), std::string_view::npos);
  EXPECT_NE(text_of(safety().link_b).find("link"), std::string_view::npos);
  EXPECT_EQ(safety().margin, kMargin);
  EXPECT_EQ(last_.velocity[1], 0.0);
  EXPECT_LT(spare(last_.position), 0.05) << "it stops near, not far away";
}

TEST_F(GuardTest, WhatWasRefusedStaysRefusedAndSomethingElseIsDone) {
  cycle();
  want(0, 0b1110, 2.0);
  cycles(5000);
  const JointCommand held = last_;
  ASSERT_NE(safety().held_mask, 0U);
  for (int i = 0; i < 500; ++i) {
    want(0, 0b1110, 2.0);
    cycle();
  }
  EXPECT_EQ(last_.position, held.position) << "asking again changes nothing";
  want(0, 0b1110, 0.0);
  cycles(5000);
  EXPECT_EQ(last_.position[1], 0.0);
  EXPECT_EQ(safety().held_mask, 0U);
  EXPECT_EQ(safety().reason, StopReason::None);
}

// as a waist that carries an arm
TEST_F(GuardTest, AJointThatRestsBelowAHeldArmIsNotHeldWithIt) {
  model_.arms[0].base_link = 1;
  make({});
  put_box("visitor", {0.75, 0.45, 0.0}, {0.1, 0.1, 0.1});
  cycle();
  want(0, 0b1110, 1.0);
  cycles(4000);
  EXPECT_EQ(safety().reason, StopReason::WorldCollision);
  EXPECT_EQ(safety().held_mask, 0b1110U);
  want(0, 0b1110, 0.0);
  cycles(4000);
  EXPECT_EQ(last_.position[1], 0.0);
  EXPECT_EQ(safety().held_mask, 0U);
  EXPECT_EQ(safety().reason, StopReason::None);
}

TEST_F(GuardTest, WhatWasRefusedIsDoneOnceTheObjectIsGone) {
  put_box("visitor", {0.5, 1.0, 0.0}, {0.1, 0.1, 0.1});
  cycle();
  want(0, 0b0001, 1.5);
  cycles(4000);
  ASSERT_NE(safety().held_mask, 0U);
  controller_->take_world({});
  cycles(500);
  EXPECT_LT(last_.position[0], 1.4) << "not by itself";
  want(0, 0b0001, 1.5);
  cycles(4000);
  EXPECT_EQ(last_.position[0], 1.5);
}

TEST_F(GuardTest, WhatWasRefusedIsDoneUnderAnOverrideThatComesLater) {
  put_box("visitor", {0.5, 1.0, 0.0}, {0.1, 0.1, 0.1});
  cycle();
  want(0, 0b0001, 1.5);
  cycles(4000);
  ASSERT_NE(safety().held_mask, 0U);
  ControlRequest request{.stamp_ns = now_ns_, .lease_ns = 60 * kSecond_ns, .verb = ControlVerb::Override};
  controller_->take_override(request, now_ns_);
  cycles(500);
  EXPECT_LT(last_.position[0], 1.4) << "not by itself";
  want(0, 0b0001, 1.5);
  cycles(4000);
  EXPECT_EQ(last_.position[0], 1.5);
}

// two arms beside each other on one base, each of two links that turn about z
RobotModel two_arms() {
  RobotModel model = row_of_joints(4);
  model.joints[0].X_PJ.position = {0.0, 0.4, 0.0};
  model.joints[2].parent_link = 0;
  model.joints[2].X_PJ.position = {0.0, -0.4, 0.0};
  model.links[0].child_joints = {0, 2};
  model.links[2].child_joints = {};
  model.ignored_pairs = {{.link_a = 0, .link_b = 1, .reason = "adjacent"},
                         {.link_a = 1, .link_b = 2, .reason = "adjacent"},
                         {.link_a = 0, .link_b = 3, .reason = "adjacent"},
                         {.link_a = 3, .link_b = 4, .reason = "adjacent"}};
  model.arms = {{.name = "left", .base_link = 0, .tip_link = 2},
                {.name = "right", .base_link = 0, .tip_link = 4}};
  return model;
}

class TwoArmsTest : public ControllerTest {
 protected:
  TwoArmsTest() : ControllerTest(two_arms()) {}
};

TEST_F(TwoArmsTest, WhatWasRefusedIsDoneOnceTheOtherArmHasLeft) {
  cycle();
  want(0, 0b0100, 1.2);
  cycles(4000);
  ASSERT_EQ(last_.position[2], 1.2);
  want(0, 0b0001, -1.2);
  cycles(4000);
  ASSERT_NE(safety().held_mask & 1U, 0U);
  want(1, 0b0100, 1.9);
  cycles(4000);
  ASSERT_EQ(last_.position[2], 1.9);
  EXPECT_GT(last_.position[0], -1.1) << "not by itself";
  want(0, 0b0001, -1.2);
  cycles(4000);
  EXPECT_EQ(last_.position[0], -1.2);
  EXPECT_EQ(safety().held_mask, 0U);
}

// driven at an object from all sides and at many speeds, it never comes nearer than its margin
TEST_F(GuardTest, NeverTouchesAnObjectHoweverItIsDrivenAtIt) {
  put_box("table", {0.9, 0.45, 0.0}, {0.2, 0.05, 0.1});
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> position(-2.0, 2.0);
  cycle();
  int holds = 0;
  for (int i = 0; i < 15'000; ++i) {
    if (random() % 400 == 0) {
      JointArray goal{};
      for (std::size_t joint = 0; joint < 4; ++joint) goal[joint] = position(random);
      want_at(random() % 3, goal, random() % 15 + 1);
    }
    holds += cycle().events.is_news ? 1 : 0;
    ASSERT_GE(spare(last_.position), -1e-6) << i;
  }
  EXPECT_GT(holds, 5) << "it was never in danger: the test shows nothing";
}

// a ring of triangles: it may be reached through, and is never touched
TEST_F(GuardTest, NeverTouchesASurfaceOfTriangles) {
  const draws::Triangles ring = draws::ring(0.4, 0.05, 12);
  const auto tree = TriangleTree::make(ring.vertices, ring.triangles);
  ASSERT_TRUE(tree);
  Obstacle object{.solid = make_surface(*tree)};
  set_text(object.name, "ring");
  object.X_LO = {.rotation = quaternion_from_rotation_vector({0.0, 1.5707963267948966, 0.0}),
                 .position = {0.5, 0.55, 0.0}};
  ASSERT_TRUE(world_.add(object));
  controller_->take_world(world_);
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> position(-2.0, 2.0);
  cycle();
  bool is_held_by_ring = false;
  for (int i = 0; i < 8'000; ++i) {
    if (random() % 400 == 0) {
      JointArray goal{};
      for (std::size_t joint = 0; joint < 4; ++joint) goal[joint] = position(random);
      want_at(random() % 3, goal, random() % 15 + 1);
    }
    cycle();
    is_held_by_ring = is_held_by_ring || text_of(safety().link_b) == "ring";
    ASSERT_GE(spare(last_.position), -1e-6) << i;
  }
  EXPECT_TRUE(is_held_by_ring) << "it was never in danger: the test shows nothing";
}

TEST_F(GuardTest, AnObjectPutIntoTheWayIsNotRunInto) {
  cycle();
  want(0, 0b0001, 1.9);
  cycles(300);
  put_box("visitor", {0.5, 1.0, 0.0}, {0.1, 0.1, 0.1});
  for (int i = 0; i < 4000; ++i) {
    cycle();
    ASSERT_GE(spare(last_.position), -1e-6) << i;
  }
  EXPECT_EQ(safety().reason, StopReason::WorldCollision);
  EXPECT_EQ(text_of(safety().link_b), "visitor");
}

TEST_F(GuardTest, WhoIsTooNearAlreadyMayLeaveButNotComeNearer) {
  cycle();
  put_box("wall", {0.6, 0.06, 0.0}, {0.7, 0.03, 0.1});
  ASSERT_LT(spare(last_.position), -0.005);
  want(0, 0b0001, 1.0);
  cycles(2000);
  EXPECT_NEAR(last_.position[0], 0.0, 1e-3);
  EXPECT_EQ(safety().reason, StopReason::WorldCollision);
  want(0, 0b0001, -1.0);
  cycles(4000);
  EXPECT_EQ(last_.position[0], -1.0);
}

// whatever the guard has let pass, braking from there with all joints touches nothing
TEST_F(GuardTest, ThereAlwaysIsAWayToStop) {
  put_box("box", {0.5, 0.5, 0.0}, {0.1, 0.1, 0.1});
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> position(-2.0, 2.0);
  const auto limits = *axis_limits(model_);
  cycle();
  for (int i = 0; i < 6000; ++i) {
    if (random() % 300 == 0) {
      JointArray goal{};
      for (std::size_t joint = 0; joint < 4; ++joint) goal[joint] = position(random);
      want_at(0, goal);
    }
    cycle();
    if (i % 7 != 0) continue;
    std::array<AxisProfile, 4> stops;
    for (std::size_t joint = 0; joint < 4; ++joint)
      stops[joint] =
          plan_stop({last_.position[joint], last_.velocity[joint], last_.acceleration[joint]}, limits[joint]);
    for (double time = 0.0; time < 0.6; time += 0.02) {
      JointArray q{};
      for (std::size_t joint = 0; joint < 4; ++joint) q[joint] = stops[joint].at(time).position;
      ASSERT_GE(spare(q), -1e-6) << i << " at " << time;
    }
  }
}

// a device with a queue goes on for a while whatever it is told: the guard counts that as braking
TEST_F(GuardTest, NeverTouchesAnObjectEvenIfTheDeviceGoesOnForTheTimeOfItsQueue) {
  constexpr double kQueue = 0.05;
  std::array<double, 2> nearest{1.0, 1.0};
  for (const bool is_counted : {false, true}) {
    world_ = {};
    last_ = {};
    state_.position.fill(0.0);
    make({.queue_ns = is_counted ? std::llround(kQueue * 1e9) : 0});
    put_box("table", {0.9, 0.45, 0.0}, {0.2, 0.05, 0.1});
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> position(-2.0, 2.0);
    cycle();
    for (int i = 0; i < 5'000; ++i) {
      if (random() % 400 == 0) {
        JointArray goal{};
        for (std::size_t joint = 0; joint < 4; ++joint) goal[joint] = position(random);
        want_at(random() % 3, goal, random() % 15 + 1);
      }
      cycle();
      ASSERT_GE(spare(last_.position), -1e-6) << i;
      // who is held brakes already, and that is what its device has queued
      if (i % 5 != 0 || safety().held_mask != 0) continue;
      nearest[is_counted] = std::min(nearest[is_counted], spare_on_the_way_to_a_stop_after(kQueue));
    }
  }
  EXPECT_LT(nearest[0], -kMargin) << "it was never in danger: the test shows nothing";
  EXPECT_GE(nearest[1], -1e-6);
}

TEST_F(GuardTest, AnOverrideLetsItPassAndIsRecorded) {
  put_box("table", {0.9, 0.45, 0.0}, {0.2, 0.05, 0.1});
  cycle();
  ControlRequest request{.stamp_ns = now_ns_, .lease_ns = 60 * kSecond_ns, .verb = ControlVerb::Override};
  set_text(request.who, "expert");
  controller_->take_override(request, now_ns_);
  want(0, 0b0001, 1.5);
  cycles(4000);
  EXPECT_EQ(last_.position[0], 1.5);
  EXPECT_EQ(safety().overrides, 1U);
}

}  // namespace
}  // namespace sinew
