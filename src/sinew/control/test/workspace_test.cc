// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/workspace.h"

#include <random>
#include <string>

#include "sinew/control/safety_text.h"
#include "sinew/control/test/controller_fixture.h"

namespace sinew {
namespace {

// the arm lies along x on a table, walls stand around it, and its pen must stay in a box
RobotModel walled_row() {
  RobotModel model = row_of_joints(4);
  const ToolFrame pen{.name = "pen", .link = 4, .X_LT = {.position = {0.35, 0.0, 0.0}}};
  model.arms[0].tools.push_back(pen);
  const std::vector<std::size_t> all{1, 2, 3, 4};
  // no link beyond y = 0.5
  model.workspace.push_back(
      {.name = "wall",
       .kind = WorkspaceKind::Plane,
       .X_WO = {.rotation = Quaternion::FromTwoVectors(Vector3::UnitZ(), -Vector3::UnitY()),
                .position = {0.0, 0.5, 0.0}},
       .links = all,
       .points = {pen},
       .concerns_held = true});
  model.workspace.push_back({.name = "cell",
                             .kind = WorkspaceKind::KeepIn,
                             .X_WO = {.position = {0.7, 0.0, 0.0}},
                             .half_extents = {1.0, 0.8, 0.3},
                             .points = {pen}});
  model.workspace.push_back({.name = "post",
                             .kind = WorkspaceKind::KeepOut,
                             .X_WO = {.position = {0.5, -0.6, 0.0}},
                             .half_extents = {0.1, 0.1, 0.5},
                             .links = all,
                             .points = {pen},
                             .concerns_held = true});
  return model;
}

class WorkspaceTest : public ControllerTest {
 protected:
  WorkspaceTest() : ControllerTest(walled_row()) {}

  // the ends of the links and the pen, by plain plane geometry, with nothing of the rooms under test
  struct Corners {
    std::array<Vector3, 4> tips;
    Vector3 pen;
  };
  static Corners corners_at(const JointArray& q) {
    Corners corners;
    Vector3 at = Vector3::Zero();
    double angle = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      angle += q[i];
      const Vector3 along{std::cos(angle), std::sin(angle), 0.0};
      corners.tips[i] = at + 0.28 * along;  // where its box ends
      if (i == 3) corners.pen = at + 0.35 * along;
      at += 0.3 * along;
    }
    return corners;
  }

  static bool is_in_post(const Vector3& p) {
    return std::abs(p.x() - 0.5) < 0.1 && std::abs(p.y() + 0.6) < 0.1;
  }
};

TEST_F(WorkspaceTest, NoReferenceBringsALinkPastAPlaneOrTheToolOutOfItsBox) {
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> position(-2.0, 2.0);
  cycle();
  int holds = 0;
  for (int i = 0; i < 12'000; ++i) {
    if (random() % 300 == 0) {
      JointReference reference{.stamp_ns = now_ns_, .joint_mask = random() % 15 + 1};
      for (double& p : reference.position) p = position(random);
      controller_->take_reference(random() % 3, reference, now_ns_);
    }
    holds += cycle().events.is_news && safety().reason == StopReason::Workspace ? 1 : 0;
    const Corners corners = corners_at(last_.position);
    for (const Vector3& tip : corners.tips) {
      // the boxes are 40 mm wide, their middle stays half of that and the margin away
      ASSERT_LE(tip.y(), 0.5 - kMargin + 1e-6) << i;
      ASSERT_FALSE(is_in_post(tip)) << i;
    }
    ASSERT_LE(corners.pen.y(), 0.5 - kMargin + 1e-6) << i;
    ASSERT_GE(corners.pen.y(), -0.8 + kMargin - 1e-6) << i;
    ASSERT_GE(corners.pen.x(), -0.3 + kMargin - 1e-6) << i;
    ASSERT_LE(corners.pen.x(), 1.7 - kMargin + 1e-6) << i;
  }
  EXPECT_GT(holds, 5) << "it was never in danger: the test shows nothing";
}

TEST_F(WorkspaceTest, SaysWhichBoundAndWhoAndHowFar) {
  cycle();
  want(0, 0b0001, 1.5);
  cycles(3000);
  EXPECT_EQ(safety().reason, StopReason::Workspace);
  EXPECT_EQ(text_of(safety().link_b), "workspace wall");
  EXPECT_EQ(text_of(safety().link_a), "tool pen") << "it sticks out furthest";
  EXPECT_EQ(safety().margin, kMargin);
  EXPECT_NE(reason_sentence(safety(), &model_).find("tool pen"), std::string::npos);
  EXPECT_NE(reason_sentence(safety(), &model_).find("workspace wall"), std::string::npos);
  EXPECT_GT(last_.position[0], 0.2) << "it stops near the wall, not far away";
  want(0, 0b0001, 0.0);
  cycles(3000);
  EXPECT_EQ(last_.position[0], 0.0) << "the way back is free";
}

TEST_F(WorkspaceTest, AFaceOfTheBoxIsNamed) {
  cycle();
  want(0, 0b0001, -1.0);
  want(0, 0b0010, -1.9);
  cycles(4000);
  EXPECT_EQ(text_of(safety().link_a), "tool pen");
  EXPECT_EQ(text_of(safety().link_b), "workspace cell -y");
}

TEST_F(WorkspaceTest, ThingsOfTheWorldComeBesideTheBoundsAndWhatIsHeldKeepsThemToo) {
  Obstacles world;
  Obstacle box{.solid = make_box({0.05, 0.05, 0.05})};
  set_text(box.name, "box");
  box.link = 4;
  box.X_LO.position = {0.4, 0.1, 0.0};
  box.may_touch.set(4);
  ASSERT_TRUE(world.add(box));
  cycle();
  controller_->take_world(world);
  want(0, 0b0001, 1.5);
  cycles(3000);
  EXPECT_EQ(safety().reason, StopReason::Workspace);
  EXPECT_EQ(text_of(safety().link_a), "box");
  EXPECT_EQ(text_of(safety().link_b), "workspace wall");
  // without the thing it comes further
  const double with_box = last_.position[0];
  controller_->take_world({});
  want(0, 0b0001, 1.4);
  cycles(3000);
  EXPECT_GT(last_.position[0], with_box + 0.01);
}

TEST_F(WorkspaceTest, AWorldWithoutRoomForTheBoundsIsRefusedAndTheBoundsStay) {
  Obstacles world;
  for (std::size_t i = 0; i < kMaxObstacles; ++i) {
    Obstacle ball{.solid = make_sphere(0.01), .X_LO = {.position = {5.0, 5.0, 5.0}}};
    set_text(ball.name, std::to_string(i));
    ASSERT_TRUE(world.add(ball));
  }
  cycle();
  controller_->take_world(world);
  EXPECT_EQ(safety().last_refusal, Refusal::NoRoom);
  EXPECT_EQ(refusal_sentence(safety(), &model_),
            "world: with the bounds of the workspace, there are too many objects, or two have one name");
  want(0, 0b0001, 1.5);
  cycles(3000);
  EXPECT_EQ(text_of(safety().link_b), "workspace wall");
}

TEST_F(WorkspaceTest, PlannedMotionsKeepItAsWell) {
  cycle();
  Segment piece{.start_ns = now_ns_ + 10 * kMillisecond_ns,
                .duration_ns = 4 * kSecond_ns,
                .joint_mask = 1,
                .motion = 1,
                .is_last = 1};
  const auto way =
      quintic_segment({.start_ns = piece.start_ns, .duration_ns = piece.duration_ns}, {}, {.position = 1.5});
  piece.c3[0] = way.coefficient[3];
  piece.c4[0] = way.coefficient[4];
  piece.c5[0] = way.coefficient[5];
  controller_->take_segment(piece);
  for (int i = 0; i < 5000; ++i) {
    cycle();
    ASSERT_LE(corners_at(last_.position).pen.y(), 0.5 - kMargin + 1e-6) << i;
  }
  EXPECT_EQ(safety().motion_end, MotionEnd::Held);
  EXPECT_EQ(safety().reason, StopReason::Workspace);
}

}  // namespace
}  // namespace sinew
