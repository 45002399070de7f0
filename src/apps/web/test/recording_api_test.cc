// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/recording_api.h"

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/time.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"
#include "sinew/recording/mcap_writer.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kBegin_ns = 1'000 * kSecond_ns;

/// Writes recordings as the controller's are.
class Scribe {
 public:
  explicit Scribe(const fs::path& path, const std::string& reason = "")
      : writer_(*recording::McapWriter::create({.path = path.string(), .chunk_size = 4096})) {
    recording::McapMetadata about{.name = "sinew", .facts = {{"space", "test"}}};
    if (!reason.empty()) about.facts["reason"] = reason;
    EXPECT_TRUE(writer_.add_metadata(about));
  }
  template <class Message>
  std::uint16_t add(const std::string& topic) {
    const auto& schema = SchemaOf<Message>::kSchema;
    const auto id = writer_.add_schema(
        {.name = std::string(schema.name), .encoding = "sinew", .text = std::string(schema.text)});
    return *writer_.add_channel({.schema_id = *id, .topic = topic, .encoding = "sinew", .metadata = {}});
  }
  template <class Message>
  void put(std::uint16_t channel, std::int64_t at_ns, const Message& message) {
    const auto when = static_cast<std::uint64_t>(at_ns);
    EXPECT_TRUE(writer_.write({.channel_id = channel,
                               .sequence = ++sequence_,
                               .log_ns = when,
                               .publish_ns = when,
                               .bytes = std::as_bytes(std::span(&message, 1))}));
  }
  void close() { EXPECT_TRUE(writer_.close()); }

 private:
  recording::McapWriter writer_;
  std::uint32_t sequence_ = 0;
};

class RecordingApiTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  /// Two joints for `cycles` milliseconds: joint 0 is where it was sent, joint 1 behind it; told from 100 ms
  /// on, stopped at 700 ms.
  void record(const std::string& name, int cycles) const {
    Scribe scribe(folder_ / name, "requested");
    const auto state = scribe.add<JointState>("arm/state");
    const auto processed = scribe.add<JointCommand>("arm/processed");
    const auto safety = scribe.add<Safety>("arm/safety");
    for (int i = 0; i < cycles; ++i) {
      const std::int64_t now_ns = kBegin_ns + i * kMillisecond_ns;
      JointCommand command{.stamp_ns = now_ns, .joint_count = 2};
      command.position = {1e-3 * i, 2e-3 * i};
      command.wanted = {5.0, 6.0};
      if (i >= 100) scribe.put(processed, now_ns, command);
      JointState measured{.stamp_ns = now_ns, .joint_count = 2};
      measured.position = {1e-3 * i, 2e-3 * (i - 1)};
      scribe.put(state, now_ns, measured);
      if (i % 100 == 0) scribe.put(safety, now_ns, safety_at(i));
    }
    scribe.close();
  }
  static Safety safety_at(int cycle) {
    Safety safety{.state = ControlState::Running};
    if (cycle < 700) return safety;
    safety.state = ControlState::Stopped;
    safety.reason = StopReason::Requested;
    std::strcpy(safety.who.data(), "ada");
    return safety;
  }
  Result<Json> curves(const std::string& name, std::size_t most_numbers = 1'000'000) const {
    return recording_curves(store_, name, "arm", nullptr, most_numbers);
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("sinew-recording-api-{}", getpid());
  RecordingStore store_{{folder_}};
};

TEST_F(RecordingApiTest, GivesWhatWasWantedWhatWasSentAndWhereTheJointsWere) {
  record("run.mcap", 1000);
  const auto found = curves("run.mcap");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)["robot"], "arm");
  ASSERT_EQ((*found)["seconds"].size(), 1000);
  EXPECT_DOUBLE_EQ((*found)["seconds"][999], 0.999);
  EXPECT_NEAR((*found)["positions"][500][1].get<double>(), 2e-3 * 499, 1e-9);
  EXPECT_NEAR((*found)["processed"][500][1].get<double>(), 2e-3 * 500, 1e-9);
  EXPECT_EQ((*found)["wanted"][500], Json({5.0, 6.0}));
  // before anybody had said what was wanted there is nothing, and not a zero
  EXPECT_TRUE((*found)["wanted"][50].empty());
  EXPECT_TRUE((*found)["processed"][99].empty());
}

TEST_F(RecordingApiTest, MarksWhereSafetyChanged) {
  record("run.mcap", 1000);
  const auto found = curves("run.mcap");
  ASSERT_TRUE(found) << found.error().message;
  const Json& marks = (*found)["marks"];
  ASSERT_EQ(marks.size(), 2) << marks.dump();
  EXPECT_EQ(marks[0]["state"], "running");
  EXPECT_EQ(marks[1]["state"], "stopped");
  EXPECT_EQ(marks[1]["reason"], "requested");
  EXPECT_EQ(marks[1]["who"], "ada");
  EXPECT_NEAR(marks[1]["seconds"].get<double>(), 0.7, 1e-9);
  EXPECT_EQ(marks[1]["text"], "ada asked for it");
}

// a device that falls silent sends no states: what the controller says meanwhile has times of its own
TEST_F(RecordingApiTest, TellsApartWhatHappenedWhileTheDeviceWasSilent) {
  {
    Scribe scribe(folder_ / "silent.mcap", "stale state");
    const auto state = scribe.add<JointState>("arm/state");
    const auto safety = scribe.add<Safety>("arm/safety");
    const auto say = [&](int ms, ControlState now) {
      const std::int64_t now_ns = kBegin_ns + ms * kMillisecond_ns;
      scribe.put(safety, now_ns, Safety{.stamp_ns = now_ns, .state = now});
    };
    // what was told before the first state is how it began
    say(-40, ControlState::Running);
    for (int i = 0; i <= 500; ++i) {
      const std::int64_t now_ns = kBegin_ns + i * kMillisecond_ns;
      scribe.put(state, now_ns, JointState{.stamp_ns = now_ns, .joint_count = 2});
    }
    say(505, ControlState::Stopped);
    say(605, ControlState::Faulted);
    scribe.close();
  }
  const auto found = curves("silent.mcap");
  ASSERT_TRUE(found) << found.error().message;
  const Json& marks = (*found)["marks"];
  ASSERT_EQ(marks.size(), 3) << marks.dump();
  EXPECT_NEAR(marks[0]["seconds"].get<double>(), 0.0, 1e-9);
  EXPECT_NEAR(marks[1]["seconds"].get<double>(), 0.505, 1e-9);
  EXPECT_NEAR(marks[2]["seconds"].get<double>(), 0.605, 1e-9);
}

// whatever its length, a page gets no more than it can play, of all of its time and evenly
TEST_F(RecordingApiTest, ThinsOutWhatIsLong) {
  record("long.mcap", 8'000);
  for (const std::size_t most_numbers : {600U, 6'000U, 1'000'000U}) {
    const auto found = curves("long.mcap", most_numbers);
    ASSERT_TRUE(found) << found.error().message;
    const Json& seconds = (*found)["seconds"];
    const std::size_t rows = seconds.size();
    EXPECT_LE(rows * 2 * 3, most_numbers);
    EXPECT_LE(rows, 6000);
    EXPECT_GE(rows * 2 * 3, std::min<std::size_t>(most_numbers, 18'000) / 3);
    const double step = seconds[1].get<double>();
    for (std::size_t i = 0; i < rows; ++i) {
      ASSERT_NEAR(seconds[i].get<double>(), static_cast<double>(i) * step, 1e-6);
      // what is side by side belongs together
      ASSERT_NEAR((*found)["positions"][i][0].get<double>(), seconds[i].get<double>(), 1e-6);
    }
    EXPECT_GT(seconds[rows - 1].get<double>(), 8.0 - 2 * step);
    EXPECT_EQ((*found)["positions"].size(), rows);
    EXPECT_EQ((*found)["processed"].size(), rows);
    EXPECT_EQ((*found)["wanted"].size(), rows);
  }
}

TEST_F(RecordingApiTest, SaysOfAFileWhatItHolds) {
  record("run.mcap", 1000);
  const auto reader = recording::McapReader::open((folder_ / "run.mcap").string());
  ASSERT_TRUE(reader);
  const Json facts = recording_facts(reader->contents());
  EXPECT_EQ(facts["robots"], Json({"arm"}));
  EXPECT_NEAR(facts["seconds"].get<double>(), 0.999, 1e-9);
  EXPECT_EQ(facts["reason"], "requested");
}

TEST_F(RecordingApiTest, RefusesWhatIsNoRecordingOfThisRobotWithoutSayingWhereItLies) {
  std::ofstream(folder_ / "broken.mcap") << "no recording";
  Scribe other(folder_ / "other.mcap");
  other.put(other.add<JointState>("leg/state"), kBegin_ns, JointState{.joint_count = 1});
  other.close();
  EXPECT_EQ(curves("broken.mcap").error().message, "'broken.mcap' cannot be read as a recording");
  EXPECT_EQ(curves("other.mcap").error().message, "'other.mcap' holds no joints of the robot 'arm'");
  EXPECT_EQ(curves("none.mcap").error().message, "there is no recording 'none.mcap'");
}

// numbers that cannot be shown, more joints than there can be, a file that was cut off: nothing falls over
TEST_F(RecordingApiTest, TakesNonsenseForWhatItIs) {
  Scribe scribe(folder_ / "odd.mcap");
  const auto state = scribe.add<JointState>("arm/state");
  JointState odd{.stamp_ns = kBegin_ns, .joint_count = 4'000'000'000U};
  odd.position[0] = std::nan("");
  odd.position[1] = INFINITY;
  scribe.put(state, kBegin_ns, odd);
  scribe.close();
  const auto found = curves("odd.mcap");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)["positions"][0].size(), kMaxJoints);
  EXPECT_EQ((*found)["positions"][0][0], 0.0);

  record("run.mcap", 1000);
  fs::resize_file(folder_ / "run.mcap", fs::file_size(folder_ / "run.mcap") / 2);
  const auto half = curves("run.mcap");
  ASSERT_TRUE(half) << half.error().message;
  EXPECT_GT((*half)["seconds"].size(), 100);
  EXPECT_LT((*half)["seconds"].size(), 1000);
}

}  // namespace
}  // namespace sinew
