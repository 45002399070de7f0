// SPDX-License-Identifier: BSD-3-Clause
// FCL judges our distances. Only its boolean and unsigned queries: its signed distance ends the process now
// and then. Compiled for plain processors, as Debian's library is.
#include <memory>

#include <fcl/fcl.h>
#include <gtest/gtest.h>

#include "sinew/collision/test/draws.h"

namespace sinew {
namespace {

using draws::Random;
using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry geometry_of(const Solid& solid) {
  const Vector3 size = 2.0 * solid.half;
  switch (solid.kind) {
    case SolidKind::Sphere:
      return std::make_shared<fcl::Sphered>(solid.rounding);
    case SolidKind::Capsule:
      return std::make_shared<fcl::Capsuled>(solid.rounding, size.z());
    case SolidKind::Cylinder:
      return std::make_shared<fcl::Cylinderd>(solid.half.x(), size.z());
    case SolidKind::Plane:
      return std::make_shared<fcl::Halfspaced>(Vector3::UnitZ(), 0.0);
    default:
      return std::make_shared<fcl::Boxd>(size);
  }
}

fcl::CollisionObjectd object_of(const Solid& solid, const Placement& X) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  transform.linear() = X.R;
  transform.translation() = X.p;
  return {geometry_of(solid), transform};
}

double fcl_distance(const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b) {
  fcl::DistanceRequestd request;
  request.distance_tolerance = 1e-9;
  fcl::DistanceResultd result;
  return fcl::distance(&a, &b, request, result);
}

bool fcl_collides(const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b) {
  const fcl::CollisionRequestd request;
  fcl::CollisionResultd result;
  return fcl::collide(&a, &b, request, result) > 0;
}

// FCL's own distances are exact to about this [m]
constexpr double kFclError = 2e-5;

TEST(FclAgreementTest, DistancesOfRandomPairs) {
  Random random(11);
  int apart = 0;
  int together = 0;
  double shortest = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const Solid a = draws::primitive(random);
    const Solid b = draws::primitive(random);
    const Placement X_WA(draws::pose(random, 0.7));
    const Placement X_WB(draws::pose(random, 0.7));
    const double ours = separation(a, X_WA, b, X_WB).distance;
    const fcl::CollisionObjectd fcl_a = object_of(a, X_WA);
    const fcl::CollisionObjectd fcl_b = object_of(b, X_WB);
    if (std::abs(ours) > kFclError) {
      ASSERT_EQ(ours < 0.0, fcl_collides(fcl_a, fcl_b)) << i << " ours " << ours;
    }
    if (ours <= kFclError) {
      ++together;
      continue;
    }
    ++apart;
    const double theirs = fcl_distance(fcl_a, fcl_b);
    ASSERT_LE(ours, theirs + kFclError) << i << ' ' << int(a.kind) << ' ' << int(b.kind);
    ASSERT_GE(ours, theirs - kFclError - kDistanceError) << i << ' ' << int(a.kind) << ' ' << int(b.kind);
    shortest = std::min(shortest, ours - theirs);
  }
  EXPECT_GT(apart, 5000);
  EXPECT_GT(together, 2000);
}

// a ring, which has a hole, is the same ring for both
TEST(FclAgreementTest, DistancesToAMesh) {
  Random random(13);
  const draws::Triangles ring = draws::ring(0.4, 0.1, 16);
  const auto tree = TriangleTree::make(ring.vertices, ring.triangles);
  ASSERT_TRUE(tree);
  const auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  model->beginModel();
  for (const auto& [a, b, c] : ring.triangles)
    model->addTriangle(ring.vertices[a], ring.vertices[b], ring.vertices[c]);
  model->endModel();
  int apart = 0;
  int through_the_hole = 0;
  for (int i = 0; i < 400; ++i) {
    const Solid body = i % 2 == 0 ? make_sphere(random.uniform(0.02, 0.2))
                                  : make_capsule(random.uniform(0.02, 0.1), random.uniform(0.1, 0.5));
    const Placement X_WB(draws::pose(random, 0.6));
    const fcl::CollisionObjectd fcl_ring(model, fcl::Transform3d::Identity());
    const fcl::CollisionObjectd fcl_body = object_of(body, X_WB);
    const double ours = separation(make_surface(*tree), Placement(), body, X_WB).distance;
    if (std::abs(ours) < kFclError) continue;
    ASSERT_EQ(ours < 0.0, fcl_collides(fcl_ring, fcl_body)) << i;
    if (ours < 0.0) continue;
    ++apart;
    ASSERT_NEAR(ours, fcl_distance(fcl_ring, fcl_body), kFclError + kDistanceError) << i;
    const double filled = separation(make_hull(ring.vertices), Placement(), body, X_WB).distance;
    through_the_hole += filled < 0.0 ? 1 : 0;
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(through_the_hole, 10);
}

class FclRobotTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robots, FclRobotTest, testing::Values("panda", "ur5e", "mds"));

TEST_P(FclRobotTest, SmallestDistanceOfConfigurations) {
  const RobotModel model = draws::robot(GetParam());
  const auto shapes = RobotShapes::make(model);
  ASSERT_TRUE(shapes);
  CollisionChecker checker(*shapes);
  Random random(12);
  std::vector<Placement> X_WL(model.links.size());
  int apart = 0;
  const int count = model.links.size() > 20 ? 40 : 400;
  for (int i = 0; i < count; ++i) {
    const Obstacles world = draws::world(random, 8, i % 2 == 1);
    checker.set_world(world);
    std::vector<double> q = draws::configuration(random, model);
    std::vector<float> lanes;
    for (double& value : q) {
      lanes.insert(lanes.end(), CollisionChecker::kLanes, static_cast<float>(value));
      value = static_cast<double>(lanes.back());
    }
    shapes->tree().link_frames(q, X_WL);
    std::vector<fcl::CollisionObjectd> links;
    for (const Body& body : shapes->bodies())
      links.push_back(object_of(body.solid, X_WL[body.link] * body.X_LS));
    double theirs = std::numeric_limits<double>::infinity();
    bool is_hit = false;
    const auto meet = [&](const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b) {
      is_hit = is_hit || fcl_collides(a, b);
      if (!is_hit) theirs = std::min(theirs, fcl_distance(a, b));
    };
    for (std::size_t a = 0; a < links.size(); ++a) {
      for (std::size_t b = a + 1; b < links.size(); ++b) {
        if (shapes->may_collide(shapes->bodies()[a].link, shapes->bodies()[b].link)) meet(links[a], links[b]);
      }
      for (const Obstacle& object : world.objects()) {
        meet(links[a], object_of(object.solid, Placement(object.X_LO)));
      }
    }
    const CheckResult ours = checker.nearest(q);
    if (std::abs(ours.contact.distance) > kFclError) {
      ASSERT_EQ(ours.verdict == Verdict::TooNear, is_hit) << i;
      ASSERT_EQ(checker.is_clear(q), !is_hit) << i;
      ASSERT_EQ(unsigned{checker.clear_lanes(lanes)}, is_hit ? 0U : 0xffU) << i;
    }
    if (is_hit) continue;
    ++apart;
    ASSERT_NEAR(ours.contact.distance, theirs, kFclError + kDistanceError) << i;
  }
  if (model.links.size() < 20) {
    EXPECT_GT(apart, count / 10);
  }
}

}  // namespace
}  // namespace sinew
