// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/password_worker.h"

#include <unistd.h>

#include <thread>

#include <gtest/gtest.h>

#include "sinew/accounts/test/accounts_bench.h"

namespace sinew::accounts {
namespace {

// long enough for many to wait for one
constexpr PasswordCost kSlow{.passes = 3, .memory = 64UL << 20U};

void deliver_all(PasswordWorker& worker) {
  while (!worker.is_idle()) {
    worker.deliver();
    usleep(200);
  }
}

TEST(PasswordWorker, ChecksAndHashesAndDeliversInTheThreadThatAsks) {
  PasswordWorker worker(kTestCost);
  const auto own_thread = std::this_thread::get_id();
  std::string hash;
  ASSERT_TRUE(worker.hash("correct horse", [&](const Result<std::string>& made) {
    EXPECT_EQ(std::this_thread::get_id(), own_thread);
    hash = *made;
  }));
  deliver_all(worker);
  int right = 0;
  int wrong = 0;
  const auto count = [&](const Result<bool>& checked) { ++(*checked ? right : wrong); };
  ASSERT_TRUE(worker.check("correct horse", hash, count));
  ASSERT_TRUE(worker.check("wrong horse", hash, count));
  ASSERT_TRUE(worker.check("correct horse", "", count));
  ASSERT_TRUE(worker.check("", "", count));
  deliver_all(worker);
  EXPECT_EQ(right, 1);
  EXPECT_EQ(wrong, 3);
}

TEST(PasswordWorker, TellsWhenAHashIsNone) {
  PasswordWorker worker(kTestCost);
  bool is_refused = false;
  ASSERT_TRUE(worker.check("x", "nonsense", [&](const Result<bool>& checked) { is_refused = !checked; }));
  deliver_all(worker);
  EXPECT_TRUE(is_refused);
}

TEST(PasswordWorker, TakesSoManyAndDropsWhatWaitsAtItsEnd) {
  int delivered = 0;
  std::size_t taken = 0;
  {
    PasswordWorker worker(kSlow);
    for (int i = 0; i < 200; ++i)
      taken += worker.check("x", "", [&](const Result<bool>&) { ++delivered; }) ? 1 : 0;
    EXPECT_GE(taken, PasswordWorker::kMostWaiting);
    EXPECT_LT(taken, 200U);
    EXPECT_FALSE(worker.is_idle());
  }
  EXPECT_EQ(delivered, 0);
}

TEST(PasswordWorker, WorkMayAskForMoreWorkWhenItIsDelivered) {
  PasswordWorker worker(kTestCost);
  int rounds = 0;
  std::function<void()> again = [&] {
    if (++rounds == 10) return;
    EXPECT_TRUE(worker.check("x", "", [&](const Result<bool>&) { again(); }));
  };
  again();
  deliver_all(worker);
  EXPECT_EQ(rounds, 10);
}

}  // namespace
}  // namespace sinew::accounts
