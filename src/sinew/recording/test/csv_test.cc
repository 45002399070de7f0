// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/csv.h"

#include <gtest/gtest.h>

#include "sinew/messages/schemas.h"

namespace sinew::recording {
namespace {

template <class Message>
std::span<const std::byte> bytes_of(const Message& message) {
  return std::as_bytes(std::span(&message, 1));
}

TEST(CsvTest, OneColumnForEachNumberAndText) {
  const auto schema = parse_schema(SchemaOf<JointReference>::kSchema.text);
  const auto columns = csv_columns(*schema);
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->size(), 5U + 64U);
  JointReference message{.stamp_ns = -7, .joint_mask = ~std::uint64_t{0}, .smoothing = Smoothing::Compliant};
  message.position[1] = 0.1;
  const std::string head = csv_head(*columns);
  EXPECT_TRUE(head.starts_with("stamp_ns,lease_ns,joint_mask,smoothing,reserved,position[0],position[1],"));
  const std::string row = csv_row(*schema, *columns, bytes_of(message));
  EXPECT_TRUE(row.starts_with("-7,0,18446744073709551615,Compliant,0,0,0.1,")) << row;
  EXPECT_EQ(std::count(head.begin(), head.end(), ','), std::count(row.begin(), row.end(), ','));
}

TEST(CsvTest, TextIsQuotedAndWhatIsNotThereIsEmpty) {
  const auto schema = parse_schema(SchemaOf<Health>::kSchema.text);
  auto fields = find_fields(*schema, "cycles,process_name");
  const auto columns = csv_columns(*schema, *fields);
  ASSERT_TRUE(columns);
  Health health{.cycles = 3};
  health.process_name = {'a', ',', '"', 'b'};
  EXPECT_EQ(csv_row(*schema, *columns, bytes_of(health)), "3,\"a,\"\"b\"");
  EXPECT_EQ(csv_row(*schema, *columns, bytes_of(health).first(40)), "3,");
  EXPECT_EQ(csv_row(*schema, *columns, {}), ",");
}

}  // namespace
}  // namespace sinew::recording
