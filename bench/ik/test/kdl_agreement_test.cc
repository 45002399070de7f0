// SPDX-License-Identifier: BSD-3-Clause
// Forward kinematics against KDL.
#include <gtest/gtest.h>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#include "sinew/kinematics/sample_arms.h"
#include "sinew/kinematics/serial_chain.h"

#include "kdl_chain.h"

namespace sinew::bench {
namespace {

void expect_agreement(const RobotModel& model, arms::Random& random) {
  const SerialChain ours = arms::chain_of(model);
  const KDL::Chain theirs = kdl_chain(model, 0, model.links.size() - 1).value();
  KDL::ChainFkSolverPos_recursive forward(theirs);
  KDL::ChainJntToJacSolver slope(theirs);
  KDL::JntArray positions(theirs.getNrOfJoints());
  KDL::Jacobian expected(theirs.getNrOfJoints());
  for (int sample = 0; sample < 20; ++sample) {
    const std::vector<double> q = arms::draw_joints(random, ours);
    for (std::size_t i = 0; i < q.size(); ++i) positions(static_cast<unsigned>(i)) = q[i];
    KDL::Frame frame;
    ASSERT_GE(forward.JntToCart(positions, frame), 0);
    ASSERT_GE(slope.JntToJac(positions, expected), 0);
    Jacobian jacobian;
    const Pose X_BT = ours.tool_pose(q, jacobian);
    const Matrix3 R = X_BT.rotation.toRotationMatrix();
    for (int row = 0; row < 3; ++row) {
      EXPECT_NEAR(X_BT.position[row], frame.p[row], 1e-12);
      for (int column = 0; column < 3; ++column) EXPECT_NEAR(R(row, column), frame.M(row, column), 1e-12);
    }
    EXPECT_LT((jacobian - expected.data).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(KdlAgreementTest, ForwardKinematicsAndJacobianAgreeOnKnownArms) {
  arms::Random random{3};
  for (const RobotModel& model : {arms::ur5e(), arms::kr6(), arms::panda(), arms::iiwa(), arms::scorbot(),
                                  arms::yarc(), arms::mds(1), arms::mds(-1)}) {
    SCOPED_TRACE(model.name);
    expect_agreement(model, random);
  }
}

TEST(KdlAgreementTest, ForwardKinematicsAndJacobianAgreeOnDrawnArms) {
  arms::Random random{4};
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<arms::Row> rows;
    for (int i = 0; i <= trial % 9; ++i) {
      rows.push_back(
          {.xyz = arms::draw_direction(random) * arms::draw(random, 0.0, 0.5),
           .rpy = {arms::draw(random, -3, 3), arms::draw(random, -1.5, 1.5), arms::draw(random, -3, 3)},
           .axis = arms::draw_direction(random),
           .kind = i > 0 && random() % 4 == 0 ? JointKind::Prismatic : JointKind::Revolute});
    }
    expect_agreement(arms::arm_of("drawn", rows, {.position = arms::draw_direction(random)}), random);
  }
}

}  // namespace
}  // namespace sinew::bench
