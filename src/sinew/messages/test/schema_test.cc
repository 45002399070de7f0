// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/messages/schema.h"

#include <string>

#include <gtest/gtest.h>

#include "sinew/messages/schemas.h"

namespace sinew {
namespace {

TEST(SchemaTest, EveryMessageParsesAndSaysWhatTheCompilerSays) {
  for (const MessageSchema* message : kAllMessages) {
    const auto schema = parse_schema(message->text);
    ASSERT_TRUE(schema) << message->name << ": " << schema.error().message;
    EXPECT_EQ(schema->message().name, message->name);
    EXPECT_EQ(schema->message().version, message->version);
    EXPECT_EQ(schema->message().size, message->size);
    // no hidden padding: every field begins where the one above it ends
    std::uint32_t end = 0;
    for (const SchemaField& field : schema->message().fields) {
      EXPECT_EQ(field.offset, end) << message->name << "." << field.name;
      end = field.offset + field.width * std::max(field.count, 1U);
    }
    EXPECT_EQ(end, message->size);
  }
}

// these numbers are in channels and records out there; a change of one means a change of kVersion
TEST(SchemaTest, HashesAreStable) {
  EXPECT_EQ(SchemaOf<JointState>::kSchema.hash, 0x9ad17a5ae7ef1e67U);
  EXPECT_EQ(SchemaOf<JointReference>::kSchema.hash, 0xa2931943ccd4869bU);
  EXPECT_EQ(SchemaOf<Health>::kSchema.hash, 0x89f07ea2c0975cdaU);
}

TEST(SchemaTest, HashKnowsLayoutAndNamesButNotExplanations) {
  const std::string text = "sinew-schema 1\nstruct A version 1 size 8\n  int64 a at 0 [ns] : When.\n";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    return schema_hash(other.replace(other.find(from), from.size(), to)) != schema_hash(text);
  };
  EXPECT_FALSE(changed("When.", "When it was."));
  EXPECT_TRUE(changed("int64", "uint64"));
  EXPECT_TRUE(changed("a at", "b at"));
  EXPECT_TRUE(changed("[ns]", "[ms]"));
  EXPECT_TRUE(changed("version 1", "version 2"));
  EXPECT_EQ(schema_hash(""), 0U);
}

struct Refusal {
  std::string body;
  std::string text;
};

TEST(SchemaTest, RefusalsNameTheLineAndTheReason) {
  const Refusal refusals[] = {
      {"", "schema line 1: it describes no struct"},
      {"class A\n", "schema line 2: 'class' is neither 'struct' nor 'enum'"},
      {"struct A version 1\n", "schema line 2: a struct reads 'struct NAME version N size N'"},
      {"struct A version 1 size 0\n", "schema line 2: size 0 is not within 1 to 1073741824"},
      {"  int64 a at 0\n", "schema line 2: a field stands outside any struct"},
      {"struct A version 1 size 8\n  int64 a at 1\n",
       "schema line 3: field 'a' ends at byte 9, beyond the 8 bytes of 'A'"},
      {"struct A version 1 size 8\n  int65 a at 0\n", "schema line 3: type 'int65' is not defined above"},
      {"struct A version 1 size 8\n  A a at 0\n", "schema line 3: type 'A' is not defined above"},
      {"struct A version 1 size 8\n  int8[0] a at 0\n", "schema line 3: 'int8[0]' is no array type"},
      {"struct A version 1 size 8\n  int8[ a at 0\n", "schema line 3: 'int8[' is no array type"},
      {"struct A version 1 size 8\n  int8[4294967295] a at 0\n",
       "schema line 3: field 'a' ends at byte 4294967295, beyond the 8 bytes of 'A'"},
      {"struct A version 1 size 8\n  int8 a at 0\n  int8 a at 1\n",
       "schema line 4: field 'a' is defined twice"},
      {"struct A version 1 size 8\n  int32 a at 0\n  int32 b at 2\n",
       "schema line 4: field 'b' begins at byte 2, before the end of the field above it at 4"},
      {"enum E uint8\n  256 Big\n", "schema line 3: value 256 does not fit into 1 bytes"},
      {"enum E int8\n", "schema line 2: an enum reads 'enum NAME uintN'"},
      {"enum E uint8\nenum E uint8\n", "schema line 3: type 'E' is defined twice"},
  };
  for (const Refusal& refusal : refusals) {
    const auto schema = parse_schema("sinew-schema 1\n" + refusal.body);
    ASSERT_FALSE(schema) << refusal.body;
    EXPECT_EQ(schema.error().message, refusal.text);
  }
  EXPECT_EQ(parse_schema("hello").error().message, "schema line 1: it must begin with 'sinew-schema 1'");
  EXPECT_EQ(parse_schema(std::string(70'000, 'x')).error().message,
            "schema line 0: 70000 bytes are too long; the bound is 65536");
}

TEST(SchemaTest, NestingIsBounded) {
  std::string text = "sinew-schema 1\nstruct S0 version 1 size 1\n  uint8 a at 0\n";
  for (int i = 1; i <= 9; ++i) {
    text += "struct S" + std::to_string(i) + " version 1 size 1\n  S" + std::to_string(i - 1) + " a at 0\n";
    const auto schema = parse_schema(text);
    EXPECT_EQ(schema.has_value(), i <= 8) << i;
    if (i == 9) {
      EXPECT_EQ(schema.error().message, "schema line 21: structs nested more than 8 deep");
    }
  }
}

}  // namespace
}  // namespace sinew
