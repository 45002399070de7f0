// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/last_seconds.h"

#include <random>
#include <thread>

#include "sinew/base/time.h"
#include "sinew/recording/test/recording_fixture.h"

namespace sinew::recording {
namespace {

class LastSecondsTest : public RecordingTest {
 protected:
  LastSecondsOptions chosen() const { return {.channels = {.space = space()}, .folder = folder_ / "stops"}; }
  static std::vector<std::uint64_t> numbers_in(const std::string& path, const std::string& topic) {
    const auto reader = McapReader::open(path);
    EXPECT_TRUE(reader) << reader.error().message;
    std::vector<std::uint64_t> numbers;
    McapMessages messages(*reader);
    while (const auto message = messages.next()) {
      if (reader->contents().channels.at(message->channel_id).topic != topic) continue;
      std::uint64_t number = 0;
      std::memcpy(&number, message->bytes.data(), sizeof number);
      numbers.push_back(number);
    }
    return numbers;
  }
};

TEST_F(LastSecondsTest, SavesAllThatWasPutUntilNow) {
  const auto a = writer_of("a", 1024);
  const auto last = LastSeconds::start(chosen());
  ASSERT_TRUE(last);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 1; i <= 500; ++i) {
    put(a, i);
    expected.push_back(i);
  }
  const auto path = (*last)->save("Guard: arm_left too near!");
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_TRUE(numbers_in(*path, "a") == expected);
  EXPECT_TRUE(path->ends_with("Z-guard-arm-left-too-near.mcap")) << *path;
  const auto reader = McapReader::open(*path);
  EXPECT_EQ(reader->contents().metadata.at(0).facts.at("reason"), "Guard: arm_left too near!");
  EXPECT_EQ(reader->check(), std::vector<std::string>());
}

TEST_F(LastSecondsTest, ForgetsWhatIsOlderButTheLastOfASilentChannel) {
  const auto busy = writer_of("busy", 1024);
  const auto silent = writer_of("silent", 1024);
  LastSecondsOptions options = chosen();
  options.window_ns = 100 * kMillisecond_ns;
  const auto last = LastSeconds::start(options);
  put(silent, 1);
  put(silent, 2);
  const std::int64_t end_ns = monotonic_now_ns() + kSecond_ns;
  std::uint64_t number = 0;
  while (monotonic_now_ns() < end_ns) {
    put(busy, ++number);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const auto path = (*last)->save("x");
  ASSERT_TRUE(path);
  EXPECT_EQ(numbers_in(*path, "silent"), (std::vector<std::uint64_t>{2}));
  const auto numbers = numbers_in(*path, "busy");
  ASSERT_FALSE(numbers.empty());
  EXPECT_EQ(numbers.back(), number);
  EXPECT_LT(numbers.size(), 110U);
  for (std::size_t i = 1; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], numbers[i - 1] + 1);
  const auto reader = McapReader::open(*path);
  const McapStatistics& statistics = reader->contents().statistics;
  EXPECT_LE(statistics.end_ns - statistics.start_ns, static_cast<std::uint64_t>(options.window_ns));
}

TEST_F(LastSecondsTest, KeepsWithinItsMemory) {
  const auto a = writer_of("a", 64, 65'536);
  LastSecondsOptions options = chosen();
  options.most_memory = 2U << 20;
  const auto last = LastSeconds::start(options);
  // what cannot be packed
  Buffer large(60'000);
  std::mt19937 random(7);
  for (std::byte& byte : large) byte = static_cast<std::byte>(random());
  for (int i = 0; i < 300; ++i) {
    sinew_put(a.get(), large.data(), large.size(), nullptr);
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    // one block more than the bound while it is filled, and the last message of the channel
    ASSERT_LE((*last)->memory(), options.most_memory + 65 * 60'000U);
  }
  const auto path = (*last)->save("x");
  ASSERT_TRUE(path);
  EXPECT_GT(McapReader::open(*path)->contents().statistics.message_count, 5U);
}

// a robot's cycles are much alike: what is remembered of them is a fraction of what was put
TEST_F(LastSecondsTest, PacksWhatItRemembers) {
  const auto a = writer_of("a", 2048, 4096);
  const auto last = LastSeconds::start(chosen());
  Buffer alike(4000);
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    std::memcpy(alike.data(), &i, sizeof i);
    sinew_put(a.get(), alike.data(), alike.size(), nullptr);
  }
  const auto path = (*last)->save("x");
  ASSERT_TRUE(path);
  EXPECT_LT((*last)->memory(), 1000U * alike.size() / 5);
  EXPECT_EQ(numbers_in(*path, "a").size(), 1000U);
}

TEST_F(LastSecondsTest, KeepsTheNewestFilesAndLeavesOthersAlone) {
  const auto a = writer_of("a");
  put(a, 1);
  LastSecondsOptions options = chosen();
  options.keep = 3;
  std::filesystem::create_directories(options.folder);
  std::ofstream(options.folder + "/notes.txt") << "mine";
  std::ofstream(options.folder + "/.x.mcap.unfinished") << "left by the dead";
  std::ofstream(options.folder + "/2020-01-01T00-00-00Z-old.mcap") << "old";
  const auto last = LastSeconds::start(options);
  std::vector<std::string> saved;
  for (int i = 0; i < 4; ++i) saved.push_back(*(*last)->save("again"));
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(options.folder))
    names.insert(entry.path().filename());
  EXPECT_EQ(names.size(), 4U);
  EXPECT_TRUE(names.contains("notes.txt"));
  EXPECT_FALSE(names.contains("2020-01-01T00-00-00Z-old.mcap"));
  EXPECT_TRUE(std::filesystem::exists(saved.back()));
  EXPECT_EQ(std::set<std::string>(saved.begin(), saved.end()).size(), 4U);
}

TEST(FileNameTest, TimesAndWordsAreFitForAnyFileSystem) {
  EXPECT_EQ(file_time_text(1'794'792'600 * kSecond_ns), "2026-11-16T01-30-00Z");
  EXPECT_EQ(file_word("Stop: joint 'A' > 3.1 rad"), "stop-joint-a-3-1-rad");
  EXPECT_EQ(file_word("../../etc"), "etc");
  EXPECT_EQ(file_word("\xff\xfe"), "stop");
  EXPECT_LE(file_word(std::string(500, 'x')).size(), 60U);
}

}  // namespace
}  // namespace sinew::recording
