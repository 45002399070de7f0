// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sinew/base/test/allocation_count.h"
#include "sinew/control/safety_text.h"
#include "sinew/control/test/controller_fixture.h"
#include "sinew/control/test/planned_motion.h"

namespace sinew {
namespace {

class SegmentsTest : public ControllerTest {
 protected:
  static constexpr std::int64_t kAhead_ns = 20 * kMillisecond_ns;

  // where the joints are sent to now, and how they move
  std::array<AxisState, 4> here() const {
    std::array<AxisState, 4> states;
    for (std::size_t i = 0; i < 4; ++i)
      states[i] = {last_.position[i], last_.velocity[i], last_.acceleration[i]};
    return states;
  }

  std::vector<Segment> plan(std::uint64_t mask, std::array<double, 4> target, std::uint64_t motion) {
    return plan_from(here(), target, {.mask = mask, .motion = motion, .start_ns = now_ns_ + kAhead_ns});
  }
  std::vector<Segment> plan_from(const std::array<AxisState, 4>& from, std::array<double, 4> target,
                                 const PlanOptions& options) {
    std::array<AxisProfile, 4> profiles;
    for (std::size_t i = 0; i < 4; ++i) profiles[i] = plan_to_rest_at(target[i], from[i], limits_[i]);
    return pieces_of(profiles, options);
  }

  void send(const std::vector<Segment>& pieces) {
    for (const Segment& piece : pieces) controller_->take_segment(piece);
  }

  // what a motion says of a joint at `time_ns`, by the newest piece that has begun
  static AxisState state_at(const std::vector<Segment>& pieces, std::size_t joint, std::int64_t time_ns) {
    const Segment* current = &pieces.front();
    for (const Segment& piece : pieces)
      if (piece.start_ns <= time_ns) current = &piece;
    const bool is_over = current->is_last != 0 && end_of(*current) <= time_ns;
    const AxisState state = evaluate(polynomial_of(*current, joint), time_ns);
    return is_over ? AxisState{.position = state.position} : state;
  }

  // one cycle, in which no joint may pass a bound, measured as anyone would from a recording
  void watched_cycle() {
    cycle();
    std::rotate(past_.begin(), past_.begin() + 1, past_.end());
    past_[3] = last_;
    if (++watched_ < 4) return;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto p = [&](std::size_t k) { return past_[k].position[i]; };
      ASSERT_LE(std::abs(p(3)), 2.0 + 1e-8);
      ASSERT_LE(std::abs(p(3) - p(2)) / 1e-3, 1.0 * (1 + 1e-6));
      ASSERT_LE(std::abs(p(3) - 2 * p(2) + p(1)) / 1e-6, 4.0 * (1 + 1e-3));
      // joins may add three times their share
      ASSERT_LE(std::abs(p(3) - 3 * p(2) + 3 * p(1) - p(0)) / 1e-9, 40.0 * (1 + 3 * kJoinShare) + 1e-3);
    }
  }
  void watched_cycles(int count) {
    for (int i = 0; i < count; ++i) ASSERT_NO_FATAL_FAILURE(watched_cycle()) << "after " << i;
  }

  std::vector<AxisLimits> limits_ = *axis_limits(model_);
  std::array<JointCommand, 4> past_;
  int watched_ = 0;
};

TEST_F(SegmentsTest, PlannedMotionsAreReproducedToTheLastBit) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> position(-0.5, 0.5);
  cycle();
  for (std::uint64_t motion = 1; motion <= 40; ++motion) {
    const std::uint64_t mask = random() % 15 + 1;
    const auto pieces =
        plan(mask, {position(random), position(random), position(random), position(random)}, motion);
    // they come in handfuls, each before it is due
    std::size_t sent = 0;
    while (now_ns_ <= end_of(pieces.back())) {
      const std::int64_t horizon_ns = now_ns_ + kAhead_ns + static_cast<std::int64_t>(random() % kSecond_ns);
      while (sent < pieces.size() && (sent == 0 || pieces[sent].start_ns < horizon_ns))
        controller_->take_segment(pieces[sent++]);
      ASSERT_NO_FATAL_FAILURE(watched_cycle());
      if (now_ns_ < pieces.front().start_ns) continue;
      for_each_joint(mask, [&](std::size_t i) {
        const AxisState state = state_at(pieces, i, now_ns_);
        ASSERT_EQ(last_.position[i], state.position) << "motion " << motion << " joint " << i;
        ASSERT_EQ(last_.velocity[i], state.velocity);
        ASSERT_EQ(last_.acceleration[i], state.acceleration);
        ASSERT_EQ(last_.wanted[i], state.position);
      });
    }
    cycle();
    EXPECT_EQ(safety().ended_motion, motion);
    EXPECT_EQ(safety().motion_end, MotionEnd::Done);
    EXPECT_EQ(safety().motion, 0U);
  }
  EXPECT_EQ(safety().refusals, 0U) << refusal_sentence(safety(), &model_);
}

// an override, a new goal or a pause: a motion bends away at any time, if it does so smoothly
TEST_F(SegmentsTest, AMotionReplacesAnotherAtAnyTimeIfItGoesOnSmoothly) {
  std::mt19937_64 random(4);
  cycle();
  for (int round = 0; round < 30; ++round) {
    const auto first = plan(0b0110, {0.0, 0.4, -0.4, 0.0}, 5);
    send(first);
    watched_cycles(30 + static_cast<int>(random() % 500));
    // of the same number or a higher one
    const std::uint64_t motion = 5 + random() % 2;
    const std::int64_t switch_ns = now_ns_ + 1 + static_cast<std::int64_t>(random() % 50'000'000);
    std::array<AxisState, 4> from = here();
    for (const std::size_t i : {1U, 2U}) from[i] = state_at(first, i, switch_ns);
    const auto second =
        plan_from(from, {0.0, -0.2, 0.3, 0.0}, {.mask = 0b0110, .motion = motion, .start_ns = switch_ns});
    send(second);
    while (now_ns_ <= end_of(second.back())) {
      ASSERT_NO_FATAL_FAILURE(watched_cycle());
      const auto& current = now_ns_ >= switch_ns ? second : first;
      ASSERT_EQ(last_.position[1], state_at(current, 1, now_ns_).position) << "round " << round;
      ASSERT_EQ(last_.velocity[2], state_at(current, 2, now_ns_).velocity);
    }
    // back to the begin
    send(plan(0b0110, {}, 6));
    watched_cycles(4000);
    ASSERT_EQ(last_.position[1], 0.0);
  }
  EXPECT_EQ(safety().refusals, 0U) << refusal_sentence(safety(), &model_);
}

TEST_F(SegmentsTest, MotionsOfDifferentJointsRunSideBySide) {
  cycle();
  const auto left = plan(0b0011, {0.3, 0.3, 0.0, 0.0}, 1);
  send(left);
  watched_cycles(200);
  const auto right = plan(0b1100, {0.0, 0.0, 0.4, -0.4}, 2);
  send(right);
  watched_cycles(250);
  EXPECT_EQ(last_.position[0], state_at(left, 0, now_ns_).position);
  EXPECT_EQ(last_.position[3], state_at(right, 3, now_ns_).position);
  EXPECT_EQ(safety().motion, 2U);
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[1], 0.3, 1e-12);
  EXPECT_NEAR(last_.position[2], 0.4, 1e-12);
}

TEST_F(SegmentsTest, WhoeverBeginsElsewhereIsRefusedWithReasonAndValue) {
  cycle();
  const std::array<AxisState, 4> elsewhere{AxisState{.position = 0.001}};
  send(plan_from(elsewhere, {0.5}, {.mask = 1, .motion = 9, .start_ns = now_ns_ + kAhead_ns}));
  watched_cycles(1000);
  EXPECT_EQ(last_.position[0], 0.0);
  EXPECT_EQ(refusal_sentence(safety(), &model_),
            "segments: motion 9: position 0.001 rad of joint 'j1' where it should go on from 0 rad");
  EXPECT_EQ(safety().refused_motion, 9U);
  EXPECT_GT(safety().refusals, 1U) << "its other pieces are refused as well, and the first one told";

  const std::array<AxisState, 4> moving{AxisState{.velocity = 0.1}};
  send(plan_from(moving, {0.5}, {.mask = 1, .motion = 10, .start_ns = now_ns_ + kAhead_ns}));
  EXPECT_EQ(safety().refused_quantity, Quantity::Velocity);
  const std::array<AxisState, 4> pushed{AxisState{.acceleration = 0.1}};
  send(plan_from(pushed, {0.5}, {.mask = 1, .motion = 11, .start_ns = now_ns_ + kAhead_ns}));
  EXPECT_EQ(safety().refused_quantity, Quantity::Acceleration);
  EXPECT_EQ(safety().refused_value, 0.1);
  // the next one that fits is carried out
  send(plan(1, {0.5}, 12));
  watched_cycles(2000);
  EXPECT_NEAR(last_.position[0], 0.5, 1e-12);
}

TEST_F(SegmentsTest, AMotionThatNoLongerFitsWhenItsTimeHasComeIsRefusedThen) {
  cycle();
  send(plan(0b0001, {0.5}, 3));
  want(0, 0b0001, -0.3);
  watched_cycles(3000);
  EXPECT_EQ(last_.position[0], -0.3);
  EXPECT_EQ(safety().last_refusal, Refusal::DoesNotJoin);
  EXPECT_EQ(safety().ended_motion, 3U);
  EXPECT_EQ(safety().motion_end, MotionEnd::Refused);
}

TEST_F(SegmentsTest, AJointOnItsWayToATargetMayBeTakenOverWithoutAStop) {
  cycle();
  want(0, 0b0001, 1.0);
  watched_cycles(300);
  const std::int64_t start_ns = now_ns_ + kAhead_ns;
  std::array<AxisState, 4> from = here();
  // where it will be: the same sum as the smoother's
  const auto way = plan_to_rest_at(1.0, AxisState{}, limits_[0]);
  from[0] = way.at(0.300 + 0.020);
  send(plan_from(from, {0.2}, {.mask = 0b0001, .motion = 1, .start_ns = start_ns}));
  watched_cycles(3000);
  EXPECT_EQ(safety().refusals, 0U) << refusal_sentence(safety(), &model_);
  EXPECT_NEAR(last_.position[0], 0.2, 1e-12);
}

TEST_F(SegmentsTest, LatePiecesAreRefused) {
  cycles(100);
  auto pieces = plan(0b0001, {0.5}, 2);
  for (Segment& piece : pieces) piece.start_ns -= 2 * kAhead_ns;
  send(pieces);
  EXPECT_EQ(refusal_sentence(safety(), &model_),
            "segments: motion 2: a piece came 0.02 s after its begin; send it ahead");
  watched_cycles(100);
  EXPECT_EQ(last_.position[0], 0.0);
}

TEST_F(SegmentsTest, AMotionThatIsNotContinuedEndsInASmoothStop) {
  cycle();
  const auto pieces = plan(0b0011, {1.0, -1.0}, 4);
  send({pieces.begin(), pieces.begin() + 3});
  watched_cycles(3000);
  EXPECT_EQ(controller_->state(), ControlState::Running);
  EXPECT_EQ(safety().reason, StopReason::MotionBroken);
  EXPECT_EQ(safety().motion_end, MotionEnd::Broken);
  EXPECT_EQ(safety().ended_motion, 4U);
  EXPECT_EQ(last_.velocity[0], 0.0);
  EXPECT_LT(last_.position[0], 0.99);
  EXPECT_GT(last_.position[0], 0.1);
  send({pieces.begin() + 3, pieces.end()});
  EXPECT_EQ(safety().last_refusal, Refusal::MotionOver) << "the rest is too late";
  // whatever is wanted next is done, and nothing is amiss any more
  want(0, 0b0011, 0.0);
  watched_cycles(4000);
  EXPECT_EQ(last_.position[0], 0.0);
  EXPECT_EQ(safety().reason, StopReason::None);
}

TEST_F(SegmentsTest, APieceMustFollowTheOneBeforeWithoutAGap) {
  cycle();
  auto pieces = plan(0b0001, {1.0}, 4);
  controller_->take_segment(pieces[0]);
  pieces[1].start_ns += 1;
  controller_->take_segment(pieces[1]);
  EXPECT_EQ(safety().last_refusal, Refusal::DoesNotJoin);
  EXPECT_EQ(safety().refused_quantity, Quantity::Time);
  watched_cycles(2000);
  EXPECT_EQ(safety().reason, StopReason::MotionBroken);
}

TEST_F(SegmentsTest, TheNewestReferenceTakesAJointAndTheRestOfTheMotionBrakes) {
  cycle();
  send(plan(0b0111, {1.0, 0.5, -0.5}, 4));
  watched_cycles(400);
  ASSERT_GT(last_.velocity[0], 0.3);
  want(0, 0b0001, 0.0);
  watched_cycles(3000);
  EXPECT_EQ(last_.position[0], 0.0);
  EXPECT_EQ(last_.velocity[1], 0.0);
  EXPECT_LT(last_.position[1], 0.49) << "a torn motion is not carried out";
  EXPECT_EQ(safety().motion_end, MotionEnd::Taken);
}

TEST_F(SegmentsTest, PrioritiesHoldForMotionsAsForReferences) {
  controller_->set_segment_priority(5);
  controller_->set_source(1, "b", 9);
  cycle();
  const auto pieces = plan(0b0001, {0.8}, 4);
  send(pieces);
  watched_cycles(300);
  want(0, 0b0001, 0.0);
  EXPECT_EQ(safety().last_refusal, Refusal::NotAllowed)
      << "a lower one does not take a running motion's joint";
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[0], 0.8, 1e-12);
  want(0, 0b0001, 0.0);
  watched_cycles(3000);
  EXPECT_EQ(last_.position[0], 0.0) << "a motion that is over claims nothing";

  want(1, 0b0001, 0.0, kSecond_ns);
  send(plan(0b0001, {0.8}, 5));
  watched_cycles(500);
  EXPECT_EQ(last_.position[0], 0.0);
  EXPECT_EQ(safety().last_refusal, Refusal::NotAllowed) << "the lease of a higher one still runs";
  EXPECT_EQ(safety().motion_end, MotionEnd::Refused);
}

TEST_F(SegmentsTest, AStopBrakesAndClearsTheQueue) {
  cycle();
  const auto pieces = plan(0b0001, {1.0}, 4);
  send({pieces.begin(), pieces.end() - 1});
  watched_cycles(400);
  ask(ControlVerb::Stop);
  watched_cycles(1000);
  EXPECT_EQ(last_.velocity[0], 0.0);
  EXPECT_EQ(safety().motion_end, MotionEnd::Stopped);
  controller_->take_segment(pieces.back());
  EXPECT_EQ(safety().last_refusal, Refusal::NotRunning);
  ask(ControlVerb::Reset);
  const double stopped = last_.position[0];
  watched_cycles(2000);
  EXPECT_EQ(controller_->state(), ControlState::Running);
  EXPECT_EQ(last_.position[0], stopped) << "nothing of it is carried out after the reset";
  send(plan(0b0001, {0.0}, 1));
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[0], 0.0, 1e-12) << "numbers may begin anew when nothing runs";
}

TEST_F(SegmentsTest, AMotionThatSharesJointsReplacesTheWholeAndWhatItLeavesBrakes) {
  cycle();
  const auto first = plan(0b0011, {1.0, 0.5}, 4);
  send(first);
  watched_cycles(300);
  const std::int64_t switch_ns = now_ns_ + kAhead_ns + 137;
  std::array<AxisState, 4> from = here();
  from[1] = state_at(first, 1, switch_ns);
  auto lower = plan_from(from, {0.0, -0.3, 0.3}, {.mask = 0b0110, .motion = 3, .start_ns = switch_ns});
  send(lower);
  EXPECT_EQ(safety().last_refusal, Refusal::MotionOver) << "a lower number replaces nothing";
  const auto second = plan_from(from, {0.0, -0.3, 0.3}, {.mask = 0b0110, .motion = 5, .start_ns = switch_ns});
  send(second);
  watched_cycles(100);
  EXPECT_EQ(safety().motion_end, MotionEnd::Replaced);
  EXPECT_EQ(last_.position[1], state_at(second, 1, now_ns_).position);
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[1], -0.3, 1e-12);
  EXPECT_EQ(last_.velocity[0], 0.0);
  EXPECT_LT(last_.position[0], 0.9);
}

TEST_F(SegmentsTest, AMotionMayBeQueuedBehindOneThatRuns) {
  cycle();
  const auto first = plan(0b0011, {0.4, 0.2}, 4);
  send(first);
  std::array<AxisState, 4> from{};
  from[0].position = state_at(first, 0, end_of(first.back())).position;
  // of other joints, and from the very end of the first
  const auto second =
      plan_from(from, {0.1, 0.0, 0.3}, {.mask = 0b0101, .motion = 5, .start_ns = end_of(first.back())});
  send(second);
  watched_cycles(5000);
  EXPECT_EQ(safety().refusals, 0U) << refusal_sentence(safety(), &model_);
  EXPECT_NEAR(last_.position[0], 0.1, 1e-12);
  EXPECT_NEAR(last_.position[1], 0.2, 1e-12);
  EXPECT_NEAR(last_.position[2], 0.3, 1e-12);
}

TEST_F(SegmentsTest, AFullQueueRefusesAndForgetsNothing) {
  cycle();
  auto pieces = plan(0b0001, {0.5}, 4);
  // rest, in many pieces, before it moves
  const std::int64_t start_ns = pieces.front().start_ns;
  for (std::int64_t k = 0; k < 200; ++k) {
    controller_->take_segment({.start_ns = start_ns + k * kMillisecond_ns,
                               .duration_ns = kMillisecond_ns,
                               .joint_mask = 1,
                               .motion = 4});
  }
  EXPECT_EQ(safety().refusals, 200U - kMostPieces);
  EXPECT_EQ(safety().last_refusal, Refusal::NoRoom);
  // what replaces something in a full queue makes its own room
  const std::int64_t switch_ns = start_ns + 100 * kMillisecond_ns;
  send(plan_from(here(), {0.5}, {.mask = 1, .motion = 5, .start_ns = switch_ns}));
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[0], 0.5, 1e-12);
  EXPECT_EQ(safety().refusals, 200U - kMostPieces);
}

TEST_F(SegmentsTest, BadPiecesAreCountedAndTheMotionIsUndisturbed) {
  cycle();
  const auto pieces = plan(0b0001, {0.8}, 4);
  const std::vector<Segment> bad = [&] {
    std::vector<Segment> all(8, pieces[3]);
    all[0].c3[0] = std::numeric_limits<double>::quiet_NaN();
    all[1].c0[0] = std::numeric_limits<double>::infinity();
    all[2].joint_mask = 0;
    all[3].joint_mask = std::uint64_t{1} << 40;
    all[4].duration_ns = -1;
    all[5].start_ns = std::numeric_limits<std::int64_t>::max();
    all[6].motion = 0;
    all[7].c3[0] = 1e6;
    return all;
  }();
  for (const Segment& piece : pieces) {
    send(bad);
    controller_->take_segment(piece);
  }
  while (now_ns_ <= end_of(pieces.back())) {
    send(bad);
    ASSERT_NO_FATAL_FAILURE(watched_cycle());
    if (now_ns_ >= pieces.front().start_ns) {
      ASSERT_EQ(last_.position[0], state_at(pieces, 0, now_ns_).position);
    }
  }
  EXPECT_GT(safety().refusals, 1000U);
  EXPECT_EQ(safety().motion_end, MotionEnd::Done);
}

TEST_F(SegmentsTest, PiecesBeyondLimitsNameQuantityValueAndBound) {
  cycle();
  const auto send_one = [this](double c0, double c1, double c3) {
    Segment piece{.start_ns = now_ns_, .duration_ns = 300 * kMillisecond_ns, .joint_mask = 1, .motion = 1};
    piece.c0[0] = c0;
    piece.c1[0] = c1;
    piece.c3[0] = c3;
    controller_->take_segment(piece);
  };
  send_one(0.0, 0.0, 50.0 / 6.0);
  EXPECT_EQ(safety().last_refusal, Refusal::TooFast);
  EXPECT_EQ(safety().refused_bound, 1.0) << "the velocity is the first that it passes";
  send_one(0.0, 0.0, 1e9);
  EXPECT_EQ(safety().last_refusal, Refusal::OutOfLimits);
  EXPECT_EQ(safety().refused_bound, 2.0);
}

// a plan that keeps all limits but leaves no way to stop before the last of them
TEST_F(SegmentsTest, AJointIsStoppedBeforeALimitThatItsMotionRunsAt) {
  cycle();
  std::array<AxisProfile, 4> profiles;
  profiles[0] = plan_to_rest_at(2.0, AxisState{}, limits_[0]);
  auto pieces = pieces_of(profiles, {.mask = 1, .motion = 4, .start_ns = now_ns_ + kAhead_ns});
  while (std::abs(pieces.back().c1[0]) < 1.0 - 1e-9) pieces.pop_back();
  pieces.resize(pieces.size());
  Segment& cruise = pieces.back();
  cruise.c2[0] = cruise.c3[0] = 0.0;
  cruise.duration_ns = std::llround((2.0 - cruise.c0[0]) / cruise.c1[0] * 1e9) - kMillisecond_ns;
  send(pieces);
  ASSERT_EQ(safety().refusals, 0U) << refusal_sentence(safety(), &model_);
  watched_cycles(5000);
  EXPECT_EQ(safety().reason, StopReason::JointLimit);
  EXPECT_EQ(safety().joint, 0U);
  EXPECT_EQ(safety().bound, 2.0);
  EXPECT_EQ(last_.velocity[0], 0.0);
  EXPECT_LE(last_.position[0], 2.0 + 1e-8);
  EXPECT_GT(last_.position[0], 1.99);
}

TEST_F(SegmentsTest, WhenTheSystemSkipsCyclesAMotionRunsLateAndNothingJumps) {
  cycle();
  const auto pieces = plan(0b0001, {0.8}, 4);
  send(pieces);
  watched_cycles(300);
  now_ns_ += 40 * kMillisecond_ns;
  watched_cycles(100);
  EXPECT_EQ(safety().motion_delay_ns, 40 * kMillisecond_ns);
  EXPECT_EQ(last_.position[0], state_at(pieces, 0, now_ns_ - 40 * kMillisecond_ns).position);
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[0], 0.8, 1e-12);
  EXPECT_EQ(safety().motion_delay_ns, 0);
}

TEST_F(SegmentsTest, AHeldMotionIsOverAndNeverComesNearerThanItsMargin) {
  Obstacles world;
  Obstacle box{.solid = make_box({0.2, 0.05, 0.1})};
  set_text(box.name, "table");
  box.X_LO.position = {0.9, 0.45, 0.0};
  ASSERT_TRUE(world.add(box));
  cycle();
  controller_->take_world(world);
  CollisionChecker checker(*shapes_);
  checker.set_world(world);
  const auto pieces = plan(0b0001, {1.5}, 7);
  send(pieces);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_NO_FATAL_FAILURE(watched_cycle());
    const Contact contact = checker.nearest({last_.position.data(), 4}).contact;
    ASSERT_GE(contact.distance, contact.margin - 1e-6);
  }
  EXPECT_EQ(safety().reason, StopReason::WorldCollision);
  EXPECT_EQ(text_of(safety().link_b), "table");
  EXPECT_EQ(safety().motion_end, MotionEnd::Held);
  EXPECT_NE(safety().held_mask & 1, 0U);
  EXPECT_GT(last_.position[0], 0.1);
  send(plan(0b0001, {0.0}, 8));
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[0], 0.0, 1e-12) << "a motion away from it is carried out";
  EXPECT_EQ(safety().held_mask, 0U);
}

// pieces that fit where the robot is, or nearly, with anything in them; and references in between
TEST_F(SegmentsTest, WhateverIsSentNoBoundIsEverPassed) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  cycle();
  std::uint64_t motion = 0;
  std::uint64_t ran = 0;
  std::vector<Segment> sent;
  for (int i = 0; i < 30'000; ++i) {
    if (random() % 40 == 0) {
      const std::uint64_t mask = random() % 15 + 1;
      auto pieces =
          plan(mask, {2 * unit(random), 2 * unit(random), 2 * unit(random), 2 * unit(random)}, ++motion);
      for (Segment& piece : pieces) piece.start_ns -= kAhead_ns - static_cast<std::int64_t>(random() % 3);
      if (random() % 3 == 0) pieces.resize(1 + random() % pieces.size());
      if (random() % 3 == 0) {
        Segment& spoiled = pieces[random() % pieces.size()];
        const auto joint = static_cast<std::size_t>(std::countr_zero(mask));
        spoiled.c3[joint] += std::pow(10.0, 6.0 * unit(random));
        spoiled.c5[joint] += unit(random);
        spoiled.duration_ns += static_cast<std::int64_t>(1e8 * unit(random));
      }
      send(pieces);
    }
    if (random() % 200 == 0) want(random() % 3, random() % 15 + 1, 2 * unit(random), 30 * kMillisecond_ns);
    if (random() % 5000 == 0) ask(ControlVerb::Stop);
    if (controller_->state() != ControlState::Running && random() % 300 == 0) ask(ControlVerb::Reset);
    ASSERT_NO_FATAL_FAILURE(watched_cycle()) << i;
    ran += safety().motion != 0 ? 1 : 0;
  }
  EXPECT_GT(ran, 3000U) << "hardly any motion was carried out: the test shows nothing";
}

TEST_F(SegmentsTest, PlannedMotionsAllocateNothing) {
  cycles(10);
  const auto pieces = plan(0b1111, {0.5, -0.5, 0.5, -0.5}, 1);
  Segment bad = pieces[1];
  bad.c1[0] = 99.0;
  const std::uint64_t before = allocation_count;
  ASSERT_GT(before, 0U) << "the counter does not count";
  for (const Segment& piece : pieces) controller_->take_segment(piece);
  controller_->take_segment(bad);
  for (int i = 0; i < 3000; ++i) {
    cycle();
    if (i == 400) want(0, 0b1, 0.0);
  }
  EXPECT_EQ(allocation_count, before);
  EXPECT_EQ(safety().motion_end, MotionEnd::Taken);
}

// as far as a joint at `state` needs that brakes in the next cycle: the shortest way to rest within its
// limits
double stopping_distance(const AxisState& state, const AxisLimits& limits) {
  const AxisProfile stop = plan_stop(state, limits);
  return std::abs(stop.at(stop.duration()).position - state.position);
}

TEST_F(SegmentsTest, ADeadWritersMotionBrakesAtOnceAndNotAtTheEndOfItsQueue) {
  cycle();
  const auto pieces = plan(0b0011, {1.5, -1.5}, 4);
  for (const Segment& piece : pieces) controller_->take_segment(piece, 3);
  watched_cycles(500);
  ASSERT_GT(last_.velocity[0], 0.5);
  const std::array<AxisState, 4> then = here();
  controller_->lose_writer(2, "other");
  watched_cycle();
  EXPECT_EQ(safety().reason, StopReason::None) << "another one has died";
  EXPECT_EQ(last_.position[0], state_at(pieces, 0, now_ns_).position);

  controller_->lose_writer(3, "motion");
  watched_cycle();
  EXPECT_EQ(controller_->state(), ControlState::Running);
  EXPECT_EQ(safety().reason, StopReason::WriterDead);
  EXPECT_EQ(safety().motion_end, MotionEnd::Orphaned);
  EXPECT_EQ(safety().ended_motion, 4U);
  EXPECT_EQ(safety_text(safety(), &model_),
            "running; motion has died while its motion ran; the joints have braked");
  watched_cycles(2000);
  EXPECT_EQ(last_.velocity[0], 0.0);
  // two cycles later than the state that the distance is counted from
  for (const std::size_t i : {0U, 1U})
    EXPECT_LE(std::abs(last_.position[i] - then[i].position),
              stopping_distance(then[i], limits_[i]) + 2e-3 * 1.0 + 1e-6);
  // what follows of it is refused; what another one sends is carried out, and nothing is amiss any more
  controller_->take_segment(pieces.back(), 3);
  EXPECT_NE(safety().last_refusal, Refusal::None);
  for (const Segment& piece : plan(0b0011, {}, 5)) controller_->take_segment(piece, 3);
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[0], 0.0, 1e-12);
  EXPECT_EQ(safety().reason, StopReason::None);
}

TEST_F(SegmentsTest, AMotionOfADeadWriterThatHasNotBegunNeverBegins) {
  cycle();
  for (const Segment& piece : plan(0b0001, {0.5}, 4)) controller_->take_segment(piece, 1);
  controller_->lose_writer(1, "motion");
  watched_cycles(1000);
  EXPECT_EQ(last_.position[0], 0.0);
  EXPECT_EQ(safety().motion_end, MotionEnd::Orphaned);
  EXPECT_EQ(safety().reason, StopReason::None) << "nothing had to brake";
}

TEST_F(SegmentsTest, OthersGoOnWhenAWriterDies) {
  cycle();
  for (const Segment& piece : plan(0b0011, {0.8, 0.8, 0.0, 0.0}, 1)) controller_->take_segment(piece, 0);
  for (const Segment& piece : plan(0b1100, {0.0, 0.0, 0.6, -0.6}, 2)) controller_->take_segment(piece, 1);
  watched_cycles(300);
  controller_->lose_writer(0, "motion");
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[2], 0.6, 1e-12);
  EXPECT_LT(last_.position[0], 0.79);
  EXPECT_EQ(safety().reason, StopReason::WriterDead);
  // the joints of which the reason speaks go on: it is over, whatever others do
  for (const Segment& piece : plan(0b0011, {}, 3)) controller_->take_segment(piece, 1);
  watched_cycles(100);
  EXPECT_EQ(safety().reason, StopReason::None);
}

TEST_F(SegmentsTest, AHaltBrakesLikeAStopAndTheRobotGoesOnRunning) {
  cycle();
  const auto pieces = plan(0b0001, {1.5}, 4);
  send(pieces);
  want(0, 0b0010, -1.5);
  watched_cycles(500);
  const std::array<AxisState, 4> then = here();
  ask(ControlVerb::Halt);
  watched_cycles(2000);
  EXPECT_EQ(controller_->state(), ControlState::Running);
  EXPECT_EQ(safety().motion_end, MotionEnd::Halted);
  EXPECT_EQ(text_of(safety().who), "tester");
  EXPECT_EQ(safety_text(safety(), &model_), "running");
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(last_.velocity[i], 0.0);
    EXPECT_LE(std::abs(last_.position[i] - then[i].position),
              stopping_distance(then[i], limits_[i]) + 1e-3 * 1.0 + 1e-6);
  }
  send(plan(0b0001, {0.0}, 5));
  watched_cycles(3000);
  EXPECT_NEAR(last_.position[0], 0.0, 1e-12) << "there is nothing to be reset";
}

TEST_F(SegmentsTest, WithoutItsChannelsTheRobotBrakesAndSaysSo) {
  cycle();
  send(plan(0b0001, {1.5}, 4));
  watched_cycles(500);
  const AxisState then = here()[0];
  controller_->lose_channels(now_ns_);
  watched_cycles(2000);
  EXPECT_EQ(controller_->state(), ControlState::Faulted);
  EXPECT_EQ(safety().reason, StopReason::ChannelsGone);
  EXPECT_EQ(last_.velocity[0], 0.0);
  EXPECT_LE(last_.position[0] - then.position, stopping_distance(then, limits_[0]) + 1e-3 * 1.0 + 1e-6);
  EXPECT_EQ(safety_text(safety(), &model_),
            "faulted: its channels were removed while it ran, so that nobody could have stopped it; it has "
            "braked; start it anew");
}

}  // namespace
}  // namespace sinew
