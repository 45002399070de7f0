// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/drivers/robot_clock.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sinew {
namespace {

class RobotClockTest : public testing::Test {
 protected:
  ~RobotClockTest() override {
    std::error_code ignored;
    std::filesystem::remove_all("/dev/shm/sinew-" + space_, ignored);
  }
  void open_writer() {
    auto opened = Writer<Clock>::open({.name = "arm/clock", .space = space_});
    ASSERT_TRUE(opened) << opened.error().message;
    writer_.emplace(*std::move(opened));
  }
  void tell(std::int64_t stamp_ns, std::int64_t monotonic_ns, double rate) {
    ASSERT_EQ(writer_->put({.stamp_ns = stamp_ns, .monotonic_ns = monotonic_ns, .rate = rate}), SINEW_OK);
  }

  std::string space_ = fmt::format("robot-clock-{}", getpid());
  RobotClock clock_{"arm", space_};
  std::optional<Writer<Clock>> writer_;
};

TEST_F(RobotClockTest, WithoutAChannelItTellsNothingAndMakesNone) {
  clock_.look();
  EXPECT_FALSE(clock_.now_ns(kSecond_ns));
  EXPECT_EQ(clock_.rate(kSecond_ns), 1.0);
  EXPECT_FALSE(std::filesystem::exists("/dev/shm/sinew-" + space_ + "/arm/clock"));
}

TEST_F(RobotClockTest, GoesAtTheRateThatIsToldAndStandsWhileTheWorldDoes) {
  open_writer();
  clock_.look();
  EXPECT_FALSE(clock_.now_ns(kSecond_ns)) << "nothing has been told yet";
  tell(70 * kSecond_ns, kSecond_ns, 0.5);
  EXPECT_EQ(clock_.now_ns(kSecond_ns), 70 * kSecond_ns);
  EXPECT_EQ(clock_.now_ns(kSecond_ns + 100 * kMillisecond_ns), 70 * kSecond_ns + 50 * kMillisecond_ns);
  tell(71 * kSecond_ns, 2 * kSecond_ns, 0.0);
  EXPECT_EQ(clock_.now_ns(2 * kSecond_ns + 900 * kMillisecond_ns), 71 * kSecond_ns);
  EXPECT_EQ(clock_.rate(2 * kSecond_ns), 0.0);
}

TEST_F(RobotClockTest, NeverRunsAheadOfAWorldThatIsFast) {
  open_writer();
  clock_.look();
  tell(70 * kSecond_ns, kSecond_ns, 50.0);
  EXPECT_EQ(clock_.now_ns(kSecond_ns + kMillisecond_ns), 70 * kSecond_ns + kMillisecond_ns);
}

TEST_F(RobotClockTest, StandsWhenTheWorldIsKeptFromItsTurn) {
  open_writer();
  clock_.look();
  tell(70 * kSecond_ns, kSecond_ns, 1.0);
  EXPECT_EQ(clock_.now_ns(kSecond_ns + 40 * kMillisecond_ns), 70 * kSecond_ns + 40 * kMillisecond_ns);
  EXPECT_EQ(clock_.now_ns(kSecond_ns + 900 * kMillisecond_ns), 70 * kSecond_ns + 50 * kMillisecond_ns);
}

TEST_F(RobotClockTest, BelievesNoClockThatIsSilentOrTellsNonsense) {
  open_writer();
  clock_.look();
  tell(70 * kSecond_ns, kSecond_ns, 0.0);
  EXPECT_TRUE(clock_.now_ns(2 * kSecond_ns));
  EXPECT_FALSE(clock_.now_ns(2 * kSecond_ns + 1));
  EXPECT_EQ(clock_.rate(2 * kSecond_ns + 1), 1.0);
  for (const double nonsense : {-1.0, std::nan(""), 1e300}) {
    tell(70 * kSecond_ns, kSecond_ns, nonsense);
    EXPECT_FALSE(clock_.now_ns(kSecond_ns)) << nonsense;
  }
}

TEST_F(RobotClockTest, FindsTheChannelOfASimulatorThatCameLater) {
  clock_.make();
  open_writer();
  tell(5, 5, 1.0);
  EXPECT_EQ(clock_.now_ns(5), 5);
  std::filesystem::remove_all("/dev/shm/sinew-" + space_);
  open_writer();
  tell(9, 9, 1.0);
  for (int i = 0; i < 3; ++i) {
    static_cast<void>(clock_.newest(9));
    clock_.look();
  }
  EXPECT_EQ(clock_.now_ns(9), 9);
}

}  // namespace
}  // namespace sinew
