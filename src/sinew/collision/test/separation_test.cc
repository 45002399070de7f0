// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "sinew/collision/test/draws.h"

namespace sinew {
namespace {

using draws::Random;

// the distance of a point to a solid, by its formula
double point_distance(const Solid& solid, const Vector3& p) {
  const Vector3 q = p.cwiseAbs();
  if (solid.kind == SolidKind::Cylinder) {
    const double across = std::hypot(q.x(), q.y()) - solid.half.x();
    const double along = q.z() - solid.half.z();
    return std::hypot(std::max(across, 0.0), std::max(along, 0.0)) + std::min(std::max(across, along), 0.0);
  }
  const Vector3 out = q - solid.half;
  return out.cwiseMax(0.0).norm() + std::min(out.maxCoeff(), 0.0) - solid.rounding;
}

TEST(SeparationTest, OfPointsIsThatOfTheFormula) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const Solid solid = draws::primitive(random);
    const Pose X_WS = draws::pose(random, 1.0);
    const Vector3 p = draws::vector(random, 1.5);
    const double truth = point_distance(solid, inverse(X_WS) * p);
    const Separation found =
        separation(make_sphere(0.0), Placement(Matrix3::Identity(), p), solid, Placement(X_WS));
    ASSERT_LE(found.distance, truth + 1e-9) << i;
    // inside a cylinder the depth may be too large, elsewhere it is exact
    if (truth > 0.0 || solid.kind != SolidKind::Cylinder) {
      ASSERT_GE(found.distance, truth - kDistanceError) << i;
    }
  }
}

TEST(SeparationTest, IsTheSameFromBothSidesAndItsPointsAreThatFarApart) {
  Random random(2);
  int apart = 0;
  for (int i = 0; i < 20000; ++i) {
    const Solid a = draws::primitive(random);
    const Solid b = draws::primitive(random);
    const Placement X_WA(draws::pose(random, 0.8));
    const Placement X_WB(draws::pose(random, 0.8));
    const Separation forth = separation(a, X_WA, b, X_WB);
    const Separation back = separation(b, X_WB, a, X_WA);
    ASSERT_NEAR(forth.distance, back.distance, 2.0 * kDistanceError) << i;
    const double bound = i % 2 == 0 ? 0.0 : random.uniform(0.0, 0.5);
    if (std::abs(forth.distance - bound) > kDistanceError) {
      ASSERT_EQ(is_within(a, X_WA, b, X_WB, bound), forth.distance <= bound) << i;
    }
    if (forth.distance <= 0.0) continue;
    ++apart;
    ASSERT_NEAR((forth.point_a - forth.point_b).norm(), forth.distance, 2.0 * kDistanceError) << i;
    // each point is on its solid
    const Vector3 in_a = X_WA.R.transpose() * (forth.point_a - X_WA.p);
    ASSERT_NEAR(point_distance(a, in_a), 0.0, 1e-5) << i;
  }
  EXPECT_GT(apart, 5000);
}

// moving B out by the depth along the line of the two points makes them touch, for boxes and what is round
TEST(SeparationTest, DepthIsTheWayOut) {
  Random random(3);
  int inside = 0;
  for (int i = 0; i < 20000; ++i) {
    const Solid a = draws::primitive(random);
    const Solid b = draws::primitive(random);
    const Placement X_WA(draws::pose(random, 0.3));
    Placement X_WB(draws::pose(random, 0.3));
    const Separation deep = separation(a, X_WA, b, X_WB);
    if (deep.distance >= -1e-6) continue;
    ++inside;
    X_WB.p += (deep.point_a - deep.point_b) * 1.0000001;
    const Separation out = separation(a, X_WA, b, X_WB);
    ASSERT_NEAR((deep.point_a - deep.point_b).norm(), -deep.distance, 5e-6) << i;
    ASSERT_GE(out.distance, -1e-5) << i << " kinds " << int(a.kind) << ' ' << int(b.kind);
  }
  EXPECT_GT(inside, 1000);
}

TEST(SeparationTest, EndsEarlyWithABoundThatIsTrue) {
  Random random(4);
  for (int i = 0; i < 20000; ++i) {
    const Solid a = draws::primitive(random);
    const Solid b = draws::primitive(random);
    const Placement X_WA(draws::pose(random, 0.8));
    const Placement X_WB(draws::pose(random, 0.8));
    const double truth = separation(a, X_WA, b, X_WB).distance;
    const double enough = random.uniform(0.0, 0.5);
    const double found = separation(a, X_WA, b, X_WB, enough).distance;
    ASSERT_LE(found, truth + kDistanceError);
    ASSERT_EQ(found > enough, truth > enough) << found << ' ' << truth << ' ' << enough;
  }
}

// all of A lies behind one plane across the normal and all of B before another, `distance` further on
TEST(SeparationTest, LiesAcrossItsNormal) {
  draws::Random random(29);
  int apart = 0;
  for (int i = 0; i < 2000; ++i) {
    const Solid a = draws::primitive(random);
    const Solid b = draws::primitive(random);
    const Pose X_WA = draws::pose(random, 1.0);
    const Pose X_WB = draws::pose(random, 1.0);
    const double enough = random.below(2) == 0 ? 0.05 : kInfinity;
    const Separation gap = separation(a, Placement(X_WA), b, Placement(X_WB), enough);
    if (gap.distance <= 0.0) continue;
    ++apart;
    ASSERT_NEAR(gap.normal.norm(), 1.0, 1e-9);
    // half-spaces moved along the normal: B is as far from one as A reaches, and `distance` more
    const Quaternion turned = Quaternion::FromTwoVectors(Vector3::UnitZ(), gap.normal);
    const Placement X_WP(Pose{.rotation = turned, .position = Vector3::Zero()});
    const Placement X_WN(Pose{.rotation = Quaternion::FromTwoVectors(Vector3::UnitZ(), Vector3(-gap.normal)),
                              .position = Vector3::Zero()});
    const double b_begins = separation(make_plane(), X_WP, b, Placement(X_WB)).distance;
    const double a_ends = -separation(make_plane(), X_WN, a, Placement(X_WA)).distance;
    ASSERT_GE(b_begins - a_ends, gap.distance - 1e-9) << i;
  }
  EXPECT_GT(apart, 500);
}

// across any direction there is no more room than the distance, and across the normal just that
TEST(SeparationTest, NoGapIsWiderThanTheDistance) {
  draws::Random random(30);
  for (int i = 0; i < 5000; ++i) {
    const Solid a = draws::primitive(random);
    const Solid b = draws::primitive(random);
    const Placement X_WA(draws::pose(random, 1.0));
    const Placement X_WB(draws::pose(random, 1.0));
    const Separation gap = separation(a, X_WA, b, X_WB);
    const Vector3 n = draws::vector(random, 1.0).normalized();
    ASSERT_LE(gap_across(n, a, X_WA, b, X_WB), std::max(gap.distance, 0.0) + kDistanceError) << i;
    if (gap.distance > 0.0) {
      ASSERT_NEAR(gap_across(gap.normal, a, X_WA, b, X_WB), gap.distance, 1e-9) << i;
    }
  }
  EXPECT_EQ(gap_across(Vector3::UnitZ(), make_plane(), Placement(), make_sphere(0.1), Placement()),
            -kInfinity);
}

TEST(SeparationTest, HintsCostNoMoreThanTheirSlack) {
  draws::Random random(31);
  for (int i = 0; i < 5000; ++i) {
    const Solid a = draws::primitive(random);
    const Solid b = draws::primitive(random);
    const Placement X_WA(draws::pose(random, 1.0));
    const Placement X_WB(draws::pose(random, 1.0));
    const double truth = separation(a, X_WA, b, X_WB).distance;
    const SearchHints hints{.slack = random.uniform(0.0, 0.05),
                            .normal = draws::vector(random, 1.0).normalized()};
    const double found = separation(a, X_WA, b, X_WB, kInfinity, hints).distance;
    if (truth <= hints.slack) continue;
    ASSERT_LE(found, truth + kDistanceError) << i;
    ASSERT_GE(found, truth - hints.slack - kDistanceError) << i;
  }
}

TEST(SeparationTest, OfPlaneIsTheHeightOfTheLowestPoint) {
  const Separation gap = separation(make_plane(), Placement(), make_box({0.1, 0.2, 0.3}),
                                    Placement(Matrix3::Identity(), {1, 2, 0.5}));
  EXPECT_NEAR(gap.distance, 0.2, 1e-12);
  EXPECT_NEAR(gap.point_b.z(), 0.2, 1e-12);
  EXPECT_EQ(separation(make_plane(), Placement(), make_plane(), Placement()).distance,
            std::numeric_limits<double>::infinity());
}

// a field is as far as the nearest of its columns, tried one by one
TEST(SeparationTest, OfHeightFieldIsThatOfItsNearestColumn) {
  Random random(5);
  std::vector<double> heights(13 * 9);
  for (double& height : heights) height = random.uniform(0.0, 0.3);
  const auto field = HeightField::make(13, 9, {0.1, 0.1}, heights);
  ASSERT_TRUE(field);
  for (int i = 0; i < 500; ++i) {
    const Solid body = draws::primitive(random);
    const Placement X_WB(draws::pose(random, 1.0));
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t y = 0; y < 8; ++y) {
      for (std::size_t x = 0; x < 12; ++x) {
        const double height = field->levels()[0].heights[y * 12 + x];
        const Solid column = make_box({0.05, 0.05, 0.5 * (height - field->floor())});
        const Placement X_WC(Matrix3::Identity(), {0.1 * double(x) + 0.05, 0.1 * double(y) + 0.05,
                                                   0.5 * (height + field->floor())});
        nearest = std::min(nearest, separation(column, X_WC, body, X_WB).distance);
      }
    }
    const double found = separation(make_height_field(*field), Placement(), body, X_WB).distance;
    if (nearest > 0.0) {
      ASSERT_NEAR(found, nearest, 3.0 * kDistanceError) << i;
    }
    if (nearest <= 0.0) {
      ASSERT_LE(found, nearest + 1e-9) << i;
    }
    const double bound = separation(make_height_field(*field), Placement(), body, X_WB, 0.1).distance;
    ASSERT_EQ(bound > 0.1, found > 0.1);
  }
}

// a surface is as far as the nearest of its triangles, tried one by one; also from grounds and surfaces
TEST(SeparationTest, OfSurfaceIsThatOfItsNearestTriangle) {
  Random random(8);
  const draws::Triangles ring = draws::ring(0.3, 0.1, 10);
  const auto tree = TriangleTree::make(ring.vertices, ring.triangles);
  const auto other = TriangleTree::make(ring.vertices, std::span(ring.triangles).first(20));
  const std::vector<double> heights{0.0, 0.2, 0.1, 0.0, 0.3, 0.1};
  const auto field = HeightField::make(3, 2, {0.4, 0.7}, heights);
  ASSERT_TRUE(tree && other && field);
  ASSERT_EQ(tree->triangle_count(), ring.triangles.size());
  const Solid surface = make_surface(*tree);
  int apart = 0;
  for (int i = 0; i < 400; ++i) {
    Solid body = draws::primitive(random);
    if (i % 8 == 0) body = make_plane();
    if (i % 8 == 1) body = make_height_field(*field);
    if (i % 8 == 2) body = make_surface(*other);
    const Placement X_WA(draws::pose(random, 0.5));
    const Placement X_WB(draws::pose(random, 0.8));
    double nearest = std::numeric_limits<double>::infinity();
    for (const TriangleTree::Node& node : tree->nodes()) {
      if (node.second_child != 0) continue;
      const Solid triangle = make_hull(tree->corners(node));
      nearest = std::min(nearest, separation(triangle, X_WA, body, X_WB).distance);
    }
    const double found = separation(surface, X_WA, body, X_WB).distance;
    if (nearest > 0.0) {
      ASSERT_NEAR(found, nearest, 3.0 * kDistanceError) << i;
      ASSERT_NEAR(separation(body, X_WB, surface, X_WA).distance, nearest, 3.0 * kDistanceError) << i;
      ++apart;
    } else {
      ASSERT_LE(found, 0.0) << i;
    }
    ASSERT_EQ(separation(surface, X_WA, body, X_WB, 0.1).distance > 0.1, found > 0.1) << i;
    ASSERT_EQ(is_within(body, X_WB, surface, X_WA, 0.05), found <= 0.05) << i;
  }
  EXPECT_GT(apart, 100);
  EXPECT_LT(apart, 390);
}

TEST(SeparationTest, SurfacesThatCannotBeAreRefused) {
  const std::vector<Vector3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  using Triangle = std::array<std::uint32_t, 3>;
  EXPECT_TRUE(TriangleTree::make(corners, std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_FALSE(TriangleTree::make(corners, std::vector<Triangle>{}));
  EXPECT_FALSE(TriangleTree::make(corners, std::vector<Triangle>{{0, 1, 3}}));
  EXPECT_FALSE(TriangleTree::make(
      corners, std::vector<Triangle>(TriangleTree::kMostTriangles + 1, Triangle{0, 1, 2})));
  const std::vector<Vector3> broken{{0, 0, 0}, {1, std::nan(""), 0}, {0, 1, 0}};
  EXPECT_FALSE(TriangleTree::make(broken, std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_FALSE(check_solid({.kind = SolidKind::Surface}));
}

TEST(SeparationTest, SimpleHullHoldsAllPoints) {
  Random random(6);
  for (int i = 0; i < 5; ++i) {
    std::vector<Vector3> points;
    for (int k = 0; k < 400; ++k)
      points.push_back(draws::vector(random, 1.0).normalized().cwiseProduct(Vector3(0.1, 0.2, 0.3)));
    const SimpleHull hull = simplify_hull(points, 1e-3, 40);
    EXPECT_LE(hull.points.size(), 40U);
    EXPECT_LT(hull.rounding, 0.03);
    const Solid solid = make_hull(hull.points, hull.rounding);
    for (const Vector3& point : points) {
      ASSERT_LE(
          separation(make_sphere(0.0), Placement(Matrix3::Identity(), point), solid, Placement()).distance,
          1e-9);
    }
  }
}

TEST(SeparationTest, RefusesSolidsThatCannotBe) {
  EXPECT_FALSE(check_solid(make_sphere(-1.0)));
  EXPECT_FALSE(check_solid(make_box({1.0, std::nan(""), 1.0})));
  EXPECT_FALSE(check_solid(make_hull({})));
  EXPECT_FALSE(HeightField::make(2, 2, {0.1, 0.1}, std::vector<double>{0.0, 0.0, 0.0}));
  EXPECT_FALSE(HeightField::make(2, 2, {0.0, 0.1}, std::vector<double>{0.0, 0.0, 0.0, 0.0}));
  EXPECT_TRUE(check_solid(make_plane()));
}

}  // namespace
}  // namespace sinew
