// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/recorder.h"

#include <random>
#include <thread>

#include "sinew/base/time.h"
#include "sinew/recording/replayer.h"
#include "sinew/recording/test/recording_fixture.h"

namespace sinew::recording {
namespace {

class RecorderTest : public RecordingTest {
 protected:
  std::unique_ptr<Recorder> start(const std::string& name, MessageEncoding encoding = MessageEncoding::Sinew,
                                  const std::string& of_space = {}) {
    auto recorder = Recorder::start({.channels = {.space = of_space.empty() ? space() : of_space},
                                     .file = {.path = folder_ / name},
                                     .encoding = encoding});
    EXPECT_TRUE(recorder) << recorder.error().message;
    return *std::move(recorder);
  }

  static std::vector<std::string> bytes_by_time(const McapReader& reader) {
    std::vector<std::string> all;
    McapMessages messages(reader);
    while (const auto message = messages.next())
      all.push_back(reader.contents().channels.at(message->channel_id).topic + ":" +
                    std::string(reinterpret_cast<const char*>(message->bytes.data()), message->bytes.size()));
    return all;
  }
};

TEST_F(RecorderTest, EveryMessageIsInTheFileOnceInOrder) {
  std::mt19937 random(2);
  std::vector<channels::WriterHandle> writers;
  for (const char* name : {"a", "b", "c"}) writers.push_back(writer_of(name, 1024));
  const auto recorder = start("a.mcap");
  writers.push_back(writer_of("late", 1024));
  std::vector<std::string> expected;
  const std::array<std::string, 4> names{"a", "b", "c", "late"};
  for (int i = 0; i < 2000; ++i) {
    const std::size_t which = random() % 4;
    std::string bytes(1 + random() % 60, static_cast<char>('a' + random() % 26));
    bytes += std::to_string(i % 100);
    ASSERT_EQ(sinew_put(writers[which].get(), bytes.data(), bytes.size(), nullptr), SINEW_OK);
    expected.push_back(names[which] + ":" + bytes);
    if (i % 100 == 0) {
      ASSERT_TRUE(recorder->write_pending(0));
    }
  }
  ASSERT_TRUE(recorder->finish());
  EXPECT_EQ(recorder->file().messages(), 2000U);
  EXPECT_EQ(recorder->file().missed(), 0U);
  const auto reader = McapReader::open(folder_ / "a.mcap");
  ASSERT_TRUE(reader);
  EXPECT_TRUE(bytes_by_time(*reader) == expected);
  EXPECT_EQ(reader->check(), std::vector<std::string>());
}

TEST_F(RecorderTest, TheMissedAreCountedExactlyPerChannel) {
  const auto a = writer_of("a", 4);
  const auto b = writer_of("b", 1024);
  put(a, 1);
  const auto recorder = start("a.mcap");
  ASSERT_TRUE(recorder->write_pending(monotonic_now_ns() + 20 * kMillisecond_ns));
  // faster than anybody can look
  for (std::uint64_t i = 2; i <= 5000; ++i) put(a, i);
  for (std::uint64_t i = 1; i <= 500; ++i) put(b, i);
  ASSERT_TRUE(recorder->finish());
  const auto rows = recorder->file().channels();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].messages + rows[0].missed, 5000U);
  EXPECT_GT(rows[0].missed, 0U);
  EXPECT_EQ(rows[1].messages + rows[1].missed, 500U);
  const auto reader = McapReader::open(folder_ / "a.mcap");
  ASSERT_TRUE(reader);
  const McapMetadata& missed = reader->contents().metadata.back();
  EXPECT_EQ(missed.name, "sinew:missed");
  EXPECT_EQ(missed.facts.at("a"), std::to_string(rows[0].missed));
  EXPECT_EQ(missed.facts.at("b"), std::to_string(rows[1].missed));
}

TEST_F(RecorderTest, StampsAreThoseOfThePuts) {
  const auto a = writer_of("a", 1024);
  put(a, 1);
  const std::int64_t before_ns = wall_now_ns();
  const auto recorder = start("a.mcap");
  put(a, 2);
  ASSERT_TRUE(recorder->finish());
  const auto reader = McapReader::open(folder_ / "a.mcap");
  ASSERT_TRUE(reader);
  const auto samples = read_all(*reader);
  ASSERT_EQ(samples.size(), 2U);
  // the first was put before the recording began, and is logged as of its beginning
  EXPECT_LT(samples[0].publish_ns, samples[0].log_ns);
  EXPECT_EQ(samples[1].publish_ns, samples[1].log_ns);
  EXPECT_GE(samples[0].log_ns, static_cast<std::uint64_t>(before_ns - kSecond_ns));
  const TextMap& facts = reader->contents().metadata.at(0).facts;
  sinew_frame frame{};
  std::uint64_t number = 0;
  const auto check = open_reader(options("a"));
  ASSERT_EQ(sinew_read_newest(check.get(), &number, sizeof number, &frame), SINEW_OK);
  EXPECT_EQ(static_cast<std::int64_t>(samples[1].publish_ns) - std::stoll(facts.at("monotonic_offset_ns")),
            frame.stamp_ns);
}

TEST_F(RecorderTest, KilledInTheMiddleItLeavesAFileThatCanBeRead) {
  const auto a = writer_of("a", 1024);
  const std::string file = folder_ / "a.mcap";
  const pid_t child = fork();
  if (child == 0) {
    auto recorder = Recorder::start(
        {.channels = {.space = space()}, .file = {.path = file}, .flush_ns = 5 * kMillisecond_ns});
    if (!recorder) _exit(1);
    while ((*recorder)->write_pending(monotonic_now_ns() + kMillisecond_ns)) {
    }
    _exit(2);
  }
  // until the file shows that something was recorded
  std::uint64_t number = 0;
  while (!std::filesystem::exists(file) || std::filesystem::file_size(file) < 20'000) {
    put(a, ++number);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  const auto reader = McapReader::open(file);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_FALSE(reader->contents().is_whole);
  const auto samples = read_all(*reader);
  ASSERT_GT(samples.size(), 10U);
  for (std::size_t i = 1; i < samples.size(); ++i) EXPECT_GT(samples[i].sequence, samples[i - 1].sequence);
  EXPECT_EQ(reader->contents().gaps.at(1),
            samples.back().sequence - samples.front().sequence + 1 - samples.size());
}

TEST_F(RecorderTest, ReplayGivesTheSameBytesInTheSameOrderInAnotherSpace) {
  std::mt19937 random(3);
  sinew_options typed = options("robot/ref/me");
  typed.schema = SchemaOf<JointReference>::kSchema.text.data();
  typed.capacity = 0;
  typed.depth = 512;
  typed.mode = 0640;
  const std::string other = space() + "-other";
  {
    const auto reference = open_writer(typed);
    ASSERT_NE(reference, nullptr) << error_.text;
    const auto raw = writer_of("robot/raw", 512);
    const auto recorder = start("a.mcap");
    for (int i = 0; i < 300; ++i) {
      JointReference message{.stamp_ns = i, .joint_mask = random()};
      message.position[0] = static_cast<double>(random());
      ASSERT_EQ(sinew_put(reference.get(), &message, sizeof message, nullptr), SINEW_OK);
      if (i % 3 == 0) put(raw, random());
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    ASSERT_TRUE(recorder->finish());
  }
  const auto reader = McapReader::open(folder_ / "a.mcap");
  ASSERT_TRUE(reader);
  const auto second = start("b.mcap", MessageEncoding::Sinew, other);
  auto replayer = Replayer::open(*reader, {.space = other, .speed = 5});
  ASSERT_TRUE(replayer) << replayer.error().message;
  const auto report = replayer->play([] { return false; });
  ASSERT_TRUE(report);
  EXPECT_EQ(report->messages, 400U);
  ASSERT_TRUE(second->finish());
  const auto again = McapReader::open(folder_ / "b.mcap");
  ASSERT_TRUE(again);
  EXPECT_TRUE(bytes_by_time(*again) == bytes_by_time(*reader));
  const auto channel_in = [](const McapReader& file, const std::string& topic) {
    for (const auto& [id, channel] : file.contents().channels) {
      if (channel.topic == topic) return channel;
    }
    return McapChannel{};
  };
  EXPECT_EQ(channel_in(*again, "robot/ref/me").metadata, channel_in(*reader, "robot/ref/me").metadata);
  EXPECT_EQ(channel_in(*again, "robot/ref/me").metadata.at("mode"), "0640");
  EXPECT_EQ(again->contents().schemas.at(1).text, reader->contents().schemas.at(1).text);
  std::error_code ignored;
  std::filesystem::remove_all("/dev/shm/sinew-" + other, ignored);
}

TEST_F(RecorderTest, ReplayRefusesToMixWithALivingWriterUnlessTold) {
  auto a = writer_of("a", 64);
  put(a, 1);
  ASSERT_TRUE(start("a.mcap")->finish());
  const auto reader = McapReader::open(folder_ / "a.mcap");
  ASSERT_TRUE(reader);
  const auto refused = Replayer::open(*reader, {.space = space()});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("writes 'a' in space"), std::string::npos);
  EXPECT_TRUE(Replayer::open(*reader, {.space = space(), .may_mix = true}));
  a.reset();
  auto replayer = Replayer::open(*reader, {.space = space()});
  ASSERT_TRUE(replayer) << replayer.error().message;
  EXPECT_EQ(replayer->play([] { return true; })->messages, 0U);
  EXPECT_EQ(replayer->play([] { return false; })->messages, 1U);
  EXPECT_FALSE(Replayer::open(*reader, {.space = space(), .patterns = {"none"}}));
}

TEST_F(RecorderTest, WritesJsonForOthers) {
  sinew_options typed = options("robot/ref/me");
  typed.schema = SchemaOf<JointReference>::kSchema.text.data();
  typed.capacity = 0;
  const auto writer = open_writer(typed);
  const JointReference message{.stamp_ns = 5, .joint_mask = 3, .smoothing = Smoothing::Direct};
  sinew_put(writer.get(), &message, sizeof message, nullptr);
  ASSERT_TRUE(start("a.mcap", MessageEncoding::Json)->finish());
  const auto reader = McapReader::open(folder_ / "a.mcap");
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->contents().channels.at(1).encoding, "json");
  EXPECT_EQ(reader->contents().schemas.at(1).encoding, "jsonschema");
  EXPECT_NE(reader->contents().schemas.at(1).text.find("\"position\": {\"type\": \"array\""),
            std::string::npos);
  const auto text = bytes_by_time(*reader).at(0);
  EXPECT_NE(text.find("\"joint_mask\": 3, \"smoothing\": \"Direct\""), std::string::npos);
  EXPECT_FALSE(Replayer::open(*reader, {.space = space(), .may_mix = true}));
}

}  // namespace
}  // namespace sinew::recording
