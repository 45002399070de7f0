// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/timed_points.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/motion/route_finder.h"
#include "sinew/motion/straight_way.h"
#include "sinew/motion/trajectory_store.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

class TimedPointsTest : public testing::Test {
 protected:
  static const RobotModel& model() {
    static const LoadedRobot robot = load_robot("mds").value();
    return robot.model;
  }
  void SetUp() override {
    q_ = starting_positions(model());
    mask_ = arm_mask(model(), model().arms[find_arm(model(), "left")]) & enabled_mask(model());
  }

  /// A walk about the beginning, slow enough for the limits.
  TimedPoints draw(std::mt19937_64& random, std::size_t count, bool from_begin) const {
    TimedPoints given{.joint_mask = mask_};
    TimedPoint point;
    for (std::size_t i = 0; i < q_.size(); ++i)
      if ((mask_ >> i & 1) != 0) point.position.push_back(q_[i]);
    const std::vector<double> begin = point.position;
    if (from_begin) given.points.push_back(point);
    for (std::size_t k = 0; k < count; ++k) {
      point.time += 2.0;
      for (std::size_t j = 0; j < begin.size(); ++j)
        point.position[j] = begin[j] + std::uniform_real_distribution<double>(-0.1, 0.1)(random);
      given.points.push_back(point);
    }
    return given;
  }
  std::string refusal(const TimedPoints& points) const {
    const auto made = trajectory_through(points, model(), q_);
    EXPECT_FALSE(made);
    return made ? "" : made.error().message;
  }

  Posture q_;
  std::uint64_t mask_ = 0;
};

TEST_F(TimedPointsTest, GoesThroughAllPointsInTimeAndTurnsNowhereElse) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    const TimedPoints given = draw(random, 1 + random() % 10, random() % 2 == 0);
    const auto trajectory = trajectory_through(given, model(), q_);
    ASSERT_TRUE(trajectory) << trajectory.error().message;
    EXPECT_TRUE(check_trajectory(*trajectory, limits_of(model(), mask_)));
    EXPECT_NEAR(trajectory->length(), given.points.back().time, 1e-9);
    for (const TimedPoint& point : given.points)
      for (std::size_t j = 0; j < point.position.size(); ++j)
        ASSERT_NEAR(trajectory->at(j, point.time).value, point.position[j], 1e-9);
    // within the span of its points, but for what the accelerations carry it
    for (double t = 0.0; t < trajectory->length(); t += 0.05)
      for (std::size_t j = 0; j < trajectory->joint_count(); ++j)
        ASSERT_LT(std::abs(trajectory->at(j, t).value - trajectory->at(j, 0.0).value), 0.12);
  }
}

TEST_F(TimedPointsTest, KeepsVelocitiesAndAccelerationsThatAreGiven) {
  std::mt19937_64 random(2);
  TimedPoints given = draw(random, 3, false);
  given.content = kHasVelocities | kHasAccelerations;
  for (TimedPoint& point : given.points) {
    point.velocity.assign(point.position.size(), 0.0);
    point.acceleration.assign(point.position.size(), 0.0);
  }
  given.points[0].velocity[1] = 0.05;
  given.points[1].acceleration[2] = -0.04;
  const auto trajectory = trajectory_through(given, model(), q_);
  ASSERT_TRUE(trajectory) << trajectory.error().message;
  EXPECT_NEAR(trajectory->at(1, 2.0).first, 0.05, 1e-9);
  EXPECT_NEAR(trajectory->at(2, 4.0).second, -0.04, 1e-9);
}

TEST_F(TimedPointsTest, SaysWhatIsWrong) {
  std::mt19937_64 random(3);
  const TimedPoints good = draw(random, 3, true);
  TimedPoints bad = good;
  bad.points.clear();
  EXPECT_EQ(refusal(bad), "the trajectory has no points");
  bad = good;
  bad.points.resize(1);
  EXPECT_EQ(refusal(bad), "the trajectory has one point only, at its begin: nothing to do");
  bad = good;
  bad.points[2].time = bad.points[1].time;
  EXPECT_EQ(refusal(bad), "point 2 is at 2 s: times grow, by 0.0001 s at least, up to a day");
  bad = good;
  bad.points[2].time = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(refusal(bad).starts_with("point 2 is at nan s"));
  bad = good;
  bad.points[1].position[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(bad), "point 1 holds what is no finite number");
  bad = good;
  bad.points[1].position.pop_back();
  EXPECT_EQ(refusal(bad), "point 1 does not have a number for each joint");
  bad = good;
  bad.points[0].position[0] += 0.02;
  EXPECT_NE(refusal(bad).find("it begins with joint"), std::string::npos);
  bad = good;
  bad.content = kHasVelocities;
  for (TimedPoint& point : bad.points) point.velocity.assign(point.position.size(), 0.0);
  bad.points.back().velocity[0] = 0.1;
  EXPECT_NE(refusal(bad).find("it must end at rest"), std::string::npos);
  bad = good;
  for (std::size_t k = 0; k < bad.points.size(); ++k) bad.points[k].time *= 0.05;
  EXPECT_NE(refusal(bad).find("joint"), std::string::npos) << refusal(bad);
}

TEST_F(TimedPointsTest, ComesInPartsInAnyOrder) {
  std::mt19937_64 random(4);
  const TimedPoints given = draw(random, 300, true);
  std::vector<TrajectoryPart> parts = parts_of(given, "ann", 7);
  ASSERT_GT(parts.size(), 3U);
  std::ranges::shuffle(parts, random);
  TrajectoryStore store;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    EXPECT_FALSE(store.find("ann", 7)) << k;
    store.take(parts[k]);
  }
  const auto found = store.find("ann", 7);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->points.size(), given.points.size());
  for (std::size_t k = 0; k < given.points.size(); ++k) {
    EXPECT_EQ(found->points[k].time, given.points[k].time);
    EXPECT_EQ(found->points[k].position, given.points[k].position);
  }
  EXPECT_FALSE(store.find("bob", 7));
  EXPECT_FALSE(store.find("ann", 8));
}

TEST_F(TimedPointsTest, PartsThatCannotBeSpoilTheirTrajectoryOnly) {
  std::mt19937_64 random(5);
  const TrajectoryPart good = parts_of(draw(random, 3, true), "ann", 1).front();
  TrajectoryStore store;
  const auto refusal_of = [&](TrajectoryPart part, std::uint64_t number) {
    part.number = number;
    store.take(part);
    const auto found = store.find("ann", number);
    return found ? std::string() : found.error().message;
  };
  TrajectoryPart bad = good;
  bad.count = 1000;
  EXPECT_NE(refusal_of(bad, 2).find("a part says that it holds 1000 points"), std::string::npos);
  bad = good;
  bad.first = 0xffffffff;
  EXPECT_NE(refusal_of(bad, 3).find("a part holds points"), std::string::npos);
  bad = good;
  bad.total = 0;
  EXPECT_NE(refusal_of(bad, 4).find("it has 0 points"), std::string::npos);
  bad = good;
  bad.joint_mask = 0;
  EXPECT_NE(refusal_of(bad, 5).find("names no joint"), std::string::npos);
  bad = good;
  bad.content = 7;
  EXPECT_NE(refusal_of(bad, 6).find("content 7"), std::string::npos);
  EXPECT_EQ(refusal_of(good, 7), "");
  // random bytes do no harm
  for (int i = 0; i < 2000; ++i) {
    TrajectoryPart noise = good;
    auto* bytes = reinterpret_cast<unsigned char*>(&noise);
    for (int k = 0; k < 8; ++k) bytes[8 + random() % 40] = static_cast<unsigned char>(random());
    store.take(noise);
    static_cast<void>(store.find("ann", noise.number));
  }
}

}  // namespace
}  // namespace sinew
