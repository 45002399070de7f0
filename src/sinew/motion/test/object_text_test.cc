// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/object_text.h"

#include <memory>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"

namespace sinew {
namespace {

TEST(ObjectTextTest, ReadsWhatPeopleType) {
  const auto table = object_from_text("{name: table, box: [1, 0.6, 0.05], at: [0.5, 0, 0.2], margin: 0.02}");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(text_of(table->name), "table");
  EXPECT_EQ(table->kind, ObjectKind::Box);
  EXPECT_EQ(table->size, (std::array{1.0, 0.6, 0.05}));
  EXPECT_EQ(table->position, (std::array{0.5, 0.0, 0.2}));
  EXPECT_EQ(table->margin, 0.02);
  const auto ball = object_from_text("{name: ball, sphere: 0.1, link: left_palm}");
  ASSERT_TRUE(ball) << ball.error().message;
  EXPECT_EQ(ball->attached, 1U);
  const auto rock = object_from_text("{name: rock, mesh: /tmp/a rock.stl, scale: 0.001}");
  ASSERT_TRUE(rock) << rock.error().message;
  EXPECT_EQ(rock->kind, ObjectKind::Mesh);
  EXPECT_EQ(text_of(rock->file), "/tmp/a rock.stl");
  EXPECT_EQ(rock->size, (std::array{0.001, 0.001, 0.001}));
  const auto flat = object_from_text("{name: flat, mesh: /tmp/a.stl, scale: [1, 2, 3]}");
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ(flat->size, (std::array{1.0, 2.0, 3.0}));
  const auto hill = object_from_text("{name: hill, field: /tmp/hill.txt, size: [4, 3, 0.5]}");
  ASSERT_TRUE(hill) << hill.error().message;
  EXPECT_EQ(hill->kind, ObjectKind::HeightField);
  EXPECT_EQ(hill->size, (std::array{4.0, 3.0, 0.5}));
}

TEST(ObjectTextTest, RefusesWithAReason) {
  for (const char* text : {"",
                           "table",
                           "{}",
                           "{name: a}",
                           "{name: a, box: [1, 2]}",
                           "{name: a, box: 1}",
                           "{name: a, sphere: nan}",
                           "{name: a, sphere: 1, box: [1, 1, 1]}",
                           "{name: a, sphere: 1, colour: red}",
                           "{sphere: 1}",
                           "{name: a, sphere: [",
                           "{name: a-name-that-is-too-long-for-its-place-in-messages, sphere: 1}",
                           "{name: a, sphere: 1, at: [0, 0]}",
                           "{name: a, mesh: a.stl}",
                           "{name: a, mesh: }",
                           "{name: a, mesh: /a.stl, scale: [1, 2]}",
                           "{name: a, mesh: /a.stl, size: [1, 2, 3]}",
                           "{name: a, field: /a.txt}",
                           "{name: a, field: /a.txt, size: [1, 1]}",
                           "{name: a, field: /a.txt, size: [1, 1, 1], scale: 2}",
                           "{name: a, mesh: [/a.stl]}"}) {
    const auto object = object_from_text(text);
    EXPECT_FALSE(object) << text;
    if (!object) {
      EXPECT_GT(object.error().message.size(), 10U) << text;
    }
  }
}

TEST(ObjectTextTest, AWorldReplacesByNameAndIsFullAtItsEnd) {
  const auto world = std::make_unique<World>();
  WorldObject object{.kind = ObjectKind::Sphere, .size = {0.1, 0.0, 0.0}};
  for (std::size_t i = 0; i < kMaxObjects; ++i) {
    set_text(object.name, "ball" + std::to_string(i));
    const auto was_there = put_object(*world, object);
    ASSERT_TRUE(was_there && !*was_there);
  }
  const auto again = put_object(*world, object);
  EXPECT_TRUE(again && *again);
  set_text(object.name, "one more");
  EXPECT_FALSE(put_object(*world, object));
  EXPECT_TRUE(take_object(*world, "ball7"));
  const Status unknown = take_object(*world, "ball7");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("no object 'ball7'"), std::string::npos);
  EXPECT_EQ(world->object_count, kMaxObjects - 1);
  EXPECT_TRUE(put_object(*world, object));
}

}  // namespace
}  // namespace sinew
