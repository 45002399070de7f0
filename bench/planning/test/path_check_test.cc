// SPDX-License-Identifier: BSD-3-Clause
#include "path_check.h"

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/split_mix.h"
#include "sinew/kinematics/chain_choice.h"
#include "sinew/model/positions.h"

namespace sinew::bench {
namespace {

/// A robot of spheres as well as of other shapes, among things.
struct Cell {
  Cell() {
    for (std::size_t i = 0; i < chosen.chain.size(); ++i) setting.planned.push_back(chosen.chain.position(i));
    RobotModel& model = chosen.robot.model;
    for (std::size_t link = 1; link < model.links.size(); link += 2)
      model.links[link].collisions = {{.kind = ShapeKind::Sphere, .radius = 0.06}};
    add("box", make_box({0.05, 0.2, 0.1}), {0.5, 0.1, 0.4});
    add("post", make_cylinder(0.05, 0.8), {0.1, 0.45, 0.4});
    add("ball", make_sphere(0.1), {-0.4, -0.2, 0.5});
    setting.model = &model;
    setting.others = starting_positions(model);
  }
  void add(std::string_view name, const Solid& solid, const Vector3& at) {
    Obstacle object{.solid = solid, .X_LO = {.rotation = quaternion_from({0.3, 0.2, 0.5}), .position = at}};
    set_text(object.name, name);
    EXPECT_TRUE(world.add(object));
  }

  ChosenChain chosen = *choose_chain({.robot = "ur5e"});
  PlanSetting setting;
  Obstacles world;
};

TEST(PathCheckTest, AgreesWithFclOnEveryPostureThatIsDrawn) {
  Cell cell;
  FclChecker fcl(cell.setting);
  PathCheck check(cell.setting);
  fcl.set_world(cell.world);
  check.set_world(cell.world);
  SplitMix random(3);
  int clear = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> q;
    for (std::size_t j = 0; j < cell.setting.planned.size(); ++j) q.push_back(random.between(-2.5, 2.5));
    ASSERT_EQ(check.is_clear(q), fcl.is_clear(q)) << i;
    clear += check.is_clear(q) ? 1 : 0;
  }
  EXPECT_GT(clear, 20);
  EXPECT_LT(clear, 980);
}

// what a path passes in between is not missed, though most of its steps are left out
TEST(PathCheckTest, FindsWhatAnEdgeOnlyPasses) {
  Cell cell;
  FclChecker fcl(cell.setting);
  PathCheck check(cell.setting);
  fcl.set_world(cell.world);
  check.set_world(cell.world);
  SplitMix random(4);
  int passed = 0;
  for (int i = 0; i < 60; ++i) {
    Corners path(2);
    for (std::vector<double>& q : path)
      for (std::size_t j = 0; j < cell.setting.planned.size(); ++j) q.push_back(random.between(-2.0, 2.0));
    bool is_hit = false;
    for (int k = 0; k <= 2000 && !is_hit; ++k) {
      std::vector<double> q;
      for (std::size_t j = 0; j < path[0].size(); ++j)
        q.push_back(path[0][j] + (path[1][j] - path[0][j]) * k / 2000.0);
      is_hit = !fcl.is_clear(q);
    }
    EXPECT_TRUE(!is_hit || !check.first_hit(path).empty()) << i;
    passed += is_hit && fcl.is_clear(path[0]) && fcl.is_clear(path[1]) ? 1 : 0;
  }
  EXPECT_GT(passed, 3);
}

}  // namespace
}  // namespace sinew::bench
