// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/site_words.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/model/positions.h"
#include "sinew/model/site.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

const LoadedRobot& site_robot() {
  static const LoadedRobot robot = *load_robot("scorbot-er3");
  return robot;
}

Json site_wish(const std::string& limits, const std::string& bounds) {
  return Json::parse(R"({"limits": )" + limits + R"(, "bounds": )" + bounds + "}");
}

std::vector<std::string> site_complaints(const std::string& limits, const std::string& bounds) {
  std::vector<std::string> all;
  for (const SiteFinding& one : draft_site(site_wish(limits, bounds), site_robot().model).findings)
    all.push_back(one.about + " " + one.name + ": " + one.message);
  return all;
}

constexpr const char* kBounds = R"([
  {"name": "press", "kind": "keep_out", "position": [1, 0, 0.5], "rpy": [0, 0, 0.5], "size": [0.4, 0.6, 1]},
  {"name": "door", "kind": "plane", "position": [1.2, 0, 0], "normal": [-1, 0, 0], "of": ["grip", "forearm"]},
  {"name": "cell \"A\"", "kind": "keep_in", "position": [0, 0, 0.5], "size": [4, 4, 4]}])";

TEST(SiteWordsTest, WhatIsWrittenIsReadAgain) {
  const SiteDraft draft = draft_site(
      site_wish(R"({"base": {"lower": -1, "upper": 1.25, "velocity": 0.3}})", kBounds), site_robot().model);
  ASSERT_TRUE(draft.findings.empty()) << draft.findings.front().message;
  RobotModel again = site_robot().model;
  ASSERT_TRUE(apply_site_text(draft.text, "site.yaml", again));
  EXPECT_EQ(again.joints[find_joint(again, "base")].limits.upper, 1.25);

  const Json limits = site_limits_json(site_robot().model, again, &again);
  EXPECT_EQ(limits[0]["name"], "base");
  EXPECT_EQ(limits[0]["site"], Json::parse(R"({"lower": -1.0, "upper": 1.25, "velocity": 0.3})"));
  EXPECT_EQ(limits[0]["in_force"]["upper"], 1.25);
  EXPECT_GT(limits[0]["made"]["upper"].get<double>(), 1.25);
  EXPECT_TRUE(limits[1]["site"].empty());

  const Json bounds = site_bounds_json(site_robot().model, again, draft.text);
  ASSERT_EQ(bounds.size(), 3U);
  EXPECT_EQ(bounds[0]["name"], "press");
  EXPECT_EQ(bounds[0]["source"], "site");
  EXPECT_EQ(bounds[0]["size"], Json::parse("[0.4, 0.6, 1.0]"));
  EXPECT_EQ(bounds[0]["rpy"], Json::parse("[0.0, 0.0, 0.5]"));
  EXPECT_GT(bounds[0]["guards"].size(), 3U);
  EXPECT_EQ(bounds[1]["name"], "cell \"A\"");
  EXPECT_EQ(bounds[2]["name"], "door");
  EXPECT_EQ(bounds[2]["normal"], Json::parse("[-1.0, 0.0, 0.0]"));
  EXPECT_EQ(bounds[2]["of"], Json::parse(R"(["grip", "forearm"])"));

  // and once more: what a page gets it can send
  Json second = site_wish("{}", "[]");
  second["bounds"] = bounds;
  const SiteDraft same = draft_site(second, site_robot().model);
  ASSERT_TRUE(same.findings.empty()) << same.findings.front().message;
  EXPECT_EQ(same.model.workspace.size(), 3U);
}

TEST(SiteWordsTest, EveryMistakeIsToldAtOnce) {
  const auto all =
      site_complaints(R"({"base": {"upper": 9}, "elbow": {"velocity": 99}, "nobody": {"upper": 1},
                                  "roll": {"speed": 1}, "pitch": {"upper": "far"}})",
                      R"([{"name": "a", "kind": "keep_out", "position": [0, 0, 0]},
                                  {"name": "b", "kind": "ball", "position": [0, 0, 0]},
                                  {"name": "c", "kind": "plane", "position": [0, 0], "normal": [0, 0, 1]},
                                  {"name": "d", "kind": "plane", "position": [0, 0, 0], "normal": [0, 0, 0]},
                                  {"name": " ", "kind": "plane"}, 7,
                                  {"name": "e", "kind": "plane", "position": [0, 0, 0], "normal": [0, 0, 1], "of": ["x"]}])");
  ASSERT_EQ(all.size(), 12U);
  EXPECT_NE(all[0].find("limits base: 'upper' of joint 'base'"), std::string::npos) << all[0];
  EXPECT_NE(all[1].find("limits elbow: 'velocity'"), std::string::npos) << all[1];
  EXPECT_NE(all[2].find("there is no joint 'nobody'"), std::string::npos) << all[2];
  EXPECT_NE(all[3].find("no limit 'speed'"), std::string::npos) << all[3];
  EXPECT_NE(all[5].find("bounds a: 'size' must be three numbers"), std::string::npos) << all[5];
  EXPECT_NE(all[11].find("there is no link 'x'"), std::string::npos) << all[11];
  for (const std::string& one : all) EXPECT_EQ(one.find("site.yaml"), std::string::npos) << one;
}

TEST(SiteWordsTest, TwoBoundsOfOneNameAndTooManyAreRefused) {
  const std::string floor = R"({"name": "f", "kind": "plane", "position": [0, 0, -1], "normal": [0, 0, 1]})";
  EXPECT_EQ(site_complaints("{}", "[" + floor + "," + floor + "]").size(), 1U);
  std::string many = "[" + floor;
  for (int i = 0; i < 16; ++i) many += "," + floor;
  EXPECT_EQ(site_complaints("{}", many + "]").size(), 1U);
  EXPECT_EQ(site_complaints("[]", "{}").size(), 2U);
  EXPECT_EQ(site_complaints("{}", "[]").size(), 0U);
}

// a link, not only the tool, is named
TEST(SiteWordsTest, ABoundInWhichTheRobotStandsIsRefusedWithTheLink) {
  const std::vector<double> home = starting_positions(site_robot().model);
  const auto conflicts = [&](const std::string& limits, const std::string& bounds) {
    const SiteDraft draft = draft_site(site_wish(limits, bounds), site_robot().model);
    EXPECT_TRUE(draft.findings.empty());
    const auto found = site_conflicts(site_robot(), draft.model, home);
    EXPECT_TRUE(found) << found.error().message;
    return *found;
  };
  EXPECT_TRUE(conflicts("{}", kBounds).empty());
  const auto inside =
      conflicts("{}",
                R"([{"name": "here", "kind": "keep_out", "position": [0, 0, 0.5], "size": [0.5, 0.5, 0.2]},
          {"name": "far", "kind": "keep_out", "position": [3, 0, 0.5], "size": [0.5, 0.5, 0.2]},
          {"name": "low", "kind": "plane", "position": [0, 0, 0.1], "normal": [0, 0, -1]}])");
  ASSERT_EQ(inside.size(), 2U);
  EXPECT_EQ(inside[0].name, "here");
  EXPECT_NE(inside[0].message.find("link upper_arm"), std::string::npos) << inside[0].message;
  EXPECT_EQ(inside[1].name, "low");
}

TEST(SiteWordsTest, AJointOutsideOfItsNewRangeIsRefused) {
  std::vector<double> q = starting_positions(site_robot().model);
  q[0] = 0.9;
  const SiteDraft draft = draft_site(site_wish(R"({"base": {"upper": 0.5}})", "[]"), site_robot().model);
  ASSERT_TRUE(draft.findings.empty());
  const auto found = site_conflicts(site_robot(), draft.model, q);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().name, "base");
  EXPECT_NE(found->front().message.find("is at 51.6 deg now"), std::string::npos) << found->front().message;
}

TEST(SiteWordsTest, PartsAreThoseThatMove) {
  const Json parts = site_parts_json(site_robot().model);
  EXPECT_EQ(parts["tools"], Json::parse(R"(["grip"])"));
  for (const Json& link : parts["links"]) EXPECT_NE(link, "base_link");
  EXPECT_GT(parts["links"].size(), 3U);
}

}  // namespace
}  // namespace sinew
