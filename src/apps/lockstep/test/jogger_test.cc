// SPDX-License-Identifier: BSD-3-Clause
// Jogging with the real controller behind it, cycle by cycle.
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "apps/lockstep/test/stream_bench.h"

namespace sinew {
namespace {

constexpr int kStepCycles = 4;  // of the controller in one step of the motion service

class JogBench : public StreamBench {
 public:
  explicit JogBench(const std::string& name, const std::string& posture = "")
      : StreamBench(name, posture), jogger_(model(), room()) {}

  Jogger& jogger() { return jogger_; }
  /// One step of the service, and the cycles until the next.
  void step() {
    const JogOutput& output = jogger_.step(view(), now_ns());
    put(output.segments);
    if (output.reference) controller().take_reference(0, *output.reference, now_ns());
    for (int i = 0; i < kStepCycles; ++i) {
      cycle();
      if (on_cycle) on_cycle();
    }
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  void hold(JogWish wish, int count) {
    for (int i = 0; i < count; ++i) {
      wish.stamp_ns = now_ns();
      jogger_.take_wish(wish, view(), now_ns());
      step();
    }
  }
  /// Steps without wishes until all is at rest.
  int rest() {
    for (int i = 1; i <= 1000; ++i) {
      step();
      if (rests() && !jogger_.is_busy()) return i;
    }
    ADD_FAILURE() << "never rests";
    return 0;
  }
  JogWish joint_wish(const char* name, double velocity) const {
    JogWish wish{.stamp_ns = now_ns(), .joint_mask = std::uint64_t{1} << joint(name)};
    wish.joint_velocity[joint(name)] = velocity;
    set_text(wish.who, "tester");
    return wish;
  }
  JogWish tool_wish(JogFrame frame, const Vector3& linear, const Vector3& angular = Vector3::Zero()) const {
    JogWish wish{.stamp_ns = now_ns(), .frame = frame};
    for (std::size_t i = 0; i < 3; ++i) {
      wish.linear[i] = linear[static_cast<Eigen::Index>(i)];
      wish.angular[i] = angular[static_cast<Eigen::Index>(i)];
    }
    set_text(wish.who, "tester");
    return wish;
  }
  std::string words() const { return std::string(text_of(jogger_.state().words)); }

  std::function<void()> on_cycle;

 private:
  Jogger jogger_;
};

TEST(JoggerTest, MovesAJointAsLongAsTheKeyIsHeld) {
  JogBench bench("ur5e");
  const std::size_t i = bench.joint("elbow_joint");
  const double from = bench.sent().position[i];
  bench.hold(bench.joint_wish("elbow_joint", 0.5), 250);
  EXPECT_NEAR(bench.sent().velocity[i], 0.5, 1e-9);
  EXPECT_EQ(bench.jogger().state().phase, JogPhase::Moving);
  const double reached = bench.sent().position[i];
  EXPECT_NEAR(reached - from, 0.5, 0.1);
  bench.rest();
  EXPECT_EQ(bench.jogger().state().reason, JogReason::Silent);
  EXPECT_LT(bench.sent().position[i] - reached, 0.5 * 0.15 + 0.1) << "the lease and the braking way";
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(JoggerTest, IsFeltWithinAStepAndACycle) {
  JogBench bench("ur5e");
  const std::size_t i = bench.joint("elbow_joint");
  const double from = bench.sent().position[i];
  bench.jogger().take_wish(bench.joint_wish("elbow_joint", 0.5), bench.view(), bench.now_ns());
  const JogOutput& output = bench.jogger().step(bench.view(), bench.now_ns());
  bench.put(output.segments);
  int cycles = 0;
  while (bench.sent().position[i] == from && cycles < 100) {
    bench.cycle();
    ++cycles;
  }
  EXPECT_LE(cycles, kStepCycles + 1);
}

// a motion service that is brought back while the key is still held
TEST(JoggerTest, APressFromBeforeItBeganMovesNothingUntilTheKeyIsPressedAgain) {
  JogBench bench("ur5e");
  const std::size_t i = bench.joint("elbow_joint");
  const double from = bench.sent().position[i];
  const JogWish held = bench.joint_wish("elbow_joint", 0.5);
  bench.jogger().take_old_wish(held, 40 * kMillisecond_ns);
  for (int k = 0; k < 60; ++k) bench.cycle();
  bench.hold(held, 300);
  EXPECT_EQ(bench.sent().position[i], from) << "the old press goes on";
  EXPECT_EQ(bench.jogger().state().phase, JogPhase::Refused);
  EXPECT_EQ(bench.jogger().state().reason, JogReason::OldPress);
  EXPECT_EQ(bench.words(),
            "the key has been held since before the motion service began: let go, and press it again");
  // another one's key is not meant
  JogWish others = held;
  set_text(others.who, "other");
  bench.hold(others, 50);
  bench.rest();
  const double reached = bench.sent().position[i];
  EXPECT_GT(reached, from + 0.01);
  // let go, and pressed again
  bench.hold(bench.joint_wish("elbow_joint", 0.0), 1);
  bench.hold(held, 100);
  EXPECT_GT(bench.sent().position[i], reached + 0.01);
  bench.rest();

  bench.jogger().take_old_wish(bench.joint_wish("elbow_joint", 0.5), 0);
  for (int k = 0; k < 700; ++k) bench.cycle();
  const double before = bench.sent().position[i];
  bench.hold(held, 100);
  EXPECT_GT(bench.sent().position[i], before + 0.01) << "it was silent for longer than any lease";
  bench.rest();
  // what was let go before the service began is of no press
  bench.jogger().take_old_wish(bench.joint_wish("elbow_joint", 0.5), 0);
  bench.jogger().take_old_wish(bench.joint_wish("elbow_joint", 0.0), 0);
  bench.jogger().take_wish(bench.joint_wish("elbow_joint", 0.5), bench.view(), bench.now_ns());
  EXPECT_NE(bench.jogger().state().reason, JogReason::OldPress);
}

TEST(JoggerTest, StopsSmoothlyWhenTheServiceDies) {
  JogBench bench("ur5e");
  const std::size_t i = bench.joint("elbow_joint");
  bench.hold(bench.joint_wish("elbow_joint", 1.0), 200);
  const double reached = bench.sent().position[i];
  for (int k = 0; k < 1000; ++k) bench.cycle();
  EXPECT_TRUE(bench.rests());
  EXPECT_EQ(bench.safety().motion_end, MotionEnd::Done) << "it was not broken: its end had been sent";
  EXPECT_LT(bench.sent().position[i] - reached, 0.35);
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(JoggerTest, TheToolGoesStraight) {
  for (const char* robot : {"ur5e", "panda"}) {
    for (const JogFrame frame : {JogFrame::Base, JogFrame::Tool}) {
      JogBench bench(robot);
      const Pose from = bench.tool();
      const Vector3 direction = Vector3(0.3, -0.8, -0.5).normalized();
      const Vector3 in_base = frame == JogFrame::Tool ? Vector3(from.rotation * direction) : direction;
      double drift = 0.0;
      double turn = 0.0;
      bench.on_cycle = [&] {
        const Pose now = bench.tool();
        const Vector3 way = now.position - from.position;
        drift = std::max(drift, (way - way.dot(in_base) * in_base).norm());
        turn = std::max(turn, distance(from, now).rotation);
      };
      bench.hold(bench.tool_wish(frame, 0.1 * direction), 250);
      EXPECT_NEAR((bench.tool().position - from.position).norm(), 0.1, 0.02) << robot << bench.words();
      bench.rest();
      EXPECT_LT(drift, 1e-5) << robot;
      EXPECT_LT(turn, 1e-5) << robot;
      bench.expect_no_limit_passed();
      bench.expect_nothing_refused();
    }
  }
}

TEST(JoggerTest, ChangesItsMindWithoutAStop) {
  JogBench bench("ur5e");
  bench.hold(bench.tool_wish(JogFrame::Base, {0.1, 0.0, 0.0}), 100);
  const Pose corner = bench.tool();
  bench.hold(bench.tool_wish(JogFrame::Base, {0.0, 0.1, 0.0}), 100);
  const Pose end = bench.tool();
  EXPECT_GT(end.position.y() - corner.position.y(), 0.03);
  EXPECT_NEAR(bench.sent().velocity[0] != 0.0, 1.0, 0.0);
  EXPECT_EQ(bench.jogger().state().phase, JogPhase::Moving) << bench.words();
  bench.hold(bench.joint_wish("wrist_3_joint", -0.4), 100);
  EXPECT_NEAR(bench.sent().velocity[bench.joint("wrist_3_joint")], -0.4, 1e-9);
  bench.rest();
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(JoggerTest, UserFrameIsTurnedAsItSays) {
  JogBench bench("ur5e");
  JogWish wish = bench.tool_wish(JogFrame::User, {0.1, 0.0, 0.0});
  wish.frame_rpy = {0.0, 0.0, std::numbers::pi / 2.0};
  const Pose from = bench.tool();
  bench.hold(wish, 100);
  const Vector3 way = bench.tool().position - from.position;
  EXPECT_GT(way.y(), 0.02);
  EXPECT_NEAR(way.x(), 0.0, 1e-6);
  EXPECT_NEAR(way.z(), 0.0, 1e-6);
}

TEST(JoggerTest, StopsAtAJointLimitAndSaysWhich) {
  JogBench bench("ur5e");
  const std::size_t i = bench.joint("shoulder_pan_joint");
  const double upper = bench.model().joints[bench.model().positions[i]].limits.upper;
  bench.hold(bench.joint_wish("shoulder_pan_joint", 3.0), 900);
  EXPECT_NEAR(bench.sent().position[i], upper, 0.01);
  EXPECT_LE(bench.sent().position[i], upper);
  EXPECT_EQ(bench.jogger().state().phase, JogPhase::Stopped);
  EXPECT_EQ(bench.jogger().state().reason, JogReason::JointLimit);
  EXPECT_NE(bench.words().find("shoulder_pan_joint"), std::string::npos) << bench.words();
  // and comes back
  bench.hold(bench.joint_wish("shoulder_pan_joint", -1.0), 150);
  EXPECT_LT(bench.sent().position[i], upper - 0.2);
  bench.rest();
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

// folded up, the wrist would meet the upper arm
TEST(JoggerTest, StopsBeforeACollisionAndNamesThePair) {
  JogBench bench("ur5e");
  const std::size_t i = bench.joint("elbow_joint");
  std::uint64_t held = 0;
  double hardest = 0.0;
  bench.on_cycle = [&] {
    held |= bench.safety().held_mask;
    hardest = std::max(hardest, std::abs(bench.sent().acceleration[i]));
  };
  bench.hold(bench.joint_wish("elbow_joint", 2.0), 700);
  EXPECT_EQ(bench.jogger().state().phase, JogPhase::Stopped);
  EXPECT_EQ(bench.jogger().state().reason, JogReason::Collision) << bench.words();
  EXPECT_NE(bench.words().find("upper_arm_link"), std::string::npos) << bench.words();
  EXPECT_NE(bench.words().find("wrist_3_link"), std::string::npos) << bench.words();
  EXPECT_EQ(held, 0U) << "the guard had to stop it";
  const double reached = bench.sent().position[i];
  EXPECT_GT(reached, 2.5) << "it came near";
  bench.hold(bench.joint_wish("elbow_joint", -1.0), 150);
  EXPECT_LT(bench.sent().position[i], reached - 0.2) << "and may leave";
  bench.rest();
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(JoggerTest, SlowsAndStopsBeforeTheArmIsStretched) {
  JogBench bench("ur5e");
  double fastest = 0.0;
  bench.on_cycle = [&] {
    for (std::size_t i = 0; i < bench.sent().joint_count; ++i)
      fastest = std::max(fastest, std::abs(bench.sent().velocity[i]));
  };
  bench.hold(bench.tool_wish(JogFrame::Base, {0.0, -0.2, 0.0}), 2000);
  const JogState& state = bench.jogger().state();
  EXPECT_LT(state.share, 0.1) << bench.words();
  EXPECT_EQ(state.reason, JogReason::Singularity) << bench.words();
  EXPECT_LT(state.smallest_singular_value, 0.05);
  bench.rest();
  // and back by the same way
  const Pose far = bench.tool();
  bench.hold(bench.tool_wish(JogFrame::Base, {0.0, 0.1, 0.0}), 500);
  EXPECT_GT(bench.tool().position.y() - far.position.y(), 0.05) << bench.words();
  bench.rest();
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(JoggerTest, LeavesASingularPostureWhereThatIsPossible) {
  // J4 and J6 are in line there
  JogBench bench("yarc-industrial");
  const Pose from = bench.tool();
  bench.hold(bench.tool_wish(JogFrame::Base, {0.0, 0.0, -0.1}), 250);
  const Vector3 way = bench.tool().position - from.position;
  EXPECT_LT(way.z(), -0.06) << bench.words();
  EXPECT_NEAR(way.x(), 0.0, 1e-5);
  EXPECT_NEAR(way.y(), 0.0, 1e-5);
  bench.rest();
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(JoggerTest, AShortArmMovesItsToolAndTurnsItAsItMust) {
  JogBench bench("scorbot-er3", "ready");
  const Pose from = bench.tool();
  bench.hold(bench.tool_wish(JogFrame::Base, {0.0, 0.05, 0.0}), 250);
  const Vector3 way = bench.tool().position - from.position;
  EXPECT_GT(way.y(), 0.02) << bench.words();
  EXPECT_NEAR(way.x(), 0.0, 1e-5);
  EXPECT_NEAR(way.z(), 0.0, 1e-5);
  bench.rest();
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

JogWish random_wish(const JogBench& bench, std::mt19937_64& random) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  JogWish wish{.stamp_ns = bench.now_ns(), .frame = static_cast<JogFrame>(random() % 4)};
  wish.lease_ns = static_cast<std::int64_t>(random() % 4) * 60 * kMillisecond_ns;
  wish.speed = 0.01 + 0.99 * std::abs(any(random));
  wish.joint_mask = random() % 63 + 1;
  for (std::size_t i = 0; i < 6; ++i) wish.joint_velocity[i] = random() % 3 == 0 ? 4.0 * any(random) : 0.0;
  for (double& number : wish.linear) number = random() % 2 == 0 ? 0.4 * any(random) : 0.0;
  for (double& number : wish.angular) number = random() % 3 == 0 ? any(random) : 0.0;
  for (double& number : wish.frame_rpy) number = 3.0 * any(random);
  set_text(wish.who, "tester");
  return wish;
}

// 10,000 wishes with random gaps, of which some are longer than any lease
TEST(JoggerTest, NoWishesLeadBeyondLimitsAndSilenceAlwaysEndsAtRest) {
  for (const char* robot : {"ur5e", "yarc-industrial"}) {
    JogBench bench(robot, robot == std::string("ur5e") ? "" : "ready");
    std::mt19937_64 random(2026);
    std::uint64_t held = 0;
    bench.on_cycle = [&] { held |= bench.safety().held_mask; };
    JointArray lowest = bench.sent().position;
    JointArray highest = lowest;
    JogWish wish = random_wish(bench, random);
    for (int i = 0; i < 5000; ++i) {
      if (random() % 40 == 0) wish = random_wish(bench, random);
      wish.stamp_ns = bench.now_ns();
      bench.jogger().take_wish(random() % 20 == 0 ? random_wish(bench, random) : wish, bench.view(),
                               bench.now_ns());
      bench.steps(static_cast<int>(random() % 3));
      if (random() % 200 == 0) bench.steps(80);
      if (i % 1000 == 999) {
        EXPECT_LT(bench.rest(), 300);
      }
      for (std::size_t k = 0; k < 6; ++k) {
        lowest[k] = std::min(lowest[k], bench.sent().position[k]);
        highest[k] = std::max(highest[k], bench.sent().position[k]);
      }
    }
    for (std::size_t k = 0; k < 6; ++k) EXPECT_GT(highest[k] - lowest[k], 0.3) << robot << ", joint " << k;
    EXPECT_EQ(held, 0U) << robot;
    bench.expect_no_limit_passed();
    bench.expect_nothing_refused();
  }
}

TEST(JoggerTest, BadWishesAreRefusedAndHarmNobody) {
  JogBench bench("ur5e");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<JogWish> bad;
  const auto add = [&](auto&& change) {
    JogWish wish = bench.tool_wish(JogFrame::Base, {0.1, 0.0, 0.0});
    change(wish);
    bad.push_back(wish);
  };
  add([&](JogWish& wish) { wish.linear[1] = nan; });
  add([&](JogWish& wish) { wish.angular[2] = infinity; });
  add([&](JogWish& wish) { wish.frame_rpy[0] = -infinity; });
  add([&](JogWish& wish) { wish.joint_velocity[63] = nan; });
  add([&](JogWish& wish) { wish.speed = nan; });
  add([&](JogWish& wish) { wish.speed = 0.0; });
  add([&](JogWish& wish) { wish.speed = 1.5; });
  add([&](JogWish& wish) { wish.frame = static_cast<JogFrame>(77); });
  add([&](JogWish& wish) { wish.is_step = 2; });
  add([&](JogWish& wish) { wish.lease_ns = -1; });
  add([&](JogWish& wish) { wish.stamp_ns = std::numeric_limits<std::int64_t>::max(); });
  add([&](JogWish& wish) { wish.stamp_ns = std::numeric_limits<std::int64_t>::min(); });
  add([&](JogWish& wish) { wish.stamp_ns -= kSecond_ns; });
  add([&](JogWish& wish) { set_text(wish.arm, "third"); });
  add([&](JogWish& wish) { set_text(wish.tool, "none"); });
  add([&](JogWish& wish) { wish.frame = JogFrame::Joints, wish.joint_velocity[0] = 0.1; });
  add([&](JogWish& wish) { wish.frame = JogFrame::Joints, wish.joint_mask = std::uint64_t{1} << 63; });
  add([&](JogWish& wish) { wish.is_step = 1, wish.linear[0] = 1.0; });
  std::uint64_t refusals = 0;
  for (const JogWish& wish : bad) {
    bench.jogger().take_wish(wish, bench.view(), bench.now_ns());
    EXPECT_EQ(bench.jogger().state().refusals, ++refusals) << "wish " << refusals;
    EXPECT_EQ(bench.jogger().state().phase, JogPhase::Refused);
    EXPECT_GT(bench.words().size(), 15U);
    bench.step();
  }
  EXPECT_TRUE(bench.rests());
  // nor do they disturb somebody who jogs
  bench.hold(bench.joint_wish("elbow_joint", 0.5), 100);
  for (const JogWish& wish : bad) bench.jogger().take_wish(wish, bench.view(), bench.now_ns());
  bench.hold(bench.joint_wish("elbow_joint", 0.5), 1);
  EXPECT_EQ(bench.jogger().state().phase, JogPhase::Moving);
}

// letting go names no joint, no arm and no frame, and counts whenever it comes
TEST(JoggerTest, LettingGoIsNeverRefusedAndEndsTheJogBeforeItsLease) {
  for (const JogFrame frame : {JogFrame::Joints, JogFrame::Base, JogFrame::Tool, JogFrame::User}) {
    for (const std::int64_t age_ns : {std::int64_t{0}, 10 * kSecond_ns, -10 * kSecond_ns}) {
      JogBench bench("ur5e");
      bench.hold(frame == JogFrame::Joints ? bench.joint_wish("elbow_joint", 0.5)
                                           : bench.tool_wish(frame, {0.0, 0.1, 0.0}),
                 100);
      ASSERT_FALSE(bench.rests());
      JogWish stop{.stamp_ns = bench.now_ns() - age_ns};
      set_text(stop.who, "tester");
      bench.jogger().take_wish(stop, bench.view(), bench.now_ns());
      EXPECT_EQ(bench.jogger().state().refusals, 0U) << bench.words();
      bench.rest();
      EXPECT_EQ(bench.jogger().state().phase, JogPhase::Idle);
      EXPECT_EQ(bench.jogger().state().reason, JogReason::None) << "it was its lease that ended the jog";
      bench.expect_nothing_refused();
    }
  }
}

TEST(JoggerTest, WhoJogsNotLetsNobodyElseGo) {
  JogBench bench("ur5e");
  JogWish stop{.stamp_ns = bench.now_ns()};
  set_text(stop.who, "tester");
  bench.jogger().take_wish(stop, bench.view(), bench.now_ns());
  EXPECT_EQ(bench.jogger().state().refusals, 0U) << "nothing moves, and nothing is to be refused";
  set_text(stop.who, "somebody else");
  bench.hold(bench.joint_wish("elbow_joint", 0.5), 200);
  bench.jogger().take_wish(stop, bench.view(), bench.now_ns());
  bench.step();
  EXPECT_EQ(bench.jogger().state().phase, JogPhase::Moving);
  EXPECT_NEAR(bench.sent().velocity[bench.joint("elbow_joint")], 0.5, 1e-9);
}

TEST(JoggerTest, ALeaseOfAYearIsHalfASecond) {
  JogBench bench("ur5e");
  JogWish wish = bench.joint_wish("elbow_joint", 0.5);
  wish.lease_ns = std::int64_t{365} * 24 * 3600 * kSecond_ns;
  bench.jogger().take_wish(wish, bench.view(), bench.now_ns());
  bench.steps(110);
  EXPECT_GT(bench.sent().velocity[bench.joint("elbow_joint")], 0.4);
  bench.steps(120);
  EXPECT_TRUE(bench.rests());
}

TEST(JoggerTest, AFloodOfWishesCostsOneStep) {
  JogBench bench("ur5e");
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; k < 100; ++k)
      bench.jogger().take_wish(bench.joint_wish("elbow_joint", 0.01 * k), bench.view(), bench.now_ns());
    bench.step();
  }
  EXPECT_NEAR(bench.sent().velocity[bench.joint("elbow_joint")], 0.99, 1e-3);
  bench.rest();
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

TEST(JoggerTest, OneJogsAtATime) {
  JogBench bench("ur5e");
  bench.hold(bench.joint_wish("elbow_joint", 0.5), 10);
  JogWish other = bench.joint_wish("elbow_joint", -0.5);
  set_text(other.who, "somebody else");
  bench.jogger().take_wish(other, bench.view(), bench.now_ns());
  EXPECT_EQ(bench.jogger().state().refusals, 1U);
  bench.rest();
  EXPECT_GT(bench.sent().position[bench.joint("elbow_joint")], std::numbers::pi / 2.0);
}

TEST(JoggerTest, WhoMayNotJogIsTold) {
  JogBench bench("ur5e");
  bench.jogger().set_permission([](std::string_view who, std::uint64_t) -> Status {
    if (who == "owner") return Done{};
    return Error{ErrorCode::Denied, "'owner' has control; take it first"};
  });
  bench.hold(bench.joint_wish("elbow_joint", 0.5), 10);
  EXPECT_TRUE(bench.rests());
  EXPECT_EQ(bench.jogger().state().reason, JogReason::NotAllowed);
  EXPECT_EQ(bench.words(), "'owner' has control; take it first");
}

TEST(JoggerTest, ARefusalIsToldToWhoeverItIsAbout) {
  JogBench bench("ur5e");
  const auto is_told = [&](const char* who, const char* arm) {
    JogWish wish = bench.tool_wish(JogFrame::Base, {0.0, 0.0, 0.1});
    set_text(wish.arm, arm);
    set_text(wish.who, who);
    bench.jogger().take_wish(wish, bench.view(), bench.now_ns());
    const auto& told = bench.jogger().step(bench.view(), bench.now_ns()).state;
    return told && told->phase == JogPhase::Refused && text_of(told->who) == who;
  };
  EXPECT_TRUE(is_told("first", "third"));
  EXPECT_FALSE(is_told("first", "third")) << "a key that is held says the same every few milliseconds";
  EXPECT_TRUE(is_told("second", "third"));
  EXPECT_TRUE(is_told("second", "fourth")) << "in other words";
}

TEST(JoggerTest, StepsEndExactlyThere) {
  for (const char* robot : {"ur5e", "panda"}) {
    JogBench bench(robot);
    for (const double length : {1e-4, 1e-3, 1e-2}) {
      const Pose from = bench.tool();
      JogWish wish = bench.tool_wish(JogFrame::Tool, {0.0, length, 0.0});
      wish.is_step = 1;
      bench.hold(wish, 1);
      bench.rest();
      const Pose to = bench.tool();
      EXPECT_LT((to.position - from * Vector3(0.0, length, 0.0)).norm(), 1e-8) << robot << bench.words();
      EXPECT_LT(distance(from, to).rotation, 1e-8);
      EXPECT_EQ(bench.words(), "the step is made");
    }
    for (const double angle_deg : {0.1, 1.0, 5.0}) {
      const Pose from = bench.tool();
      const double angle = angle_deg * std::numbers::pi / 180.0;
      JogWish wish = bench.tool_wish(JogFrame::Base, Vector3::Zero(), {0.0, 0.0, -angle});
      wish.is_step = 1;
      bench.hold(wish, 1);
      bench.rest();
      EXPECT_NEAR(distance(from, bench.tool()).rotation, angle, 1e-8) << robot << bench.words();
      EXPECT_LT(distance(from, bench.tool()).position, 1e-8);
    }
    bench.expect_no_limit_passed();
    bench.expect_nothing_refused();
  }
}

TEST(JoggerTest, StepsOfAJointEndExactlyThere) {
  JogBench bench("ur5e");
  const std::size_t i = bench.joint("wrist_1_joint");
  const double from = bench.sent().position[i];
  JogWish wish = bench.joint_wish("wrist_1_joint", 0.1);
  wish.is_step = 1;
  bench.hold(wish, 1);
  bench.rest();
  EXPECT_NEAR(bench.sent().position[i], from + 0.1, 1e-12);
  wish.joint_velocity[i] = 0.3;
  wish.joint_mask |= 1;
  wish.joint_velocity[0] = 7.0;
  bench.hold(wish, 1);
  EXPECT_EQ(bench.jogger().state().phase, JogPhase::Refused);
  bench.expect_nothing_refused();
}

TEST(JoggerTest, AStopEndsAStepOnItsWay) {
  JogBench bench("ur5e");
  const Pose from = bench.tool();
  JogWish wish = bench.tool_wish(JogFrame::Base, {0.0, 0.0, 0.05});
  wish.is_step = 1;
  bench.hold(wish, 30);
  bench.jogger().stop();
  bench.rest();
  const double way = (bench.tool().position - from.position).norm();
  EXPECT_GT(way, 1e-3);
  EXPECT_LT(way, 0.045);
  bench.expect_no_limit_passed();
  bench.expect_nothing_refused();
}

// a service that is held up between its steps, and whose pieces come too late
TEST(JoggerTest, PiecesThatComeTooLateAreMadeUpFor) {
  JogBench bench("ur5e");
  std::mt19937_64 random(7);
  JogWish wish = bench.joint_wish("elbow_joint", 0.3);
  for (int i = 0; i < 300; ++i) {
    wish.stamp_ns = bench.now_ns();
    bench.jogger().take_wish(wish, bench.view(), bench.now_ns());
    const std::vector<Segment> pieces = bench.jogger().step(bench.view(), bench.now_ns()).segments;
    const int late = random() % 10 == 0 ? static_cast<int>(random() % 12) : 0;
    for (int k = 0; k < late; ++k) bench.cycle();
    bench.put(pieces);
    for (int k = 0; k < 4; ++k) bench.cycle();
  }
  EXPECT_GT(bench.safety().refusals, 0U) << "none was late";
  EXPECT_GT(bench.jogger().state().lead_ns, 2 * kMillisecond_ns);
  EXPECT_NEAR(bench.sent().velocity[bench.joint("elbow_joint")], 0.3, 0.05) << bench.words();
  bench.rest();
  bench.expect_no_limit_passed();
}

TEST(JoggerTest, WhenTheGuardOrSomebodyElseTakesTheJointsItStartsAnew) {
  JogBench bench("ur5e");
  const std::size_t i = bench.joint("elbow_joint");
  bench.controller().set_source(1, "somebody", 0);
  bench.hold(bench.joint_wish("elbow_joint", 0.5), 100);
  JointReference reference{.stamp_ns = bench.now_ns(), .joint_mask = std::uint64_t{1} << i};
  reference.position[i] = 1.0;
  bench.controller().take_reference(1, reference, bench.now_ns());
  const auto hold_until = [&](auto&& is_so) {
    for (int k = 0; k < 1000 && !is_so(bench.sent().velocity[i]); ++k)
      bench.hold(bench.joint_wish("elbow_joint", 0.5), 1);
    EXPECT_TRUE(is_so(bench.sent().velocity[i])) << bench.words();
  };
  hold_until([](double velocity) { return velocity < 0.1; });
  EXPECT_EQ(bench.jogger().state().reason, JogReason::Busy) << bench.words();
  hold_until([](double velocity) { return velocity > 0.49; });
  bench.rest();
  bench.expect_no_limit_passed();
}

}  // namespace
}  // namespace sinew
