// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/move_space.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

constexpr double kMargin = 0.01;  // the guard's
constexpr double kRoom = 0.01;    // what a planned way has besides

/// An arm whose tool stands just above a table, as near as the guard has let it come.
class NearTable : public testing::TestWithParam<double> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(space_);
    ASSERT_TRUE((*space_)->set_world(table_below(GetParam())));
    (*space_)->stand_at(start_);
    checker_.set_world(table_);
  }

  // its top `distance` [m] below the nearest part of the arm
  const Obstacles& table_below(double distance) {
    double top = tool_.z() - 0.2;
    for (int i = 0; i < 20; ++i) {
      Obstacle table{.solid = make_box({0.25, 0.25, 0.02}),
                     .X_LO = {.position = {tool_.x(), tool_.y(), top - 0.02}}};
      set_text(table.name, "table");
      table_ = {};
      EXPECT_TRUE(table_.add(table));
      checker_.set_world(table_);
      const Contact nearest = checker_.nearest(start_).contact;
      top += nearest.distance - distance;
    }
    EXPECT_NEAR(checker_.nearest(start_).contact.distance, distance, 1e-4);
    return table_;
  }

  // a way to where one joint is turned, or what there is instead
  PlanResult way_to(std::size_t joint, double turn) {
    std::vector<double> goal = start_;
    goal[joint] += turn;
    const PlanResult found = (*space_)->find_way(start_, JointGoal{goal});
    EXPECT_EQ(found.status, PlanStatus::Solved) << found.reason;
    return found;
  }

  double distance_at(const JointVector& q) {
    return checker_.nearest({q.data(), static_cast<std::size_t>(q.size())}).contact.distance;
  }

  const LoadedRobot robot_ = *load_robot("ur5e");
  const SerialChain chain_ =
      *SerialChain::make(robot_.model, robot_.model.arms[0].base_link, robot_.model.arms[0].tip_link);
  // without a margin: what it tells are distances
  const std::unique_ptr<RobotShapes> shapes_ = std::make_unique<RobotShapes>(
      *RobotShapes::make(robot_.model, {.mesh_points = points_of_mesh, .margin = 0.0}));
  CollisionChecker checker_{*shapes_};
  const std::vector<double> start_{0.0, -1.2, 1.8, -2.2, -1.57, 0.0};
  const Vector3 tool_ = chain_.tool_pose(start_).position;
  Obstacles table_;
  Result<std::unique_ptr<MoveSpace>> space_ =
      MoveSpace::make(robot_.model, {.chain = &chain_, .margin = kMargin, .mesh_points = points_of_mesh});
};
INSTANTIATE_TEST_SUITE_P(AtAndAroundTheMargin, NearTable, testing::Values(0.0085, 0.0101, 0.012, 0.018));

// with no more room than at its beginning, the guard would hold the arm somewhere on the way
TEST_P(NearTable, IsLeftFirstAndThenThereIsRoom) {
  const PlanResult found = way_to(0, 1.2);
  ASSERT_GE(found.path.size(), 3U);
  const double before = distance_at(found.path[0]);
  EXPECT_LT(before, kMargin + kRoom);
  for (std::size_t edge = 0; edge + 1 < found.path.size(); ++edge) {
    for (int i = 0; i <= 200; ++i) {
      const JointVector q = found.path[edge] + (found.path[edge + 1] - found.path[edge]) * (i / 200.0);
      const double distance = distance_at(q);
      if (edge > 0) {
        EXPECT_GE(distance, kMargin + kRoom - 1e-4) << "edge " << edge << " at " << i;
      } else {
        EXPECT_GE(distance, before - 3e-4) << "it comes nearer at " << i;
      }
    }
  }
}

// straight up there is soon room
TEST_P(NearTable, IsLeftStraightWhereThatLeadsAway) {
  const PlanResult found = way_to(1, -0.5);
  EXPECT_EQ(found.path.size(), 2U);
}

// a goal that is as near leaves no choice
TEST_P(NearTable, GoesStraightToAPlaceAsNear) {
  const PlanResult found = way_to(5, 0.3);
  EXPECT_EQ(found.path.size(), 2U);
}

// who has room goes straight
TEST_P(NearTable, IsNoReasonForADetourWhereThereIsRoom) {
  ASSERT_TRUE((*space_)->set_world(table_below(kMargin + kRoom + 0.005)));
  const PlanResult found = way_to(0, 1.2);
  EXPECT_EQ(found.path.size(), 2U);
}

}  // namespace
}  // namespace sinew
