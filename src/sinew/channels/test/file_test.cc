// SPDX-License-Identifier: BSD-3-Clause
// Channel files: as they must lie on every machine, and as they must not be.
#include <cstring>
#include <random>

#include "sinew/channels/channel_file.h"
#include "sinew/channels/test/channel_fixture.h"
#include "sinew/channels/test/file_abuse.h"
#include "sinew/channels/test/golden_channel.h"

namespace sinew::channels {
namespace {

constexpr const char* kGoldenSchema = "sinew-schema 1\nstruct N version 1 size 8\n  int64 n at 0\n";

TEST_F(ChannelTest, GoldenFileIsReadOnEveryMachine) {
  plant_channel_file(space(), "c", golden_channel());
  auto chosen = options();
  chosen.schema = kGoldenSchema;
  const auto reader = open_reader(chosen);
  ASSERT_TRUE(reader) << error_.text;
  for (std::int64_t n = 2; n <= 3; ++n) {
    std::int64_t number = 0;
    sinew_frame frame{};
    ASSERT_EQ(sinew_read_next(reader.get(), &number, sizeof number, &frame), SINEW_OK);
    EXPECT_EQ(number, -10 * n);
    EXPECT_EQ(frame.sequence, static_cast<std::uint64_t>(n));
    EXPECT_EQ(frame.stamp_ns, 1000 * n);
    EXPECT_EQ(frame.wall_ns, 1'700'000'000'000'000'000 + n - 1);
    EXPECT_EQ(frame.sender_pid, 4321U);
  }
  const auto writer = open_writer(chosen);
  ASSERT_TRUE(writer) << error_.text;
  EXPECT_EQ(put(writer, 5), 4U);
}

TEST_F(ChannelTest, NewFileHasTheGoldenHeader) {
  auto chosen = options();
  chosen.schema = kGoldenSchema;
  chosen.sender = "golden";
  chosen.capacity = 8;
  chosen.depth = 2;
  chosen.writers = 1;
  ASSERT_EQ(sinew_create(&chosen, &error_), SINEW_OK) << error_.text;
  std::ifstream file(path("c"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string golden = golden_channel();
  ASSERT_EQ(bytes.size(), golden.size());
  // what is random, or the time, or the process; and the library's version
  for (const auto& [start, size] : {std::pair<std::size_t, std::size_t>{16, 8}, {56, 8}, {64, 4}, {168, 16}})
    bytes.replace(start, size, golden, start, size);
  EXPECT_EQ(bytes.substr(0, 256), golden.substr(0, 256)) << "header";
  EXPECT_EQ(bytes.substr(528, 100), golden.substr(528, 100)) << "schema";
}

// a few thousand broken files: refused with a reason or used without harm, and some of both
TEST_F(ChannelTest, BrokenFilesAreRefusedOrHarmless) {
  std::mt19937 random(11);
  int opened = 0;
  constexpr int kFiles = 3000;
  for (int i = 0; i < kFiles; ++i) {
    std::string bytes = golden_channel();
    for (std::size_t changes = random() % 4; changes > 0; --changes) {
      // mostly where it matters: header, places, index, slot headers
      const std::size_t regions[] = {192, 320, 528, bytes.size()};
      const std::size_t at = random() % regions[random() % 4];
      bytes[at] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
    }
    if (random() % 8 == 0) bytes.resize(random() % (bytes.size() + 100));
    plant_channel_file(space(), "c", bytes);
    if (abuse_channel(space(), "c")) ++opened;
  }
  EXPECT_GT(opened, kFiles / 10);
  EXPECT_LT(opened, kFiles * 9 / 10);
}

TEST_F(ChannelTest, SchemaWithoutEndIsRefused) {
  std::string bytes = golden_channel();
  bytes[528 + std::strlen(kGoldenSchema)] = 'x';
  plant_channel_file(space(), "c", bytes);
  EXPECT_FALSE(open_reader(options()));
  EXPECT_NE(std::string(error_.text).find("its schema has no end"), std::string::npos) << error_.text;
}

TEST_F(ChannelTest, EveryCutIsRefused) {
  const std::string whole = golden_channel();
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{383}, std::size_t{384},
                                 std::size_t{4096}, whole.size() - 1, whole.size() + 1}) {
    std::string bytes = whole;
    bytes.resize(size);
    plant_channel_file(space(), "c", bytes);
    EXPECT_FALSE(open_reader(options())) << size;
    EXPECT_EQ(error_.status, SINEW_DAMAGED) << error_.text;
  }
}

}  // namespace
}  // namespace sinew::channels
