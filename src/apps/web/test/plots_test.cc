// SPDX-License-Identifier: BSD-3-Clause
// What can be drawn of a channel, and how much of it.
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/messages/schemas.h"

#include "apps/web/plot_desk.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Schema schema_of_joints() {
  return *parse_schema(SchemaOf<JointState>::kText);
}

TEST(Plots, EveryNumberOfAMessageIsToldWithItsUnit) {
  bool has_position = false;
  const Json fields = plot_fields_json(schema_of_joints());
  for (const Json& field : fields) {
    if (field["name"] != "position") continue;
    has_position = true;
    EXPECT_EQ(field["count"], kMaxJoints);
    EXPECT_EQ(field["unit"], "rad, m");
  }
  EXPECT_TRUE(has_position);
  // texts are none
  for (const Json& field : plot_fields_json(*parse_schema(SchemaOf<Safety>::kText)))
    EXPECT_NE(field["name"], "who");
}

TEST(Plots, ANumberIsNamedAlone) {
  const Schema schema = schema_of_joints();
  EXPECT_TRUE(plot_field(schema, "position[3]"));
  EXPECT_TRUE(plot_field(schema, "stamp_ns"));
  for (const char* path : {"position", "position[64]", "position[-1]", "nothing", "", "position[3].x", "[0]"})
    EXPECT_FALSE(plot_field(schema, path)) << path;
  EXPECT_FALSE(plot_field(*parse_schema(SchemaOf<Safety>::kText), "who"));
  EXPECT_FALSE(plot_field(*parse_schema(SchemaOf<Safety>::kText), "who[0]"));
}

TEST(Plots, ValuesAreThoseOfTheMessage) {
  JointState state{.stamp_ns = -5};
  state.position[3] = 0.25;
  state.velocity[1] = NAN;
  const auto bytes = std::as_bytes(std::span(&state, 1));
  const Schema schema = schema_of_joints();
  EXPECT_EQ(plot_value(*plot_field(schema, "position[3]"), bytes), 0.25);
  EXPECT_EQ(plot_value(*plot_field(schema, "stamp_ns"), bytes), -5.0);
  EXPECT_FALSE(plot_value(*plot_field(schema, "velocity[1]"), bytes)) << "no number";
  EXPECT_FALSE(plot_value(*plot_field(schema, "position[3]"), bytes.first(32))) << "the message is shorter";
  const Safety safety{.state = ControlState::Stopped};
  EXPECT_EQ(plot_value(*plot_field(*parse_schema(SchemaOf<Safety>::kText), "state"),
                       std::as_bytes(std::span(&safety, 1))),
            4.0);
}

// all of these are refused before any robot is asked for
TEST(Plots, WhatIsTooMuchOrNoChannelIsRefused) {
  RobotDesk robot({.robot = {.robot = "nobody", .space = "plots-test", .model = "scorbot-er3"}});
  PlotDesk desk(robot);
  const auto says = [&](const Json& words) {
    const Status taken = desk.subscribe(1, words);
    return taken ? std::string("taken") : taken.error().message;
  };
  Json many = Json::array();
  for (int i = 0; i < 17; ++i) many.push_back(fmt::format("position[{}]", i));
  EXPECT_EQ(says({{"channel", "state"}, {"fields", many}}), "a page draws 16 fields of 4 channels at most");
  for (const char* name : {"", "../state", "/state", "a b", "state\n"})
    EXPECT_NE(says({{"channel", name}, {"fields", {"stamp_ns"}}}).find("'channel' must be"),
              std::string::npos)
        << name;
  EXPECT_EQ(says({{"channel", "state"}}), "'fields' must be a list of names");
  EXPECT_EQ(says({{"channel", "state"}, {"fields", Json::array()}}), "taken") << "to end what was not begun";
  EXPECT_FALSE(desk.text_for(1, 1));
}

}  // namespace
}  // namespace sinew
