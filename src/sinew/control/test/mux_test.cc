// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/mux.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "sinew/base/time.h"
#include "sinew/control/test/small_robots.h"

namespace sinew {
namespace {

constexpr std::uint64_t kNone64 = 0;

class MuxTest : public testing::Test {
 protected:
  JointReference wish_for(std::uint64_t mask, double position) {
    JointReference reference{.stamp_ns = now_ns_, .joint_mask = mask};
    reference.position.fill(position);
    return reference;
  }
  Refusal take(std::size_t source, const JointReference& reference) {
    return mux_.take(source, reference, now_ns_).refusal;
  }

  RobotModel model_ = row_of_joints(4);
  Mux mux_{model_};
  std::int64_t now_ns_ = 10 * kSecond_ns;
};

TEST_F(MuxTest, TwoProgramsOnDifferentJointsNeverOverwriteEachOther) {
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(take(0, wish_for(0b0011, 0.001 * i)), Refusal::None);
    ASSERT_EQ(take(1, wish_for(0b1100, -0.001 * i)), Refusal::None);
    const Wish& wish = mux_.choose(kNone64, now_ns_);
    EXPECT_EQ(wish.position[0], 0.001 * i);
    EXPECT_EQ(wish.position[1], 0.001 * i);
    EXPECT_EQ(wish.position[2], -0.001 * i);
    EXPECT_EQ(wish.position[3], -0.001 * i);
    EXPECT_EQ(wish.new_mask, 0b1111U);
  }
  EXPECT_EQ(mux_.choose(kNone64, now_ns_).new_mask, 0U);
}

TEST_F(MuxTest, OnOneJointTheNewestWins) {
  ASSERT_EQ(take(0, wish_for(0b1, 0.5)), Refusal::None);
  ASSERT_EQ(take(1, wish_for(0b1, -0.5)), Refusal::None);
  EXPECT_EQ(mux_.choose(kNone64, now_ns_).position[0], -0.5);
  EXPECT_EQ(mux_.wish().source[0], 1);
  ASSERT_EQ(take(0, wish_for(0b1, 0.25)), Refusal::None);
  EXPECT_EQ(mux_.choose(kNone64, now_ns_).position[0], 0.25);
}

TEST_F(MuxTest, AHigherPriorityKeepsItsJointUntilItsTargetIsReached) {
  mux_.set_priority(1, 5);
  ASSERT_EQ(take(1, wish_for(0b1, 0.5)), Refusal::None);
  mux_.choose(kNone64, now_ns_);
  EXPECT_EQ(take(0, wish_for(0b1, -0.5)), Refusal::NotAllowed);
  EXPECT_EQ(take(0, wish_for(0b11, -0.5)), Refusal::NotAllowed) << "a reference is taken whole or not at all";
  EXPECT_EQ(mux_.wish().source[1], kNoSource);
  EXPECT_EQ(take(0, wish_for(0b10, -0.5)), Refusal::None);
  mux_.choose(0b1, now_ns_);
  EXPECT_EQ(take(0, wish_for(0b1, -0.5)), Refusal::None);
}

TEST_F(MuxTest, AHigherPriorityKeepsItsJointWhileItsStreamLives) {
  mux_.set_priority(1, 5);
  JointReference stream = wish_for(0b1, 0.5);
  stream.lease_ns = 50 * kMillisecond_ns;
  ASSERT_EQ(take(1, stream), Refusal::None);
  now_ns_ += 40 * kMillisecond_ns;
  mux_.choose(0b1, now_ns_);
  EXPECT_EQ(take(0, wish_for(0b1, 0.0)), Refusal::NotAllowed);
  now_ns_ += 20 * kMillisecond_ns;
  mux_.choose(0b1, now_ns_);
  EXPECT_EQ(take(0, wish_for(0b1, 0.0)), Refusal::None);
}

TEST_F(MuxTest, AStreamThatFallsSilentIsToldOnceAndEndsWithTheNextWish) {
  JointReference stream = wish_for(0b101, 0.5);
  stream.lease_ns = 50 * kMillisecond_ns;
  ASSERT_EQ(take(0, stream), Refusal::None);
  EXPECT_EQ(mux_.choose(kNone64, now_ns_ + 50 * kMillisecond_ns).silent_mask, 0U);
  EXPECT_EQ(mux_.choose(kNone64, now_ns_ + 51 * kMillisecond_ns).silent_mask, 0b101U);
  now_ns_ += kSecond_ns;
  ASSERT_EQ(take(0, wish_for(0b001, 0.1)), Refusal::None);
  EXPECT_EQ(mux_.choose(kNone64, now_ns_).silent_mask, 0b100U);
}

TEST_F(MuxTest, ATargetHoldsForEver) {
  ASSERT_EQ(take(0, wish_for(0b1, 0.5)), Refusal::None);
  EXPECT_EQ(mux_.choose(kNone64, now_ns_ + 1'000'000 * kSecond_ns).silent_mask, 0U);
  EXPECT_EQ(mux_.wish().source[0], 0);
}

TEST_F(MuxTest, EveryKindOfNonsenseIsRefusedWithItsReason) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(take(0, wish_for(0, 0.0)), Refusal::UnknownJoint);
  EXPECT_EQ(take(0, wish_for(0b10000, 0.0)), Refusal::UnknownJoint);
  EXPECT_EQ(take(0, wish_for(~0ULL, 0.0)), Refusal::UnknownJoint);
  EXPECT_EQ(take(0, wish_for(0b1, nan)), Refusal::NotANumber);
  EXPECT_EQ(take(0, wish_for(0b1, -std::numeric_limits<double>::infinity())), Refusal::NotANumber);

  const RefusedInput beyond = mux_.take(0, wish_for(0b100, 2.5), now_ns_);
  EXPECT_EQ(beyond.refusal, Refusal::OutOfLimits);
  EXPECT_EQ(beyond.joint, 2U);
  EXPECT_EQ(beyond.value, 2.5);
  EXPECT_EQ(beyond.bound, 2.0);

  JointReference reference = wish_for(0b1, 0.0);
  reference.smoothing = static_cast<Smoothing>(77);
  EXPECT_EQ(take(0, reference), Refusal::BadValue);
  reference = wish_for(0b1, 0.0);
  reference.lease_ns = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(take(0, reference), Refusal::BadValue);
  reference.lease_ns = -1;
  EXPECT_EQ(take(0, reference), Refusal::BadValue);
  reference = wish_for(0b1, 0.0);
  reference.stamp_ns = now_ns_ + 2 * kSecond_ns;
  EXPECT_EQ(take(0, reference), Refusal::Stale);
  reference.stamp_ns = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(take(0, reference), Refusal::Stale);
  reference.stamp_ns = now_ns_ - kSecond_ns;
  reference.lease_ns = kMillisecond_ns;
  EXPECT_EQ(take(0, reference), Refusal::Stale);

  model_.joints[1].is_enabled = false;
  Mux other(model_);
  EXPECT_EQ(other.take(0, wish_for(0b11, 0.0), now_ns_).refusal, Refusal::NotEnabled);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(mux_.choose(kNone64, now_ns_).source[i], kNoSource);
}

// what is chosen is always what the last allowed reference said, whatever comes
TEST_F(MuxTest, NothingButTheLastAllowedReferenceIsEverChosen) {
  std::mt19937_64 random(7);
  std::array<double, 4> expected{};
  std::array<bool, 4> has_wish{};
  for (int i = 0; i < 20'000; ++i) {
    now_ns_ += kMillisecond_ns;
    JointReference reference{.stamp_ns = now_ns_, .joint_mask = random() % 32};
    for (double& position : reference.position) position = static_cast<double>(random() % 500) / 100.0 - 2.5;
    const bool was_taken = take(random() % 3, reference) == Refusal::None;
    for (std::size_t joint = 0; joint < 4; ++joint) {
      if (!was_taken || (reference.joint_mask >> joint & 1) == 0) continue;
      expected[joint] = reference.position[joint];
      has_wish[joint] = true;
    }
    const Wish& wish = mux_.choose(random() % 16, now_ns_);
    for (std::size_t joint = 0; joint < 4; ++joint) {
      ASSERT_EQ(wish.source[joint] != kNoSource, has_wish[joint]);
      ASSERT_EQ(wish.position[joint], expected[joint]);
      ASSERT_LE(std::abs(wish.position[joint]), 2.0);
    }
  }
}

}  // namespace
}  // namespace sinew
