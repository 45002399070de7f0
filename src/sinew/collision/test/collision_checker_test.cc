// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "sinew/collision/test/draws.h"

namespace sinew {
namespace {

using draws::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RobotShapes shapes_of(const RobotModel& model, double margin = 0.0) {
  auto shapes = RobotShapes::make(model, {.margin = margin});
  SINEW_ASSERT(shapes.has_value());
  return std::move(*shapes);
}

// every pair tried by hand, with no short cuts
double brute_distance(const RobotShapes& shapes, const Obstacles& world, std::span<const double> q) {
  std::vector<Placement> X_WL(shapes.tree().link_count());
  shapes.tree().link_frames(q, X_WL);
  double nearest = kInfinity;
  const auto frame_of = [&](const Obstacle& object) {
    const Placement X_LO(object.X_LO);
    return object.link == kNone ? X_LO : X_WL[object.link] * X_LO;
  };
  for (const Body& a : shapes.bodies()) {
    const Placement X_WA = X_WL[a.link] * a.X_LS;
    for (const Body& b : shapes.bodies()) {
      if (&b <= &a || !shapes.may_collide(a.link, b.link)) continue;
      nearest = std::min(nearest, separation(a.solid, X_WA, b.solid, X_WL[b.link] * b.X_LS).distance);
    }
    for (const Obstacle& object : world.objects()) {
      if (object.link == a.link || object.may_touch[a.link]) continue;
      nearest = std::min(nearest, separation(a.solid, X_WA, object.solid, frame_of(object)).distance);
    }
  }
  for (const Obstacle& a : world.objects()) {
    for (const Obstacle& b : world.objects()) {
      if (&b <= &a || a.link == b.link) continue;
      nearest = std::min(nearest, separation(a.solid, frame_of(a), b.solid, frame_of(b)).distance);
    }
  }
  return nearest;
}

class CollisionCheckerTest : public testing::TestWithParam<const char*> {
 protected:
  RobotModel model_ = draws::robot(GetParam());
  RobotShapes shapes_ = shapes_of(model_);
  CollisionChecker checker_{shapes_};
  Random random_{7};
};

INSTANTIATE_TEST_SUITE_P(Robots, CollisionCheckerTest,
                         testing::Values("panda", "mds", "scorbot-er3", "yarc-mobile"),
                         [](const auto& robot) {
                           std::string name = robot.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(CollisionCheckerTest, AgreesWithEveryPairTriedByHand) {
  int clear = 0;
  int lanes_clear = 0;
  for (int scene = 0; scene < 20; ++scene) {
    Obstacles world = draws::world(random_, 1 + random_.below(20), scene % 2 == 1);
    if (scene % 4 == 3) {
      ASSERT_TRUE(world.attach("object 0", model_.links.size() - 1, draws::pose(random_, 0.1)));
    }
    checker_.set_world(world);
    std::vector<float> lanes(model_.positions.size() * 8);
    unsigned expected = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      std::vector<double> q = draws::configuration(random_, model_);
      for (std::size_t i = 0; i < q.size(); ++i) {
        lanes[i * 8 + lane] = static_cast<float>(q[i]);
        q[i] = static_cast<double>(lanes[i * 8 + lane]);
      }
      const double truth = brute_distance(shapes_, world, q);
      const CheckResult nearest = checker_.nearest(q);
      ASSERT_NEAR(nearest.contact.distance, truth, 2.0 * kDistanceError);
      ASSERT_EQ(checker_.is_clear(q), truth > 0.0);
      ASSERT_EQ(nearest.verdict == Verdict::Clear, truth > 0.0);
      if (truth > 0.0) expected |= 1U << lane;
      clear += truth > 0.0 ? 1 : 0;
    }
    ASSERT_EQ(unsigned{checker_.clear_lanes(lanes)}, expected);
    lanes_clear += __builtin_popcount(expected);
  }
  EXPECT_EQ(clear, lanes_clear);
}

// what dense sampling finds too near, the sweep refuses; and it refuses little else
TEST_P(CollisionCheckerTest, SweepMissesNothing) {
  int hits = 0;
  int needless = 0;
  int clear = 0;
  constexpr double kTolerance = 2e-3;
  for (int i = 0; i < 150; ++i) {
    if (i % 10 == 0) checker_.set_world(draws::world(random_, 10));
    const std::vector<double> q0 = draws::configuration(random_, model_);
    std::vector<double> q1 = draws::configuration(random_, model_);
    for (std::size_t k = 0; k < q1.size(); ++k) q1[k] = q0[k] + 0.15 * (q1[k] - q0[k]);
    double least = kInfinity;
    std::vector<double> q(q0.size());
    for (int step = 0; step <= 60; ++step) {
      for (std::size_t k = 0; k < q.size(); ++k) q[k] = q0[k] + step / 60.0 * (q1[k] - q0[k]);
      least = std::min(least, checker_.nearest(q).contact.distance);
      if (least <= 0.0) break;
    }
    const CheckResult swept = checker_.sweep(q0, q1, {.tolerance = kTolerance});
    if (least <= 0.0) {
      ++hits;
      ASSERT_EQ(swept.verdict, Verdict::TooNear) << i;
    } else if (swept.verdict == Verdict::TooNear) {
      // nearer than the tolerance somewhere between the samples
      ASSERT_LE(swept.contact.distance, 2.0 * kTolerance);
      ++needless;
    } else {
      ++clear;
    }
  }
  EXPECT_GT(hits, 5);
  EXPECT_LE(needless, 8);
  if (std::string(GetParam()) == "panda") {
    EXPECT_GT(clear, 10);
  }
}

TEST_P(CollisionCheckerTest, TravelBoundHolds) {
  const LinkTree& tree = shapes_.tree();
  std::vector<LinkMotion> motions(tree.link_count());
  std::vector<Placement> before(tree.link_count());
  std::vector<Placement> after(tree.link_count());
  for (int i = 0; i < 300; ++i) {
    const std::vector<double> q0 = draws::configuration(random_, model_);
    const std::vector<double> q1 = draws::configuration(random_, model_);
    std::vector<double> q = q0;
    for (std::size_t k = 0; k < q.size(); ++k) q[k] += random_.uniform(0.0, 1.0) * (q1[k] - q0[k]);
    tree.link_motions(q0, q1, {}, motions);
    tree.link_frames(q0, before);
    tree.link_frames(q, after);
    const std::size_t link = random_.below(tree.link_count());
    const std::size_t other = random_.below(tree.link_count());
    const std::size_t common = tree.common_ancestor(link, other);
    const Vector3 point = draws::vector(random_, 0.3);
    const auto seen = [&](const std::vector<Placement>& X) -> Vector3 {
      return X[common].R.transpose() * (X[link] * point - X[common].p);
    };
    ASSERT_LE((seen(after) - seen(before)).norm(),
              tree.travel_bound(link, common, point.norm(), motions).way + 1e-9);
  }
}

TEST(CollisionCheckerOneTest, RefusesWhatIsNoNumber) {
  const RobotModel model = draws::robot("panda");
  const RobotShapes shapes = shapes_of(model);
  CollisionChecker checker(shapes);
  std::vector<double> q(7, 0.0);
  const std::vector<double> good(7, 0.1);
  q[3] = std::nan("");
  EXPECT_EQ(checker.check(q).verdict, Verdict::InvalidInput);
  EXPECT_EQ(checker.nearest(q).verdict, Verdict::InvalidInput);
  EXPECT_EQ(checker.sweep(good, q).verdict, Verdict::InvalidInput);
  EXPECT_EQ(checker.sweep(q, good).verdict, Verdict::InvalidInput);
  EXPECT_EQ(checker.sweep(good, good, {.slack = q}).verdict, Verdict::InvalidInput);
  EXPECT_EQ(checker.check(std::vector<double>(6, 0.0)).verdict, Verdict::InvalidInput);
  std::vector<float> lanes(56, 0.1F);
  lanes[3 * 8 + 2] = std::nanf("");
  EXPECT_EQ(checker.clear_lanes(lanes) >> 2 & 1, 0);
}

}  // namespace
}  // namespace sinew
