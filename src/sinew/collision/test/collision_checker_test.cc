// SPDX-License-Identifier: BSD-3-Clause
#include <array>

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

// eight at once never say other than one by one: with margins, grounds, hulls and things carried
TEST_P(CollisionCheckerTest, LanesAndEdgesSayWhatSingleChecksSay) {
  const RobotShapes with_margin = shapes_of(model_, 0.02);
  CollisionChecker checker(with_margin);
  const std::vector<Vector3> corners{{0.1, 0.0, 0.0}, {-0.1, 0.1, 0.0}, {-0.1, -0.1, 0.0}, {0.0, 0.0, 0.3}};
  const std::vector<double> heights{-0.5, -0.4, -0.5, -0.3, -0.5, -0.4, -0.5, -0.5, -0.3};
  const auto field = HeightField::make(3, 3, {1.0, 1.0}, heights);
  const draws::Triangles ring = draws::ring(0.4, 0.05, 8);
  const auto surface = TriangleTree::make(ring.vertices, ring.triangles);
  ASSERT_TRUE(field && surface);
  const std::array<Solid, 4> others{make_hull(corners, 0.01), make_surface(*surface), make_plane(),
                                    make_height_field(*field)};
  const std::size_t joints = model_.positions.size();
  std::vector<float> lanes(joints * 8);
  std::vector<double> q(joints);
  int clear_edges = 0;
  int blocked_edges = 0;
  int blocked_lanes = 0;
  int hit_lanes = 0;
  for (int i = 0; i < 300; ++i) {
    if (i % 10 == 0) {
      Obstacles world = draws::world(random_, 1 + random_.below(12), i % 20 == 10);
      Obstacle other{.solid = others[random_.below(4)], .X_LO = draws::pose(random_, 0.8), .margin = 0.05};
      if (other.solid.kind == SolidKind::Plane || other.solid.kind == SolidKind::HeightField)
        other.X_LO = {.position = {-1.0, -1.0, -0.4}};
      set_text(other.name, "other");
      ASSERT_TRUE(world.add(other));
      if (i % 40 == 30) {
        ASSERT_TRUE(world.attach(i % 80 == 30 ? "object 0" : "other", model_.links.size() - 1,
                                 draws::pose(random_, 0.1)));
      }
      checker.set_world(world);
    }
    const std::vector<double> q0 = draws::configuration(random_, model_);
    std::vector<double> q1 = draws::configuration(random_, model_);
    double square = 0.0;
    for (std::size_t k = 0; k < joints; ++k) {
      q1[k] = q0[k] + 0.1 * (q1[k] - q0[k]);
      square += (q1[k] - q0[k]) * (q1[k] - q0[k]);
    }
    const std::size_t parts = 8 * (1 + random_.below(3));
    bool is_clear = true;
    for (std::size_t part = 1; part <= parts; ++part) {
      for (std::size_t k = 0; k < joints; ++k) {
        const double at = static_cast<double>(part) / static_cast<double>(parts);
        lanes[k * 8 + part % 8] = static_cast<float>(q0[k] + at * (q1[k] - q0[k]));
        q[k] = static_cast<double>(lanes[k * 8 + part % 8]);
      }
      is_clear = is_clear && checker.is_clear(q);
    }
    unsigned expected = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      for (std::size_t k = 0; k < joints; ++k) q[k] = static_cast<double>(lanes[k * 8 + lane]);
      if (checker.check(q).verdict == Verdict::Clear) expected |= 1U << lane;
    }
    ASSERT_EQ(unsigned{checker.clear_lanes(lanes)}, expected) << i;
    ASSERT_EQ(checker.are_lanes_clear(lanes), expected == 0xffU) << i;
    const unsigned hit = checker.hit_lanes(lanes);
    ASSERT_EQ(hit & expected, 0U) << i << ": a lane that is clear counts as hit";
    hit_lanes += __builtin_popcount(hit);
    blocked_lanes += __builtin_popcount(~expected & 0xffU);
    const double resolution = 1.0001 * std::sqrt(square) / static_cast<double>(parts);
    ASSERT_EQ(checker.is_edge_clear(q0, q1, resolution), is_clear) << i;
    ++(is_clear ? clear_edges : blocked_edges);
  }
  EXPECT_GT(blocked_edges, 20);
  EXPECT_GT(hit_lanes, blocked_lanes / 4);
  if (std::string(GetParam()) == "panda") {
    EXPECT_GT(clear_edges, 20);
  }
}

// long ways and short, with things carried, grounds and margins: what a fine sweep finds, a proof refuses,
// and nothing that is further apart than it may ask for
TEST_P(CollisionCheckerTest, ProofsSayWhatSweepsSay) {
  constexpr double kMargin = 0.01;
  constexpr double kTolerance = 1e-3;
  const RobotShapes with_margin = shapes_of(model_, kMargin);
  const RobotShapes wider = shapes_of(model_, kMargin + 2.0 * kTolerance + 1e-4);
  CollisionChecker checker(with_margin);
  CollisionChecker wide_checker(wider);
  int clear = 0;
  int blocked = 0;
  for (int i = 0; i < 600; ++i) {
    if (i % 10 == 0) {
      Obstacles world = draws::world(random_, random_.below(8), i % 20 == 10);
      if (i % 30 == 0 && world.size() > 0) {
        ASSERT_TRUE(world.attach("object 0", model_.links.size() - 1, draws::pose(random_, 0.1)));
      }
      checker.set_world(world);
      wide_checker.set_world(world);
    }
    const std::vector<double> q0 = i % 2 == 0 ? draws::configuration(random_, model_) : draws::home(model_);
    std::vector<double> q1 = draws::configuration(random_, model_);
    const double share = std::pow(10.0, random_.uniform(-2.0, 0.0));
    for (std::size_t k = 0; k < q1.size(); ++k) {
      q1[k] = random_.below(4) == 0 ? q0[k] : q0[k] + share * (q1[k] - q0[k]);
    }
    const bool is_clear = checker.is_way_clear(q0, q1, kTolerance);
    // of what single precision rounds
    const CheckResult swept = checker.sweep(q0, q1, {.tolerance = 1e-6});
    if (is_clear) {
      ASSERT_TRUE(swept.verdict == Verdict::Clear || swept.contact.distance > swept.contact.margin) << i;
      ++clear;
    } else {
      ASSERT_EQ(wide_checker.sweep(q0, q1, {.tolerance = 1e-6}).verdict, Verdict::TooNear) << i;
      ++blocked;
    }
  }
  EXPECT_GT(clear, 40);
  EXPECT_GT(blocked, 40);
}

// a speck on the surface of a body, somewhere on its way, where only that part of the way finds it
TEST_P(CollisionCheckerTest, ProofsFindASpeckInTheWay) {
  const Solid speck = make_sphere(5e-4);
  std::vector<Placement> X_WL(model_.links.size());
  for (int i = 0; i < 300; ++i) {
    const std::vector<double> q0 = draws::configuration(random_, model_);
    std::vector<double> q1 = draws::configuration(random_, model_);
    std::vector<double> q = q0;
    const double at = random_.uniform(0.0, 1.0);
    // of one joint alone, nothing makes up for a bound that is too low
    const std::size_t alone = random_.below(q.size());
    for (std::size_t k = 0; k < q.size(); ++k) {
      q1[k] = i % 2 == 0 || k == alone ? q0[k] + 0.3 * (q1[k] - q0[k]) : q0[k];
      q[k] = q0[k] + at * (q1[k] - q0[k]);
    }
    shapes_.tree().link_frames(q, X_WL);
    const Body& body = shapes_.bodies()[random_.below(shapes_.bodies().size())];
    const Placement afar(Matrix3::Identity(), 10.0 * draws::vector(random_, 1.0).normalized());
    const Separation gap = separation(body.solid, X_WL[body.link] * body.X_LS, speck, afar);
    Obstacle object{.solid = speck, .X_LO = {.position = gap.point_a}};
    set_text(object.name, "speck");
    Obstacles world;
    ASSERT_TRUE(world.add(object));
    checker_.set_world(world);
    ASSERT_FALSE(checker_.is_way_clear(q0, q1, 1e-4)) << i;
  }
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
  EXPECT_FALSE(checker.is_clear(q));
  EXPECT_FALSE(checker.is_way_clear(good, q, 1e-3));
  EXPECT_FALSE(checker.is_way_clear(q, good, 1e-3));
  EXPECT_FALSE(checker.is_way_clear(good, std::vector<double>(6, 0.1), 1e-3));
  EXPECT_FALSE(checker.is_edge_clear(good, q, 0.1));
  EXPECT_FALSE(checker.is_edge_clear(q, good, 0.1));
  const std::vector<double> home = draws::home(model);
  std::vector<double> far = home;
  far[0] += 0.2;
  EXPECT_TRUE(checker.is_edge_clear(home, far, 0.01));
  EXPECT_TRUE(checker.is_edge_clear(home, home, 0.01));
  EXPECT_FALSE(checker.is_edge_clear(home, std::vector<double>(6, 0.0), 0.01));
  for (const double resolution : {0.0, -1.0, 1e-9, std::nan("")}) {
    EXPECT_FALSE(checker.is_edge_clear(home, far, resolution)) << resolution;
  }
}

/// A ball of 10 cm that slides along x, and another that stands at x = 1 m.
class SliderTest : public testing::Test {
 protected:
  SliderTest() {
    model_.links = {
        {.name = "rail", .child_joints = {0}},
        {.name = "ball", .parent_joint = 0, .collisions = {{.kind = ShapeKind::Sphere, .radius = 0.1}}}};
    Joint joint{.name = "slide", .kind = JointKind::Prismatic, .parent_link = 0, .child_link = 1};
    joint.position = 0;
    model_.joints = {joint};
    model_.positions = {0};
    Obstacle object;
    set_text(object.name, "post");
    object.solid = make_sphere(0.1);
    object.X_LO.position.x() = 1.0;
    object.margin = 0.05;
    SINEW_ASSERT(world_.add(object).has_value());
  }
  CheckResult swept(double from, double to, const SweepOptions& options = {}) {
    const RobotShapes shapes = shapes_of(model_, 0.01);
    CollisionChecker checker(shapes);
    checker.set_world(world_);
    return checker.sweep(std::vector<double>{from}, std::vector<double>{to}, options);
  }
  RobotModel model_;
  Obstacles world_;
};

TEST_F(SliderTest, SweepStopsAtTheMarginAndSaysWhere) {
  EXPECT_EQ(swept(0.0, 0.747).verdict, Verdict::Clear);
  const CheckResult hit = swept(0.0, 0.9);
  ASSERT_EQ(hit.verdict, Verdict::TooNear);
  EXPECT_EQ(hit.contact.link_a, 1U);
  EXPECT_EQ(hit.contact.link_b, kNone);
  EXPECT_EQ(hit.contact.object_b, 0U);
  EXPECT_EQ(hit.contact.margin, 0.05);
  EXPECT_NEAR(hit.contact.at, 0.75 / 0.9, 0.01);
  EXPECT_NEAR(hit.contact.distance, 0.05, 0.01);
  EXPECT_NEAR(hit.contact.point_b.x(), 0.9, 1e-6);
  // it passes through the post and is clear at both ends
  EXPECT_EQ(swept(0.0, 2.0).verdict, Verdict::TooNear);
}

TEST_F(SliderTest, SlackCountsAsMotion) {
  const std::vector<double> slack{0.1};
  EXPECT_EQ(swept(0.0, 0.6, {.slack = slack}).verdict, Verdict::Clear);
  EXPECT_EQ(swept(0.0, 0.7, {.slack = slack}).verdict, Verdict::TooNear);
  EXPECT_EQ(swept(0.6, 0.6, {.slack = std::vector<double>{0.2}}).verdict, Verdict::TooNear);
}

TEST_F(SliderTest, WhatIsTooNearMayLeaveButNotComeNearer) {
  EXPECT_EQ(swept(0.78, 0.77).verdict, Verdict::TooNear);
  EXPECT_EQ(swept(0.78, 0.77, {.may_leave = true}).verdict, Verdict::Clear);
  EXPECT_EQ(swept(0.78, 0.79, {.may_leave = true}).verdict, Verdict::TooNear);
  EXPECT_EQ(swept(0.85, 0.80, {.may_leave = true}).verdict, Verdict::Clear);
  // in steps that are each too small to see, it still comes no nearer
  EXPECT_EQ(swept(0.78, 0.78 + 1e-5, {.may_leave = true}).verdict, Verdict::TooNear);
}

TEST_F(SliderTest, WhatIsCarriedMovesAlong) {
  Obstacle rod;
  set_text(rod.name, "rod");
  rod.solid = make_capsule(0.01, 0.3);
  rod.X_LO = {.rotation = quaternion_from_rotation_vector({0.0, 1.5707963267948966, 0.0}),
              .position = {0.25, 0.0, 0.0}};
  rod.link = 1;
  ASSERT_TRUE(world_.add(rod));
  const CheckResult hit = swept(0.0, 0.6);
  ASSERT_EQ(hit.verdict, Verdict::TooNear);
  EXPECT_EQ(hit.contact.object_a, 0U);
  EXPECT_EQ(hit.contact.object_b, 1U);
  EXPECT_EQ(hit.contact.link_b, 1U);
  // put down where it stands, it is in the way of the ball
  ASSERT_TRUE(world_.detach("rod", {.position = {0.4, 0.0, 0.0}}));
  EXPECT_EQ(swept(0.0, 0.6).contact.object_b, 1U);
  Obstacle friend_of_all = world_[1];
  ASSERT_TRUE(world_.remove("rod"));
  friend_of_all.may_touch.set(1);
  ASSERT_TRUE(world_.add(friend_of_all));
  EXPECT_EQ(swept(0.0, 0.6).verdict, Verdict::Clear);
}

TEST(RobotShapesTest, TellsWhatHasNoShapeAndTakesPointsOfMeshes) {
  RobotModel model{.name = "meshed"};
  model.links = {{.name = "body", .collisions = {{.kind = ShapeKind::Mesh, .mesh_name = "body.stl"}}}};
  const RobotShapes without = shapes_of(model);
  ASSERT_EQ(without.missing().size(), 1U);
  EXPECT_NE(without.missing()[0].find("link 'body': mesh 'body.stl' has no points"), std::string::npos);
  EXPECT_TRUE(without.bodies().empty());
  const auto corners = [](const Shape&) {
    std::vector<Vector3> points;
    for (int i = 0; i < 8; ++i) points.emplace_back(i & 1, i >> 1 & 1, i >> 2);
    return points;
  };
  const auto with = RobotShapes::make(model, {.mesh_points = corners});
  ASSERT_TRUE(with);
  ASSERT_EQ(with->bodies().size(), 1U);
  EXPECT_LE(with->excess(), 1e-3);
  const double gap = separation(with->bodies()[0].solid, Placement(), make_sphere(0.5),
                                Placement(Matrix3::Identity(), {2.0, 0.5, 0.5}))
                         .distance;
  EXPECT_NEAR(gap, 0.5, 1e-3 + kDistanceError);
  EXPECT_LE(gap, 0.5);
}

TEST(RobotShapesTest, MarginsOfPairsCount) {
  const RobotModel model = draws::robot("panda");
  const std::size_t a = find_link(model, "panda_link0");
  const std::size_t b = find_link(model, "panda_link7");
  const auto shapes = RobotShapes::make(model, {.margin = 0.01, .pair_margins = {{a, b, 0.5}}});
  ASSERT_TRUE(shapes);
  EXPECT_EQ(shapes->margin(a, b), 0.5);
  EXPECT_EQ(shapes->margin(b, a), 0.5);
  EXPECT_EQ(shapes->largest_margin(), 0.5);
  CollisionChecker checker(*shapes);
  const CheckResult home = checker.nearest(draws::home(model));
  EXPECT_EQ(home.contact.link_a, a);
  EXPECT_EQ(home.contact.link_b, b);
  EXPECT_FALSE(RobotShapes::make(model, {.margin = -0.1}));
}

}  // namespace
}  // namespace sinew
