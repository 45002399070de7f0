// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/world_reader.h"

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/motion/test/shape_files.h"

namespace sinew {
namespace {

class WorldReaderTest : public testing::Test {
 protected:
  WorldObject object(const char* name, ObjectKind kind, const std::string& file,
                     std::array<double, 3> size = {1.0, 1.0, 1.0}) {
    WorldObject object{.kind = kind, .size = size};
    set_text(object.name, name);
    set_text(object.file, file);
    // of a file that is not there it stays zero
    (void)set_file_hash(object);
    return object;
  }
  void put(const WorldObject& object) { world_->objects[world_->object_count++] = object; }

  Result<std::unique_ptr<WorldInUse>> read(const WorldInUse* before = nullptr) const {
    return read_world(*world_, model_, before);
  }
  std::string why_not() {
    const auto in_use = read();
    world_->object_count = 0;
    return in_use ? "" : in_use.error().message;
  }
  static double gap(const WorldInUse& world, std::size_t i, const Vector3& point) {
    const Obstacle& o = world.obstacles[i];
    return separation(o.solid, Placement(o.X_LO), make_sphere(0.0), Placement(Matrix3::Identity(), point))
        .distance;
  }

  RobotModel model_ = draws::robot("panda");
  std::unique_ptr<World> world_ = std::make_unique<World>();
  ShapeFiles files_;
};

TEST_F(WorldReaderTest, AConvexMeshIsFilledAndAnotherIsNot) {
  draws::Triangles cube;
  add_box(cube, Vector3::Zero(), Vector3::Constant(100.0));
  WorldObject crate =
      object("crate", ObjectKind::Mesh, files_.write_stl("crate.stl", cube), {0.001, 0.001, 0.001});
  crate.position = {1.0, 0.0, 0.0};
  put(crate);
  put(object("ring", ObjectKind::Mesh, files_.write_stl("ring.stl", draws::ring(0.4, 0.1, 24))));
  const auto in_use = read();
  ASSERT_TRUE(in_use) << in_use.error().message;
  const WorldInUse& world = **in_use;
  EXPECT_EQ(world.obstacles[0].solid.kind, SolidKind::Hull);
  EXPECT_NEAR(gap(world, 0, {1.0, 0.0, 0.5}), 0.4, 1e-3 + kDistanceError);
  EXPECT_LT(gap(world, 0, {1.0, 0.0, 0.0}), 0.0);
  EXPECT_EQ(world.obstacles[1].solid.kind, SolidKind::Surface);
  EXPECT_NEAR(gap(world, 1, {0.0, 0.0, 0.0}), 0.3, 0.01) << "its hole is open";
  EXPECT_EQ(shape_text(*world.shapes[0]), "a convex hull of 8 corners, at most 0.0 mm too large");
  EXPECT_EQ(shape_text(*world.shapes[1]), "a surface of 1152 triangles");
}

TEST_F(WorldReaderTest, AHeightFieldStandsAroundItsMiddle) {
  const std::string file = files_.write("hill.txt", "# two by three\n0 0, 0\n\n0 1\t2 # the peak\n");
  WorldObject hill = object("hill", ObjectKind::HeightField, file, {2.0, 1.0, 0.1});
  hill.position = {5.0, 0.0, 1.0};
  put(hill);
  const auto in_use = read();
  ASSERT_TRUE(in_use) << in_use.error().message;
  EXPECT_NEAR(gap(**in_use, 0, {5.9, 0.4, 1.5}), 0.3, 1e-5) << "below it the peak of 0.2 m";
  EXPECT_NEAR(gap(**in_use, 0, {4.5, 0.0, 1.5}), 0.4, 1e-5);
  EXPECT_NEAR(gap(**in_use, 0, {6.5, 0.0, 1.1}), 0.5, 1e-5) << "beside its end";
  EXPECT_EQ(shape_text(*(*in_use)->shapes[0]), "a field of 3 by 2 heights");
  world_->objects[0].attached = 1;
  set_text(world_->objects[0].link, "panda_link8");
  EXPECT_NE(why_not().find("no link can carry one"), std::string::npos);
}

TEST_F(WorldReaderTest, WhatWasReadOnceIsNotReadAgain) {
  const std::string file = files_.write_stl("ring.stl", draws::ring(0.4, 0.1, 8));
  put(object("ring", ObjectKind::Mesh, file));
  const auto first = read();
  ASSERT_TRUE(first);
  files_.write("ring.stl", "another");
  world_->objects[0].position = {1.0, 2.0, 3.0};
  world_->objects[0].attached = 1;
  set_text(world_->objects[0].link, "panda_link8");
  const auto moved = read(first->get());
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ((*moved)->shapes[0], (*first)->shapes[0]);
  EXPECT_EQ((*moved)->obstacles[0].link, find_link(model_, "panda_link8"));
  EXPECT_EQ((*moved)->obstacles[0].X_LO.position, Vector3(1.0, 2.0, 3.0));
  const std::string why = why_not();
  EXPECT_NE(why.find("object 'ring' of the world"), std::string::npos) << why;
  EXPECT_NE(why.find("has changed since it was added"), std::string::npos) << why;
}

TEST_F(WorldReaderTest, BadFilesAreRefusedWithAReason) {
  const auto expect = [&](const WorldObject& object, const std::string& reason) {
    put(object);
    const std::string why = why_not();
    EXPECT_NE(why.find(reason), std::string::npos) << why;
  };
  expect(object("a", ObjectKind::Mesh, files_.path("none.stl")), "there is no such file");
  expect(object("a", ObjectKind::Mesh, "here.stl"), "must be named from the root");
  expect(object("a", ObjectKind::Mesh, ""), "must be named from the root");
  expect(object("a", ObjectKind::Mesh, files_.path("")), "there is no such file");
  const std::string ring = files_.write_stl("ring.stl", draws::ring(0.4, 0.1, 8));
  WorldObject other = object("a", ObjectKind::Mesh, ring);
  other.file_hash ^= 1U;
  expect(other, "has changed since it was added");
  expect(object("a", ObjectKind::Mesh, ring, {1.0, 0.0, 1.0}), "must be three positive numbers");
  expect(object("a", ObjectKind::Mesh, ring, {1.0, std::nan(""), 1.0}), "must be three positive numbers");
  expect(object("a", ObjectKind::Mesh, ring, {1e3, 1e3, 1e3}), "is it in millimetres?");
  expect(object("a", ObjectKind::Mesh, files_.write("cut.stl", "solid\nfacet")), "cut.stl");
  expect(object("a", ObjectKind::Mesh, files_.write("a.png", "?")), "is neither .stl, .obj nor .dae");
  draws::Triangles broken = draws::ring(0.4, 0.1, 4);
  broken.vertices[3].x() = std::nan("");
  expect(object("a", ObjectKind::Mesh, files_.write_stl("nan.stl", broken)), "nan.stl");
  expect(object("a", ObjectKind::Mesh, files_.write_stl("fine.stl", draws::ring(0.4, 0.1, 182))),
         "66248 triangles; 1 to 65536 can be checked");
  const std::string huge = files_.write("huge.stl", "");
  std::filesystem::resize_file(huge, kMostWorldFileBytes + 1);
  expect(object("a", ObjectKind::Mesh, huge), "simplify it");
  const auto field = [&](const std::string& text) {
    return object("f", ObjectKind::HeightField, files_.write("f.txt", text));
  };
  expect(field(""), "0 rows of 0 heights");
  expect(field("1 2 3\n"), "1 rows of 3 heights");
  expect(field("1 2\n1 2 3\n"), "line 2: 3 heights after rows of 2");
  expect(field("1 2\n1 nan\n"), "line 2: 'nan' is no finite number");
  expect(field("1 2\n1 1e999\n"), "is no finite number");
  expect(field("1 2\n1 x\n"), "'x' is no finite number");
}

// an object that is not understood refuses the whole; the world before is as it was
TEST_F(WorldReaderTest, OneBadObjectRefusesTheWorldAndTheOldOneStays) {
  put(object("ring", ObjectKind::Mesh, files_.write_stl("ring.stl", draws::ring(0.4, 0.1, 8))));
  const auto good = read();
  ASSERT_TRUE(good);
  put(object("bad", ObjectKind::Mesh, files_.path("none.stl")));
  EXPECT_FALSE(read(good->get()));
  EXPECT_EQ((*good)->obstacles.size(), 1U);
  EXPECT_NEAR(gap(**good, 0, {0.0, 0.0, 1.0}), 1.0, 0.1);
}

}  // namespace
}  // namespace sinew
