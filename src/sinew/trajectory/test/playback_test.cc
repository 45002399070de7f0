// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/playback.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/joint_motion.h"

namespace sinew {
namespace {

constexpr std::int64_t kStart_ns = 5'000'000'000;
const std::vector<AxisLimits> kLimits{
    {.lower = -3, .upper = 3, .velocity = 2.0, .acceleration = 10, .jerk = 80},
    {.lower = -2, .upper = 2, .velocity = 1.0, .acceleration = 4, .jerk = 30},
    {.lower = -3, .upper = 3, .velocity = 3.0, .acceleration = 20, .jerk = 300}};

double draw(std::mt19937_64& random, double lower, double upper) {
  return lower + (upper - lower) * static_cast<double>(random() >> 11) * 0x1p-53;
}

Trajectory draw_trajectory(std::mt19937_64& random) {
  std::vector<AxisState> from(kLimits.size());
  std::vector<AxisState> to(kLimits.size());
  std::vector<AxisLimits> limits = kLimits;
  for (std::size_t j = 0; j < kLimits.size(); ++j) {
    from[j].position = draw(random, -1.5, 1.5);
    to[j].position = draw(random, -1.5, 1.5);
    limits[j].velocity *= Playback::kUsableShare;
    limits[j].acceleration *= Playback::kUsableShare;
    limits[j].jerk *= Playback::kUsableShare;
  }
  JointMotion motion;
  EXPECT_TRUE(motion.plan({.from = from, .to = to, .limits = limits}));
  return motion.trajectory();
}

/// Looks at every piece: limits kept, one begins as the one before has ended, joints on their path.
class Watch {
 public:
  explicit Watch(const Trajectory& trajectory) : trajectory_(trajectory) {}

  void look_at(const PlayedPiece& piece, const Playback& playback) {
    ASSERT_EQ(piece.start_ns, end_ns_);
    ASSERT_GT(piece.duration_ns, 0);
    end_ns_ = piece.start_ns + piece.duration_ns;
    ASSERT_EQ(end_ns_, playback.end_ns());
    const double length = 1e-9 * static_cast<double>(piece.duration_ns);
    for (std::size_t j = 0; j < kLimits.size(); ++j) {
      look_at_limits(piece.polynomials[j], length, kLimits[j]);
      const CurvePoint begin = evaluate(piece.polynomials[j], 0.0);
      if (!last_.empty()) {
        ASSERT_NEAR(begin.value, last_[j].value, 1e-9);
        ASSERT_NEAR(begin.first, last_[j].first, 1e-6);
        ASSERT_NEAR(begin.second, last_[j].second, 1e-4);
      }
      const CurvePoint end = evaluate(piece.polynomials[j], length);
      ASSERT_NEAR(end.value, trajectory_.at(j, playback.nominal_time()).value, 1e-9) << "off its path";
    }
    last_.resize(kLimits.size());
    for (std::size_t j = 0; j < kLimits.size(); ++j) last_[j] = evaluate(piece.polynomials[j], length);
  }

 private:
  static void look_at_limits(const Coefficients& c, double length, const AxisLimits& limits) {
    constexpr double kSlack = 1.0 + 2e-6;
    for (int i = 0; i <= 20; ++i) {
      const CurvePoint point = evaluate(c, length * i / 20.0);
      ASSERT_LE(std::abs(point.first), limits.velocity * kSlack);
      ASSERT_LE(std::abs(point.second), limits.acceleration * kSlack);
      ASSERT_LE(std::abs(point.third), limits.jerk * kSlack);
    }
  }

  const Trajectory& trajectory_;
  std::int64_t end_ns_ = kStart_ns;
  std::vector<CurvePoint> last_;
};

TEST(PlaybackTest, AsPlannedItTakesAsLongAsPlanned) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    const Trajectory trajectory = draw_trajectory(random);
    Playback playback = Playback::make(trajectory, kLimits, kStart_ns).value();
    Watch watch(trajectory);
    bool is_last = false;
    while (!playback.is_over()) {
      const PlayedPiece& piece = playback.next();
      is_last = piece.is_last;
      watch.look_at(piece, playback);
      if (HasFatalFailure()) return;
    }
    EXPECT_TRUE(is_last);
    EXPECT_NEAR(1e-9 * static_cast<double>(playback.end_ns() - kStart_ns), trajectory.length(), 1e-7);
  }
}

TEST(PlaybackTest, KeepsAllLimitsHoweverTheRateIsChanged) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 400; ++i) {
    const Trajectory trajectory = draw_trajectory(random);
    Playback playback = Playback::make(trajectory, kLimits, kStart_ns).value();
    Watch watch(trajectory);
    int pieces = 0;
    while (!playback.is_over()) {
      ASSERT_LT(++pieces, 20'000);
      if (random() % 8 == 0) playback.set_rate(random() % 4 == 0 ? 0.0 : draw(random, 0.05, 1.0));
      watch.look_at(playback.next(), playback);
      if (HasFatalFailure()) return;
    }
  }
}

// what the planner of a path gives: a piece for every place that it looked at
TEST(PlaybackTest, ManyShortPiecesAreJoinedWhereOneCanStandForThem) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 20; ++i) {
    const Trajectory whole = draw_trajectory(random);
    Trajectory fine(kLimits.size());
    std::vector<Coefficients> piece(kLimits.size());
    for (std::size_t k = 0; k < whole.piece_count(); ++k) {
      const auto parts = static_cast<std::size_t>(std::ceil(whole.piece_length(k) / 0.5e-3));
      for (std::size_t part = 0; part < parts; ++part) {
        const double length = whole.piece_length(k) / static_cast<double>(parts);
        for (std::size_t j = 0; j < kLimits.size(); ++j)
          piece[j] = shifted(whole.polynomial(k, j), length * static_cast<double>(part));
        fine.append(length, piece);
      }
    }
    Playback playback = Playback::make(fine, kLimits, kStart_ns).value();
    Watch watch(fine);
    std::size_t pieces = 0;
    while (!playback.is_over()) {
      if (random() % 16 == 0) playback.set_rate(draw(random, 0.3, 1.0));
      watch.look_at(playback.next(), playback);
      ++pieces;
      if (HasFatalFailure()) return;
    }
    EXPECT_LT(4 * pieces, fine.piece_count()) << "of " << fine.piece_count();
  }
}

TEST(PlaybackTest, PausesAndGoesOn) {
  std::mt19937_64 random(3);
  int paused = 0;
  for (int i = 0; i < 100; ++i) {
    const Trajectory trajectory = draw_trajectory(random);
    Playback playback = Playback::make(trajectory, kLimits, kStart_ns).value();
    Watch watch(trajectory);
    while (!playback.is_over() && playback.nominal_time() < 0.3 * trajectory.length()) {
      watch.look_at(playback.next(), playback);
    }
    playback.set_rate(0.0);
    for (int k = 0; k < 1000 && !playback.is_over() && playback.rate() > 0.0; ++k) {
      watch.look_at(playback.next(), playback);
    }
    if (playback.is_over()) continue;
    ASSERT_EQ(playback.rate(), 0.0);
    ++paused;
    const double place = playback.nominal_time();
    for (int k = 0; k < 10; ++k) watch.look_at(playback.next(), playback);
    EXPECT_EQ(playback.nominal_time(), place);
    playback.set_rate(1.0);
    while (!playback.is_over()) watch.look_at(playback.next(), playback);
    if (HasFatalFailure()) return;
  }
  // the others were so short that braking took them to their end
  EXPECT_GT(paused, 70);
}

TEST(PlaybackTest, HalfTheRateTakesTwiceAsLong) {
  std::mt19937_64 random(4);
  const Trajectory trajectory = draw_trajectory(random);
  Playback playback = Playback::make(trajectory, kLimits, kStart_ns).value();
  playback.set_rate(0.5);
  while (!playback.is_over()) playback.next();
  const double taken = 1e-9 * static_cast<double>(playback.end_ns() - kStart_ns);
  EXPECT_GT(taken, 1.8 * trajectory.length());
  EXPECT_LT(taken, 2.0 * trajectory.length());
}

// pieces are given out ahead of time; a change of mind takes back what has not begun
TEST(PlaybackTest, WhatIsTakenBackGoesOnFromWhereItWas) {
  constexpr std::int64_t kAhead_ns = 250 * kMillisecond_ns;
  constexpr std::int64_t kLead_ns = 60 * kMillisecond_ns;
  std::mt19937_64 random(8);
  int taken_back = 0;
  for (int i = 0; i < 200; ++i) {
    const Trajectory trajectory = draw_trajectory(random);
    Playback playback = Playback::make(trajectory, kLimits, kStart_ns).value();
    std::vector<PlayedPiece> pieces;
    for (std::int64_t now_ns = kStart_ns; !playback.is_over() || playback.end_ns() > now_ns + kLead_ns;
         now_ns += 10 * kMillisecond_ns) {
      ASSERT_LT(now_ns, kStart_ns + 1000 * kSecond_ns);
      if (random() % 20 == 0) playback.set_rate(random() % 4 == 0 ? 0.0 : draw(random, 0.2, 1.0));
      if (playback.take_back(now_ns + kLead_ns)) {
        ++taken_back;
        ASSERT_GE(playback.end_ns(), now_ns + kLead_ns);
        while (!pieces.empty() && pieces.back().start_ns >= playback.end_ns()) pieces.pop_back();
      }
      while (!playback.is_over() && playback.end_ns() < now_ns + kAhead_ns) {
        pieces.push_back(playback.next());
      }
    }
    for (std::size_t k = 1; k < pieces.size(); ++k) {
      ASSERT_EQ(pieces[k].start_ns, pieces[k - 1].start_ns + pieces[k - 1].duration_ns);
      for (std::size_t j = 0; j < kLimits.size(); ++j) {
        const double length = 1e-9 * static_cast<double>(pieces[k - 1].duration_ns);
        const CurvePoint end = evaluate(pieces[k - 1].polynomials[j], length);
        const CurvePoint begin = evaluate(pieces[k].polynomials[j], 0.0);
        ASSERT_NEAR(begin.value, end.value, 1e-9);
        ASSERT_NEAR(begin.first, end.first, 1e-6);
        ASSERT_NEAR(begin.second, end.second, 1e-4);
        const SegmentCheck check =
            check_polynomial(pieces[k].polynomials[j], 1e-9 * static_cast<double>(pieces[k].duration_ns),
                             {.lower = kLimits[j].lower,
                              .upper = kLimits[j].upper,
                              .velocity = kLimits[j].velocity * (1 + 2e-6),
                              .acceleration = kLimits[j].acceleration * (1 + 2e-6),
                              .jerk = kLimits[j].jerk * (1 + 2e-6)});
        ASSERT_EQ(check.fault, SegmentFault::None);
      }
    }
    ASSERT_TRUE(pieces.back().is_last);
  }
  EXPECT_GT(taken_back, 300);
}

TEST(PlaybackTest, BeginsAtAnyRateAndAlsoPaused) {
  std::mt19937_64 random(6);
  const Trajectory trajectory = draw_trajectory(random);
  Playback slow = Playback::make(trajectory, kLimits, kStart_ns, 0.5).value();
  while (!slow.is_over()) slow.next();
  EXPECT_NEAR(1e-9 * static_cast<double>(slow.end_ns() - kStart_ns), 2.0 * trajectory.length(), 1e-6);

  Playback paused = Playback::make(trajectory, kLimits, kStart_ns, 0.0).value();
  Watch watch(trajectory);
  for (int i = 0; i < 10; ++i) watch.look_at(paused.next(), paused);
  EXPECT_EQ(paused.nominal_time(), 0.0);
  paused.set_rate(1.0);
  while (!paused.is_over()) watch.look_at(paused.next(), paused);
}

TEST(PlaybackTest, RefusesWhatDoesNotKeepTheLimitsOrMovesAtItsEnds) {
  std::mt19937_64 random(5);
  Trajectory fast = draw_trajectory(random);
  fast.stretch(0.9);
  EXPECT_FALSE(Playback::make(fast, kLimits, kStart_ns));
  Trajectory moving(1);
  moving.append(1.0, std::vector<Coefficients>{{0.0, 0.5}});
  const auto refused = Playback::make(moving, {kLimits[0]}, kStart_ns);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "a trajectory to be played must begin and end at rest");
  EXPECT_FALSE(Playback::make(Trajectory(3), kLimits, kStart_ns));
}

}  // namespace
}  // namespace sinew
