// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/device_mode.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(DeviceModeTest, IsSimulatedWhereTheSimulatorDrives) {
  EXPECT_EQ(device_mode("simulator", {{"kind", "pmac"}}), "simulated");
  EXPECT_EQ(device_mode("simulator", {{"kind", "external"}, {"emulated", "true"}}), "simulated");
  EXPECT_EQ(device_mode("", {{"kind", "ideal"}}), "simulated");
}

TEST(DeviceModeTest, IsEmulatedWhereTheRobotsFileSaysSo) {
  EXPECT_EQ(device_mode("", {{"kind", "external"}, {"emulated", "true"}}), "emulated");
}

// what must never break: nobody is told of a harmless robot that is none
TEST(DeviceModeTest, IsRealWhateverElseIsSaid) {
  EXPECT_EQ(device_mode("", {}), "real");
  EXPECT_EQ(device_mode("", {{"kind", "external"}}), "real");
  EXPECT_EQ(device_mode("", {{"kind", "pmac"}, {"emulated", "false"}}), "real");
  EXPECT_EQ(device_mode("", {{"kind", "pmac"}, {"emulated", "perhaps"}}), "real");
  EXPECT_EQ(device_mode("external", {}), "real");
}

}  // namespace
}  // namespace sinew
