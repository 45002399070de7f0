// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/recording/mcap_reader.h"
#include "sinew/recording/mcap_writer.h"

namespace sinew::recording {

/// A folder of its own for every test, gone afterwards.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("sinew-recording-{}", getpid())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline Buffer bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// A message with bytes of its own.
struct Sample {
  std::uint16_t channel_id = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_ns = 0;
  std::uint64_t publish_ns = 0;
  Buffer bytes;

  bool operator==(const Sample&) const = default;
  McapMessage message() const {
    return {.channel_id = channel_id,
            .sequence = sequence,
            .log_ns = log_ns,
            .publish_ns = publish_ns,
            .bytes = bytes};
  }
};

inline Sample sample_of(const McapMessage& message) {
  return {.channel_id = message.channel_id,
          .sequence = message.sequence,
          .log_ns = message.log_ns,
          .publish_ns = message.publish_ns,
          .bytes = Buffer(message.bytes.begin(), message.bytes.end())};
}

/// Messages on channels 1 to `channels`, of any size and content, with times that never decrease.
inline std::vector<Sample> random_samples(std::mt19937& random, std::size_t count, std::uint16_t channels) {
  std::vector<Sample> samples;
  std::vector<std::uint32_t> sequences(channels + 1U);
  std::uint64_t now_ns = 1'700'000'000'000'000'000;
  for (std::size_t i = 0; i < count; ++i) {
    const auto id = static_cast<std::uint16_t>(1 + random() % channels);
    Buffer bytes(random() % 8 == 0 ? random() % 5000 : random() % 40);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % 4 == 0 ? random() : 0);
    now_ns += random() % 3 == 0 ? 0 : random() % 2'000'000;
    samples.push_back({.channel_id = id,
                       .sequence = ++sequences[id],
                       .log_ns = now_ns,
                       .publish_ns = now_ns - random() % 1000,
                       .bytes = std::move(bytes)});
  }
  return samples;
}

inline std::vector<Sample> read_all(const McapReader& reader) {
  std::vector<Sample> samples;
  McapMessages messages(reader);
  while (const auto message = messages.next()) samples.push_back(sample_of(*message));
  return samples;
}

/// A file with `channels` channels that has been begun.
inline McapWriter begin_file(const McapWriterOptions& options, std::uint16_t channels) {
  auto writer = McapWriter::create(options);
  EXPECT_TRUE(writer) << writer.error().message;
  const auto schema = writer->add_schema({.name = "Thing", .encoding = "sinew", .text = "a text"});
  EXPECT_TRUE(writer->add_metadata({.name = "sinew", .facts = {{"space", "test"}}}));
  for (std::uint16_t i = 1; i <= channels; ++i) {
    const auto id = writer->add_channel({.schema_id = *schema,
                                         .topic = fmt::format("robot/channel{}", i),
                                         .encoding = "sinew",
                                         .metadata = {{"depth", "16"}}});
    EXPECT_EQ(*id, i);
  }
  return *std::move(writer);
}

}  // namespace sinew::recording
