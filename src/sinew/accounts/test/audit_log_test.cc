// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/audit_log.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "sinew/accounts/test/accounts_bench.h"

namespace sinew::accounts {
namespace {

TEST(AuditLog, ALineSaysWhenWhoWhereWhatAndWhetherItWasDone) {
  EXPECT_EQ(
      audit_line({.wall_ns = 1'700'000'000'123'456'789,
                  .user = "ada",
                  .address = "10.0.0.1",
                  .what = "login",
                  .outcome = "done"}),
      R"({"time":"2023-11-14T22:13:20.123Z","user":"ada","address":"10.0.0.1","what":"login","outcome":"done"})");
}

TEST(AuditLog, NoTextMakesALineOfItsOwnOrMovesTheCursor) {
  const std::string line =
      audit_line({.user = "a\n\"b\x1b[2J\x7f\xff\xc2\x9b\xe2\x80\xae", .what = std::string(5000, 'x')});
  for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~');
  EXPECT_LT(line.size(), 600U);
}

TEST(AuditLog, IsAppendedToAndReadByItsOwnerOnly) {
  const TestFolder folder;
  AuditLog log(folder.file("audit.log"));
  EXPECT_TRUE(log.last(10)->empty());
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(log.add({.what = std::to_string(i)}));
  const auto lines = log.last(10);
  ASSERT_EQ(lines->size(), 10U);
  EXPECT_NE(lines->front().find("\"20\""), std::string::npos);
  EXPECT_NE(lines->back().find("\"29\""), std::string::npos);
  struct stat status {};
  ASSERT_EQ(stat(folder.file("audit.log").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(AuditLog, StaysBoundedAndKeepsTheNewest) {
  const TestFolder folder;
  AuditLog log(folder.file("audit.log"), {.most_bytes = 2000});
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(log.add({.what = "event " + std::to_string(i)}));
  EXPECT_LE(std::filesystem::file_size(folder.file("audit.log")), 2000U);
  EXPECT_LE(std::filesystem::file_size(folder.file("audit.log.1")), 2000U);
  const auto lines = log.last(1000);
  EXPECT_GT(lines->size(), 20U);
  EXPECT_NE(lines->back().find("event 499"), std::string::npos);
}

TEST(AuditLog, StrangersCannotWashItAway) {
  const TestFolder folder;
  AuditLog log(folder.file("audit.log"), {.most_refusals = 5});
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(log.add_refusal({.what = "login", .outcome = "wrong"}));
  EXPECT_EQ(log.last(1000)->size(), 5U);
  // what was done is written all the same
  ASSERT_TRUE(log.add({.what = "login", .outcome = "done"}));
  ASSERT_TRUE(log.add_refusal({.wall_ns = 61 * kSecond_ns, .what = "login", .outcome = "wrong"}));
  const auto lines = log.last(1000);
  ASSERT_EQ(lines->size(), 8U);
  EXPECT_NE((*lines)[6].find("95 more were not written down"), std::string::npos);
}

TEST(AuditLog, SaysThatItCannotBeWritten) {
  const TestFolder folder;
  AuditLog log(folder.file("missing/audit.log"));
  const Status added = log.add({.what = "login"});
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("No such file"), std::string::npos);
}

// no file may grow meanwhile, as on a disk that is full
TEST(AuditLog, WhatCannotBeWrittenIsSaidAndWrittenWhenThereIsRoomAgain) {
  const TestFolder folder;
  AuditLog log(folder.file("audit.log"), {.most_waiting = 3});
  ASSERT_TRUE(log.add({.what = "first", .outcome = "done"}));
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto written = static_cast<rlim_t>(std::filesystem::file_size(folder.file("audit.log")));
  for (const rlim_t room : {written + 10, written}) {
    const rlimit full{.rlim_cur = room, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
    EXPECT_FALSE(log.add({.what = "second", .outcome = "done"}));
    EXPECT_NE(log.trouble().find("in memory only"), std::string::npos) << log.trouble();
    log.retry();
    EXPECT_NE(log.trouble(), "");
  }
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(log.add({.what = "more", .outcome = "done"}));
  setrlimit(RLIMIT_FSIZE, &before);
  log.retry();
  EXPECT_EQ(log.trouble(), "");
  std::string all;
  const auto lines = log.last(100);
  for (const std::string& line : *lines) all += line + "\n";
  EXPECT_NE(all.find("\"first\""), std::string::npos) << all;
  EXPECT_NE(all.find("3 events could not be written and are lost"), std::string::npos) << all;
  std::size_t more = 0;
  for (std::size_t at = all.find("\"more\""); at != std::string::npos; at = all.find("\"more\"", at + 1))
    ++more;
  EXPECT_EQ(more, 3U) << all;
}

}  // namespace
}  // namespace sinew::accounts
