// SPDX-License-Identifier: BSD-3-Clause
// Motion service, controller and physics in one thread: whole motions, the same every time.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/hash.h"

#include "apps/lockstep/test/mds_with_motion.h"

namespace sinew {
namespace {

class LockstepMotionTest : public testing::Test {
 protected:
  void SetUp() override { make(); }

  void make() { lockstep_ = mds_with_motion(); }

  static Request hand_goal(const char* arm, std::array<double, 3> position) {
    Request request{.verb = RequestVerb::MoveTool, .component_mask = 7, .position = position};
    set_text(request.arm, arm);
    set_text(request.who, "test");
    return request;
  }

  Reply carry_out(const Request& request) { return answer_to(*lockstep_, lockstep_->ask(request)); }

  std::unique_ptr<Lockstep> lockstep_;
};

TEST_F(LockstepMotionTest, TheHandGetsThereInPhysicsAndNoPieceIsRefused) {
  for (const auto& corner : {std::array{0.3, 0.2, 0.0}, std::array{0.4, 0.45, 0.25}}) {
    const Reply reply = carry_out(hand_goal("left", corner));
    ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
    EXPECT_LT(reply.position_error, 0.002);
  }
  EXPECT_EQ(lockstep_->controller().output().safety.refusals, 0U);
}

TEST_F(LockstepMotionTest, AnObjectThatIsAddedReachesTheGuard) {
  Request table{.verb = RequestVerb::AddObject};
  set_text(table.text, "{name: table, box: [1, 3, 0.05], at: [0.7, 0, 0.9]}");
  ASSERT_EQ(carry_out(table).status, ReplyStatus::Done);
  ASSERT_NE(lockstep_->shown_world(), nullptr);
  EXPECT_EQ(lockstep_->shown_world()->obstacles.size(), 1U);
  const Reply reply = carry_out(hand_goal("left", {0.4, 0.3, -0.32}));
  EXPECT_EQ(reply.status, ReplyStatus::Blocked) << text_of(reply.reason);
}

TEST_F(LockstepMotionTest, TheSameRequestsGiveTheSameBits) {
  const auto run = [this] {
    make();
    std::uint64_t hash = kHashStart;
    const std::array goals{std::array{0.3, 0.2, 0.0}, std::array{0.4, 0.45, 0.25},
                           std::array{0.4, -0.05, 0.25}};
    for (int i = 0; i < 10'000; ++i) {
      if (i % 2500 == 0) lockstep_->ask(hand_goal("left", goals[i / 2500 % 3]));
      const JointCommand command = lockstep_->step().command;
      hash = fnv1a({reinterpret_cast<const char*>(&command), sizeof command}, hash);
    }
    for (const Reply& reply : lockstep_->replies())
      hash = fnv1a({reinterpret_cast<const char*>(&reply), sizeof reply}, hash);
    EXPECT_GT(lockstep_->replies().size(), 6U);
    return fnv1a(std::to_string(lockstep_->simulation().state_hash()), hash);
  };
  const std::uint64_t first = run();
  EXPECT_EQ(run(), first);
}

}  // namespace
}  // namespace sinew
