// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/configuration_tree.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "sinew/planning/even_sequence.h"
#include "sinew/planning/kernels.h"
#include "sinew/planning/motion_judge.h"

namespace sinew::planning {
namespace {

TEST(ConfigurationTreeTest, FindsTheNearestOfMany) {
  std::mt19937 random(3);
  const auto draw = [&] { return static_cast<float>(random() % 10000) * 1e-3F; };
  ConfigurationTree tree(7, 1000);
  std::vector<Configuration> all;
  for (int i = 0; i < 1000; ++i) {
    Configuration q{};
    for (std::size_t j = 0; j < 7; ++j) q[j] = draw();
    tree.add(q.data(), i == 0 ? ConfigurationTree::kNoNode : 0);
    all.push_back(q);
    Configuration wanted{};
    for (std::size_t j = 0; j < 7; ++j) wanted[j] = draw();
    double least = 1e9;
    for (const Configuration& known : all) {
      double square = 0.0;
      for (std::size_t j = 0; j < 7; ++j) square += std::pow(double(known[j]) - double(wanted[j]), 2);
      least = std::min(least, std::sqrt(square));
    }
    ASSERT_NEAR(tree.nearest(wanted.data()).distance, least, 1e-4);
  }
  EXPECT_TRUE(tree.is_full());
}

TEST(ConfigurationTreeTest, WhatIsCutOffIsNeverFound) {
  ConfigurationTree tree(1, 16);
  const std::array<float, 4> q{0.0F, 1.0F, 2.0F, 3.0F};
  tree.add(&q[0], ConfigurationTree::kNoNode);
  tree.add(&q[1], 0);
  tree.add(&q[2], 1);
  tree.add(&q[3], 0);
  tree.cut_off(1);
  EXPECT_EQ(tree.nearest(&q[1]).node, 0U);
  EXPECT_EQ(tree.nearest(&q[2]).node, 3U);
  // what hung on it would lead through nowhere
  EXPECT_DEATH(tree.add(&q[2], 2), "does not hold");
}

TEST(PlanningKernelsTest, KernelsOfAllProcessorsAgree) {
  const kernel::PlanningKernels* fast = kernel::avx2_planning_kernels();
  if (fast == nullptr) fast = &kernel::portable_planning_kernels();
  std::mt19937 random(5);
  std::vector<float> blocks(64 * 6 * 8);
  for (float& value : blocks) value = static_cast<float>(random() % 1000) * 7e-3F;
  for (int i = 0; i < 1000; ++i) {
    std::array<float, 6> q{};
    for (float& value : q) value = static_cast<float>(random() % 1000) * 7e-3F;
    const auto a = fast->nearest(blocks.data(), 64, 6, q.data());
    const auto b = kernel::portable_planning_kernels().nearest(blocks.data(), 64, 6, q.data());
    ASSERT_EQ(a.index, b.index);
    ASSERT_EQ(a.square, b.square);
  }
}

TEST(EvenSequenceTest, FillsTheBoxEvenlyAndDiffersBySeed) {
  EvenSequence sequence(2);
  sequence.begin(1);
  std::array<int, 16> counts{};
  std::array<float, 2> first{};
  for (int i = 0; i < 1600; ++i) {
    std::array<float, 2> point{};
    sequence.next(point.data());
    if (i == 0) first = point;
    ASSERT_GE(std::min(point[0], point[1]), 0.0F);
    ASSERT_LT(std::max(point[0], point[1]), 1.0F);
    ++counts[static_cast<std::size_t>(point[0] * 4.0F) * 4 + static_cast<std::size_t>(point[1] * 4.0F)];
  }
  // drawn at random, they would be off by ±30
  for (const int count : counts) EXPECT_NEAR(count, 100, 6);
  sequence.begin(2);
  std::array<float, 2> other{};
  sequence.next(other.data());
  EXPECT_NE(first, other);
}

}  // namespace
}  // namespace sinew::planning
