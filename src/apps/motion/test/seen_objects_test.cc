// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/seen_objects.h"

#include <memory>

#include "sinew/base/fixed_string.h"
#include "sinew/channels/test/channel_fixture.h"

namespace sinew {
namespace {

class SeenObjectsTest : public channels::ChannelTest {
 protected:
  void show(const std::string& name, double x) {
    auto writer = Writer<World>::open({.name = "arm/world_truth", .space = space(), .depth = 2});
    ASSERT_TRUE(writer) << writer.error().message;
    const auto world = std::make_unique<World>();
    world->object_count = 1;
    set_text(world->objects[0].name, name);
    world->objects[0].position = {x, 0.2, 0.3};
    world->objects[0].qw = 0.0;
    world->objects[0].qz = 1.0;
    ASSERT_EQ(writer->put(*world), SINEW_OK);
  }
  std::string refusal(std::string_view name) {
    const auto pose = seen_.find(name);
    return pose ? "found" : pose.error().message;
  }

  SeenObjects seen_{"arm", space()};
};

TEST_F(SeenObjectsTest, TellsWhereAThingIsNow) {
  show("disc_1", 0.1);
  const auto pose = seen_.find("disc_1");
  ASSERT_TRUE(pose) << pose.error().message;
  EXPECT_EQ(pose->position, Vector3(0.1, 0.2, 0.3));
  EXPECT_EQ(pose->rotation.z(), 1.0);
  show("disc_1", 0.4);
  EXPECT_EQ(seen_.find("disc_1")->position.x(), 0.4);
}

TEST_F(SeenObjectsTest, SaysThatNobodyTellsUntilSomebodyDoes) {
  EXPECT_NE(refusal("disc_1").find("there is nothing on the channel arm/world_truth"), std::string::npos);
  show("disc_1", 0.1);
  EXPECT_EQ(refusal("disc_1"), "found");
}

TEST_F(SeenObjectsTest, NamesWhatItDoesNotSee) {
  show("disc_1", 0.1);
  EXPECT_EQ(refusal("disk_1"), "there is no object 'disk_1' in the world (did you mean 'disc_1'?)");
}

}  // namespace
}  // namespace sinew
