// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/messages/decode.h"

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/messages/schemas.h"

namespace sinew {
namespace {

constexpr const char* kMixed =
    "sinew-schema 1\n"
    "enum Mode uint8\n  0 Idle\n  2 Busy\n"
    "struct Point version 1 size 8\n  float32 x at 0 [m]\n  float32 y at 4 [m]\n"
    "struct Mixed version 2 size 56\n"
    "  int8 small at 0\n  Mode mode at 1\n  uint16 word at 2\n  int32 number at 4\n  uint64 mask at 8\n"
    "  Point[2] points at 16 [m]\n  float64 value at 32 [rad]\n  char[8] name at 40\n  int16[4] list at 48\n";

template <class Message>
std::span<const std::byte> bytes_of(const Message& message) {
  return std::as_bytes(std::span(&message, 1));
}

// the bytes of a message as they stand in a channel, the same on every machine
constexpr unsigned char kGolden[56] = {0xfe, 0x02, 0x34, 0x12, 0x2e, 0xfb, 0xff, 0xff, 0xef, 0xcd, 0xab, 0x89,
                                       0x67, 0x45, 0x23, 0x01, 0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0xc0,
                                       0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xc0, 0x7f, 0x18, 0x2d, 0x44, 0x54,
                                       0xfb, 0x21, 0x09, 0x40, 'a',  '"',  '\n', 0xc3, 0xa4, 0xff, 0x00, 'x',
                                       0x01, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00};

TEST(DecodeTest, GoldenBytesMeanTheSameOnEveryMachine) {
  const Schema schema = *parse_schema(kMixed);
  const auto bytes = std::as_bytes(std::span(kGolden));
  EXPECT_EQ(
      json_of(schema, bytes),
      "{\"small\": -2, \"mode\": \"Busy\", \"word\": 4660, \"number\": -1234, \"mask\": 81985529216486895, "
      "\"points\": [{\"x\": 1, \"y\": -2}, {\"x\": 0, \"y\": null}], \"value\": 3.141592653589793, "
      "\"name\": \"a\\\"\\u000aä\\ufffd\", \"list\": [1, -1, 0, 0]}");
}

TEST(DecodeTest, TextCountsTrailingZerosAndShowsUnits) {
  const Schema schema = *parse_schema(kMixed);
  const auto paths = *find_fields(schema, "list,value,points[0].y");
  EXPECT_EQ(text_of_message(schema, std::as_bytes(std::span(kGolden)), paths),
            "  list                     [1, -1] and 2 zeros\n"
            "  value                    3.141592653589793 [rad]\n"
            "  points[0].y              -2 [m]\n");
}

TEST(DecodeTest, ShortMessagesAreDecodedAsFarAsTheyGo) {
  const Schema schema = *parse_schema(kMixed);
  const auto all = std::as_bytes(std::span(kGolden));
  for (std::size_t size = 0; size <= all.size(); ++size) {
    const std::vector<std::byte> bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
    json_of(schema, bytes);
    text_of_message(schema, bytes);
  }
  EXPECT_EQ(json_of(schema, all.first(3)), "{\"small\": -2, \"mode\": \"Busy\"}");
}

// what is set as text is read back as the same number
TEST(DecodeTest, NumbersSurviveTheWayThroughText) {
  const Schema schema = *parse_schema(kMixed);
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::array<std::byte, 56> message{};
    const auto mask = random();
    double value;
    std::memcpy(&value, &mask, sizeof value);
    if (!std::isfinite(value)) value = 0.5;
    const auto number = static_cast<std::int32_t>(random());
    ASSERT_TRUE(set_field(schema, message, "mask", fmt::format("{}", mask)));
    ASSERT_TRUE(set_field(schema, message, "value", fmt::format("{}", value)));
    ASSERT_TRUE(set_field(schema, message, "number", fmt::format("{}", number)));
    const auto only = *find_fields(schema, "mask,value,number");
    ASSERT_EQ(json_of(schema, message, only),
              fmt::format("{{\"mask\": {}, \"value\": {}, \"number\": {}}}", mask, value, number));
  }
}

TEST(DecodeTest, RealMessagesAreSetAndReadByName) {
  const Schema schema = *parse_schema(SchemaOf<JointReference>::kText);
  JointReference reference;
  const auto bytes = std::as_writable_bytes(std::span(&reference, 1));
  ASSERT_TRUE(set_field(schema, bytes, "position[2]", "0.5"));
  ASSERT_TRUE(set_field(schema, bytes, "smoothing", "Direct"));
  ASSERT_TRUE(set_field(schema, bytes, "joint_mask", "0xff"));
  EXPECT_EQ(reference.position[2], 0.5);
  EXPECT_EQ(reference.smoothing, Smoothing::Direct);
  EXPECT_EQ(reference.joint_mask, 255U);
}

struct WrongSetting {
  std::string path;
  std::string value;
  std::string refusal;
};

TEST(DecodeTest, RefusalsSayWhyAndLeaveTheMessageAsItWas) {
  const Schema schema = *parse_schema(kMixed);
  const WrongSetting settings[] = {
      {"smal", "1", "field 'smal': 'Mixed' has no field 'smal' (did you mean 'small'?)"},
      {"small", "128", "field 'small': '128' is no int8"},
      {"small", "", "field 'small': '' is no int8"},
      {"word", "65536", "field 'word': '65536' is no uint16"},
      {"word", "-1", "field 'word': '-1' is no uint16"},
      {"value", "nan", "field 'value': 'nan' is no finite number"},
      {"value", "1e999", "field 'value': '1e999' is no finite number"},
      {"points[0].x", "1e39", "field 'points[0].x': 1e39 is beyond float32"},
      {"mode", "Busi", "field 'mode': 'Busi' is none of Idle, Busy (did you mean 'Busy'?)"},
      {"list", "1,2,3,4,5", "field 'list': 5 values do not fit into 4"},
      {"list[4]", "1", "field 'list[4]': 'list' has elements 0 to 3"},
      {"list[", "1", "field 'list[': 'list' has elements 0 to 3"},
      {"name", "123456789", "field 'name': 9 bytes of text do not fit into 8"},
      {"points[1]", "1", "field 'points[1]': name one of its parts"},
      {"value.x", "1", "field 'value.x': 'value' has no parts"},
  };
  for (const WrongSetting& setting : settings) {
    std::array<unsigned char, 56> message{};
    std::copy(std::begin(kGolden), std::end(kGolden), message.begin());
    const auto before = message;
    const Status status =
        set_field(schema, std::as_writable_bytes(std::span(message)), setting.path, setting.value);
    ASSERT_FALSE(status) << setting.path;
    EXPECT_EQ(status.error().message, setting.refusal);
    EXPECT_EQ(message, before);
  }
}

}  // namespace
}  // namespace sinew
