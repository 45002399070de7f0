// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/password_worker.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
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
  ASSERT_TRUE(worker.hash({}, "correct horse", [&](const Result<std::string>& made) {
    EXPECT_EQ(std::this_thread::get_id(), own_thread);
    hash = *made;
  }));
  deliver_all(worker);
  int right = 0;
  int wrong = 0;
  const auto count = [&](const Result<bool>& checked) { ++(*checked ? right : wrong); };
  ASSERT_TRUE(worker.check({}, "correct horse", hash, count));
  ASSERT_TRUE(worker.check({}, "wrong horse", hash, count));
  ASSERT_TRUE(worker.check({}, "correct horse", "", count));
  ASSERT_TRUE(worker.check({}, "", "", count));
  deliver_all(worker);
  EXPECT_EQ(right, 1);
  EXPECT_EQ(wrong, 3);
}

TEST(PasswordWorker, TellsWhenAHashIsNone) {
  PasswordWorker worker(kTestCost);
  bool is_refused = false;
  ASSERT_TRUE(worker.check({}, "x", "nonsense", [&](const Result<bool>& checked) { is_refused = !checked; }));
  deliver_all(worker);
  EXPECT_TRUE(is_refused);
}

TEST(PasswordWorker, TakesSoManyAndDropsWhatWaitsAtItsEnd) {
  int delivered = 0;
  std::size_t taken = 0;
  {
    PasswordWorker worker(kSlow);
    for (int i = 0; i < 200; ++i)
      taken +=
          worker.check({.address = std::to_string(i)}, "x", "", [&](const Result<bool>&) { ++delivered; })
              ? 1
              : 0;
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
    EXPECT_TRUE(worker.check({}, "x", "", [&](const Result<bool>&) { again(); }));
  };
  again();
  deliver_all(worker);
  EXPECT_EQ(rounds, 10);
}

// whoever has sent many waits for himself; all others wait for one of his
TEST(PasswordWorker, AddressesTakeTurnsAndThisMachineDoesWithThemAll) {
  PasswordWorker worker(kSlow);
  std::vector<std::string> order;
  const auto ask = [&](const PasswordSource& source) {
    return worker.check(source, "x", "",
                        [&order, source](const Result<bool>&) { order.push_back(source.address); });
  };
  // both threads have something to do
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(ask({.address = "first"}));
  std::size_t taken = 0;
  for (int i = 0; i < 15; ++i) taken += ask({.address = "bogus"}) ? 1 : 0;
  EXPECT_EQ(taken, PasswordWorker::kMostOfAddress);
  ASSERT_TRUE(ask({.address = "right"}));
  ASSERT_TRUE(ask({.address = "here", .is_local = true}));
  while (order.size() < 8) {
    worker.deliver();
    usleep(200);
  }
  const auto place = [&](const char* address) { return std::ranges::find(order, address) - order.begin(); };
  // two threads may end in another order than they began
  EXPECT_LE(place("right"), 5) << fmt::format("{}", fmt::join(order, " "));
  EXPECT_LE(place("here"), 4) << fmt::format("{}", fmt::join(order, " "));
  EXPECT_EQ(order.back(), "bogus") << fmt::format("{}", fmt::join(order, " "));
}

TEST(PasswordWorker, AFullQueueMakesRoomForWhoHasNobodyInIt) {
  PasswordWorker worker(kSlow);
  int refused = 0;
  const auto ask = [&](const std::string& address, bool is_local = false) {
    return worker.check({.address = address, .is_local = is_local}, "x", "",
                        [&](const Result<bool>& checked) { refused += checked ? 0 : 1; });
  };
  // more than all places and threads can take
  for (int i = 0; i < 10; ++i)
    for (std::size_t k = 0; k < PasswordWorker::kMostOfAddress; ++k)
      static_cast<void>(ask(std::to_string(i)));
  EXPECT_FALSE(ask("0") && ask("0") && ask("0") && ask("0") && ask("0"));
  EXPECT_TRUE(ask("new"));
  EXPECT_TRUE(ask("here", true)) << "the network takes no place of this machine's";
  deliver_all(worker);
  EXPECT_GE(refused, 1) << "who had to go is told";
}

}  // namespace
}  // namespace sinew::accounts
