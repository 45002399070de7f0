// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/settings.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(ControlSettingsTest, ReadsWhatIsWrittenAndKeepsDefaults) {
  const auto control = read_control({{"rate", "500"}, {"margin", "0.02"}, {"priorities.pendant", "5"}});
  ASSERT_TRUE(control) << control.error().message;
  EXPECT_EQ(control->cycle.period_ns, 2 * kMillisecond_ns);
  EXPECT_EQ(control->margin, 0.02);
  EXPECT_EQ(control->priorities.at("pendant"), 5);
  EXPECT_EQ(control->early_wake_ns, 0);
  EXPECT_EQ(control->cycle.queue_ns, 0);
  EXPECT_EQ(read_control({{"queue_ms", "50"}})->cycle.queue_ns, 50 * kMillisecond_ns);
  EXPECT_EQ(control->cycle.stale_ns, ControlSettings{}.stale_ns);
}

TEST(ControlSettingsTest, RefusesWhatItDoesNotKnowAndSaysWhatWasMeant) {
  EXPECT_EQ(read_control({{"margn", "1"}}).error().message,
            "robot.yaml, control: there is no key 'margn' (did you mean 'margin'?)");
  EXPECT_EQ(read_control({{"margin", "-1"}}).error().message,
            "robot.yaml, control.margin: '-1' is no number from 0 to 1");
  EXPECT_EQ(read_control({{"early_wake", "0.0003"}, {"rate", "2000"}}).error().message,
            "robot.yaml, control.early_wake: 0.0003 s is more than half the period, which is 0.0005 s");
  EXPECT_FALSE(read_control({{"early_wake", "-0.0001"}}));
  EXPECT_FALSE(read_control({{"rate", "nan"}}));
  EXPECT_FALSE(read_control({{"rate", "1000x"}}));
  EXPECT_FALSE(read_control({{"priorities.x", "much"}}));
}

// also where the rate, which is read after it, makes room for it
TEST(ControlSettingsTest, AnEarlyWakeUpMayTakeHalfThePeriod) {
  const auto control = read_control({{"early_wake", "0.001"}, {"rate", "500"}});
  ASSERT_TRUE(control) << control.error().message;
  EXPECT_EQ(control->early_wake_ns, kMillisecond_ns);
}

}  // namespace
}  // namespace sinew
