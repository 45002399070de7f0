// SPDX-License-Identifier: BSD-3-Clause
// A follower with the real controller behind it, and masters of all kinds.
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "sinew/motion/master_follower.h"

#include "apps/lockstep/lockstep.h"
#include "apps/lockstep/test/stream_bench.h"

namespace sinew {
namespace {

constexpr double kPi = std::numbers::pi;

class FollowBench : public StreamBench {
 public:
  explicit FollowBench(const std::string& name, const std::string& master = "panda",
                       const std::vector<double>& q = {})
      : StreamBench(name, "", q), follower_(model(), room()), master_(*load_robot(master)) {
    const std::vector<double> home = starting_positions(master_.model);
    said_.joint_count = static_cast<std::uint32_t>(home.size());
    std::ranges::copy(home, said_.position.begin());
    arm_ = *ArmSolver::make(master_.model, "", "");
  }

  MasterFollower& follower() { return follower_; }
  void begin(const std::string& text) {
    const auto task = follow_task_from_text(text);
    ASSERT_TRUE(task) << task.error().message;
    const Status begun = follower_.begin(7, *task, master_.model, now_ns());
    ASSERT_TRUE(begun) << begun.error().message;
  }

  /// Four cycles of both; the master says every cycle where it is.
  void step() {
    const FollowOutput& output = follower_.step(view(), now_ns());
    for (const Reply& reply : output.replies) replies.push_back(reply);
    put(output.segments);
    if (output.reference) controller().take_reference(0, *output.reference, now_ns());
    for (int i = 0; i < 4; ++i) {
      cycle();
      // its clock is another
      said_.stamp_ns = now_ns() - kSecond_ns;
      if (move_master) move_master(said_, 1e-9 * static_cast<double>(now_ns() - began_ns_));
      if (is_master_alive) follower_.take_master(said_, now_ns());
      if (on_cycle) on_cycle();
    }
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  void begin_time() { began_ns_ = now_ns(); }

  /// Brings the master's tool to its home, moved by `offset`.
  void put_master(const Vector3& offset) {
    const std::vector<double> home = starting_positions(master_.model);
    ToolMotion wanted{.X_BT = arm_->tool_pose(home)};
    wanted.X_BT.position += offset;
    const JointMotionState found =
        joints_for(arm_->chain(), wanted, arm_->own_joints({said_.position.data(), said_.joint_count}));
    EXPECT_TRUE(found.is_found);
    for (std::size_t i = 0; i < arm_->chain().size(); ++i)
      said_.position[arm_->chain().position(i)] = found.q[static_cast<Eigen::Index>(i)];
  }
  Pose master_tool() const { return arm_->tool_pose({said_.position.data(), said_.joint_count}); }
  void clutch(bool is_engaged, std::int64_t lease_ns = 0) {
    follower_.take_clutch({.stamp_ns = now_ns(), .lease_ns = lease_ns, .is_engaged = is_engaged ? 1U : 0U},
                          now_ns());
  }

  std::function<void(JointState&, double)> move_master;
  std::function<void()> on_cycle;
  bool is_master_alive = true;
  std::vector<Reply> replies;
  JointState said_;

 private:
  MasterFollower follower_;
  LoadedRobot master_;
  std::unique_ptr<ArmSolver> arm_;
  std::int64_t began_ns_ = 0;
};

/// How far a way is from another that comes `delay` samples later, at most.
double largest_miss(const std::vector<Vector3>& ahead, const std::vector<Vector3>& behind,
                    std::size_t delay) {
  double largest = 0.0;
  for (std::size_t i = delay; i < behind.size(); ++i)
    largest = std::max(largest, (behind[i] - ahead[i - delay]).norm());
  return largest;
}

/// Where the master's tool and the follower's were at the end of each cycle, from where they began.
struct Ways {
  std::vector<Vector3> ahead;
  std::vector<Vector3> behind;
};

/// The master goes up and down by 0.1 m at 0.5 Hz; softly begun, and looked at from the third second on.
Ways follow_up_and_down(FollowBench& bench, int steps) {
  Ways ways;
  const Vector3 master_from = bench.master_tool().position;
  const Vector3 from = bench.measured_tool().position;
  const std::int64_t began_ns = bench.now_ns();
  bench.begin_time();
  bench.move_master = [&](JointState&, double time) {
    const double ramp = std::min(1.0, time);
    bench.put_master({0.0, 0.0, -0.1 * ramp * ramp * std::sin(kPi * time)});
  };
  bench.on_cycle = [&] {
    if (bench.now_ns() - began_ns < 3 * kSecond_ns) return;
    ways.ahead.push_back(bench.master_tool().position - master_from);
    ways.behind.push_back(bench.measured_tool().position - from);
  };
  bench.steps(steps);
  return ways;
}

TEST(FollowerTest, TracksATenthOfAMetreAtHalfAHertzWithinTwoMillimetresAtTheSameTime) {
  struct Slave {
    const char* robot;
    std::size_t lag;  // of its device [ms]
    std::vector<double> posture;
  };
  const std::vector<Slave> slaves{
      {"yarc-industrial", 1, {}}, {"ur5e", 6, {}}, {"ur5e", 11, {0.6, -1.2, 1.8, -2.0, -1.4, 0.3}}};
  for (const auto& [robot, lag, posture] : slaves) {
    FollowBench bench(robot, "panda", posture);
    bench.device_lag = lag;
    bench.begin("{master: panda, turns: true}");
    bench.steps(10);
    ASSERT_EQ(bench.replies.size(), 1U);
    const Ways ways = follow_up_and_down(bench, 1400);
    ASSERT_FALSE(ways.ahead.empty());
    EXPECT_LT(largest_miss(ways.ahead, ways.behind, 0), 0.002)
        << robot << ", a device late by " << lag << " ms";
    bench.expect_no_limit_passed();
    bench.expect_nothing_refused();
  }
}

/// A panda in simulation that runs programs/master.prog.
std::unique_ptr<Lockstep> shipped_master() {
  auto loaded = load_robot("panda");
  EXPECT_TRUE(loaded);
  const auto control = read_control(loaded->settings.control);
  Scene scene{.name = "test"};
  scene.robots.push_back({.name = "robot", .model = std::move(loaded->model)});
  auto master = Lockstep::make(std::move(scene), "robot", *control);
  EXPECT_TRUE(master && (*master)->add_motion());
  for (int i = 0; i < 50; ++i) (*master)->step();
  return *std::move(master);
}

// the shipped pair: sinew run programs/master.prog; sinew follow yarc-industrial --master panda --scale 2
TEST(FollowerTest, TheSlaveOfTheShippedPairGoesTwiceAsFarAsItsMaster) {
  const std::unique_ptr<Lockstep> master = shipped_master();
  FollowBench bench("yarc-industrial");
  bench.begin("{master: panda, scale: 2}");
  bench.move_master = [&](JointState& said, double) {
    master->step();
    said.position = master->state().position;
    said.velocity = master->state().velocity;
  };
  bench.steps(10);
  Request request{.verb = RequestVerb::RunProgram};
  set_text(request.who, "test");
  set_text(request.text, "programs/master.prog");
  const std::uint64_t number = master->ask(request);
  const Vector3 master_from = bench.master_tool().position;
  const Vector3 from = bench.tool().position;
  std::vector<Vector3> ahead;
  std::vector<Vector3> behind;
  double furthest = 0.0;
  bench.on_cycle = [&] {
    ahead.push_back(2.0 * (bench.master_tool().position - master_from));
    behind.push_back(bench.tool().position - from);
    furthest = std::max(furthest, behind.back().norm());
  };
  for (int i = 0; i < 15'000 && !master->final_reply(number); ++i) bench.step();
  ASSERT_TRUE(master->final_reply(number));
  EXPECT_EQ(master->final_reply(number)->status, ReplyStatus::Done)
      << text_of(master->final_reply(number)->reason);
  double best = 1.0;
  for (std::size_t cycles = 0; cycles < 100; ++cycles)
    best = std::min(best, largest_miss(ahead, behind, cycles));
  EXPECT_GT(furthest, 0.18) << "a rectangle of 80 by 60 mm, twice as large";
  EXPECT_LT(best, 0.004) << "2 mm of the master's way";
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(FollowerTest, TheWayIsScaledAndTurned) {
  FollowBench bench("ur5e");
  bench.begin("{master: panda, scale: 0.5, rpy: [0, 0, 1.5707963267948966]}");
  bench.steps(10);
  const Pose from = bench.tool();
  bench.begin_time();
  bench.move_master = [&](JointState&, double time) {
    bench.put_master({std::min(0.1, 0.1 * time), 0.0, 0.0});
  };
  bench.steps(600);
  const Vector3 way = bench.tool().position - from.position;
  EXPECT_NEAR(way.x(), 0.0, 1e-5);
  EXPECT_NEAR(way.y(), 0.05, 1e-5);
  EXPECT_NEAR(way.z(), 0.0, 1e-5);
  EXPECT_LT(distance(from, bench.tool()).rotation, 1e-5);
}

TEST(FollowerTest, TheClutchCausesNoStep) {
  FollowBench bench("ur5e");
  bench.begin("{master: panda, clutch: true}");
  bench.begin_time();
  bench.move_master = [&](JointState&, double time) {
    bench.put_master({0.0, 0.1 * std::sin(kPi * std::max(0.0, time - 0.2)), 0.0});
  };
  const Pose from = bench.tool();
  bench.steps(100);
  EXPECT_LT(distance(from, bench.tool()).position, 1e-12) << "it stands until the clutch is engaged";
  for (int i = 0; i < 5; ++i) {
    bench.clutch(true);
    const Pose engaged = bench.tool();
    const Pose master_engaged = bench.master_tool();
    bench.steps(147);
    EXPECT_LT(
        (bench.tool().position - engaged.position - (bench.master_tool().position - master_engaged.position))
            .norm(),
        0.015)
        << "it goes on from where both are";
    bench.clutch(false);
    bench.steps(130);
    const Pose released = bench.tool();
    bench.steps(30);
    EXPECT_LT(distance(released, bench.tool()).position, 1e-12) << "released it stands";
  }
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(FollowerTest, AHandThatLetsGoOfTheClutchLetsGoOfTheRobot) {
  FollowBench bench("ur5e");
  bench.begin("{master: panda, clutch: true}");
  bench.begin_time();
  bench.move_master = [&](JointState&, double time) {
    bench.put_master({0.0, 0.1 * std::sin(kPi * time), 0.0});
  };
  bench.steps(10);
  bench.clutch(true, 100 * kMillisecond_ns);
  bench.steps(20);
  EXPECT_TRUE(bench.follower().is_engaged());
  bench.steps(150);
  EXPECT_FALSE(bench.follower().is_engaged());
  EXPECT_TRUE(bench.rests());
}

TEST(FollowerTest, ADeadMasterStopsItSmoothly) {
  FollowBench bench("ur5e");
  bench.begin("{master: panda}");
  bench.begin_time();
  bench.move_master = [&](JointState&, double time) {
    bench.put_master({0.0, 0.1 * std::sin(kPi * time), 0.0});
  };
  bench.steps(500);
  EXPECT_FALSE(bench.rests());
  const Pose from = bench.tool();
  bench.is_master_alive = false;
  bench.steps(200);
  EXPECT_TRUE(bench.rests());
  EXPECT_FALSE(bench.follower().is_busy());
  ASSERT_EQ(bench.replies.size(), 2U);
  EXPECT_EQ(bench.replies[1].status, ReplyStatus::Aborted);
  EXPECT_NE(text_of(bench.replies[1].reason).find("master 'panda' has said nothing for"),
            std::string_view::npos)
      << text_of(bench.replies[1].reason);
  EXPECT_LT(distance(from, bench.tool()).position, 0.1);
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(FollowerTest, AStopEndsItSmoothly) {
  FollowBench bench("ur5e");
  bench.begin("{master: panda}");
  bench.begin_time();
  bench.move_master = [&](JointState&, double time) {
    bench.put_master({0.0, 0.1 * std::sin(kPi * time), 0.0});
  };
  bench.steps(500);
  bench.follower().stop(ReplyStatus::Aborted, "stopped by 'tester'");
  bench.steps(100);
  EXPECT_TRUE(bench.rests());
  EXPECT_EQ(text_of(bench.replies.back().reason), "stopped by 'tester'");
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

// jumps, NaN, infinities, time that goes back or stands, other robots' messages
TEST(FollowerTest, NoMasterLeadsItBeyondItsLimits) {
  for (const char* text : {"{master: panda, scale: 2}", "{master: ur5e, what: joints, scale: -1.5}"}) {
    const std::string master = text[9] == 'p' ? "panda" : "ur5e";
    FollowBench bench("ur5e", master);
    bench.begin(text);
    std::mt19937_64 random(42);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    std::uint64_t held = 0;
    const JointState home = bench.said_;
    bench.move_master = [&](JointState& said, double) {
      for (std::size_t i = 0; i < said.joint_count; ++i)
        said.position[i] = std::clamp(said.position[i] + 4e-3 * any(random), -2.5, 2.5);
      switch (random() % 2000) {
        case 0:
          said.position[random() % 6] = std::numeric_limits<double>::quiet_NaN();
          break;
        case 1:
          said.position[random() % 6] += 5.0 * any(random);
          break;
        case 2:
          said.stamp_ns -= static_cast<std::int64_t>(random() % 5) * kSecond_ns;
          break;
        case 3:
          said.position = home.position;
          break;
        case 4:
          said.stamp_ns = std::numeric_limits<std::int64_t>::max();
          break;
        case 5:
          said.position.fill(-std::numeric_limits<double>::infinity());
          break;
        default:
          break;
      }
      for (std::size_t i = 0; random() % 50 == 0 && i < said.joint_count; ++i)
        if (!std::isfinite(said.position[i])) said.position[i] = home.position[i];
    };
    bench.on_cycle = [&] { held |= bench.safety().held_mask; };
    JointArray lowest = bench.sent().position;
    JointArray highest = lowest;
    for (int i = 0; i < 4000; ++i) {
      bench.step();
      if (!bench.follower().is_busy()) bench.begin(text);
      for (std::size_t k = 0; k < 6; ++k) {
        lowest[k] = std::min(lowest[k], bench.sent().position[k]);
        highest[k] = std::max(highest[k], bench.sent().position[k]);
      }
    }
    EXPECT_GT(highest[0] - lowest[0], 0.05) << "it did follow";
    EXPECT_EQ(held, 0U);
    bench.expect_no_limit_passed();
    bench.expect_nothing_refused();
  }
}

TEST(FollowerTest, WhatCannotBeIsRefusedInWords) {
  const auto words = [](const char* text) {
    const auto task = follow_task_from_text(text);
    return task ? std::string() : task.error().message;
  };
  EXPECT_NE(words("{}").find("master"), std::string::npos) << words("{}");
  EXPECT_NE(words("{master: panda, scale: 0}").find("scale 0"), std::string::npos);
  EXPECT_NE(words("{master: panda, scale: nan}"), "");
  EXPECT_NE(words("{master: panda, what: feet}").find("tool or joints"), std::string::npos);
  EXPECT_NE(words("{master: panda, clutch: maybe}").find("true or false"), std::string::npos);
  EXPECT_NE(words("{master: panda, speed: 1}").find("speed"), std::string::npos);
  FollowBench bench("ur5e");
  const auto task = follow_task_from_text("{master: panda, what: joints}");
  const auto panda = load_robot("panda");
  const Status begun = bench.follower().begin(1, *task, panda->model, bench.now_ns());
  ASSERT_FALSE(begun);
  EXPECT_NE(begun.error().message.find("6 joints and the master's arm 'arm' has 7"), std::string::npos)
      << begun.error().message;
}

}  // namespace
}  // namespace sinew
