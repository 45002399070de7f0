// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <deque>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/fixed_vector.h"
#include "sinew/base/ring_buffer.h"

namespace sinew {
namespace {

// whatever is done to it, a FixedVector holds what a std::vector would
TEST(FixedVectorTest, BehavesAsAVectorUpToItsCapacity) {
  std::mt19937 random(1);
  FixedVector<int, 8> ours;
  std::vector<int> theirs;
  for (int step = 0; step < 10'000; ++step) {
    const int number = static_cast<int>(random() % 1000);
    switch (random() % 4) {
      case 0:
      case 1:
        EXPECT_EQ(ours.try_push_back(number), theirs.size() < 8);
        if (theirs.size() < 8) theirs.push_back(number);
        break;
      case 2:
        if (!theirs.empty()) {
          ours.pop_back();
          theirs.pop_back();
        }
        break;
      default:
        ours.resize(static_cast<std::size_t>(number % 9));
        theirs.resize(static_cast<std::size_t>(number % 9));
    }
    const std::span<const int> view = ours;
    ASSERT_EQ(std::vector<int>(view.begin(), view.end()), theirs);
  }
}

TEST(FixedVectorDeathTest, RefusesToOverflowOrToReadBeyondItsEnd) {
  FixedVector<int, 2> two{1, 2};
  EXPECT_DEATH(two.push_back(3), "does not hold");
  EXPECT_DEATH(static_cast<void>(two[2]), "does not hold");
}

TEST(RingBufferTest, KeepsTheNewestInOrder) {
  RingBuffer<int, 5> ours;
  std::deque<int> theirs;
  for (int i = 0; i < 100; ++i) {
    ours.push(i);
    theirs.push_back(i);
    if (theirs.size() > 5) theirs.pop_front();
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t k = 0; k < theirs.size(); ++k) ASSERT_EQ(ours[k], theirs[k]);
    EXPECT_EQ(ours.newest(), i);
  }
}

TEST(FixedStringTest, CutsToFitAndReadsWithoutAnEndMark) {
  std::array<char, 4> field{};
  set_text(field, "abcdef");
  EXPECT_EQ(text_of(field), "abc");
  field.fill('x');
  EXPECT_EQ(text_of(field), "xxxx");
  set_text(field, "");
  EXPECT_EQ(text_of(field), "");
}

}  // namespace
}  // namespace sinew
