// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <random>

#include "sinew/recording/crc32.h"
#include "sinew/recording/test/file_fixture.h"

namespace sinew::recording {
namespace {

std::vector<Compression> built_in() {
  std::vector<Compression> found;
  for (const char* name : {"none", "lz4", "zstd"}) {
    if (const auto compression = compression_from(name)) found.push_back(*compression);
  }
  return found;
}

void write_file(const McapWriterOptions& options, const std::vector<Sample>& samples,
                std::uint16_t channels) {
  McapWriter writer = begin_file(options, channels);
  for (const Sample& sample : samples) ASSERT_TRUE(writer.write(sample.message()));
  const Status closed = writer.close();
  ASSERT_TRUE(closed) << closed.error().message;
}

TEST(Crc32Test, AgreesWithTheKnownSumAndWithItselfInPieces) {
  const std::string digits = "123456789";
  const auto bytes = std::as_bytes(std::span(digits));
  EXPECT_EQ(crc32(bytes), 0xCBF43926U);
  std::mt19937 random(1);
  Buffer noise(1000);
  for (std::byte& byte : noise) byte = static_cast<std::byte>(random());
  for (std::size_t cut = 0; cut <= noise.size(); cut += 7) {
    const auto whole = std::span<const std::byte>(noise);
    EXPECT_EQ(crc32(whole.subspan(cut), crc32(whole.first(cut))), crc32(whole));
  }
}

TEST(CompressionTest, UnpacksWhatItPackedAndRefusesWhatIsLongerShorterOrSpoilt) {
  std::mt19937 random(2);
  for (const Compression compression : built_in()) {
    Compressor compressor(compression);
    for (const std::size_t size : {0U, 1U, 100U, 65'536U, 300'000U}) {
      Buffer bytes(size);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % 3);
      const auto packed = compressor.pack(bytes);
      ASSERT_TRUE(packed);
      const auto unpacked = unpack(compression, *packed, size);
      ASSERT_TRUE(unpacked) << unpacked.error().message;
      EXPECT_EQ(*unpacked, bytes);
      EXPECT_FALSE(unpack(compression, *packed, size + 1));
      if (size == 0) continue;
      EXPECT_FALSE(unpack(compression, *packed, size - 1));
      EXPECT_FALSE(unpack(compression, packed->first(packed->size() - 1), size));
    }
  }
  EXPECT_EQ(compression_from("brotli").error().message,
            "there is no compression 'brotli': it is none, lz4 or zstd");
}

TEST(McapTest, GivesBackEveryMessageInOrder) {
  std::mt19937 random(3);
  const Folder folder;
  for (const Compression compression : built_in()) {
    for (const std::size_t chunk_size : {std::size_t{1}, std::size_t{3000}, std::size_t{1} << 20}) {
      const auto samples = random_samples(random, 500, 5);
      write_file({.path = folder / "a.mcap",
                  .compression = compression,
                  .chunk_size = chunk_size,
                  .may_replace = true},
                 samples, 5);
      const auto reader = McapReader::open(folder / "a.mcap");
      ASSERT_TRUE(reader) << reader.error().message;
      EXPECT_FALSE(reader->contents().is_scanned);
      EXPECT_TRUE(reader->contents().is_whole);
      EXPECT_EQ(reader->contents().statistics.message_count, 500U);
      EXPECT_EQ(reader->contents().channels.at(3).topic, "robot/channel3");
      EXPECT_EQ(reader->contents().metadata.at(0).facts.at("space"), "test");
      EXPECT_TRUE(read_all(*reader) == samples);
      EXPECT_EQ(reader->check(), std::vector<std::string>());
    }
  }
}

TEST(McapTest, PutsMessagesOutOfOrderInOrder) {
  std::mt19937 random(4);
  const Folder folder;
  const auto samples = random_samples(random, 400, 2);
  auto mixed = samples;
  // neighbours up to 60 apart change places, across chunks
  for (std::size_t i = 0; i + 60 < mixed.size(); i += 60)
    std::shuffle(mixed.begin() + static_cast<std::ptrdiff_t>(i),
                 mixed.begin() + static_cast<std::ptrdiff_t>(i + 60), random);
  write_file({.path = folder / "a.mcap", .chunk_size = 2000}, mixed, 2);
  const auto reader = McapReader::open(folder / "a.mcap");
  ASSERT_TRUE(reader);
  const auto got = read_all(*reader);
  ASSERT_EQ(got.size(), samples.size());
  EXPECT_TRUE(std::is_sorted(got.begin(), got.end(),
                             [](const Sample& a, const Sample& b) { return a.log_ns < b.log_ns; }));
  for (const Sample& sample : samples) EXPECT_NE(std::find(got.begin(), got.end(), sample), got.end());
}

// whatever byte the file ends at, all up to the last whole chunk is there, in order
TEST(McapTest, CutOffAnywhereItGivesAllWholeChunks) {
  std::mt19937 random(5);
  const Folder folder;
  const auto samples = random_samples(random, 120, 3);
  McapWriter writer = begin_file({.path = folder / "a.mcap", .chunk_size = 2000}, 3);
  std::vector<std::pair<std::uint64_t, std::size_t>> steps;  // bytes in the file → messages in whole chunks
  std::uint64_t last_size = writer.size();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_TRUE(writer.write(samples[i].message()));
    if (writer.size() != last_size) steps.emplace_back(writer.size(), i + 1);
    last_size = writer.size();
  }
  ASSERT_TRUE(writer.close());
  ASSERT_GT(steps.size(), 5U);
  const Buffer whole = bytes_of_file(folder / "a.mcap");
  for (std::size_t cut = 8; cut < whole.size(); cut += 29) {
    const auto reader =
        McapReader::of(Buffer(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut)));
    ASSERT_TRUE(reader);
    EXPECT_TRUE(reader->contents().is_scanned);
    const auto got = read_all(*reader);
    ASSERT_LE(got.size(), samples.size());
    EXPECT_TRUE(std::equal(got.begin(), got.end(), samples.begin())) << "cut at " << cut;
    std::size_t expected = 0;
    for (const auto& [size, count] : steps) {
      if (cut >= size) expected = count;
    }
    EXPECT_GE(got.size(), expected) << "cut at " << cut;
  }
}

TEST(McapTest, AnySpoiltByteIsFoundByTheCheckAndHarmsOnlyItsChunk) {
  std::mt19937 random(6);
  const Folder folder;
  const auto samples = random_samples(random, 60, 2);
  write_file({.path = folder / "a.mcap", .chunk_size = 3000}, samples, 2);
  const Buffer whole = bytes_of_file(folder / "a.mcap");
  for (std::size_t i = 8; i < whole.size(); i += i % 1000 < 900 ? 11 : 1) {
    Buffer spoilt = whole;
    spoilt[i] ^= static_cast<std::byte>(1U << (random() % 8));
    const auto reader = McapReader::of(std::move(spoilt));
    ASSERT_TRUE(reader);
    EXPECT_FALSE(reader->check().empty()) << "byte " << i;
    for (const Sample& got : read_all(*reader)) EXPECT_TRUE(got.bytes.size() < 5000);
  }
}

TEST(McapTest, ReadsFilesWithoutChunksAndWithoutSummary) {
  std::mt19937 random(7);
  const auto samples = random_samples(random, 50, 1);
  Buffer bytes(std::as_bytes(std::span(kMcapMagic)).begin(), std::as_bytes(std::span(kMcapMagic)).end());
  append_record(bytes, McapHeader{.profile = "", .library = "another"});
  append_record(bytes, McapSchema{.id = 9, .name = "S", .encoding = "jsonschema", .text = "{}"});
  append_record(bytes, McapChannel{.id = 1, .schema_id = 9, .topic = "/t", .encoding = "json"});
  for (const Sample& sample : samples) append_record(bytes, sample.message());
  append_data_end(bytes, 0);
  append_record(bytes, McapFooter{});
  bytes.insert(bytes.end(), std::as_bytes(std::span(kMcapMagic)).begin(),
               std::as_bytes(std::span(kMcapMagic)).end());
  const auto reader = McapReader::of(bytes);
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->contents().is_whole);
  EXPECT_EQ(reader->contents().statistics.message_count, 50U);
  EXPECT_EQ(reader->contents().schemas.at(9).encoding, "jsonschema");
  EXPECT_TRUE(read_all(*reader) == samples);
}

TEST(McapTest, CountsTheNumbersLeftOut) {
  const Folder folder;
  McapWriter writer = begin_file({.path = folder / "a.mcap"}, 1);
  for (const std::uint32_t sequence : {0xFFFFFFFDU, 0xFFFFFFFEU, 1U, 2U, 10U})
    ASSERT_TRUE(writer.write({.channel_id = 1, .sequence = sequence, .log_ns = 1}));
  ASSERT_TRUE(writer.flush());
  // not closed, as after a kill
  const auto reader = McapReader::open(folder / "a.mcap");
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader->contents().is_whole);
  EXPECT_EQ(reader->contents().gaps.at(1), 2U + 7U);
}

TEST(McapTest, RefusesWhatItMustNotDo) {
  const Folder folder;
  { begin_file({.path = folder / "a.mcap"}, 1); }
  const auto again = McapWriter::create({.path = folder / "a.mcap"});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::AlreadyExists);
  EXPECT_NE(again.error().message.find("--force"), std::string::npos);
  McapWriter writer = begin_file({.path = folder / "a.mcap", .may_replace = true}, 1);
  EXPECT_FALSE(writer.write({.channel_id = 2}));
  EXPECT_EQ(McapReader::open(folder / "none.mcap").error().code, ErrorCode::NotFound);
  EXPECT_EQ(McapReader::of(Buffer(100)).error().code, ErrorCode::Damaged);
  EXPECT_EQ(McapReader::open(folder.path()).error().code, ErrorCode::InvalidInput);
}

TEST(McapTest, AFullDiskLeavesAFileThatCanBeRead) {
  const auto writer = McapWriter::create({.path = "/dev/full", .may_replace = true});
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().message.find("No space left"), std::string::npos);
}

}  // namespace
}  // namespace sinew::recording
