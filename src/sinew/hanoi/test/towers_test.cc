// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/hanoi/towers.h"

#include <random>

#include <gtest/gtest.h>

namespace sinew {
namespace {

// carries a way out by the rules of the game
void follow(const std::vector<TowerMove>& way, Towers& towers) {
  for (const TowerMove& move : way) {
    ASSERT_FALSE(towers.pegs[move.from].empty());
    ASSERT_EQ(towers.pegs[move.from].back(), move.disc) << "only the topmost disc may be taken";
    ASSERT_TRUE(may_lie(towers, move.disc, move.to)) << "no disc may lie on a smaller one";
    towers.pegs[move.from].pop_back();
    towers.pegs[move.to].push_back(move.disc);
  }
}

TEST(Towers, AWholeTowerTakesTheFewestMovesThereAre) {
  for (int discs = 1; discs <= 6; ++discs)
    for (std::size_t from = 0; from < 3; ++from)
      for (std::size_t to = 0; to < 3; ++to) {
        Towers towers = whole_tower(discs, 3, from);
        const auto way = shortest_way(towers, to);
        ASSERT_TRUE(way);
        EXPECT_EQ(way->size(), from == to ? 0U : (1U << static_cast<unsigned>(discs)) - 1U);
        follow(*way, towers);
        EXPECT_EQ(towers, whole_tower(discs, 3, to));
      }
}

TEST(Towers, AnyBoardThatTheGameAllowsIsSolvedByItsRules) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) {
    const int discs = 1 + static_cast<int>(random() % 6);
    Towers towers{.pegs = std::vector<std::vector<int>>(3)};
    for (int disc = discs; disc > 0; --disc) towers.pegs[random() % 3].push_back(disc);
    const std::size_t goal = random() % 3;
    const auto way = shortest_way(towers, goal);
    ASSERT_TRUE(way);
    follow(*way, towers);
    EXPECT_EQ(towers, whole_tower(discs, 3, goal));
  }
}

TEST(Towers, ADiscOnASmallerOneIsTakenOffFirst) {
  Towers towers{.pegs = {{1, 2}, {3}, {}}};
  const auto way = shortest_way(towers, 1);
  ASSERT_TRUE(way);
  follow(*way, towers);
  EXPECT_EQ(towers, whole_tower(3, 3, 1));
}

TEST(Towers, WhatCannotBeMendedIsTold) {
  // both pegs' upper discs are larger than what they lie on, and neither may go anywhere
  EXPECT_FALSE(shortest_way({.pegs = {{1, 4}, {2, 3}}}, 0));
}

TEST(Towers, ALostDiscGoesWhereTheShortestWayIsLeft) {
  // the smallest of three was lost on its way to the third peg
  EXPECT_EQ(best_peg_for(1, {.pegs = {{3, 2}, {}, {}}}, 2), 2U);
  // the largest may lie on the free peg only
  EXPECT_EQ(best_peg_for(3, {.pegs = {{1}, {2}, {}}}, 0), 2U);
  EXPECT_FALSE(best_peg_for(3, {.pegs = {{1}, {2}}}, 0));
}

}  // namespace
}  // namespace sinew
