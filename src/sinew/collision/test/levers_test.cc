// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/levers.h"

#include <gtest/gtest.h>

#include "sinew/collision/test/draws.h"

namespace sinew {
namespace {

using draws::Random;

/// Two items of a robot on a part of a way, and the joints that move them against each other.
class PartOfTwo {
 public:
  PartOfTwo(const RobotShapes& shapes, Random& random)
      : shapes_(shapes),
        random_(random),
        items_(shapes),
        levers_(items_),
        count_(shapes.model().positions.size()) {}

  // what joints do is all there, or only some of it, so that no bound hides behind another
  void draw() {
    middle_.q = draws::configuration(random_, shapes_.model());
    const double size = random_.below(2) == 0 ? 0.3 : 0.02;
    const std::size_t kinds = 1 + random_.below(7);
    for (std::size_t k = 0; k < count_; ++k) {
      const auto some = [&](std::size_t kind) {
        return (kinds >> kind & 1) == 0 || random_.below(3) == 0 ? 0.0 : random_.uniform(-size, size);
      };
      courses_[k] = {.chord = some(0), .bow = some(1), .rest = std::abs(some(2))};
      spread_[k] = std::abs(courses_[k].chord) + std::abs(courses_[k].bow) + courses_[k].rest;
      stray_[k] = courses_[k].rest * (random_.below(2) == 0 ? 1.0 : -1.0);
    }
    middle_.begin();
    draw_items();
  }

  // from a point of a to a point of b at `u`, seen from the last link that carries both
  Vector3 apart(double u) {
    for (std::size_t k = 0; k < count_; ++k)
      moved_.q[k] =
          middle_.q[k] + courses_[k].chord * u + courses_[k].bow * u * u + (u == 0.0 ? 0.0 : stray_[k]);
    moved_.begin();
    const Matrix3 back = middle_.of(carrier_).R * moved_.of(carrier_).R.transpose();
    return back * (moved_.of(b().link) * point_b_ - moved_.of(a().link) * point_a_);
  }

  double bound(const Vector3& n) {
    using namespace collision;
    const std::size_t depth = shapes_.tree().depth(carrier_);
    const WaySample part{.middle = middle_.q, .spread = spread_, .courses = courses_};
    return approach(n, a(), course_of(a(), levers_.below(a_, depth), part, middle_), b(),
                    course_of(b(), levers_.below(b_, depth), part, middle_));
  }

 private:
  void draw_items() {
    const LinkTree& tree = shapes_.tree();
    a_ = random_.below(shapes_.bodies().size());
    b_ = random_.below(shapes_.bodies().size());
    carrier_ = tree.common_ancestor(a().link, b().link);
    std::vector<double> furthest(count_);
    for (std::size_t k = 0; k < count_; ++k) furthest[k] = std::abs(middle_.q[k]) + spread_[k];
    static_cast<void>(levers_.widen(furthest));
    for (const std::size_t item : {a_, b_}) {
      levers_.set(items_, item);
      levers_.fit(items_, item, spread_, middle_);
    }
    point_a_ = point_of(a());
    point_b_ = point_of(b());
  }
  Vector3 point_of(const collision::Item& item) {
    return item.ball.centre + item.ball.radius * draws::vector(random_, 1.0).normalized();
  }
  const collision::Item& a() const { return items_.items[a_]; }
  const collision::Item& b() const { return items_.items[b_]; }

  const RobotShapes& shapes_;
  Random& random_;
  collision::Items items_;
  collision::Levers levers_;
  std::size_t count_;
  collision::LazyFrames middle_{shapes_.tree()};
  collision::LazyFrames moved_{shapes_.tree()};
  std::vector<Course> courses_ = std::vector<Course>(count_);
  std::vector<double> spread_ = std::vector<double>(count_);
  std::vector<double> stray_ = std::vector<double>(count_);
  std::size_t a_ = 0;
  std::size_t b_ = 0;
  std::size_t carrier_ = 0;
  Vector3 point_a_;
  Vector3 point_b_;
};

class LeversTest : public testing::TestWithParam<const char*> {
 protected:
  RobotModel model_ = draws::robot(GetParam());
  RobotShapes shapes_ = *RobotShapes::make(model_, {});
  Random random_{3};
};

INSTANTIATE_TEST_SUITE_P(Robots, LeversTest, testing::Values("panda", "mds", "yarc-mobile"),
                         [](const auto& robot) {
                           std::string name = robot.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// no two points come nearer across a gap than their bound, at any time of a part of a way; answers how much
// of the bound that is, at most
double fullest_approach(const RobotShapes& shapes, Random& random, int turns) {
  PartOfTwo part(shapes, random);
  double fullest = 0.0;
  for (int turn = 0; turn < turns; ++turn) {
    part.draw();
    const Vector3 before = part.apart(0.0);
    const Vector3 first = part.apart(-1.0) - before;
    const Vector3 last = part.apart(1.0) - before;
    // any direction; that of the begin; or one in which begin and end cancel what is linear
    const std::size_t kind = random.below(3);
    const Vector3 along = kind == 0 ? draws::vector(random, 1.0) : kind == 1 ? first : Vector3(first + last);
    if (along.norm() < 1e-9) continue;
    const Vector3 n = -along.normalized();
    const double bound = part.bound(n);
    double nearer = 0.0;
    for (int i = -8; i <= 8; ++i) nearer = std::max(nearer, n.dot(before - part.apart(i / 8.0)));
    EXPECT_LE(nearer, bound + 1e-9) << turn;
    if (bound > 1e-4) fullest = std::max(fullest, nearer / bound);
  }
  return fullest;
}

TEST_P(LeversTest, NothingComesNearerThanItsBound) {
  EXPECT_GT(fullest_approach(shapes_, random_, 6000), 0.7) << "the bound is far from what happens";
}

// joints that turn and slide, some led by others, either way and further than those
RobotModel draw_robot(Random& random) {
  RobotModel model{.links = {{.name = "root"}}};
  const std::size_t count = 2 + random.below(7);
  for (std::size_t i = 0; i < count; ++i) {
    Joint joint{.name = "joint " + std::to_string(i),
                .kind = random.below(3) == 0 ? JointKind::Prismatic : JointKind::Revolute,
                .parent_link = random.below(4) == 0 ? random.below(i + 1) : i,
                .child_link = i + 1,
                .X_PJ = draws::pose(random, 0.3),
                .axis = draws::vector(random, 1.0).normalized(),
                .limits = {.lower = -1.0, .upper = 1.0}};
    if (i > 0 && random.below(3) == 0) {
      const std::size_t leader = model.positions[random.below(model.positions.size())];
      joint.mimic = {
          .joint = leader, .factor = random.uniform(-2.0, 2.0), .offset = random.uniform(-0.5, 0.5)};
    } else {
      joint.position = model.positions.size();
      model.positions.push_back(i);
    }
    model.links[joint.parent_link].child_joints.push_back(i);
    model.joints.push_back(joint);
    model.links.push_back({.name = "link " + std::to_string(i + 1),
                           .parent_joint = i,
                           .collisions = {{.kind = ShapeKind::Sphere,
                                           .X_LG = draws::pose(random, 0.2),
                                           .radius = random.uniform(0.01, 0.2)}}});
  }
  return model;
}

TEST(DrawnLeversTest, NothingComesNearerThanItsBoundOnAnyRobot) {
  Random random(5);
  double fullest = 0.0;
  for (int robot = 0; robot < 100; ++robot) {
    const RobotModel model = draw_robot(random);
    const auto shapes = RobotShapes::make(model, {});
    ASSERT_TRUE(shapes.has_value());
    fullest = std::max(fullest, fullest_approach(*shapes, random, 100));
    if (HasFailure()) FAIL() << "robot " << robot;
  }
  EXPECT_GT(fullest, 0.9) << "the bound is far from what happens";
}

// what is summed for all items at once is what each one's levers say, also where joints mimic others and
// after some levers were fitted or set anew
TEST(DrawnLeversTest, TravelsOfAllItemsAreThoseOfEach) {
  Random random(11);
  for (int robot = 0; robot < 100; ++robot) {
    const RobotModel model = draw_robot(random);
    const auto shapes = RobotShapes::make(model, {});
    ASSERT_TRUE(shapes.has_value());
    const collision::Items items(*shapes);
    collision::Levers levers(items);
    collision::LazyFrames frames(shapes->tree());
    std::vector<double> spread(model.positions.size());
    std::vector<double> travels(items.item_count, -1.0);
    for (int turn = 0; turn < 10; ++turn) {
      // some do not move
      for (double& one : spread) one = random.below(3) == 0 ? 0.0 : random.uniform(0.0, 0.5);
      frames.q = draws::configuration(random, model);
      frames.begin();
      const std::size_t item = random.below(items.item_count);
      if (random.below(2) == 0) levers.set(items, item);
      levers.fit(items, item, spread, frames);
      levers.travels(spread, travels);
      for (std::size_t i = 0; i < items.item_count; ++i)
        ASSERT_NEAR(travels[i], travel(levers.of(i), spread), 1e-12) << "robot " << robot << ", item " << i;
    }
  }
}

// levers fitted to where the joints are hold between any two places there
TEST_P(LeversTest, NothingTravelsFurtherThanItsFittedLevers) {
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
