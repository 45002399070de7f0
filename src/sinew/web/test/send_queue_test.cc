// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/send_queue.h"

#include <string>

#include <gtest/gtest.h>

namespace sinew::web {
namespace {

std::string all_of(SendQueue& queue) {
  std::string text;
  while (const auto message = queue.pop()) text += message->bytes + " ";
  return text;
}

TEST(SendQueue, KeepsTheOrderOfStreamZero) {
  SendQueue queue;
  for (const char* word : {"a", "b", "c"}) ASSERT_TRUE(queue.push({.bytes = word}, 0));
  EXPECT_EQ(all_of(queue), "a b c ");
  EXPECT_TRUE(queue.is_empty());
}

TEST(SendQueue, OfOtherStreamsTheNewestCountsAtTheOldPlace) {
  SendQueue queue;
  ASSERT_TRUE(queue.push({.bytes = "live1"}, 1));
  ASSERT_TRUE(queue.push({.bytes = "event"}, 0));
  ASSERT_TRUE(queue.push({.bytes = "plot1"}, 2));
  for (int i = 0; i < 100000; ++i) ASSERT_TRUE(queue.push({.bytes = "live2"}, 1));
  ASSERT_TRUE(queue.push({.bytes = "plot2"}, 2));
  EXPECT_EQ(all_of(queue), "live2 event plot2 ");
  // what has gone out is not replaced
  ASSERT_TRUE(queue.push({.bytes = "live3"}, 1));
  EXPECT_EQ(all_of(queue), "live3 ");
}

TEST(SendQueue, IsFullAfterSoManyMessages) {
  SendQueue queue;
  for (int i = 0; i < 256; ++i) ASSERT_TRUE(queue.push({.bytes = "x"}, 0));
  EXPECT_FALSE(queue.push({.bytes = "x"}, 0));
  EXPECT_TRUE(queue.push({.bytes = "newest"}, 1));
  ASSERT_TRUE(queue.pop());
  EXPECT_TRUE(queue.push({.bytes = "x"}, 0));
  EXPECT_FALSE(queue.push({.bytes = "x"}, 0));
}

TEST(SendQueue, IsFullAfterSoManyBytes) {
  SendQueue queue;
  const std::string megabyte(1U << 20U, 'x');
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(queue.push({.bytes = megabyte}, 0));
  EXPECT_FALSE(queue.push({.bytes = "x"}, 0));
  ASSERT_TRUE(queue.pop());
  EXPECT_TRUE(queue.push({.bytes = megabyte}, 0));
  queue.clear();
  EXPECT_TRUE(queue.is_empty());
  EXPECT_TRUE(queue.push({.bytes = std::string(4U << 20U, 'x')}, 0));
  EXPECT_FALSE(queue.push({.bytes = "x"}, 0));
}

TEST(SendQueue, HasNoMoreStreamsThanMessages) {
  SendQueue queue({.most_messages = 3});
  for (const std::uint32_t stream : {1U, 2U, 3U}) ASSERT_TRUE(queue.push({.bytes = "x"}, stream));
  EXPECT_FALSE(queue.push({.bytes = "x"}, 4));
  EXPECT_TRUE(queue.push({.bytes = "y"}, 3));
}

}  // namespace
}  // namespace sinew::web
