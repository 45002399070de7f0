// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/memory.h"

#include <random>
#include <vector>

#include "sinew/control/test/controller_fixture.h"

namespace sinew {
namespace {

Obstacles wall_at(double x) {
  Obstacles world;
  Obstacle wall{.solid = make_box({0.05, 0.4, 0.4})};
  set_text(wall.name, "wall");
  wall.X_LO.position = {x, 0.7, 0.0};
  EXPECT_TRUE(world.add(wall));
  return world;
}

bool is_same(const ControlOutput& a, const ControlOutput& b) {
  return std::memcmp(&a.command, &b.command, sizeof a.command) == 0 &&
         std::memcmp(&a.safety, &b.safety, sizeof a.safety) == 0;
}

/// A controller, and at times one that has just been made from what the first remembers.
class MemoryTest : public ControllerTest {
 protected:
  void go_on_with_a_twin() {
    std::vector<std::byte> bytes(1U << 20);
    const Controller::Memory memory = controller_->save_memory(bytes);
    ASSERT_GT(memory.size, 0U);
    auto made = Controller::make(model_, *shapes_);
    ASSERT_TRUE(made);
    twin_ = *std::move(made);
    twin_->take_world(world_);
    ASSERT_TRUE(twin_->load_memory(std::span(bytes).first(memory.size), memory.layout));
  }

  // The same for both.
  void want_anything() {
    JointReference reference{.stamp_ns = now_ns_, .joint_mask = random_() % 15 + 1};
    reference.lease_ns = random_() % 3 == 0 ? 30 * kMillisecond_ns : 0;
    reference.smoothing = static_cast<Smoothing>(random_() % 4);
    for (double& p : reference.position) p = std::uniform_real_distribution<double>(-2.2, 2.2)(random_);
    const std::size_t source = random_() % 3;
    for (Controller* each : both()) each->take_reference(source, reference, now_ns_);
  }
  void ask_anything() {
    ControlRequest request{.stamp_ns = now_ns_, .lease_ns = 20 * kMillisecond_ns};
    set_text(request.who, "tester");
    const bool is_override = random_() % 4 == 0;
    request.verb = is_override ? ControlVerb::Override : static_cast<ControlVerb>(random_() % 3);
    for (Controller* each : both())
      is_override ? each->take_override(request, now_ns_) : each->take_request(request, now_ns_);
  }
  void change_world() {
    world_ = wall_at(std::uniform_real_distribution<double>(0.3, 1.2)(random_));
    for (Controller* each : both()) each->take_world(world_);
  }
  std::vector<Controller*> both() {
    std::vector<Controller*> all{controller_.get()};
    if (twin_) all.push_back(twin_.get());
    return all;
  }

  std::unique_ptr<Controller> twin_;
  Obstacles world_;
  std::mt19937_64 random_{5};
};

TEST_F(MemoryTest, WhoGoesOnFromItDoesTheSameBitForBit) {
  int held = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (random_() % 30 == 0) want_anything();
    if (random_() % 400 == 0) ask_anything();
    if (random_() % 900 == 0) change_world();
    if (random_() % 700 == 0) go_on_with_a_twin();
    const ControlOutput& output = cycle();
    held += output.safety.held_mask != 0 ? 1 : 0;
    const bool differs = twin_ && !is_same(output, twin_->step(state_, now_ns_));
    ASSERT_FALSE(differs) << "cycle " << i;
  }
  EXPECT_GT(held, 100) << "the guard had nothing to do";
}

TEST_F(MemoryTest, BytesOfAnotherArrangementAreRefused) {
  std::vector<std::byte> bytes(1U << 20);
  const Controller::Memory memory = controller_->save_memory(bytes);
  EXPECT_FALSE(controller_->load_memory(std::span(bytes).first(memory.size), memory.layout + 1));
  EXPECT_FALSE(controller_->load_memory(std::span(bytes).first(memory.size - 1), memory.layout));
  EXPECT_FALSE(controller_->load_memory(std::span(bytes).first(memory.size + 1), memory.layout));
}

TEST_F(MemoryTest, SaysWhenThereIsNoRoom) {
  std::vector<std::byte> bytes(1000);
  EXPECT_EQ(controller_->save_memory(bytes).size, 0U);
}

}  // namespace
}  // namespace sinew
