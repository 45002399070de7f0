// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/hanoi/board.h"

#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/hanoi/hand_ways.h"

namespace sinew {
namespace {

class BoardTest : public testing::Test {
 protected:
  BoardTest() {
    for (int peg = 0; peg < 3; ++peg)
      add("peg_" + std::to_string(peg + 1), ObjectKind::Box, {0.35, -0.1 + 0.1 * peg, 0.021},
          {0.07, 0.07, 0.002});
    add("board", ObjectKind::Box, {0.35, 0, 0.01}, {0.2, 0.4, 0.02});
    disc(2, {0.352, -0.099, 0.0295});
    disc(1, {0.349, -0.101, 0.0445});
    disc(3, {0.35, 0.1, 0.0295});
  }

  WorldObject& add(const std::string& name, ObjectKind kind, const Vector3& p,
                   const std::array<double, 3>& size) {
    WorldObject& object = world_->objects[world_->object_count++];
    set_text(object.name, name);
    object.kind = kind;
    object.position = {p.x(), p.y(), p.z()};
    object.size = size;
    return object;
  }
  WorldObject& disc(int size, const Vector3& p) {
    return add("disc_" + std::to_string(size), ObjectKind::Cylinder, p, {0.01 + 0.004 * size, 0.015, 0});
  }
  Board read() {
    const auto board = read_board(*world_);
    EXPECT_TRUE(board) << board.error().message;
    return board.value_or(Board{});
  }

  std::unique_ptr<World> world_ = std::make_unique<World>();
};

TEST_F(BoardTest, SeesWhichDiscIsOnWhichPeg) {
  const Board board = read();
  EXPECT_EQ(board.towers, (Towers{.pegs = {{2, 1}, {}, {3}}}));
  EXPECT_NEAR(board.level(0), 0.052, 1e-12);
  EXPECT_NEAR(board.level(1), 0.022, 1e-12);
  EXPECT_NEAR(board.offset(board.disc(1), 0), std::sqrt(2.0) * 1e-3, 1e-9);
}

TEST_F(BoardTest, ADiscThatLiesOnNothingOrAslantOrBesideIsAstray) {
  WorldObject& smallest = world_->objects[5];
  ASSERT_EQ(text_of(smallest.name), "disc_1");
  smallest.position[2] += 0.02;
  EXPECT_TRUE(read().disc(1).is_astray) << "in the air";
  smallest.position = {0.35, -0.1, 0.0445};
  EXPECT_FALSE(read().disc(1).is_astray);
  smallest.qw = std::cos(0.3);
  smallest.qx = std::sin(0.3);
  EXPECT_TRUE(read().disc(1).is_astray) << "aslant";
  smallest.qw = 1.0;
  smallest.qx = 0.0;
  smallest.position = {0.35, -0.05, 0.0275};
  const Board board = read();
  EXPECT_TRUE(board.disc(1).is_astray) << "beside";
  EXPECT_EQ(board.towers, (Towers{.pegs = {{2}, {}, {3}}}));
}

TEST_F(BoardTest, AWorldWithoutAGameIsRefusedInWords) {
  world_->object_count = 3;
  const auto board = read_board(*world_);
  ASSERT_FALSE(board);
  EXPECT_NE(board.error().message.find("3 pegs and 0 discs"), std::string::npos) << board.error().message;
}

TEST_F(BoardTest, TheHandGoesOverWhatIsOnItsWayOnly) {
  const Board board = read();
  const HandPlace over_third{.p_WT = {0.35, 0.1, 0.1}};
  EXPECT_NEAR(free_height(board, over_third, {0.35, 0.1, 0}), 0.037 + 0.01, 1e-9) << "over the third disc";
  EXPECT_NEAR(free_height(board, over_third, {0.35, -0.1, 0}), 0.052 + 0.01, 1e-9) << "over all of them";
  EXPECT_NEAR(free_height(board, over_third, {0.35, -0.1, 0}, 1), 0.037 + 0.01, 1e-9)
      << "but what it carries";
  EXPECT_NEAR(free_height(board, std::nullopt, {0.35, 0.1, 0}), 0.052 + 0.01, 1e-9) << "from anywhere";
}

TEST_F(BoardTest, FingersCloseOnFlatSides) {
  WorldObject& smallest = world_->objects[5];
  for (double yaw = -3.0; yaw < 3.0; yaw += 0.1) {
    smallest.qw = std::cos(0.5 * yaw);
    smallest.qz = std::sin(0.5 * yaw);
    const Board board = read();
    const double heading = grip_heading(board.disc(1), {});
    constexpr double kStep = std::numbers::pi / 8;
    EXPECT_NEAR(std::remainder(heading - yaw - 0.5 * kStep, kStep), 0.0, 1e-9);
    EXPECT_LE(std::abs(heading - arm_heading({}, board.disc(1).X_WO.position)), 0.5 * kStep + 1e-9);
  }
}

TEST_F(BoardTest, ADiscHeldOffCentreIsBroughtOverThePegAllTheSame) {
  const Board board = read();
  const BoardDisc& held = board.disc(1);
  const HandPlace hand{.p_WT = held.X_WO.position + Vector3(0.003, -0.002, 0.05), .heading = 0.4};
  const HandPlace there = hand_for_disc_over(board, 1, held, hand, {});
  const double turn = there.heading - hand.heading;
  const Eigen::Vector2d disc =
      there.p_WT.head<2>() + Eigen::Rotation2Dd(turn) * Eigen::Vector2d(-0.003, 0.002);
  EXPECT_NEAR((disc - board.pegs[1].head<2>()).norm(), 0.0, 1e-12);
  EXPECT_NEAR(turn, arm_heading({}, board.pegs[1]) - arm_heading({}, hand.p_WT), 1e-12);
}

}  // namespace
}  // namespace sinew
