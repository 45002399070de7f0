// SPDX-License-Identifier: BSD-3-Clause
// The Towers of Hanoi in physics, by friction alone, judged by where the discs are.
#include "apps/hanoi/hanoi_round.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/hanoi/hanoi_total.h"

namespace sinew {
namespace {

constexpr double kMillimetre = 1e-3;
constexpr double kMostToolSpeed = 0.330;  // [m/s] SCORBOT-ER III User's Manual: maximum path speed

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
    EXPECT_GT(rig_->tool_speed(), 0.05) << "it has moved";
    EXPECT_LE(rig_->tool_speed(), kMostToolSpeed);
  }
  double height(const std::string& disc) {
    return rig_->robot().simulation().object_pose(disc)->position.z();
  }
  /// Steps until the disc has been lifted.
  bool carry(const std::string& disc) {
    const double lying = height(disc);
    return rig_->step_until([&] { return height(disc) > lying + 6 * kMillimetre; }, 60.0);
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
  ASSERT_TRUE(carry("disc_1"));
  // somebody takes the other one off its peg
  const Vector3 beside(0.3, 0.05, 0.02 + 0.0075);
  ASSERT_TRUE(rig_->robot().simulation().move_object("disc_2", {.position = beside}));
  ASSERT_TRUE(rig_->solve()) << rig_->controller().message();
  expect_tower(rig_->end());
}

TEST_F(HanoiTest, ADiscThatIsTornOutOfTheHandIsPickedUpAgain) {
  use({.discs = 1, .seed = 4});
  ASSERT_TRUE(carry("disc_1"));
  ASSERT_TRUE(rig_->robot().simulation().move_object("disc_1", {.position = {0.32, 0.03, 0.02 + 0.0075}}));
  ASSERT_TRUE(rig_->solve()) << rig_->controller().message();
  EXPECT_GE(rig_->controller().troubles(), 1);
  expect_tower(rig_->end());
}

TEST_F(HanoiTest, AfterAStopItGoesOnWithTheDiscInItsHand) {
  use({.discs = 2, .seed = 5});
  ASSERT_TRUE(carry("disc_1"));
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
  ASSERT_TRUE(carry("disc_1"));
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

// One round trip, with all that must hold of it.
void expect_round_trip(const HanoiRoundOptions& options) {
  SCOPED_TRACE(fmt::format("{} discs, seed {}", options.discs, options.seed));
  const auto round = run_hanoi_round(options);
  ASSERT_TRUE(round) << round.error().message;
  EXPECT_TRUE(round->is_solved) << round->words;
  const int one_way = (1 << options.discs) - 1;
  EXPECT_EQ(round->moves, 2 * one_way) << round->troubles << " troubles";
  ASSERT_EQ(round->seconds.size(), 2U);
  // a minute for the seven moves of three discs, simulated, and as much for each move of more
  for (const double seconds : round->seconds) EXPECT_LT(seconds, 60.0 * one_way / 7.0);
  EXPECT_GE(round->simulated, round->seconds[0] + round->seconds[1]);
  EXPECT_LE(round->worst_offset, HanoiTotal::kMostOffset);
  EXPECT_GT(round->worst_offset, 0.0);
  EXPECT_EQ(round->assisted, 0U);
  EXPECT_LE(round->speed_share, 1.0 + 1e-9);
  EXPECT_LE(round->tool_speed, kMostToolSpeed);
}

TEST(HanoiRound, ThreeDiscsGoThereAndBackInFourteenMoves) {
  for (const std::uint64_t seed : {21U, 22U}) expect_round_trip({.discs = 3, .seed = seed});
}

TEST(HanoiRound, FourDiscsGoThereAndBackInThirtyMoves) {
  expect_round_trip({.discs = 4, .seed = 41});
}

TEST(HanoiTotal, CountsOnlyTowersWithinTwoMillimetresAsSolved) {
  HanoiTotal total;
  total.add({.is_solved = true, .seconds = {40.0, 44.0}, .worst_offset = 0.0019, .moves = 14});
  total.add({.is_solved = true, .seconds = {48.0, 48.0}, .worst_offset = 0.0021, .moves = 14});
  total.add({.is_solved = false, .seconds = {}, .worst_offset = 0.0, .moves = 3, .assisted = 2});
  EXPECT_EQ(total.rounds, 3);
  EXPECT_EQ(total.solved, 1);
  EXPECT_EQ(total.moves, 31);
  EXPECT_EQ(total.assisted, 2U);
  EXPECT_EQ(total.worst_offset, 0.0021);
}

TEST(HanoiTotal, TheAnswerForProgramsKeepsItsContract) {
  HanoiTotal total{.wall = 12.5};
  total.add({.is_solved = true,
             .seconds = {40.0, 44.0},
             .worst_offset = 0.0011,
             .moves = 14,
             .assisted = 1,
             .simulated = 100.0});
  const auto answer = nlohmann::ordered_json::parse(json_text(total));
  std::vector<std::string> keys;
  for (const auto& [key, value] : answer.items()) {
    keys.push_back(key);
    EXPECT_TRUE(value.is_number()) << key;
  }
  ASSERT_GE(keys.size(), 6U);
  keys.resize(6);
  EXPECT_EQ(keys, (std::vector<std::string>{"rounds", "solved", "worst_offset_mm", "seconds_per_solution",
                                            "wall_seconds", "assisted"}));
  EXPECT_EQ(answer["rounds"], 1);
  EXPECT_EQ(answer["solved"], 1);
  EXPECT_NEAR(answer["worst_offset_mm"], 1.1, 1e-9);
  EXPECT_NEAR(answer["seconds_per_solution"], 42.0, 1e-9) << "of one way, not of a round trip";
  EXPECT_NEAR(answer["wall_seconds"], 12.5, 1e-9);
  EXPECT_EQ(answer["assisted"], 1);
  EXPECT_NEAR(answer["times_real"], 8.0, 1e-9);
}

TEST(HanoiTotal, NoRoundsAtAllAreNumbersToo) {
  const auto answer = nlohmann::json::parse(json_text(HanoiTotal{}));
  EXPECT_EQ(answer["seconds_per_solution"], 0.0);
  EXPECT_EQ(answer["times_real"], 0.0);
}

}  // namespace
}  // namespace sinew
