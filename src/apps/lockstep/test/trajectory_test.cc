// SPDX-License-Identifier: BSD-3-Clause
// Trajectories that a bridge or a program gives, carried out in physics.
#include <array>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/positions.h"
#include "sinew/motion/timed_points.h"

#include "apps/lockstep/test/mds_with_motion.h"

namespace sinew {
namespace {

class TrajectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    lockstep_ = mds_with_motion();
    elbow_ = lockstep_->model().joints[find_joint(lockstep_->model(), "LEP")].position;
    begin_ = lockstep_->controller().output().command.position[elbow_];
  }

  /// The elbow there and back, over `seconds`.
  TimedPoints there_and_back(double by, double seconds) const {
    TimedPoints given{.joint_mask = std::uint64_t{1} << elbow_};
    given.points = {{.time = 0.0, .position = {begin_}},
                    {.time = 0.5 * seconds, .position = {begin_ + by}},
                    {.time = seconds, .position = {begin_}}};
    return given;
  }

  std::uint64_t ask(const TimedPoints& trajectory, RequestOrder order = RequestOrder::Now) {
    for (const TrajectoryPart& part : parts_of(trajectory, "bridge", ++trajectory_number_))
      lockstep_->put(part);
    Request request{.verb = RequestVerb::Trajectory, .number = trajectory_number_, .order = order};
    set_text(request.who, "bridge");
    return lockstep_->ask(request);
  }
  Reply wait_for(std::uint64_t number) { return answer_to(*lockstep_, number); }
  double elbow() const { return lockstep_->state().position[elbow_]; }
  std::uint64_t refusals() { return lockstep_->controller().output().safety.refusals; }

  std::unique_ptr<Lockstep> lockstep_;
  std::size_t elbow_ = 0;
  double begin_ = 0.0;
  std::uint64_t trajectory_number_ = 0;
};

TEST_F(TrajectoryTest, IsFollowedInTime) {
  TimedPoints given = there_and_back(0.4, 6.0);
  given.path_tolerance[elbow_] = 0.05;
  given.goal_tolerance[elbow_] = 0.005;
  const std::int64_t asked_ns = lockstep_->now_ns();
  const std::uint64_t number = ask(given);
  double furthest = begin_;
  while (!lockstep_->final_reply(number)) {
    lockstep_->step();
    furthest = std::max(furthest, elbow());
  }
  const Reply reply = wait_for(number);
  EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  EXPECT_NEAR(furthest, begin_ + 0.4, 0.01);
  EXPECT_NEAR(elbow(), begin_, 0.005);
  EXPECT_NEAR(seconds_from_nanoseconds(reply.stamp_ns - asked_ns), 6.0, 0.3);
  EXPECT_EQ(refusals(), 0U);
}

TEST_F(TrajectoryTest, AnElbowThatLagsStraysAndSaysByHowMuch) {
  TimedPoints given = there_and_back(0.6, 4.0);
  // no servo is as good as that
  given.path_tolerance[elbow_] = 1e-6;
  const std::uint64_t number = ask(given);
  const Reply reply = wait_for(number);
  EXPECT_EQ(reply.status, ReplyStatus::Strayed);
  const std::string words(text_of(reply.reason));
  EXPECT_TRUE(words.starts_with("joint 'LeftElbowFlex' is ")) << words;
  EXPECT_NE(words.find("the path tolerance is 1e-06"), std::string::npos) << words;
  for (int i = 0; i < 3000; ++i) lockstep_->step();
  EXPECT_FALSE(lockstep_->motion().is_busy());
  EXPECT_NEAR(lockstep_->state().velocity[elbow_], 0.0, 0.01);
  EXPECT_EQ(refusals(), 0U);
}

TEST_F(TrajectoryTest, ANewerOneTakesOverSmoothly) {
  const std::uint64_t first = ask(there_and_back(0.6, 6.0));
  for (int i = 0; i < 1500; ++i) lockstep_->step();
  TimedPoints back{.joint_mask = std::uint64_t{1} << elbow_};
  back.points = {{.time = 4.0, .position = {begin_}}};
  const std::uint64_t second = ask(back);
  EXPECT_EQ(wait_for(second).status, ReplyStatus::Done);
  const auto replaced = lockstep_->final_reply(first);
  ASSERT_TRUE(replaced);
  EXPECT_EQ(replaced->status, ReplyStatus::Aborted);
  EXPECT_EQ(text_of(replaced->reason), "replaced by request 2 of 'bridge'");
  EXPECT_NEAR(elbow(), begin_, 0.005);
  EXPECT_EQ(refusals(), 0U);
}

TEST_F(TrajectoryTest, NothingMovesWhenAnythingIsWrong) {
  const JointArray before = lockstep_->controller().output().command.position;
  EXPECT_EQ(wait_for(ask(there_and_back(0.6, 0.2))).status, ReplyStatus::Refused) << "too fast";
  EXPECT_EQ(wait_for(ask(there_and_back(9.0, 60.0))).status, ReplyStatus::Refused) << "beyond its limit";
  TimedPoints elsewhere = there_and_back(0.4, 4.0);
  elsewhere.points[0].position[0] += 0.1;
  EXPECT_EQ(wait_for(ask(elsewhere)).status, ReplyStatus::Refused) << "begins elsewhere";
  TimedPoints negative = there_and_back(0.4, 4.0);
  negative.path_tolerance[3] = -1.0;
  EXPECT_EQ(wait_for(ask(negative)).status, ReplyStatus::Refused) << "a negative tolerance";
  Request unknown{.verb = RequestVerb::Trajectory, .number = 99};
  const Reply reply = wait_for(lockstep_->ask(unknown));
  EXPECT_EQ(reply.status, ReplyStatus::Refused);
  EXPECT_TRUE(text_of(reply.reason).starts_with("there is no trajectory 99 of ''")) << text_of(reply.reason);
  EXPECT_EQ(lockstep_->controller().output().command.position, before);
}

TEST_F(TrajectoryTest, SomethingInItsWayBlocksAllOfIt) {
  const TimedPoints given = there_and_back(0.6, 6.0);
  const std::uint64_t first = ask(given);
  Vector3 far_end = Vector3::Zero();
  const std::size_t palm = find_link(lockstep_->model(), "left_palm");
  double furthest = begin_;
  while (!lockstep_->final_reply(first)) {
    lockstep_->step();
    if (elbow() > furthest) far_end = lockstep_->simulation().X_WL(0, palm).position;
    furthest = std::max(furthest, elbow());
  }
  ASSERT_EQ(wait_for(first).status, ReplyStatus::Done);
  Request wall{.verb = RequestVerb::AddObject};
  set_text(wall.text, fmt::format("{{name: wall, box: [0.05, 0.05, 0.05], at: [{}, {}, {}]}}", far_end.x(),
                                  far_end.y(), far_end.z()));
  const auto added = wait_for(lockstep_->ask(wall));
  ASSERT_EQ(added.status, ReplyStatus::Done) << text_of(added.reason);
  const JointArray before = lockstep_->controller().output().command.position;
  const Reply reply = wait_for(ask(given));
  EXPECT_EQ(reply.status, ReplyStatus::Blocked) << text_of(reply.reason);
  EXPECT_NE(text_of(reply.reason).find("wall"), std::string_view::npos) << text_of(reply.reason);
  EXPECT_EQ(lockstep_->controller().output().command.position, before);
}

}  // namespace
}  // namespace sinew
