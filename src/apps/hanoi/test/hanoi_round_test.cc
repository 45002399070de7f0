// SPDX-License-Identifier: BSD-3-Clause
// The Towers of Hanoi in physics, by friction alone, judged by where the discs are.
#include "apps/hanoi/hanoi_round.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr double kMillimetre = 1e-3;

class HanoiTest : public testing::Test {
 protected:
  void use(const HanoiRoundOptions& options) {
    auto made = HanoiRig::make(options);
    ASSERT_TRUE(made) << made.error().message;
    rig_ = *std::move(made);
  }
  void expect_tower(std::size_t peg) {
    const auto offset = rig_->tower_offset(peg);
    ASSERT_TRUE(offset) << offset.error().message << ": " << rig_->controller().message();
    EXPECT_LT(*offset, 2 * kMillimetre);
    EXPECT_EQ(rig_->assisted(), 0U);
    EXPECT_LE(rig_->speed_share(), 1.0 + 1e-9) << "no joint is sent faster than it may go";
  }
  /// Steps until the disc is held and at least so high.
  bool carry(const std::string& disc, double height) {
    return rig_->step_until(
        [&] { return rig_->robot().simulation().object_pose(disc)->position.z() > height; }, 60.0);
  }
  void tell(ControlVerb verb) {
    rig_->robot().controller().take_request({.stamp_ns = rig_->robot().now_ns(), .verb = verb},
                                            rig_->robot().now_ns());
  }

  std::unique_ptr<HanoiRig> rig_;
};

TEST_F(HanoiTest, ThreeDiscsTakeSevenMovesInLessThanAMinute) {
  use({.discs = 3, .seed = 11});
  const std::int64_t began_ns = rig_->robot().now_ns();
  ASSERT_TRUE(rig_->solve()) << rig_->controller().message();
  EXPECT_LT(seconds_from_nanoseconds(rig_->robot().now_ns() - began_ns), 60.0) << "simulated";
  EXPECT_EQ(rig_->controller().moves(), 7);
  expect_tower(rig_->end());
}

TEST_F(HanoiTest, ADiscThatIsTakenAwayIsFetched) {
  use({.discs = 2, .seed = 3});
  ASSERT_TRUE(carry("disc_1", 0.06));
  // somebody takes the other one off its peg
  const Vector3 beside(0.3, 0.05, 0.02 + 0.0075);
  ASSERT_TRUE(rig_->robot().simulation().move_object("disc_2", {.position = beside}));
  ASSERT_TRUE(rig_->solve()) << rig_->controller().message();
  expect_tower(rig_->end());
}

TEST_F(HanoiTest, ADiscThatIsTornOutOfTheHandIsPickedUpAgain) {
  use({.discs = 1, .seed = 4});
  ASSERT_TRUE(carry("disc_1", 0.05));
  ASSERT_TRUE(rig_->robot().simulation().move_object("disc_1", {.position = {0.32, 0.03, 0.02 + 0.0075}}));
  ASSERT_TRUE(rig_->solve()) << rig_->controller().message();
  EXPECT_GE(rig_->controller().troubles(), 1);
  expect_tower(rig_->end());
}

TEST_F(HanoiTest, AfterAStopItGoesOnWithTheDiscInItsHand) {
  use({.discs = 2, .seed = 5});
  ASSERT_TRUE(carry("disc_1", 0.06));
  tell(ControlVerb::Stop);
  ASSERT_TRUE(rig_->step_until([&] { return rig_->controller().phase() == HanoiPhase::Waiting; }, 5.0));
  rig_->step_until([] { return false; }, 2.0);
  EXPECT_EQ(rig_->robot().simulation().touch().grasp(0).grippers[0].phase, GraspPhase::Holding);
  tell(ControlVerb::Reset);
  ASSERT_TRUE(rig_->solve()) << rig_->controller().message();
  EXPECT_EQ(rig_->controller().troubles(), 0);
  expect_tower(rig_->end());
}

TEST_F(HanoiTest, AProgramThatIsStartedAnewGoesOnFromTheBoard) {
  use({.discs = 3, .seed = 6});
  ASSERT_TRUE(rig_->step_until([&] { return rig_->controller().moves() == 2; }, 60.0));
  ASSERT_TRUE(carry("disc_1", 0.06));
  rig_->begin(rig_->end());
  ASSERT_TRUE(rig_->solve()) << rig_->controller().message();
  expect_tower(rig_->end());
}

TEST_F(HanoiTest, AssistedGraspsAreCounted) {
  use({.discs = 1, .seed = 8, .is_assisted = true});
  ASSERT_TRUE(rig_->solve()) << rig_->controller().message();
  EXPECT_EQ(rig_->assisted(), 1U);
}

TEST_F(HanoiTest, TheSameSeedGivesTheSameBits) {
  std::uint64_t first = 0;
  for (int i = 0; i < 2; ++i) {
    use({.discs = 1, .seed = 9});
    ASSERT_TRUE(rig_->solve());
    if (i == 0) first = rig_->robot().simulation().state_hash();
  }
  EXPECT_EQ(rig_->robot().simulation().state_hash(), first);
}

TEST_F(HanoiTest, APegThatIsNotThereIsRefused) {
  use({.discs = 1});
  rig_->begin(7);
  EXPECT_FALSE(rig_->solve(1.0));
  EXPECT_EQ(rig_->controller().message(), "there is no peg 8: the board has 3");
}

}  // namespace
}  // namespace sinew
