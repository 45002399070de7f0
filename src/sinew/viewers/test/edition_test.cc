// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/viewers/edition.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/viewers/test/robot_fixture.h"

namespace sinew::viewers {
namespace {

class EditionTest : public ::testing::Test {
 protected:
  std::string text(Topic topic, Dialect dialect) { return Edition(facts_, sample_).text(topic, dialect); }
  nlohmann::json json(Topic topic, Dialect dialect) { return nlohmann::json::parse(text(topic, dialect)); }

  RobotFacts facts_ = small_robot();
  Telemetry sample_ = small_sample();
};

TEST_F(EditionTest, JointStatesAreThoseOfRos2) {
  EXPECT_EQ(text(Topic::JointStates, Dialect::Ros),
            R"({"header":{"stamp":{"sec":1700000000,"nanosec":5},"frame_id":""},"name":["shoulder","elbow"],)"
            R"("position":[0.5,-1.25],"velocity":[0,0.125],"effort":[]})");
}

TEST_F(EditionTest, ReferencesHaveNoVelocities) {
  EXPECT_EQ(text(Topic::JointReferences, Dialect::Foxglove),
            R"({"header":{"stamp":{"sec":1700000000,"nsec":5},"frame_id":""},"name":["shoulder","elbow"],)"
            R"("position":[0.5,-1.5],"velocity":[],"effort":[]})");
}

TEST_F(EditionTest, TransformsAreWrittenInBothDialects) {
  sample_.links.erase(sample_.links.begin());
  EXPECT_EQ(text(Topic::Transforms, Dialect::Ros),
            R"({"transforms":[{"header":{"stamp":{"sec":1700000000,"nanosec":5},"frame_id":"base"},)"
            R"("child_frame_id":"upper","transform":{"translation":{"x":0.1,"y":0.2,"z":0.3},)"
            R"("rotation":{"x":1,"y":0,"z":0,"w":0}}}]})");
  EXPECT_EQ(text(Topic::Transforms, Dialect::Foxglove),
            R"({"transforms":[{"timestamp":{"sec":1700000000,"nsec":5},"parent_frame_id":"base",)"
            R"("child_frame_id":"upper","translation":{"x":0.1,"y":0.2,"z":0.3},)"
            R"("rotation":{"x":1,"y":0,"z":0,"w":0}}]})");
}

TEST_F(EditionTest, DescriptionIsEscaped) {
  EXPECT_EQ(text(Topic::RobotDescription, Dialect::Ros), R"({"data":"<robot name=\"arm\"/>\u000a"})");
}

TEST_F(EditionTest, SafetyIsADiagnosis) {
  EXPECT_EQ(
      text(Topic::Diagnostics, Dialect::Ros),
      R"({"header":{"stamp":{"sec":1700000000,"nanosec":5},"frame_id":""},"status":[{"level":2,)"
      R"("name":"safety","message":"stopped by \"ada\"","hardware_id":"arm","values":[)"
      R"({"key":"state","value":"stopped"},{"key":"reason","value":"requested"},{"key":"who","value":"ada"}]}]})");
}

TEST_F(EditionTest, MotionSaysWhereTheProgramIs) {
  EXPECT_EQ(text(Topic::Motion, Dialect::Foxglove),
            R"({"stamp":{"sec":1700000000,"nsec":5},"phase":"moving","progress":0.25,"remaining":1.5,)"
            R"("override":0.5,"queue_length":2,"program":"pick.robot","line":7})");
}

// sizes are those of the box around a shape, in both dialects
TEST_F(EditionTest, ObjectsKeepTheirShape) {
  sample_.objects = {object_of(ObjectKind::Box, "box", {1.0, 0.5, 0.25}),
                     object_of(ObjectKind::Sphere, "ball", {0.5, 0.0, 0.0}),
                     object_of(ObjectKind::Cylinder, "can", {0.25, 2.0, 0.0})};
  const auto scene = json(Topic::World, Dialect::Foxglove)["entities"];
  ASSERT_EQ(scene.size(), 3);
  EXPECT_EQ(scene[0]["cubes"][0]["size"], nlohmann::json({{"x", 1.0}, {"y", 0.5}, {"z", 0.25}}));
  EXPECT_EQ(scene[1]["spheres"][0]["size"], nlohmann::json({{"x", 1.0}, {"y", 1.0}, {"z", 1.0}}));
  EXPECT_EQ(scene[2]["cylinders"][0]["size"], nlohmann::json({{"x", 0.5}, {"y", 0.5}, {"z", 2.0}}));
  EXPECT_EQ(scene[2]["cylinders"][0]["top_scale"], 1);
  EXPECT_TRUE(scene[2]["cubes"].empty());
  EXPECT_EQ(scene[0]["id"], "box");
  EXPECT_EQ(scene[0]["frame_id"], "world");

  const auto markers = json(Topic::World, Dialect::Ros)["markers"];
  ASSERT_EQ(markers.size(), 4);
  EXPECT_EQ(markers[0]["action"], 3) << "what was there before goes first";
  EXPECT_EQ(markers[1]["type"], 1);
  EXPECT_EQ(markers[2]["type"], 2);
  EXPECT_EQ(markers[3]["type"], 3);
  EXPECT_EQ(markers[3]["scale"], nlohmann::json({{"x", 0.5}, {"y", 0.5}, {"z", 2.0}}));
  EXPECT_EQ(markers[3]["pose"]["position"], nlohmann::json({{"x", 1.0}, {"y", 2.0}, {"z", 3.0}}));
}

TEST_F(EditionTest, WhatIsCarriedIsInTheFrameOfItsLink) {
  sample_.objects[0].attached = 1;
  set_text(sample_.objects[0].link, "upper");
  EXPECT_EQ(json(Topic::World, Dialect::Foxglove)["entities"][0]["frame_id"], "upper");
  EXPECT_EQ(json(Topic::World, Dialect::Ros)["markers"][1]["header"]["frame_id"], "upper");
}

TEST_F(EditionTest, TheTopOfAPlaneIsItsZero) {
  sample_.objects = {object_of(ObjectKind::Plane, "floor", {})};
  const auto cube = json(Topic::World, Dialect::Foxglove)["entities"][0]["cubes"][0];
  EXPECT_DOUBLE_EQ(cube["pose"]["position"]["z"].get<double>() + 0.5 * cube["size"]["z"].get<double>(), 3.0);
}

TEST_F(EditionTest, ShapesThatOnlyFilesKnowAreLeftOut) {
  sample_.objects = {object_of(ObjectKind::Mesh, "part", {1.0, 1.0, 1.0}),
                     object_of(ObjectKind::HeightField, "hill", {1.0, 1.0, 1.0})};
  EXPECT_TRUE(json(Topic::World, Dialect::Foxglove)["entities"].empty());
}

// a number that JSON does not have must not break the whole message
TEST_F(EditionTest, NotANumberIsNull) {
  sample_.position[0] = std::numeric_limits<double>::quiet_NaN();
  sample_.position[1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(json(Topic::JointStates, Dialect::Ros)["position"], nlohmann::json({nullptr, nullptr}));
}

TEST_F(EditionTest, OnlyWhatChangedHasANewVersion) {
  Telemetry next = sample_;
  next.number += 1;
  const Edition first(facts_, sample_);
  const Edition second(facts_, next);
  EXPECT_NE(first.version(Topic::JointStates), second.version(Topic::JointStates));
  EXPECT_EQ(first.version(Topic::World), second.version(Topic::World));
  EXPECT_EQ(first.version(Topic::RobotDescription), second.version(Topic::RobotDescription));
  next.world_number += 1;
  EXPECT_NE(first.version(Topic::World), second.version(Topic::World));
}

// what a message holds stands in its schema, at every depth
void expect_within(const nlohmann::json& value, const nlohmann::json& schema, const std::string& where) {
  const std::string type = schema.at("type");
  if (type == "object") {
    ASSERT_TRUE(value.is_object()) << where;
    for (const auto& [key, inner] : value.items()) {
      ASSERT_TRUE(schema.at("properties").contains(key)) << where << "." << key;
      expect_within(inner, schema["properties"][key], where + "." + key);
    }
    EXPECT_EQ(value.size(), schema["properties"].size()) << where;
  } else if (type == "array") {
    ASSERT_TRUE(value.is_array()) << where;
    for (const auto& inner : value) expect_within(inner, schema.at("items"), where + "[]");
  } else {
    const bool fits = type == "string"    ? value.is_string()
                      : type == "boolean" ? value.is_boolean()
                      : type == "integer" ? value.is_number_integer()
                                          : type == "number" && value.is_number();
    EXPECT_TRUE(fits) << where << " is no " << type << ": " << value.dump();
  }
}

TEST_F(EditionTest, EveryMessageKeepsItsSchema) {
  sample_.objects = {object_of(ObjectKind::Box, "box", {1.0, 0.5, 0.25}),
                     object_of(ObjectKind::Sphere, "ball", {0.5, 0.0, 0.0}),
                     object_of(ObjectKind::Cylinder, "can", {0.25, 2.0, 0.0})};
  for (const TopicInfo& info : topics()) {
    const auto schema = nlohmann::json::parse(schema_of(info.topic));
    expect_within(json(info.topic, Dialect::Foxglove), schema, std::string(info.name));
  }
}

}  // namespace
}  // namespace sinew::viewers
