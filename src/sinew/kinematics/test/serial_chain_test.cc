// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/serial_chain.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/kernels.h"
#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

/// Joint by joint as the model says, with nothing folded or precomputed.
Pose plain_forward(const RobotModel& model, const std::vector<double>& positions,
                   std::vector<Pose>* links = nullptr) {
  Pose X_BL;
  for (const Joint& joint : model.joints) {
    X_BL = X_BL * joint.X_PJ;
    if (joint.kind == JointKind::Fixed) continue;
    const std::size_t position = joint.mimic ? model.joints[joint.mimic->joint].position : joint.position;
    double q = positions[position];
    if (joint.mimic) q = joint.mimic->factor * q + joint.mimic->offset;
    if (joint.kind == JointKind::Prismatic) {
      X_BL = X_BL * Pose{.position = q * joint.axis};
    } else {
      X_BL = X_BL * Pose{.rotation = Quaternion(Eigen::AngleAxisd(q, joint.axis))};
    }
    if (links != nullptr) links->push_back(X_BL);
  }
  return X_BL;
}

/// Any chain: random places and axes, some joints fixed, prismatic or mimics.
RobotModel draw_model(arms::Random& random, int joints) {
  std::vector<arms::Row> rows;
  for (int i = 0; i < joints; ++i) {
    const auto kind = random() % 6;
    rows.push_back(
        {.xyz = arms::draw_direction(random) * arms::draw(random, 0.0, 0.5),
         .rpy = {arms::draw(random, -3, 3), arms::draw(random, -1.5, 1.5), arms::draw(random, -3, 3)},
         .axis = random() % 3 == 0 ? Vector3(-Vector3::UnitZ()) : arms::draw_direction(random),
         .kind = i > 0 && kind == 0   ? JointKind::Fixed
                 : i > 0 && kind == 1 ? JointKind::Prismatic
                                      : JointKind::Revolute});
    if (random() % 4 == 0) rows.back().rpy = {};
  }
  RobotModel model = arms::arm_of("drawn", rows, {.position = arms::draw_direction(random)});
  if (random() % 2 == 0 && joints > 2 && model.joints[1].kind == JointKind::Revolute) {
    model.joints[1].mimic = Mimic{.joint = 0, .factor = -0.5, .offset = 0.3};
    model.joints[1].position = kNone;
    model.positions.erase(model.positions.begin() + 1);
    for (std::size_t i = 0; i < model.positions.size(); ++i) model.joints[model.positions[i]].position = i;
  }
  return model;
}

class SerialChainTest : public testing::Test {
 protected:
  arms::Random random_{7};
};

TEST_F(SerialChainTest, AgreesWithThePlainWayOnAnyChain) {
  for (int trial = 0; trial < 300; ++trial) {
    const RobotModel model = draw_model(random_, 1 + trial % 10);
    const SerialChain chain = arms::chain_of(model);
    ASSERT_EQ(chain.size(), model.positions.size());
    const std::vector<double> q = arms::draw_joints(random_, chain);
    std::vector<Pose> links;
    const Pose plain = plain_forward(model, q, &links);
    const PoseDistance off = distance(chain.tool_pose(q), plain);
    EXPECT_LT(off.position, 1e-12) << "trial " << trial;
    EXPECT_LT(off.rotation, 1e-12) << "trial " << trial;

    std::vector<Pose> X_BJ(chain.joint_count());
    EXPECT_LT(distance(chain.joint_poses(q, X_BJ), plain).position, 1e-12);
    for (std::size_t i = 0; i < links.size(); ++i) {
      EXPECT_LT(distance(X_BJ[i], links[i]).position, 1e-12);
      EXPECT_LT(distance(X_BJ[i], links[i]).rotation, 1e-12);
    }
  }
}

TEST_F(SerialChainTest, JacobianIsTheSlopeOfForwardKinematics) {
  constexpr double kStep = 1e-6;
  for (int trial = 0; trial < 100; ++trial) {
    const SerialChain chain = arms::chain_of(draw_model(random_, 1 + trial % 8));
    std::vector<double> q = arms::draw_joints(random_, chain);
    Jacobian jacobian;
    const Pose X_BT = chain.tool_pose(q, jacobian);
    EXPECT_LT(distance(X_BT, chain.tool_pose(q)).position, 1e-14);
    for (std::size_t i = 0; i < q.size(); ++i) {
      std::vector<double> more = q;
      std::vector<double> less = q;
      more[i] += kStep;
      less[i] -= kStep;
      const Pose X_more = chain.tool_pose(more);
      const Pose X_less = chain.tool_pose(less);
      Eigen::Matrix<double, 6, 1> slope;
      slope << (X_more.position - X_less.position) / (2 * kStep),
          rotation_vector(X_more.rotation * X_less.rotation.conjugate()) / (2 * kStep);
      EXPECT_LT((slope - jacobian.col(static_cast<Eigen::Index>(i))).norm(), 1e-8);
    }
  }
}

TEST_F(SerialChainTest, KernelsOfAllProcessorsAgree) {
  const kernel::Kernels* fast = kernel::avx2_kernels();
  if (fast == nullptr) GTEST_SKIP() << "this processor has no AVX2";
  for (int trial = 0; trial < 100; ++trial) {
    const SerialChain chain = arms::chain_of(draw_model(random_, 1 + trial % 8));
    const std::vector<double> q = arms::draw_joints(random_, chain);
    kernel::Motion<double> one{};
    kernel::Motion<double> other{};
    double columns[2][6 * kernel::kMaxJoints] = {};
    fast->jacobian(chain.doubles(), q.data(), one, columns[0]);
    kernel::portable_kernels().jacobian(chain.doubles(), q.data(), other, columns[1]);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(one.o[k], other.o[k], 1e-13);
    for (std::size_t k = 0; k < 6 * chain.size(); ++k) EXPECT_NEAR(columns[0][k], columns[1][k], 1e-13);
  }
}

TEST_F(SerialChainTest, BatchAgreesWithSingleToSinglePrecision) {
  for (int trial = 0; trial < 50; ++trial) {
    const SerialChain chain = arms::chain_of(draw_model(random_, 1 + trial % 10));
    ChainBatch batch(chain);
    std::vector<std::vector<double>> q;
    for (int lane = 0; lane < ChainBatch::kLanes; ++lane) {
      q.push_back(arms::draw_joints(random_, chain));
      for (std::size_t i = 0; i < chain.size(); ++i) batch.q(i, lane) = static_cast<float>(q.back()[i]);
    }
    batch.evaluate();
    for (int lane = 0; lane < ChainBatch::kLanes; ++lane) {
      Jacobian jacobian;
      const Pose X_BT = chain.tool_pose(q[static_cast<std::size_t>(lane)], jacobian);
      const Matrix3 R = X_BT.rotation.toRotationMatrix();
      for (int row = 0; row < 3; ++row) {
        EXPECT_NEAR(batch.position(row, lane), X_BT.position[row], 1e-4);
        for (int column = 0; column < 3; ++column)
          EXPECT_NEAR(batch.rotation(row, column, lane), R(row, column), 1e-5);
      }
      for (std::size_t i = 0; i < chain.size(); ++i) {
        for (int row = 0; row < 6; ++row) {
          EXPECT_NEAR(batch.jacobian(row, i, lane), jacobian(row, static_cast<Eigen::Index>(i)), 1e-4);
        }
      }
    }
  }
}

// the paper's table and its second pose, by hand from the figure
TEST_F(SerialChainTest, ReproducesTheIndustrialArmOfFigure5) {
  const SerialChain chain = arms::chain_of(arms::yarc());
  const std::vector<double> zero(6, 0.0);
  EXPECT_LT((chain.tool_pose(zero).position - Vector3(0.0, 1.0744, 1.764)).norm(), 1e-12);
  std::vector<double> q = {30, 15, 30, -15, 20, 15};
  for (double& angle : q) angle *= arms::kDegree;
  const Pose X_BT = chain.tool_pose(q);
  EXPECT_LT((X_BT.position - Vector3(-0.1739107, 0.3433583, 2.3403025)).norm(), 1e-7);
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  EXPECT_NEAR(rpy.roll / arms::kDegree, 64.22209, 1e-5);
  EXPECT_NEAR(rpy.pitch / arms::kDegree, 4.20096, 1e-5);
  EXPECT_NEAR(rpy.yaw / arms::kDegree, 27.01509, 1e-5);
  const SerialChain with_tool = arms::chain_of(arms::yarc(), {.position = {0.0, 0.1, 0.0}});
  EXPECT_LT((with_tool.tool_pose(q).position - Vector3(-0.1877875, 0.3850979, 2.4301093)).norm(), 1e-7);
}

TEST_F(SerialChainTest, ReproducesTheHomesOfMds) {
  const auto check = [](double side, const std::vector<double>& q, const Vector3& position,
                        const Vector3& angles) {
    const Pose X_BT = arms::chain_of(arms::mds(side)).tool_pose(q);
    const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
    EXPECT_LT((X_BT.position - position).cwiseAbs().maxCoeff(), 5.1e-6);
    EXPECT_LT((Vector3(rpy.roll, rpy.pitch, rpy.yaw) - angles).cwiseAbs().maxCoeff(), 5.1e-6);
  };
  check(1, {-0.45, 1.2, -0.25, -1.25, 0, -0.28}, {0.41113, 0.58077, -0.07098}, {1.39899, -0.38662, -1.40029});
  check(-1, {-0.445, -1.18, 0.15, -1.25, 0, 0}, {0.40568, -0.59615, -0.03051}, {-1.76737, -0.43473, 1.41072});
}

TEST_F(SerialChainTest, MeasuresSingularitiesAndFindsTheNullSpace) {
  const SerialChain six = arms::chain_of(arms::yarc());
  Jacobian jacobian;
  six.tool_pose(std::vector<double>(6, 0.0), jacobian);
  EXPECT_LT(dexterity(jacobian).smallest_singular_value, 1e-12);  // joints 4 and 6 turn about one line
  EXPECT_LT(dexterity(jacobian).manipulability, 1e-12);

  const SerialChain seven = arms::chain_of(arms::panda());
  seven.tool_pose(std::vector<double>{0.1, 0.2, 0.3, -1.5, 0.4, 1.2, 0.5}, jacobian);
  EXPECT_GT(dexterity(jacobian).smallest_singular_value, 1e-2);
  EXPECT_NEAR(dexterity(jacobian).manipulability, std::sqrt((jacobian * jacobian.transpose()).determinant()),
              1e-12);
  const JointMatrix projector = null_space_projector(jacobian);
  EXPECT_LT((jacobian * projector).norm(), 1e-12);
  EXPECT_LT((projector * projector - projector).norm(), 1e-12);
  EXPECT_NEAR(projector.trace(), 1.0, 1e-12);
}

TEST_F(SerialChainTest, ReachBoundsEveryPose) {
  for (int trial = 0; trial < 50; ++trial) {
    const SerialChain chain = arms::chain_of(draw_model(random_, 1 + trial % 8));
    for (int sample = 0; sample < 20; ++sample) {
      const Pose X_BT = chain.tool_pose(arms::draw_joints(random_, chain));
      EXPECT_LE((X_BT.position - chain.first_joint()).norm(), chain.reach() + 1e-12);
    }
  }
}

// what comes after the joints that are kept depends on the others alone
TEST_F(SerialChainTest, ItsFirstJointsAreAChainByThemselves) {
  const RobotModel model = arms::panda();
  const SerialChain chain = arms::chain_of(model);
  const SerialChain part = *chain.first_joints(6, 0.1);
  ASSERT_EQ(part.size(), 6U);
  EXPECT_DOUBLE_EQ(part.limits(1).upper, chain.limits(1).upper + 0.1);
  EXPECT_DOUBLE_EQ(part.limits(1).lower, chain.limits(1).lower - 0.1);
  arms::Random random(8);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> q = arms::draw_joints(random, chain);
    const auto rest = [&] { return inverse(part.tool_pose(std::span(q).first(6))) * chain.tool_pose(q); };
    const Pose X_ET = rest();
    const double last = q.back();
    q = arms::draw_joints(random, chain);
    q.back() = last;
    const PoseDistance off = distance(rest(), X_ET);
    EXPECT_LT(off.position, 1e-12);
    EXPECT_LT(off.rotation, 1e-7);
  }
}

TEST_F(SerialChainTest, RefusesWhatIsNoChain) {
  const RobotModel model = arms::kr6();
  const auto still = SerialChain::make(model, model.links.size() - 2, model.links.size() - 1);
  ASSERT_FALSE(still);
  EXPECT_EQ(still.error().message,
            "no joint moves between link 'link6' and link 'tip'; name a tip farther out");
  const auto backwards = SerialChain::make(model, 3, 1);
  ASSERT_FALSE(backwards);
  EXPECT_EQ(backwards.error().message,
            "link 'link1' does not hang on link 'link3'; see 'sinew model ROBOT' for the tree");
  const RobotModel endless = arms::arm_of("snake", std::vector<arms::Row>(17), {});
  const auto snake = SerialChain::make(endless, 0, endless.links.size() - 1);
  ASSERT_FALSE(snake);
  EXPECT_EQ(snake.error().message,
            "more than 16 joints move between base and tip, up to 'joint17'; choose a shorter chain");
}

}  // namespace
}  // namespace sinew
