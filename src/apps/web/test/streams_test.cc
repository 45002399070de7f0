// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"
#include "sinew/model/load_robot.h"
#include "sinew/trajectory/joint_curve.h"

#include "apps/web/program_words.h"
#include "apps/web/stream_motion.h"
#include "apps/web/stream_recorder.h"
#include "apps/web/stream_store.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

const RobotModel& er3_model() {
  static const RobotModel model = load_robot("scorbot-er3").value().model;
  return model;
}

Stream stream_named(const std::string& name, std::size_t rows,
                    std::vector<std::string> joints = {"base", "shoulder"}) {
  Stream stream{
      .name = name, .by = "ada", .recorded_s = 1'800'000'000, .joints = std::move(joints), .rows = {}};
  for (std::size_t i = 0; i < rows; ++i)
    stream.rows.emplace_back(stream.joints.size(), 0.5 + 0.2 * std::sin(0.02 * static_cast<double>(i)));
  stream.last = rows - 1;
  return stream;
}

// ---- recording

TEST(StreamRecorder, RowsAreEvenHoweverItIsLookedAt) {
  std::mt19937 random(1);
  std::uniform_int_distribution<std::int64_t> pause_ns(1 * kMillisecond_ns, 90 * kMillisecond_ns);
  StreamRecorder recorder;
  recorder.begin({.name = "a", .joints = {"base"}});
  std::int64_t now_ns = 77 * kSecond_ns;
  const std::int64_t begun_ns = now_ns;
  double last = 0.0;
  while (now_ns < begun_ns + 4 * kSecond_ns) {
    const std::vector<double> q{seconds_from_nanoseconds(now_ns - begun_ns)};
    recorder.take(now_ns, q);
    recorder.take(now_ns, q);  // the same news twice
    last = q[0];
    now_ns += pause_ns(random);
  }
  const Stream stream = recorder.end();
  ASSERT_GE(stream.rows.size(), 98U);
  for (std::size_t i = 0; i + 1 < stream.rows.size(); ++i)
    ASSERT_NEAR(stream.rows[i][0], Stream::kPeriod * static_cast<double>(i), 1e-6) << i;
  EXPECT_EQ(stream.rows.back()[0], last) << "it ends where it was seen last";
  EXPECT_EQ(stream.last, stream.rows.size() - 1);
  EXPECT_FALSE(recorder.is_recording());
}

TEST(StreamRecorder, EndsWhenItIsFullOrTheRobotBeginsAnew) {
  StreamRecorder recorder;
  recorder.begin({.name = "a", .joints = {"base"}});
  const std::vector<double> q{0.0};
  recorder.take(0, q);
  recorder.take(3'600 * kSecond_ns, q);  // an hour of silence
  EXPECT_TRUE(recorder.is_full());
  EXPECT_EQ(recorder.end().rows.size(), Stream::kMostRows);

  recorder.begin({.name = "b", .joints = {"base"}});
  recorder.take(50 * kSecond_ns, q);
  recorder.take(51 * kSecond_ns, q);
  recorder.take(1 * kSecond_ns, q);
  EXPECT_FALSE(recorder.is_recording());
  EXPECT_EQ(recorder.stream().rows.size(), 26U);
}

TEST(StreamRecorder, TakesNoNonsense) {
  StreamRecorder recorder;
  recorder.begin({.name = "a", .joints = {"base", "shoulder"}});
  recorder.take(0, std::vector<double>{0.0});
  recorder.take(kSecond_ns, std::vector<double>{0.0, std::nan("")});
  EXPECT_TRUE(recorder.stream().rows.empty());
}

// ---- keeping

class StreamStoreTest : public testing::Test {
 protected:
  StreamStoreTest() { fs::create_directories(folder_); }
  ~StreamStoreTest() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("web_streams_{}", getpid());
  StreamStore store_{folder_ / "streams.json"};
};

TEST_F(StreamStoreTest, WhatIsKeptIsThereAfterARestart) {
  ASSERT_TRUE(store_.add(stream_named("wave", 50)));
  StreamStore again(folder_ / "streams.json");
  ASSERT_TRUE(again.load());
  ASSERT_EQ(again.streams().size(), 1U);
  const Stream& stream = *again.streams()[0];
  EXPECT_EQ(stream.name, "wave");
  EXPECT_EQ(stream.by, "ada");
  EXPECT_EQ(stream.rows.size(), 50U);
  EXPECT_NEAR(stream.rows[20][1], stream_named("wave", 50).rows[20][1], 1e-6);
}

TEST_F(StreamStoreTest, TrimmingAndDeletingCanBeTakenBackAndDoneAgain) {
  ASSERT_TRUE(store_.add(stream_named("wave", 50)));
  Stream trimmed = stream_named("wave", 50);
  trimmed.first = 10;
  trimmed.last = 30;
  ASSERT_TRUE(store_.change("wave", trimmed));
  EXPECT_NEAR(length_of(**store_.find("wave")), 0.8, 1e-12);
  ASSERT_TRUE(store_.remove("wave"));
  EXPECT_TRUE(store_.streams().empty());
  ASSERT_TRUE(store_.undo());
  EXPECT_EQ((*store_.find("wave"))->first, 10U);
  ASSERT_TRUE(store_.undo());
  EXPECT_EQ((*store_.find("wave"))->first, 0U);
  ASSERT_TRUE(store_.redo());
  EXPECT_EQ((*store_.find("wave"))->last, 30U);
  // what is undone is in the file, too
  StreamStore again(folder_ / "streams.json");
  ASSERT_TRUE(again.load());
  EXPECT_EQ((*again.find("wave"))->first, 10U);
  EXPECT_EQ(store_.undo_count(), 2U);
  EXPECT_EQ(store_.redo_count(), 1U);
}

TEST_F(StreamStoreTest, RefusesWhatCannotBeAndChangesNothing) {
  ASSERT_TRUE(store_.add(stream_named("wave", 50)));
  EXPECT_EQ(store_.add(stream_named("wave", 50)).error().message, "there is a stream 'wave' already");
  EXPECT_FALSE(store_.add(stream_named("../wave", 50)));
  EXPECT_FALSE(store_.add(stream_named("short", 4)));
  Stream bad = stream_named("bad", 50);
  bad.rows[7].pop_back();
  EXPECT_EQ(store_.add(bad).error().message, "stream 'bad': a row does not hold a number for each joint");
  bad = stream_named("bad", 50);
  bad.rows[7][0] = std::nan("");
  EXPECT_FALSE(store_.add(bad));
  bad = stream_named("bad", 50);
  bad.last = 50;
  EXPECT_FALSE(store_.add(bad));
  Stream too_short = stream_named("wave", 50);
  too_short.first = 47;
  EXPECT_FALSE(store_.change("wave", too_short));
  EXPECT_FALSE(store_.change("none", stream_named("none", 50)));
  EXPECT_EQ(store_.remove("none").error().message, "there is no stream 'none'");
  EXPECT_EQ(store_.streams().size(), 1U);
  EXPECT_EQ(store_.undo_count(), 1U);
}

TEST_F(StreamStoreTest, ADamagedFileIsLeftAsItIs) {
  for (const std::string text : {"{", "[]", "{}", R"({"streams":[3]})", R"({"streams":[{"name":"a"}]})",
                                 R"({"streams":[{"name":"a","by":"","recorded":0,"joints":["b"],"first":0,)"
                                 R"("last":-1,"rows":[[0],[0],[0],[0],[0]]}]})"}) {
    std::ofstream(folder_ / "streams.json") << text;
    StreamStore store(folder_ / "streams.json");
    EXPECT_FALSE(store.load()) << text;
    EXPECT_FALSE(store.add(stream_named("wave", 50))) << text;
    std::ifstream file(folder_ / "streams.json");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text);
  }
}

// ---- moving along it again

/// A motion such as a hand makes: smooth, then quick, with the noise of encoders on it.
Stream led_by_hand(double seconds, double tremble) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0.0, tremble);
  Stream stream{
      .name = "hand", .joints = {"base", "shoulder", "elbow", "pitch", "roll", "gripper"}, .rows = {}};
  for (std::size_t i = 0; Stream::kPeriod * static_cast<double>(i) <= seconds; ++i) {
    const double t = Stream::kPeriod * static_cast<double>(i);
    stream.rows.push_back({0.3 * std::sin(t) + noise(random), 0.8 + 0.2 * std::sin(0.7 * t) + noise(random),
                           -1.2 + 0.2 * std::cos(0.9 * t) + noise(random), -0.5 + noise(random), 0.0,
                           0.01 * std::sin(t)});
  }
  stream.last = stream.rows.size() - 1;
  return stream;
}

TEST(StreamReplay, GoesWhereTheStreamWentWithinTheLimits) {
  const Stream stream = led_by_hand(20.0, 5e-4);
  const auto replay = replay_of(stream, er3_model());
  ASSERT_TRUE(replay) << replay.error().message;
  // the limits, at every instant, are what trajectory_through() checks
  const auto trajectory = trajectory_through(replay->points, er3_model(), replay->begin);
  ASSERT_TRUE(trajectory) << trajectory.error().message;
  EXPECT_GE(replay->slower, 1.0);
  double worst = 0.0;
  for (std::size_t i = 0; i < stream.rows.size(); ++i) {
    // the eased time of row i, as it is slowed down: the middle is shifted by half of the ease
    const double t = Stream::kPeriod * static_cast<double>(i);
    if (t < 1.0 || t > 19.0) continue;
    worst =
        std::max(worst, std::abs(trajectory->at(0, replay->slower * (t + 0.4)).value - stream.rows[i][0]));
  }
  EXPECT_LT(worst, 5e-3);
  const double length = trajectory->length();
  EXPECT_NEAR(trajectory->at(0, length).value, stream.rows.back()[0], 1e-9);
  EXPECT_NEAR(trajectory->at(0, 0.0).value, stream.rows.front()[0], 1e-9);
}

TEST(StreamReplay, BeginsAndEndsAtRestWhereverItIsTrimmed) {
  for (std::size_t first : {0U, 20U, 111U, 200U}) {
    Stream stream = led_by_hand(20.0, 0.0);
    stream.first = first;
    stream.last = first + 90;
    const auto replay = replay_of(stream, er3_model());
    ASSERT_TRUE(replay) << replay.error().message;
    for (const TimedPoint* end : {&replay->points.points.front(), &replay->points.points.back()})
      for (const double velocity : end->velocity) EXPECT_NEAR(velocity, 0.0, 1e-12);
    EXPECT_DOUBLE_EQ(replay->begin[0], stream.rows[first][0]);
  }
}

TEST(StreamReplay, WhatIsTooFastIsSlowedDownAsAWhole) {
  Stream stream = led_by_hand(6.0, 0.0);
  for (std::size_t i = 0; i < stream.rows.size(); ++i)
    stream.rows[i][0] = 0.8 * std::sin(6.0 * Stream::kPeriod * static_cast<double>(i));
  const auto replay = replay_of(stream, er3_model());
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_GT(replay->slower, 1.5);
  EXPECT_TRUE(trajectory_through(replay->points, er3_model(), replay->begin));
}

TEST(StreamReplay, LeavesGrippersAlone) {
  const auto replay = replay_of(led_by_hand(5.0, 0.0), er3_model());
  ASSERT_TRUE(replay) << replay.error().message;
  const std::size_t gripper = er3_model().joints[find_joint(er3_model(), "gripper")].position;
  EXPECT_EQ(replay->joint_mask >> gripper & 1U, 0U);
  // what did not move is brought to its begin, and no more
  const std::size_t roll = er3_model().joints[find_joint(er3_model(), "roll")].position;
  EXPECT_EQ(replay->joint_mask >> roll & 1U, 1U);
  EXPECT_EQ(replay->points.joint_mask >> roll & 1U, 0U);
}

TEST(StreamReplay, GoesOverTheChannelAtOnce) {
  Stream stream = led_by_hand(300.0 - 0.1, 1e-4);
  const auto replay = replay_of(stream, er3_model());
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_LE(replay->points.points.size(), kMaxTrajectoryPoints);
  EXPECT_LE(parts_of(replay->points, "web", 1).size(), 110U);
}

TEST(StreamReplay, RefusesOtherRobotsAndWhatIsOutOfReach) {
  EXPECT_EQ(replay_of(stream_named("a", 50, {"base", "wing"}), er3_model()).error().message,
            "stream 'a' has a joint 'wing' that the robot does not have");
  Stream far = led_by_hand(5.0, 0.0);
  for (auto& row : far.rows) row[1] += 5.0;
  const auto replay = replay_of(far, er3_model());
  ASSERT_FALSE(replay);
  EXPECT_NE(replay.error().message.find("shoulder"), std::string::npos) << replay.error().message;
}

// ---- as a program

TEST(StreamProgram, IsAsNearAsItSaysAndHasNoErrors) {
  const Stream stream = led_by_hand(12.0, 0.0);
  for (const double tolerance : {0.005, 0.02, 0.1}) {
    const auto rows = turning_rows(stream, tolerance);
    EXPECT_EQ(rows.front(), stream.first);
    EXPECT_EQ(rows.back(), stream.last);
    EXPECT_LT(rows.size(), stream.rows.size() / 2);
  }
  EXPECT_LT(turning_rows(stream, 0.1).size(), turning_rows(stream, 0.005).size());
  const auto program = program_of(stream, er3_model(), 0.02);
  ASSERT_TRUE(program) << program.error().message;
  ProgramQuestion question{.name = "hand.prog", .text = program->text, .model = "scorbot-er3"};
  question.q.assign(er3_model().positions.size(), 0.0);
  const auto seen = look_at_program(question);
  ASSERT_TRUE(seen) << seen.error().message;
  for (const auto& finding : (*seen)["findings"]) EXPECT_NE(finding["severity"], "error") << finding.dump();
  EXPECT_EQ((*seen)["tree"].size(), program->points + 3);
}

TEST(StreamProgram, AStraightWayHasTwoPoints) {
  Stream stream{.name = "line", .joints = {"base", "shoulder"}, .rows = {}};
  // there, a rest, and on: how long it took is no matter of its points
  for (int i = 0; i <= 100; ++i) {
    const double s = 0.01 * std::min({i, 40, 40}) + 0.01 * std::max(0, i - 60);
    stream.rows.push_back({s, 0.5 * s});
  }
  stream.last = 100;
  EXPECT_EQ(turning_rows(stream, 1e-6), (std::vector<std::size_t>{0, 100}));
}

}  // namespace
}  // namespace sinew
