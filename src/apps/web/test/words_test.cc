// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/model/load_robot.h"

#include "apps/web/api_call.h"
#include "apps/web/background.h"
#include "apps/web/jog_words.h"
#include "apps/web/motion_api.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

const RobotModel& scorbot() {
  static const LoadedRobot robot = *load_robot("scorbot-er3");
  return robot.model;
}

TEST(MatchPath, FindsNamesAndRefusesOtherPaths) {
  EXPECT_EQ(match_path("/api/programs/{name}", "/api/programs/a.prog"), std::vector<std::string>{"a.prog"});
  EXPECT_EQ(match_path("/api/mesh/{rest}", "/api/mesh/0/hand.stl"), std::vector<std::string>{"0/hand.stl"});
  EXPECT_FALSE(match_path("/api/programs/{name}", "/api/programs/"));
  EXPECT_FALSE(match_path("/api/programs/{name}", "/api/programs"));
  EXPECT_FALSE(match_path("/api/programs/{name}", "/api/programs/a/b"));
  EXPECT_FALSE(match_path("/api/state", "/api/state/"));
  EXPECT_TRUE(match_path("/api/state", "/api/state"));
}

TEST(JogWords, NameJointsWithVelocities) {
  const auto wish = jog_wish_from({{"op", "jog"}, {"joints", {{"elbow", -0.2}}}, {"speed", 0.5}}, scorbot());
  ASSERT_TRUE(wish) << wish.error().message;
  EXPECT_EQ(wish->joint_mask, 4U);
  EXPECT_EQ(wish->joint_velocity[2], -0.2);
  EXPECT_EQ(wish->speed, 0.5);
  EXPECT_EQ(wish->is_step, 0U);
}

TEST(JogWords, LetGoIsAWishToStandStill) {
  for (const Json& words :
       {Json{{"op", "jog"}, {"stop", true}}, Json{{"stop", 1}}, Json{{"stop", "yes"}, {"frame", "moon"}},
        Json{{"stop", true}, {"joints", {{"tail", -0.2}}}, {"step", true}, {"speed", "fast"}},
        Json{{"stop", true}, {"frame", "tool"}, {"linear", {1, 2}}, {"t", "late"}}}) {
    const auto wish = jog_wish_from(words, scorbot());
    ASSERT_TRUE(wish) << words.dump() << wish.error().message;
    EXPECT_EQ(wish->joint_velocity, JointArray{});
    EXPECT_EQ(wish->linear, (std::array<double, 3>{}));
    EXPECT_EQ(wish->angular, (std::array<double, 3>{}));
    EXPECT_EQ(wish->is_step, 0U);
  }
  EXPECT_FALSE(is_jog_stop({{"stop", false}}));
  EXPECT_FALSE(is_jog_stop({{"stop", nullptr}}));
  EXPECT_FALSE(is_jog_stop({{"joints", {{"elbow", 1.0}}}}));
}

TEST(JogWords, WhatCannotBeIsRefused) {
  for (const Json& words :
       {Json{{"joints", {{"tail", 1.0}}}}, Json{{"joints", {{"elbow", "fast"}}}},
        Json{{"joints", {{"elbow", 1e9}}}}, Json{{"joints", Json::object()}}, Json::object(),
        Json{{"frame", "moon"}}, Json{{"frame", "base"}, {"linear", {1, 2}}},
        Json{{"frame", "base"}, {"linear", {1, 2, "3"}}}, Json{{"frame", 1}},
        Json{{"frame", "base"}, {"speed", 2.0}}, Json{{"frame", "base"}, {"speed", 0.0}},
        Json{{"frame", "base"}, {"arm", std::string(40, 'a')}}})
    EXPECT_FALSE(jog_wish_from(words, scorbot())) << words.dump();
}

TEST(MoveWords, AskForJointsPosesAndLines) {
  const auto joints = move_request_from(
      {{"kind", "joints"}, {"joints", {{"base", 0.5}, {"roll", 1.0}}}, {"speed", 0.3}}, scorbot());
  ASSERT_TRUE(joints) << joints.error().message;
  EXPECT_EQ(joints->verb, RequestVerb::MoveJoints);
  EXPECT_EQ(joints->joint_mask, 0b10001U);
  const auto line = move_request_from(
      {{"kind", "line"}, {"position", {0.1, 0.2, 0.3}}, {"quaternion", {1, 0, 0, 0}}, {"frame", "tool"}},
      scorbot());
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_EQ(line->verb, RequestVerb::MoveLine);
  EXPECT_EQ(line->frame, RequestFrame::Tool);
  EXPECT_EQ(line->position[2], 0.3);
}

TEST(MoveWords, WhatCannotBeIsRefused) {
  for (const Json& words :
       {Json::object(), Json{{"kind", "fly"}}, Json{{"kind", "joints"}},
        Json{{"kind", "pose"}, {"position", {0, 0}}}, Json{{"kind", "pose"}, {"position", {0, 0, 0}}},
        Json{{"kind", "pose"}, {"position", {0, 0, 0}}, {"quaternion", {0, 0, 0, 0}}},
        Json{{"kind", "pose"}, {"position", {0, 0, 0}}, {"rpy", {0, 0, 0}}, {"frame", "user"}},
        Json{{"kind", "joints"}, {"joints", {{"base", 0}}}, {"speed", -1}}})
    EXPECT_FALSE(move_request_from(words, scorbot())) << words.dump();
}

TEST(Background, DeliversInTheCallersThreadAndOnlyTheNewestOfAKey) {
  Background background;
  std::atomic<bool> may_go{false};
  std::vector<std::string> told;
  const auto here = std::this_thread::get_id();
  const auto say = [&](const std::string& word) {
    return [&told, word, here] {
      EXPECT_EQ(std::this_thread::get_id(), here);
      told.push_back(word);
    };
  };
  const auto work = [&](const std::string& word) {
    return [&, word]() -> Background::Delivery {
      while (!may_go) std::this_thread::yield();
      return say(word);
    };
  };
  ASSERT_TRUE(background.start("first", work("first"), say("first dropped")));
  ASSERT_TRUE(background.start("b", work("old"), say("old dropped")));
  ASSERT_TRUE(background.start("b", work("new"), say("new dropped")));
  may_go = true;
  while (told.size() < 3) background.deliver();
  EXPECT_EQ(told, (std::vector<std::string>{"old dropped", "first", "new"}));
}

TEST(Background, TakesOnlySoMany) {
  Background background;
  std::atomic<bool> may_go{false};
  const auto wait = [&]() -> Background::Delivery {
    while (!may_go) std::this_thread::yield();
    return [] {};
  };
  std::size_t taken = 0;
  while (background.start(std::to_string(taken), wait, [] {}) && taken < 100) ++taken;
  may_go = true;
  EXPECT_LE(taken, Background::kMostWaiting + 1);
  EXPECT_GE(taken, Background::kMostWaiting);
}

}  // namespace
}  // namespace sinew
