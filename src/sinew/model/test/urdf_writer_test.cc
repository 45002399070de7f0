// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/urdf_writer.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/model/urdf.h"

namespace sinew {
namespace {

constexpr double kSame = 1e-12;

bool is_same(const Pose& a, const Pose& b) {
  return (a.position - b.position).norm() < kSame && std::abs(a.rotation.dot(b.rotation)) > 1.0 - kSame;
}

bool is_same(double a, double b) {
  return a == b || std::abs(a - b) < kSame;
}

void expect_same_shapes(const std::vector<Shape>& written, const std::vector<Shape>& read) {
  ASSERT_EQ(written.size(), read.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    EXPECT_EQ(written[i].kind, read[i].kind);
    EXPECT_TRUE(is_same(written[i].X_LG, read[i].X_LG));
    EXPECT_EQ(written[i].half_extents, read[i].half_extents);
    EXPECT_EQ(written[i].radius, read[i].radius);
    EXPECT_EQ(written[i].length, read[i].length);
    EXPECT_EQ(written[i].colour.has_value(), read[i].colour.has_value());
  }
}

TEST(UrdfWriter, EveryShippedRobotIsReadBackAsTheSame) {
  for (const std::string& name : robot_names(usual_places())) {
    SCOPED_TRACE(name);
    const auto robot = load_robot(name);
    ASSERT_TRUE(robot) << robot.error().message;
    const RobotModel& model = robot->model;
    const auto read =
        read_urdf_text(urdf_text(model, [](const Shape& mesh) { return mesh.mesh_path; }), robot->urdf);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->model.links.size(), model.links.size());
    ASSERT_EQ(read->model.joints.size(), model.joints.size());
    EXPECT_EQ(read->model.positions.size(), model.positions.size());
    for (std::size_t i = 0; i < model.links.size(); ++i) {
      EXPECT_EQ(read->model.links[i].name, model.links[i].name);
      expect_same_shapes(model.links[i].visuals, read->model.links[i].visuals);
      expect_same_shapes(model.links[i].collisions, read->model.links[i].collisions);
    }
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
      const Joint& written = model.joints[i];
      const Joint& back = read->model.joints[i];
      EXPECT_EQ(back.name, written.name);
      EXPECT_EQ(back.kind, written.kind);
      EXPECT_TRUE(is_same(back.X_PJ, written.X_PJ)) << written.name;
      EXPECT_LT((back.axis - written.axis).norm(), kSame);
      EXPECT_TRUE(is_same(back.limits.lower, written.limits.lower)) << written.name;
      EXPECT_TRUE(is_same(back.limits.upper, written.limits.upper)) << written.name;
      EXPECT_TRUE(is_same(back.limits.velocity, written.limits.velocity)) << written.name;
      EXPECT_EQ(back.mimic.has_value(), written.mimic.has_value());
    }
  }
}

TEST(UrdfWriter, AMeshWithoutANameIsLeftOut) {
  RobotModel model{.name = "one", .links = {{.name = "base"}}};
  model.links[0].visuals.push_back({.kind = ShapeKind::Mesh, .mesh_path = "hand.stl"});
  EXPECT_EQ(urdf_text(model, [](const Shape&) { return std::string(); }).find("<visual>"), std::string::npos);
  EXPECT_NE(urdf_text(model, [](const Shape&) { return std::string("/api/mesh/0/hand.stl"); })
                .find(R"(filename="/api/mesh/0/hand.stl")"),
            std::string::npos);
}

TEST(UrdfWriter, NamesThatXmlWouldMisreadAreWrittenOut) {
  const RobotModel model{.name = "a \"b\" <c> & d", .links = {{.name = "<base>"}}};
  const auto read = read_urdf_text(urdf_text(model, [](const Shape&) { return std::string(); }), "it.urdf");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->model.name, model.name);
  EXPECT_EQ(read->model.links[0].name, "<base>");
}

}  // namespace
}  // namespace sinew
