// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/way_watch.h"

#include <gtest/gtest.h>

#include "sinew/base/test/allocation_count.h"
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
  void sample(double begin, double end, std::uint64_t mask, const WaySample& part) const noexcept override {
    const double half = 0.5 * rate * (end - begin);
    for (std::size_t i = 0; i < centre.size(); ++i) {
      if ((mask >> i & 1) == 0) continue;
      const double middle = phase[i] + 0.5 * rate * (begin + end);
      part.middle[i] = centre[i] + swing[i] * std::sin(middle);
      part.spread[i] = std::abs(swing[i]) * half;
      // sin(middle + half · u), and what its third derivative adds between where both agree
      part.courses[i] = {.chord = swing[i] * std::cos(middle) * std::sin(half),
                         .bow = swing[i] * std::sin(middle) * (std::cos(half) - 1.0),
                         .rest = std::abs(swing[i]) * std::pow(half, 3) * std::sqrt(3.0) / 27.0};
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
  void sample(double begin, double end, std::uint64_t /*mask*/,
              const WaySample& part) const noexcept override {
    place(0.5 * (begin + end), part.middle);
    for (std::size_t i = 0; i < from.size(); ++i) {
      part.courses[i] = {.chord = 0.5 * (end - begin) * (to[i] - from[i])};
      part.spread[i] = std::abs(part.courses[i].chord);
    }
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

// the way out of a conflict leads no deeper into it
TEST_P(WayWatchTest, WhoIsTooNearComesNoNearer) {
  CollisionChecker checker(shapes_);
  std::vector<double> begin(model_.positions.size());
  const std::vector<double> anywhere(begin.size(), 0.0);
  int left = 0;
  int refused = 0;
  for (int scene = 0; scene < 3000; ++scene) {
    const Obstacles world = draws::world(random_, 20, scene % 2 == 1);
    checker.set_world(world);
    const SwingingWay way = draw_way(random_.below(2) == 0 ? 0.3 : 0.03);
    way.place(0.0, begin);
    const Contact contact = checker.nearest(begin).contact;
    const double spare_before = contact.distance - contact.margin;
    if (spare_before > 0.0 || contact.distance < 1e-3) continue;
    WayWatch watch(shapes_);
    watch.set_world(world);
    if (watch.check(way, anywhere).verdict != Verdict::Clear) {
      ++refused;
      continue;
    }
    // on a part, by twice what two may come nearer there unseen
    EXPECT_GT(spare_on(way, checker), spare_before - 0.5 * WayWatch::kTolerance - 1e-5) << scene;
    ++left;
  }
  EXPECT_GT(left, 10);
  EXPECT_GT(refused, 20);
}

// joints take turns at moving: two that rest against each other are left alone, but no longer than they rest
TEST_P(WayWatchTest, WhoRestedIsLookedAtOnceTheyMove) {
  CollisionChecker checker(shapes_);
  int clear = 0;
  int refused = 0;
  std::size_t looks = 0;
  std::size_t looks_again = 0;
  for (int scene = 0; scene < 30; ++scene) {
    const Obstacles world = draws::world(random_, 20, true);
    checker.set_world(world);
    WayWatch watch(shapes_);
    watch.set_world(world);
    SwingingWay way = draw_way(0.0);
    way.phase.assign(way.phase.size(), 0.0);
    SwingingWay last = way;  // that was clear
    const std::vector<double> still(way.centre.size(), 0.0);
    std::vector<double> drift = still;
    std::vector<double> begin(still.size());
    for (int turn = 0; turn < 60; ++turn) {
      const std::size_t joint = random_.below(still.size());
      if (turn % 6 == 0) way.swing = still;
      if (turn % 6 == 0) way.swing[joint] = random_.uniform(-0.6, 0.6);
      for (std::size_t i = 0; i < drift.size(); ++i) {
        const bool swings_alike = way.swing[i] == last.swing[i];
        drift[i] = std::abs(way.centre[i] - last.centre[i]) +
                   (swings_alike ? 0.0 : std::abs(way.swing[i]) + std::abs(last.swing[i]));
      }
      const bool is_clear = watch.check(way, drift).verdict == Verdict::Clear;
      looks += watch.looks();
      way.place(0.0, begin);
      if (is_clear && checker.check(begin).verdict == Verdict::Clear) {
        ASSERT_GT(spare_on(way, checker), -1e-5) << scene << " " << turn;
      }
      (is_clear ? clear : refused) += 1;
      if (!is_clear) continue;
      // the same way once more tells nothing new
      ASSERT_EQ(watch.check(way, still).verdict, Verdict::Clear);
      looks_again += watch.looks();
      last = way;
      for (std::size_t i = 0; i < drift.size(); ++i)
        way.centre[i] += random_.uniform(0.0, 0.1) * way.swing[i];
    }
  }
  EXPECT_GT(clear, 100);
  EXPECT_GT(refused, 20);
  EXPECT_LT(20 * looks_again, looks) << "who rests is looked at all the same";
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

/// A ball on a rail, past a post beside it.
class PassingTest : public testing::Test {
 protected:
  PassingTest() {
    model_.links = {
        {.name = "rail", .child_joints = {0}},
        {.name = "ball", .parent_joint = 0, .collisions = {{.kind = ShapeKind::Sphere, .radius = 0.05}}}};
    model_.joints = {{.name = "slide", .kind = JointKind::Prismatic, .parent_link = 0, .child_link = 1}};
    model_.joints[0].position = 0;
    model_.positions = {0};
    Obstacle post{.solid = make_sphere(0.05)};
    set_text(post.name, "post");
    post.X_LO.position.y() = 0.105;
    SINEW_ASSERT(world_.add(post).has_value());
  }
  Verdict on_the_way(double from, double to) {
    const RobotShapes shapes = *RobotShapes::make(model_, {.margin = kMargin});
    WayWatch watch(shapes);
    watch.set_world(world_);
    StraightWay way;
    way.from = {from};
    way.to = {to};
    return watch.check(way, std::vector<double>{0.0}).verdict;
  }
  RobotModel model_;
  Obstacles world_;
};

// where it is nearest, nothing leads nearer: only the way there tells
TEST_F(PassingTest, WhoIsTooNearPassesNotByWhatIsNearerStill) {
  EXPECT_EQ(on_the_way(-0.06, 0.06), Verdict::TooNear);
  EXPECT_EQ(on_the_way(-0.03, 0.031), Verdict::TooNear);
  EXPECT_EQ(on_the_way(-0.03, -0.06), Verdict::Clear);
  EXPECT_EQ(on_the_way(0.0, 0.06), Verdict::Clear);
}

}  // namespace
}  // namespace sinew
