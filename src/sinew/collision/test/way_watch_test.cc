// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/way_watch.h"

#include <gtest/gtest.h>

#include "sinew/base/test/allocation_count.h"
#include "sinew/collision/levers.h"
#include "sinew/collision/test/draws.h"

namespace sinew {
namespace {

using draws::Random;

constexpr double kMargin = 0.01;

/// Every joint swings: q = centre + swing · sin(phase + rate · t).
class SwingingWay final : public RobotWay {
 public:
  std::vector<double> centre, swing, phase;
  double rate = 2.0;

  double duration() const noexcept override { return 0.5; }
  void place(double time, std::span<double> q) const noexcept override {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = centre[i] + swing[i] * std::sin(phase[i] + rate * time);
  }
  void sample(double begin, double end, std::uint64_t mask, std::span<double> q,
              std::span<double> spread) const noexcept override {
    const double middle = 0.5 * (begin + end);
    for (std::size_t i = 0; i < q.size(); ++i) {
      if ((mask >> i & 1) == 0) continue;
      q[i] = centre[i] + swing[i] * std::sin(phase[i] + rate * middle);
      spread[i] = std::abs(swing[i]) * rate * 0.5 * (end - begin);
    }
  }
};

/// Straight from one configuration to another.
class StraightWay final : public RobotWay {
 public:
  std::vector<double> from, to;

  double duration() const noexcept override { return 1.0; }
  void place(double time, std::span<double> q) const noexcept override {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = from[i] + time * (to[i] - from[i]);
  }
  void sample(double begin, double end, std::uint64_t /*mask*/, std::span<double> q,
              std::span<double> spread) const noexcept override {
    place(0.5 * (begin + end), q);
    for (std::size_t i = 0; i < q.size(); ++i) spread[i] = 0.5 * (end - begin) * std::abs(to[i] - from[i]);
  }
};

class WayWatchTest : public testing::TestWithParam<const char*> {
 protected:
  SwingingWay draw_way(double size) {
    SwingingWay way;
    way.centre = draws::configuration(random_, model_);
    for (std::size_t i = 0; i < way.centre.size(); ++i) {
      way.swing.push_back(random_.below(3) == 0 ? 0.0 : random_.uniform(-size, size));
      way.phase.push_back(random_.uniform(-3.0, 3.0));
    }
    return way;
  }

  // how much more than its margin the nearest pair keeps, on many configurations of the way
  double spare_on(const RobotWay& way, CollisionChecker& checker) {
    std::vector<double> q(model_.positions.size());
    double least = 1e9;
    for (int i = 0; i <= 200; ++i) {
      way.place(way.duration() * i / 200.0, q);
      const Contact contact = checker.nearest(q).contact;
      least = std::min(least, contact.distance - contact.margin);
    }
    return least;
  }

  RobotModel model_ = draws::robot(GetParam());
  RobotShapes shapes_ = *RobotShapes::make(model_, {.margin = kMargin});
  Random random_{3};
};

INSTANTIATE_TEST_SUITE_P(Robots, WayWatchTest, testing::Values("panda", "mds", "yarc-mobile"),
                         [](const auto& robot) {
                           std::string name = robot.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// what is nearer than its margin is found, what keeps more than the tolerance is let pass
TEST_P(WayWatchTest, FindsWhatComesTooNearAndNothingElse) {
  CollisionChecker checker(shapes_);
  const std::vector<double> anywhere(model_.positions.size(), 0.0);
  int clear = 0;
  int refused = 0;
  for (int scene = 0; scene < 250; ++scene) {
    const Obstacles world = draws::world(random_, 4 + random_.below(16), scene % 2 == 1);
    checker.set_world(world);
    WayWatch watch(shapes_);
    watch.set_world(world);
    const SwingingWay way = draw_way(0.7);
    std::vector<double> begin(model_.positions.size());
    way.place(0.0, begin);
    // who is too near at the begin may leave: another question
    if (checker.check(begin).verdict != Verdict::Clear) continue;
    const double spare = spare_on(way, checker);
    const CheckResult result = watch.check(way, anywhere);
    if (spare < -1e-5) {
      EXPECT_EQ(result.verdict, Verdict::TooNear) << scene << ": " << spare;
    }
    if (result.verdict == Verdict::Clear) {
      EXPECT_GT(spare, -1e-5) << scene;
      ++clear;
      continue;
    }
    // between the samples above it may come a little nearer than they show
    EXPECT_LT(spare, 3.0 * WayWatch::kTolerance) << scene;
    EXPECT_LT(result.contact.distance, result.contact.margin + 1.1 * WayWatch::kTolerance);
    ++refused;
  }
  EXPECT_GT(clear, 5);
  EXPECT_GT(refused, 5);
}

// a way that changes from look to look, with the memory of the looks before: never says clear wrongly
TEST_P(WayWatchTest, RemembersNothingThatIsNoLongerTrue) {
  CollisionChecker checker(shapes_);
  int clear = 0;
  int refused = 0;
  std::size_t looks = 0;
  std::size_t fresh_looks = 0;
  for (int scene = 0; scene < 4; ++scene) {
    const Obstacles world = draws::world(random_, 20, true);
    checker.set_world(world);
    WayWatch watch(shapes_);
    watch.set_world(world);
    WayWatch fresh(shapes_);
    fresh.set_world(world);
    SwingingWay way = draw_way(0.15);
    std::vector<double> begin(way.centre.size());
    std::vector<double> trend;
    for (std::size_t i = 0; i < way.centre.size(); ++i) trend.push_back(random_.uniform(-0.003, 0.003));
    std::vector<double> drift(way.centre.size(), 0.0);
    for (int turn = 0; turn < 250; ++turn) {
      const CheckResult result = watch.check(way, drift);
      looks += watch.looks();
      const bool is_clear = result.verdict == Verdict::Clear;
      if (turn % 5 == 0) {
        fresh.forget();
        static_cast<void>(fresh.check(way, drift));
        fresh_looks += 5 * fresh.looks();
      }
      way.place(0.0, begin);
      // who is too near at the begin may leave
      if (is_clear && turn % 5 == 0 && checker.check(begin).verdict == Verdict::Clear) {
        ASSERT_GT(spare_on(way, checker), -1e-5) << scene << " " << turn;
      }
      (is_clear ? clear : refused) += 1;
      // where the way is refused, the next is still told against the last that was clear
      for (std::size_t i = 0; i < drift.size(); ++i) {
        const double change = trend[i] + random_.uniform(-0.001, 0.001);
        way.centre[i] += change;
        drift[i] = (is_clear ? 0.0 : drift[i]) + std::abs(change);
      }
    }
  }
  EXPECT_GT(clear, 40);
  EXPECT_GT(refused, 20);
  EXPECT_LT(2 * looks, fresh_looks) << "remembering saves nothing";
}

// one joint after the other goes far: what moves little with a joint now may move much with it later
TEST_P(WayWatchTest, NothingComesTooNearOnLongWays) {
  constexpr double kStep = 0.01;
  CollisionChecker checker(shapes_);
  int refused = 0;
  for (int scene = 0; scene < 40; ++scene) {
    const Obstacles world = draws::world(random_, 10, true);
    checker.set_world(world);
    StraightWay way;
    way.from = scene % 2 == 0 ? draws::home(model_) : draws::configuration(random_, model_);
    if (checker.check(way.from).verdict != Verdict::Clear) continue;
    WayWatch watch(shapes_);
    watch.set_world(world);
    for (int turn = 0; turn < 40; ++turn) {
      const std::size_t joint = random_.below(way.from.size());
      const double step = random_.below(2) == 0 ? kStep : -kStep;
      std::vector<double> drift(way.from.size(), 0.0);
      drift[joint] = kStep;
      for (int i = 0; i < 80; ++i) {
        way.to = way.from;
        way.to[joint] += step;
        if (watch.check(way, drift).verdict != Verdict::Clear) {
          ++refused;
          break;
        }
        way.from = way.to;
      }
      const Contact nearest = checker.nearest(way.from).contact;
      ASSERT_GT(nearest.distance, nearest.margin - 1e-5) << scene << " " << turn;
    }
  }
  EXPECT_GT(refused, 20);
}

// what was learnt on a way that was refused must not be taken for the way before it
TEST_P(WayWatchTest, ARefusedWayLeavesNoFalseComfort) {
  int judged = 0;
  for (int scene = 0; scene < 2500; ++scene) {
    const Obstacles world = draws::world(random_, 15, true);
    WayWatch watch(shapes_);
    watch.set_world(world);
    SwingingWay way = draw_way(0.01);
    const std::vector<double> centre = way.centre;
    std::vector<double> drift(centre.size(), 0.0);
    if (watch.check(way, drift).verdict != Verdict::Clear) continue;
    std::vector<double> change;
    for (double& joint : drift) {
      change.push_back(random_.uniform(-0.2, 0.2));
      joint = std::abs(change.back());
    }
    for (std::size_t i = 0; i < centre.size(); ++i) way.centre[i] = centre[i] + change[i];
    if (watch.check(way, drift).verdict != Verdict::TooNear) continue;
    for (std::size_t i = 0; i < centre.size(); ++i) way.centre[i] = centre[i] - change[i];
    WayWatch fresh(shapes_);
    fresh.set_world(world);
    const CheckResult truth = fresh.check(way, drift);
    if (watch.check(way, drift).verdict == Verdict::Clear) {
      ASSERT_TRUE(truth.verdict == Verdict::Clear || truth.contact.distance > truth.contact.margin) << scene;
    }
    ++judged;
  }
  EXPECT_GT(judged, 15);
}

// so that what began from a saved state goes as what was saved
TEST_P(WayWatchTest, WhatHasForgottenIsAsNew) {
  const Obstacles world = draws::world(random_, 40, true);
  WayWatch watch(shapes_);
  watch.set_world(world);
  SwingingWay way = draw_way(0.1);
  std::vector<double> drift(way.centre.size(), 0.0);
  const auto move_on = [&](bool was_clear) {
    for (std::size_t i = 0; i < drift.size(); ++i) {
      const double change = random_.uniform(-0.01, 0.02);
      way.centre[i] += change;
      drift[i] = (was_clear ? 0.0 : drift[i]) + std::abs(change);
    }
  };
  for (int turn = 0; turn < 60; ++turn) move_on(watch.check(way, drift).verdict == Verdict::Clear);
  watch.forget();
  WayWatch fresh(shapes_);
  fresh.set_world(world);
  drift.assign(drift.size(), 0.0);
  for (int turn = 0; turn < 200; ++turn) {
    const CheckResult expected = fresh.check(way, drift);
    const CheckResult result = watch.check(way, drift);
    ASSERT_EQ(result.verdict, expected.verdict) << turn;
    ASSERT_EQ(result.contact.distance, expected.contact.distance) << turn;
    ASSERT_EQ(watch.looks(), fresh.looks()) << turn;
    move_on(result.verdict == Verdict::Clear);
  }
}

TEST_P(WayWatchTest, WhatMovesInTheWorldIsLookedAtAgain) {
  WayWatch watch(shapes_);
  SwingingWay way = draw_way(0.02);
  way.centre = draws::home(model_);
  const std::vector<double> nowhere(way.centre.size(), 0.0);
  Obstacle ball{.solid = make_sphere(0.05)};
  set_text(ball.name, "ball");
  ball.X_LO.position = {20.0, 0.0, 0.0};
  Obstacles world;
  ASSERT_TRUE(world.add(ball));
  watch.set_world(world);
  ASSERT_EQ(watch.check(way, nowhere).verdict, Verdict::Clear);
  std::vector<Placement> X_WL(shapes_.tree().link_count());
  shapes_.tree().link_frames(way.centre, X_WL);
  const Body& last = shapes_.bodies().back();
  const Pose at_last{.position = X_WL[last.link] * last.ball.centre};
  way.phase.assign(way.phase.size(), 0.1);
  way.swing.assign(way.swing.size(), 0.02);
  ASSERT_TRUE(world.move("ball", at_last));
  watch.set_world(world);
  // it may leave what it is inside of, but not all of the robot leaves it
  const CheckResult inside = watch.check(way, std::vector<double>(nowhere.size(), 1.0));
  WayWatch fresh(shapes_);
  fresh.set_world(world);
  EXPECT_EQ(inside.verdict, fresh.check(way, nowhere).verdict);
  EXPECT_EQ(inside.contact.distance, fresh.check(way, nowhere).contact.distance);
}

TEST_P(WayWatchTest, RefusesWhatIsNoNumberAndNeverAllocates) {
  WayWatch watch(shapes_);
  SwingingWay way = draw_way(0.2);
  const Obstacles world = draws::world(random_, 50, true, 2.0);
  const Obstacles other = draws::world(random_, 50, true, 2.0);
  const std::vector<double> drift(way.centre.size(), 0.001);
  ASSERT_GT(allocation_count, 0U) << "the counter does not count";
  const std::uint64_t before = allocation_count;
  for (int i = 0; i < 20; ++i) {
    watch.set_world(i % 2 == 0 ? world : other);
    static_cast<void>(watch.check(way, drift));
  }
  watch.forget();
  static_cast<void>(watch.check(way, drift));
  EXPECT_EQ(allocation_count, before);
  way.centre[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(watch.check(way, drift).verdict, Verdict::InvalidInput);
}

// no point of a body moves further along a direction than its bound, however its joints move within theirs
TEST_P(WayWatchTest, NothingTravelsFurtherThanItsBound) {
  using namespace collision;
  const Items items(shapes_);
  const Levers levers(items);
  LazyFrames middle(shapes_.tree());
  LazyFrames moved(shapes_.tree());
  double fullest = 0.0;
  for (int turn = 0; turn < 4000; ++turn) {
    const std::size_t i = random_.below(shapes_.bodies().size());
    const Item& item = items.items[i];
    middle.q = draws::configuration(random_, model_);
    std::vector<double> spread(middle.q.size());
    const double size = random_.below(2) == 0 ? 0.3 : 0.02;
    for (std::size_t k = 0; k < spread.size(); ++k) {
      spread[k] = random_.below(3) == 0 ? 0.0 : random_.uniform(0.0, size);
      moved.q[k] = middle.q[k] + spread[k] * (random_.below(2) == 0 ? random_.uniform(-1.0, 1.0) : 1.0);
    }
    middle.begin();
    moved.begin();
    const Vector3 n = draws::vector(random_, 1.0).normalized();
    const Vector3 point = item.ball.centre + item.ball.radius * draws::vector(random_, 1.0).normalized();
    const Vector3 way = moved.of(item.link) * point - middle.of(item.link) * point;
    const double bound = travel_along(n, item, levers.of(i), spread, middle);
    ASSERT_LE(std::abs(n.dot(way)), bound + 1e-9) << turn;
    ASSERT_LE(way.norm(), travel(levers.of(i), spread) + 1e-9) << turn;
    if (bound > 1e-4) fullest = std::max(fullest, std::abs(n.dot(way)) / bound);
  }
  EXPECT_GT(fullest, 0.7) << "the bound is far from what happens";
}

// levers fitted to where the joints are hold between any two places there
TEST_P(WayWatchTest, NothingTravelsFurtherThanItsFittedLevers) {
  using namespace collision;
  const Items items(shapes_);
  const Levers longest(items);
  Levers levers(items);
  LazyFrames middle(shapes_.tree());
  LazyFrames before(shapes_.tree());
  LazyFrames after(shapes_.tree());
  double shortest = 1.0;
  for (int turn = 0; turn < 4000; ++turn) {
    const std::size_t i = random_.below(shapes_.bodies().size());
    const Item& item = items.items[i];
    middle.q = draws::configuration(random_, model_);
    std::vector<double> within(middle.q.size());
    std::vector<double> way(middle.q.size());
    const double size = random_.below(2) == 0 ? 0.5 : 0.03;
    for (std::size_t k = 0; k < within.size(); ++k) {
      within[k] = random_.below(3) == 0 ? 0.0 : random_.uniform(0.0, size);
      before.q[k] = middle.q[k] + within[k] * random_.uniform(-1.0, 1.0);
      after.q[k] = middle.q[k] + within[k] * (random_.below(2) == 0 ? random_.uniform(-1.0, 1.0) : 1.0);
      way[k] = std::abs(after.q[k] - before.q[k]);
    }
    for (LazyFrames* frames : {&middle, &before, &after}) frames->begin();
    levers.fit(items, i, within, middle);
    const Vector3 point = item.ball.centre + item.ball.radius * draws::vector(random_, 1.0).normalized();
    const double moved = (after.of(item.link) * point - before.of(item.link) * point).norm();
    const double bound = travel(levers.of(i), way);
    ASSERT_LE(moved, bound + 1e-9) << turn;
    if (bound > 1e-4) shortest = std::min(shortest, bound / travel(longest.of(i), way));
  }
  EXPECT_LT(shortest, 0.5) << "nothing is gained";
}

}  // namespace
}  // namespace sinew
