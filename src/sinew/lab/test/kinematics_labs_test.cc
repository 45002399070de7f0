// SPDX-License-Identifier: BSD-3-Clause
// The labs about sums, answered by our own kinematics and by those with a mistake in them.
#include "sinew/lab/kinematics_labs.h"

#include <cmath>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>

#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/lab/arm_angles.h"
#include "sinew/lab/suspicion.h"
#include "sinew/model/load_robot.h"

namespace sinew::lab {
namespace {

class KinematicsLabs : public testing::Test {
 protected:
  void SetUp() override {
    LoadOptions places = usual_places();
    auto loaded = load_robot("scorbot-er3", places);
    ASSERT_TRUE(loaded) << loaded.error().message;
    model_ = std::move(loaded->model);
    auto chain = arm_chain(model_);
    ASSERT_TRUE(chain) << chain.error().message;
    chain_.emplace(*std::move(chain));
  }

  static std::vector<double> numbers(std::span<const Value> values) {
    std::vector<double> out;
    for (const Value& value : values) out.push_back(*value.number());
    return out;
  }
  std::vector<double> fk(const std::vector<double>& q) const {
    const HandPose hand = hand_pose(chain_->tool_pose(q), q[0]);
    return {hand.x, hand.y, hand.z, hand.pitch, hand.roll};
  }
  // our own solver, which knows nothing of the exercise's triangle
  Value ik(const std::vector<double>& target) const {
    const Pose pose =
        pose_of({target[0], target[1], target[2], target[3], target[4]}, std::atan2(target[1], target[0]));
    const InverseKinematics solver(*chain_);
    const JointVector seed = chain_->middle();
    const IkResult result = solver.solve(pose, {seed.data(), chain_->size()}, {.tolerance = 1e-5});
    if (result.status != IkStatus::Solved) return {};
    return Value(std::span<const double>(result.solutions[0].q.data(), chain_->size()));
  }

  RobotModel model_;
  std::optional<SerialChain> chain_;
};

TEST_F(KinematicsLabs, OurOwnForwardKinematicsPass) {
  const Grade grade = grade_forward_kinematics(
      *chain_,
      [&](std::string_view, std::span<const Value> q) -> Result<Value> {
        return Value(std::span<const double>(fk(numbers(q))));
      },
      1);
  EXPECT_TRUE(grade.passed) << grade.reason;
  EXPECT_EQ(grade.score, 100.0);
}

TEST_F(KinematicsLabs, OurOwnInverseKinematicsPass) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const Grade grade = grade_inverse_kinematics(
        *chain_,
        [&](std::string_view, std::span<const Value> target) -> Result<Value> { return ik(numbers(target)); },
        seed);
    EXPECT_TRUE(grade.passed) << grade.reason;
  }
}

TEST_F(KinematicsLabs, EveryJointThatTurnsTheWrongWayIsNamed) {
  for (std::size_t j = 0; j < kArmJoints.size(); ++j) {
    const Grade grade = grade_forward_kinematics(
        *chain_,
        [&](std::string_view, std::span<const Value> values) -> Result<Value> {
          std::vector<double> q = numbers(values);
          q[j] = -q[j];
          std::vector<double> hand = fk(q);
          return Value(std::span<const double>(hand));
        },
        1);
    EXPECT_FALSE(grade.passed);
    // of the last joint it is the same mistake as that of its number
    const std::string words = j == 4 ? "the sign of 'roll' is wrong"
                                     : "joint '" + std::string(kArmJoints[j]) + "' turns the other way round";
    const std::string other = j == 0 ? "the sign of 'y' is wrong" : words;
    EXPECT_TRUE(grade.reason.find(words) != std::string::npos ||
                grade.reason.find(other) != std::string::npos)
        << grade.reason;
  }
}

TEST_F(KinematicsLabs, AThirdRightIsAThirdOfThePoints) {
  int count = 0;
  const Grade grade = grade_forward_kinematics(
      *chain_,
      [&](std::string_view, std::span<const Value> q) -> Result<Value> {
        std::vector<double> hand = fk(numbers(q));
        if (++count % 3 != 0) hand[2] += 1e-3;
        return Value(std::span<const double>(hand));
      },
      1);
  EXPECT_FALSE(grade.passed);
  EXPECT_NEAR(grade.score, 100.0 / 3.0, 1e-9);
}

TEST_F(KinematicsLabs, ARefusalOfTheSolutionIsTheReasonAndNoPoints) {
  const auto refusing = [](std::string_view, std::span<const Value>) -> Result<Value> {
    return Error{ErrorCode::InvalidInput, "it hangs"};
  };
  for (const auto grade_lab : {grade_forward_kinematics, grade_inverse_kinematics, grade_jacobian}) {
    const Grade grade = grade_lab(*chain_, refusing, 1);
    EXPECT_FALSE(grade.passed);
    EXPECT_EQ(grade.score, 0.0);
    EXPECT_EQ(grade.reason, "it hangs");
  }
}

TEST_F(KinematicsLabs, OtherSeedsAskOtherThings) {
  std::vector<double> first;
  const auto noting = [&](std::string_view, std::span<const Value> q) -> Result<Value> {
    first.push_back(*q[0].number());
    return Error{ErrorCode::InvalidInput, "enough"};
  };
  for (const std::uint64_t seed : {1U, 1U, 2U})
    static_cast<void>(grade_forward_kinematics(*chain_, noting, seed));
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(first[0], first[1]);
  EXPECT_NE(first[0], first[2]);
}

TEST(HandPose, IsThePoseItCameFrom) {
  Draws draws(3);
  for (int i = 0; i < 1000; ++i) {
    const HandPose hand{draws.between(-1, 1), draws.between(-1, 1), draws.between(-1, 1),
                        draws.between(-3.1, 3.1), draws.between(-3.1, 3.1)};
    const double yaw = draws.between(-3, 3);
    const HandPose again = hand_pose(pose_of(hand, yaw), yaw);
    EXPECT_NEAR(again.pitch, hand.pitch, 1e-9);
    EXPECT_NEAR(again.roll, hand.roll, 1e-9);
  }
}

TEST(SuspicionList, OnlyWhatExplainsEverythingIsTold) {
  const std::vector<Suspicion> list{{"even", [](std::size_t i) { return i % 2 == 0; }},
                                    {"small", [](std::size_t i) { return i < 10; }}};
  const auto told = [&](std::vector<std::size_t> wrong) { return explanation(list, wrong); };
  EXPECT_EQ(told({2, 4}), "even");
  EXPECT_EQ(told({2, 3}), "small");
  EXPECT_EQ(told({2, 13}), "");
  EXPECT_EQ(told({}), "");
}

}  // namespace
}  // namespace sinew::lab
