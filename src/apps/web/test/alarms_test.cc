// SPDX-License-Identifier: BSD-3-Clause
// Alarms are kept, bounded, and there again after anything.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"

#include "apps/web/alarm_log.h"
#include "apps/web/alarm_watch.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;

class Alarms : public testing::Test {
 protected:
  Alarms() { fs::create_directories(folder_); }
  ~Alarms() override { fs::remove_all(folder_); }

  std::string text_of_file() const {
    std::ifstream file(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write_file(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }

  AlarmLog read_again() const {
    AlarmLog log(file_);
    EXPECT_TRUE(log.load());
    return log;
  }

  fs::path folder_ =
      fs::temp_directory_path() / fmt::format("web_alarms_{}_{}", getpid(),
                                              testing::UnitTest::GetInstance()->current_test_info()->name());
  fs::path file_ = folder_ / "alarms.jsonl";
  AlarmLog log_{file_};
};

Alarm stop(const std::string& who, std::int64_t since_ns) {
  Safety safety{.since_ns = since_ns, .state = ControlState::Stopped, .reason = StopReason::Requested};
  set_text(safety.who, who);
  return *alarm_of(safety, {}, 0);
}

Alarm guard(const std::string& link) {
  Safety safety{.state = ControlState::Running, .reason = StopReason::WorldCollision, .held_mask = 2};
  set_text(safety.link_a, link);
  set_text(safety.link_b, "table");
  return *alarm_of(safety, {}, 0);
}

TEST_F(Alarms, AreThereAgainAsTheyWere) {
  log_.add(
      {.wall_ns = 5, .level = "alarm", .state = "stopped", .reason = "requested", .text = "grüße \"x\"\n"});
  ASSERT_TRUE(log_.acknowledge_one(1, "ada", 7));
  const AlarmLog again = read_again();
  ASSERT_EQ(again.all().size(), 1U);
  EXPECT_EQ(again.all()[0].text, "grüße \"x\"\n");
  EXPECT_EQ(again.all()[0].seen_by, "ada");
  EXPECT_EQ(again.all()[0].seen_wall_ns, 7);
  EXPECT_EQ(again.unseen(), 0U);
}

// killed at any byte of the last line, all before it is there, and what comes next is, too
TEST_F(Alarms, ATornLastLineCostsThatLineOnly) {
  log_.add({.wall_ns = 1, .text = "first"});
  const std::size_t first = text_of_file().size();
  log_.add({.wall_ns = 2, .text = "second"});
  const std::string whole = text_of_file();
  for (std::size_t end = first; end < whole.size(); ++end) {
    write_file(whole.substr(0, end));
    AlarmLog torn(file_);
    ASSERT_TRUE(torn.load());
    // the last line without its end is whole, too
    ASSERT_EQ(torn.all().size(), end == whole.size() - 1 ? 2U : 1U) << end;
    torn.add({.wall_ns = 3, .text = "third"});
    const AlarmLog again = read_again();
    ASSERT_EQ(again.all().size(), torn.all().size()) << end;
    EXPECT_EQ(again.all().back().text, "third");
  }
}

TEST_F(Alarms, NonsenseInTheMiddleIsLeftOut) {
  log_.add({.wall_ns = 1, .text = "first"});
  write_file(text_of_file() + "{\"number\": \"x\"}\n[1]\n\n\xff\xfe\n");
  AlarmLog again(file_);
  ASSERT_TRUE(again.load());
  EXPECT_EQ(again.all().size(), 1U);
  EXPECT_EQ(again.add({.wall_ns = 2}), 2U);
}

TEST_F(Alarms, AreBoundedInNumberAndInTheFile) {
  for (std::size_t i = 1; i <= 3 * AlarmLog::kMost; ++i) {
    log_.add({.wall_ns = static_cast<std::int64_t>(i), .text = std::string(2 * AlarmLog::kMostLetters, 'x')});
    ASSERT_LE(log_.all().size(), AlarmLog::kMost);
  }
  EXPECT_EQ(log_.all().front().number, 2 * AlarmLog::kMost + 1);
  const AlarmLog again = read_again();
  EXPECT_EQ(again.all().size(), AlarmLog::kMost);
  EXPECT_EQ(again.all().back().number, 3 * AlarmLog::kMost);
  EXPECT_LE(text_of_file().size(), 2 * AlarmLog::kMost * (AlarmLog::kMostLetters + 300));
  EXPECT_TRUE(log_.trouble().empty());
}

TEST_F(Alarms, APageOfThemIsTheNewestThatAreOlder) {
  for (int i = 0; i < 5; ++i) log_.add({});
  const auto page = log_.older_than(4, 2);
  ASSERT_EQ(page.size(), 2U);
  EXPECT_EQ(page[0].number, 3U);
  EXPECT_EQ(page[1].number, 2U);
  EXPECT_EQ(log_.older_than(0, 100).size(), 5U);
  EXPECT_TRUE(log_.older_than(1, 100).empty());
}

TEST_F(Alarms, WhatIsSeenStaysSeenByWhoSawItFirst) {
  for (int i = 0; i < 3; ++i) log_.add({});
  EXPECT_EQ(log_.acknowledge(2, "ada", 10), 2U);
  EXPECT_TRUE(log_.acknowledge_one(1, "eve", 20));
  EXPECT_FALSE(log_.acknowledge_one(9, "eve", 20));
  EXPECT_EQ(log_.unseen(), 1U);
  const AlarmLog again = read_again();
  EXPECT_EQ(again.find(1)->seen_by, "ada");
  EXPECT_EQ(again.find(2)->seen_wall_ns, 10);
  EXPECT_TRUE(again.find(3)->seen_by.empty());
}

TEST_F(Alarms, AStopIsOneAlarmUntilItIsOver) {
  AlarmKeeper keeper(log_);
  keeper.see({}, "", kSecond);
  for (int i = 0; i < 5; ++i) keeper.see(stop("ada", 100), "", (2 + i) * kSecond);
  ASSERT_EQ(log_.all().size(), 1U);
  EXPECT_EQ(log_.all()[0].who, "ada");
  EXPECT_EQ(log_.all()[0].level, "alarm");
  EXPECT_EQ(log_.all()[0].wall_ns, 2 * kSecond);
  EXPECT_EQ(log_.all()[0].cleared_wall_ns, 0);
  keeper.see({}, "", 9 * kSecond);
  EXPECT_EQ(log_.all()[0].cleared_wall_ns, 9 * kSecond);
  // the next is another, however soon
  keeper.see(stop("ada", 200), "", 9 * kSecond);
  EXPECT_EQ(log_.all().size(), 2U);
}

TEST_F(Alarms, AfterARestartTheSameStopIsStillTheSame) {
  AlarmKeeper(log_).see(stop("ada", 100), "", kSecond);
  AlarmLog again = read_again();
  AlarmKeeper keeper(again);
  keeper.see(stop("ada", 100), "", 5 * kSecond);
  EXPECT_EQ(again.all().size(), 1U);
  keeper.see({}, "", 6 * kSecond);
  EXPECT_EQ(again.all()[0].cleared_wall_ns, 6 * kSecond);
}

TEST_F(Alarms, WhatWasOverWhileNobodyLookedIsOver) {
  AlarmKeeper(log_).see(stop("ada", 100), "", kSecond);
  AlarmLog again = read_again();
  AlarmKeeper(again).see(stop("eve", 900), "", 5 * kSecond);
  ASSERT_EQ(again.all().size(), 2U);
  EXPECT_EQ(again.all()[0].cleared_wall_ns, 5 * kSecond);
  EXPECT_EQ(again.all()[1].who, "eve");
}

TEST_F(Alarms, AKeyHeldAgainstAnObstacleIsCountedNotListed) {
  AlarmKeeper keeper(log_);
  std::int64_t now = kSecond;
  for (int i = 0; i < 50; ++i) {
    keeper.see(guard(i % 2 == 0 ? "wrist" : "hand"), "", now += kSecond / 10);
    keeper.see({}, "", now += kSecond / 10);
  }
  ASSERT_EQ(log_.all().size(), 2U);
  EXPECT_EQ(log_.all()[0].count, 25U);
  EXPECT_EQ(log_.all()[0].level, "warning");
  // much later it is something new
  keeper.see(guard("wrist"), "", now + 2 * AlarmKeeper::kSameFor_ns);
  EXPECT_EQ(log_.all().size(), 3U);
}

TEST_F(Alarms, ARecordingIsOfTheStopThatItWasSavedAfter) {
  AlarmKeeper keeper(log_);
  keeper.see({}, "of_before.mcap", kSecond);
  keeper.see(stop("ada", 1), "of_before.mcap", kSecond);
  EXPECT_EQ(log_.all()[0].recording, "");
  keeper.see(stop("ada", 1), "first.mcap", kSecond);
  EXPECT_EQ(log_.all()[0].recording, "first.mcap");
  keeper.see(stop("ada", 2), "first.mcap", kSecond);
  EXPECT_EQ(log_.all()[1].recording, "") << "it is still that of the stop before";
  // saved when the robot runs again already
  keeper.see({}, "second.mcap", 2 * kSecond);
  EXPECT_EQ(log_.all()[1].recording, "second.mcap");
}

TEST_F(Alarms, AFaultThatTellsMoreIsStillOne) {
  AlarmKeeper keeper(log_);
  const Safety safety{.state = ControlState::Faulted, .reason = StopReason::DeviceFault};
  keeper.see(alarm_of(safety, {}, 0), "", kSecond);
  keeper.see(alarm_of(safety, {}, kFaultDrive), "", kSecond);
  ASSERT_EQ(log_.all().size(), 1U);
  EXPECT_NE(log_.all()[0].text.find("drive"), std::string::npos) << log_.all()[0].text;
}

TEST_F(Alarms, AnOverriddenGuardIsOneByWhoeverDidIt) {
  Safety safety{.state = ControlState::Running, .is_overridden = 1, .overrides = 3};
  EXPECT_FALSE(alarm_of(Safety{.state = ControlState::Running}, {}, 0));
  set_text(safety.overridden_by, "eve");
  const auto alarm = alarm_of(safety, {}, 0);
  ASSERT_TRUE(alarm);
  EXPECT_EQ(alarm->who, "eve");
  EXPECT_EQ(alarm->reason, "guard overridden");
}

/// No file may grow beyond so many bytes meanwhile, as on a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

TEST_F(Alarms, WhatCannotBeWrittenIsSaidAndWrittenWhenThereIsRoomAgain) {
  log_.add(stop("ada", 1));
  for (const rlim_t room : {fs::file_size(file_), fs::file_size(file_) + 20}) {
    {
      const FullDisk full(room);
      log_.add(stop("bob", 2));
      EXPECT_NE(log_.trouble().find("lost if this process ends"), std::string::npos) << log_.trouble();
      log_.add(stop("carl", 3));
      log_.retry();
      EXPECT_FALSE(log_.trouble().empty()) << "there is no room yet";
    }
    log_.retry();
    EXPECT_EQ(log_.trouble(), "");
    EXPECT_EQ(read_again().all().size(), log_.all().size());
  }
  // and without anybody's care, with the next one
  {
    const FullDisk full(fs::file_size(file_) + 7);
    log_.add(stop("dan", 4));
  }
  log_.add(stop("eve", 5));
  EXPECT_EQ(log_.trouble(), "");
  EXPECT_EQ(read_again().all().size(), 7U);
}

}  // namespace
}  // namespace sinew
