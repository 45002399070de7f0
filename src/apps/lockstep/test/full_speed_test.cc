// SPDX-License-Identifier: BSD-3-Clause
// Every shipped robot moves each joint, and all together, across most of its range, at any speed, and its
// motors keep up: no fault, and no joint far behind.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/split_mix.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/control/safety_text.h"
#include "sinew/kinematics/torque_check.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/motion/motion_settings.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/lockstep/lockstep.h"
#include "apps/lockstep/test/shipped_robots.h"

namespace sinew {
namespace {

constexpr double kMostOfRange = 0.9;
constexpr double kUnlimitedRange = 2.0 * std::numbers::pi;  // [rad] of wheels, to either side
constexpr double kMostBehind = 0.02;  // [rad, m] a motor at its limit falls further behind

class FullSpeedTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const WorldPlaces places = usual_world_places();
    const auto loaded = load_robot(GetParam(), places.robots);
    ASSERT_TRUE(loaded) << loaded.error().message;
    MotionSettings motion;
    ASSERT_TRUE(read_motion(loaded->settings.motion, motion));
    const auto control = read_control(loaded->settings.control);
    auto robot = scene_robot(GetParam(), "robot", "home", places.robots);
    ASSERT_TRUE(robot) << robot.error().message;
    // where it is, is known: homing is another test's
    robot->model.homing.clear();
    // above the floor: what is asked here is what the motors can
    robot->X_WB.position.z() = 5.0;
    carry(robot->model, motion.payload);
    Scene scene{.name = "test"};
    scene.robots.push_back(*std::move(robot));
    auto made = Lockstep::make(std::move(scene), "robot", *control);
    ASSERT_TRUE(made) << made.error().message;
    lockstep_ = *std::move(made);
    lockstep_->controller().set_source(0, "test", 0);
    ASSERT_TRUE(lockstep_->add_motion(motion));
    for (int i = 0; i < 20; ++i) lockstep_->step();
    home_ = starting_positions(lockstep_->model());
    shapes_.emplace(*RobotShapes::make(lockstep_->model(), guard_options(*control, points_of_mesh)));
    checker_.emplace(*shapes_);
  }

  // the rated mass at the tip of each arm, as if it were part of it
  static void carry(RobotModel& model, double mass) {
    if (mass == 0.0) return;
    for (std::size_t arm = 0; arm < model.arms.size(); ++arm) {
      const Payload load = payload_at_tip(model, arm, mass);
      Link& link = model.links[load.link];
      Inertia with = link.inertia.value_or(Inertia{});
      const Vector3 p_LC = (with.mass * with.p_LC + mass * load.p_LC) / (with.mass + mass);
      const auto spread = [](double m, const Vector3& p) -> Matrix3 {
        return m * (p.squaredNorm() * Matrix3::Identity() - p * p.transpose());
      };
      with.about_C += spread(with.mass, with.p_LC - p_LC) + spread(mass, load.p_LC - p_LC);
      with.mass += mass;
      with.p_LC = p_LC;
      link.inertia = with;
    }
  }

  const Joint& joint(std::size_t i) const { return model().joints[model().positions[i]]; }
  const RobotModel& model() const { return lockstep_->model(); }

  std::pair<double, double> range(std::size_t i) const {
    const JointLimits& limits = joint(i).limits;
    if (!std::isfinite(limits.lower)) return {-kUnlimitedRange, kUnlimitedRange};
    const double middle = 0.5 * (limits.lower + limits.upper);
    const double half = 0.5 * kMostOfRange * (limits.upper - limits.lower);
    return {middle - half, middle + half};
  }

  // as far from home as the robot is clear of itself
  double farthest(std::size_t i, double goal) {
    std::vector<double> q = home_;
    for (double share = 1.0; share > 0.05; share -= 0.05) {
      q[i] = home_[i] + share * (goal - home_[i]);
      if (checker_->is_way_clear(home_, q, 1e-3)) return q[i];
    }
    return home_[i];
  }

  // two postures far from each other with nothing between them
  std::vector<std::vector<double>> long_ways(std::size_t count) {
    SplitMix random(7);
    std::vector<std::vector<double>> ways;
    std::vector<double> at = home_;
    for (int tries = 0; tries < 20'000 && ways.size() < count; ++tries) {
      std::vector<double> q = home_;
      for (std::size_t i = 0; i < q.size(); ++i) {
        if (!joint(i).is_enabled) continue;
        const auto [low, high] = range(i);
        // to the other side
        const double middle = 0.5 * (low + high);
        q[i] = at[i] > middle ? random.between(low, middle) : random.between(middle, high);
      }
      if (!checker_->is_way_clear(at, q, 1e-3)) continue;
      ways.push_back(q);
      at = q;
    }
    return ways;
  }

  void watch() {
    const ControlOutput& output = lockstep_->step();
    ASSERT_EQ(output.safety.state, ControlState::Running)
        << safety_text(output.safety, &model(), lockstep_->state().fault_bits);
    for (std::size_t i = 0; i < home_.size(); ++i) {
      const double behind = std::abs(lockstep_->state().position[i] - output.command.position[i]);
      const double by_delay = 3e-3 * std::abs(output.command.velocity[i]);
      ASSERT_LE(behind, kMostBehind + by_delay)
          << joint(i).name << " with " << lockstep_->state().load[i] << " of " << joint(i).limits.effort;
    }
  }

  void plan(std::uint64_t mask, const std::vector<double>& q, double speed) {
    Request request{.verb = RequestVerb::MoveJoints, .speed = speed, .joint_mask = mask};
    std::ranges::copy(q, request.joints.begin());
    const std::uint64_t number = lockstep_->ask(request);
    while (!HasFatalFailure() && !lockstep_->final_reply(number)) watch();
    if (HasFatalFailure()) return;
    const Reply reply = *lockstep_->final_reply(number);
    ASSERT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  }

  // as fast as the controller goes there by itself
  void refer(std::uint64_t mask, const std::vector<double>& q) {
    JointReference reference{.stamp_ns = lockstep_->now_ns(), .joint_mask = mask};
    std::ranges::copy(q, reference.position.begin());
    lockstep_->put(0, reference);
    // where joints go each as fast as it can, the way is not straight, and the guard may end it
    int resting = 0;
    while (!HasFatalFailure() && resting < 50) {
      watch();
      const JointArray& velocity = lockstep_->controller().output().command.velocity;
      resting = std::ranges::all_of(velocity, [](double v) { return v == 0.0; }) ? resting + 1 : 0;
    }
  }

  std::unique_ptr<Lockstep> lockstep_;
  std::vector<double> home_;
  std::optional<RobotShapes> shapes_;
  std::optional<CollisionChecker> checker_;
};

TEST_P(FullSpeedTest, EachJointAcrossItsRange) {
  // a variant has the same motors, and moves all of its joints below
  if (GetParam().starts_with("mds:")) GTEST_SKIP();
  for (std::size_t i = 0; i < home_.size(); ++i) {
    if (!joint(i).is_enabled) continue;
    SCOPED_TRACE(joint(i).name);
    const std::uint64_t mask = std::uint64_t{1} << i;
    for (const double speed : {0.1, 0.5, 1.0}) {
      const auto [low, high] = range(i);
      // a share of the way tells as much at that share of the speed
      for (const double end : {high, low}) {
        std::vector<double> q = home_;
        q[i] = farthest(i, end);
        q[i] = home_[i] + speed * (q[i] - home_[i]);
        ASSERT_NO_FATAL_FAILURE(plan(mask, q, speed)) << speed;
      }
    }
    for (const double end : {range(i).second, range(i).first}) {
      std::vector<double> q = home_;
      q[i] = farthest(i, end);
      ASSERT_NO_FATAL_FAILURE(refer(mask, q)) << "by reference";
    }
    // the next joint's ways are those that are clear with this one at home
    ASSERT_NO_FATAL_FAILURE(plan(mask, home_, 1.0)) << "back home";
  }
}

TEST_P(FullSpeedTest, AllJointsTogether) {
  const auto ways = long_ways(4);
  ASSERT_GE(ways.size(), 2U);
  const std::uint64_t mask = enabled_mask(model());
  for (const double speed : {0.1, 0.5}) {
    std::vector<double> q = home_;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += speed * (ways[0][i] - q[i]);
    ASSERT_NO_FATAL_FAILURE(plan(mask, q, speed)) << speed;
  }
  for (const std::vector<double>& q : ways) ASSERT_NO_FATAL_FAILURE(plan(mask, q, 1.0));
}

TEST_P(FullSpeedTest, AllJointsTogetherByReference) {
  const std::uint64_t mask = enabled_mask(model());
  for (const std::vector<double>& q : long_ways(4)) ASSERT_NO_FATAL_FAILURE(refer(mask, q));
}

INSTANTIATE_TEST_SUITE_P(Shipped, FullSpeedTest, testing::ValuesIn(robots_and_variants()), case_of_robot);

}  // namespace
}  // namespace sinew
