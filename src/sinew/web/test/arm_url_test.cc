// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/arm_url.h"

#include <cmath>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sinew::web {
namespace {

std::string refusal(const std::string& target) {
  const auto read = arm_target_from(target);
  return read ? "accepted" : read.error().message;
}

TEST(ArmUrlTest, TheThesisExampleIsRead) {
  const auto target = arm_target_from("/0.336/0.0/0.2/0.0/1.57079633/0.065/0");
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->x, 0.336);
  EXPECT_EQ(target->y, 0.0);
  EXPECT_EQ(target->z, 0.2);
  EXPECT_EQ(target->roll, 0.0);
  EXPECT_EQ(target->pitch, 1.57079633);
  EXPECT_EQ(target->hand_width, 0.065);
  EXPECT_EQ(target->time, 0.0);
}

TEST(ArmUrlTest, NumbersMayBeWrittenAsPythonWritesThem) {
  const auto target = arm_target_from("/-1e-1/+.25/0/-0.0/1E0/5e-2/2.5");
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->x, -0.1);
  EXPECT_EQ(target->y, 0.25);
  EXPECT_EQ(target->pitch, 1.0);
  EXPECT_EQ(target->time, 2.5);
}

TEST(ArmUrlTest, WhatIsNoFiniteNumberIsRefusedByName) {
  for (const char* bad :
       {"nan", "NaN",   "-nan", "inf", "-inf", "infinity", "1e999", "-1e999", "",    " 1",   "1 ", "0x1",
        "1,5", "1.2.3", "--1",  "+-1", "++1",  "1e",       "%31",   "1%00",   "1;2", "0.1m", "١"}) {
    const std::string why = refusal(fmt::format("/0.3/{}/0.2/0/0/0/0", bad));
    EXPECT_TRUE(why.starts_with("y '")) << bad << ": " << why;
    EXPECT_NE(why.find("is no finite number"), std::string::npos) << why;
    EXPECT_NE(why.find("/x/y/z/roll/pitch/handWidth/time"), std::string::npos) << why;
  }
}

TEST(ArmUrlTest, WhatNoArmCouldMeanIsRefusedWithItsBounds) {
  EXPECT_NE(refusal("/10.1/0/0/0/0/0/0").find("x 10.1 is not within -10 to 10 m"), std::string::npos);
  EXPECT_NE(refusal("/0/0/0/0/90/0/0").find("pitch 90 is not within"), std::string::npos);
  EXPECT_NE(refusal("/0/0/0/0/0/-0.001/0").find("handWidth -0.001 is not within 0 to 1 m"),
            std::string::npos);
  EXPECT_NE(refusal("/0/0/0/0/0/0/-1").find("time -1 is not within 0 to 600 s"), std::string::npos);
  EXPECT_NE(refusal("/0/0/0/0/0/0/600.1").find("time 600.1"), std::string::npos);
}

TEST(ArmUrlTest, AnotherCountOfPartsIsRefused) {
  EXPECT_NE(refusal("/0/0/0/0/0/0").find("has 6 parts, not 7"), std::string::npos);
  EXPECT_NE(refusal("/0/0/0/0/0/0/0/0").find("has 8 parts, not 7"), std::string::npos);
  EXPECT_NE(refusal("/0/0/0/0/0/0/0/").find("has 8 parts, not 7"), std::string::npos);
  EXPECT_NE(refusal("").find("has 0 parts"), std::string::npos);
  EXPECT_NE(refusal("0/0/0/0/0/0/0/0").find("parts, not 7"), std::string::npos);
  EXPECT_NE(refusal("/0/0/0/0/0/0/0?x=1").find("time '0?x=1' is no finite number"), std::string::npos);
  EXPECT_NE(refusal("/" + std::string(300, '1')).find("301 letters is longer than 256"), std::string::npos);
}

TEST(ArmUrlTest, ARefusalShowsNothingThatATerminalOrAPageWouldObey) {
  const std::string why = refusal("/0/\033[2J<script>\"/0/0/0/0/0");
  EXPECT_EQ(why.find('\033'), std::string::npos) << why;
  EXPECT_EQ(why.find('<'), std::string::npos) << why;
  EXPECT_EQ(why.find('"'), std::string::npos) << why;
}

TEST(ArmUrlTest, WhateverIsWrittenIsReadBackToTheLastBit) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> metres(-10, 10);
  std::uniform_real_distribution<double> width(0, 1);
  for (int i = 0; i < 1000; ++i) {
    const ArmTarget sent{.x = metres(random),
                         .y = metres(random),
                         .z = metres(random),
                         .roll = metres(random),
                         .pitch = metres(random),
                         .hand_width = width(random),
                         .time = width(random)};
    const auto read = arm_target_from(fmt::format("/{}/{}/{}/{}/{}/{}/{}", sent.x, sent.y, sent.z, sent.roll,
                                                  sent.pitch, sent.hand_width, sent.time));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->x, sent.x);
    EXPECT_EQ(read->z, sent.z);
    EXPECT_EQ(read->roll, sent.roll);
    EXPECT_EQ(read->hand_width, sent.hand_width);
    EXPECT_EQ(read->time, sent.time);
  }
}

TEST(ArmUrlTest, PagesAreNotTakenForTargets) {
  EXPECT_TRUE(is_arm_url("/0.3/0"));
  EXPECT_TRUE(is_arm_url("/a/b/c/d/e/f/g"));
  EXPECT_FALSE(is_arm_url("/"));
  EXPECT_FALSE(is_arm_url("/api/state"));
  EXPECT_FALSE(is_arm_url("0.3"));
}

}  // namespace
}  // namespace sinew::web
