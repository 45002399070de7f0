// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <string_view>

#include "sinew/channels/sinew_channel.h"
#include "sinew/xach/handle.h"
#include "sinew/xach/mds.h"
#include "sinew/xach/test/space_of_test.h"

namespace sinew::xach {
namespace {

using CreateTest = SpaceOfTest;

TEST_F(CreateTest, RefusesAChannelThatExistsUnlessToldToTruncate) {
  EXPECT_EQ(ach_create("chan", 8, 64, nullptr), ACH_EEXIST);
  EXPECT_STRNE(ach_errstr(), "");
  ach_create_attr_t attributes;
  ach_create_attr_init(&attributes);
  ASSERT_EQ(ach_create_attr_set_truncate(&attributes, 1), ACH_OK);
  EXPECT_EQ(ach_create("chan", 8, 64, &attributes), ACH_OK);
  EXPECT_EQ(ach_create("new", 8, 64, &attributes), ACH_OK);
}

TEST_F(CreateTest, RefusesNamesThatAchRefuses) {
  const std::string too_long(65, 'x');
  for (const char* name : {"", ".hidden", "a/b", "a b", "..", too_long.c_str()})
    EXPECT_EQ(ach_create(name, 8, 64, nullptr), ACH_INVALID_NAME) << name;
  EXPECT_EQ(ach_create(nullptr, 8, 64, nullptr), ACH_INVALID_NAME);
  ach_channel_t channel;
  EXPECT_EQ(ach_open(&channel, "../etc", nullptr), ACH_INVALID_NAME);
  EXPECT_EQ(ach_open(&channel, "nobody-made-this", nullptr), ACH_ENOENT);
  EXPECT_EQ(ach_unlink("nobody-made-this"), ACH_ENOENT);
}

TEST_F(CreateTest, RefusesAnotherClockAndChannelsWithoutAName) {
  ach_create_attr_t attributes;
  ach_create_attr_init(&attributes);
  EXPECT_EQ(ach_create_attr_set_clock(&attributes, CLOCK_MONOTONIC), ACH_OK);
  EXPECT_EQ(ach_create_attr_set_clock(&attributes, CLOCK_REALTIME), ACH_EINVAL);
  EXPECT_EQ(ach_create_attr_set_map(&attributes, ACH_MAP_KERNEL), ACH_OK);
  EXPECT_EQ(ach_create_attr_set_map(&attributes, ACH_MAP_ANON), ACH_EINVAL);
}

TEST_F(CreateTest, LivesInTheSpaceThatTheEnvironmentNames) {
  sinew_options options;
  sinew_options_init(&options);
  options.space = space_.c_str();
  options.name = "ach/chan";
  sinew_reader* reader = sinew_reader_open(&options, SINEW_START_OLDEST, nullptr);
  ASSERT_NE(reader, nullptr);
  Handle handle("chan");
  ASSERT_EQ(handle.put(42), ACH_OK);
  int number = 0;
  EXPECT_EQ(sinew_read_next(reader, &number, sizeof number, nullptr), SINEW_OK);
  EXPECT_EQ(number, 42);
  sinew_reader_close(reader);
}

TEST(DimensionsTest, AreAchsWhereTheyFit) {
  const Dimensions usual = dimensions_for(10, 3000);
  EXPECT_EQ(usual.capacity, 30000U);
  EXPECT_EQ(usual.depth, 16U);
  EXPECT_EQ(usual.writers, 32U);
  const Dimensions defaults = dimensions_for(0, 0);
  EXPECT_EQ(defaults.capacity, 16U * 512U);
  EXPECT_EQ(defaults.depth, 16U);
}

TEST(DimensionsTest, AreBoundedInMemory) {
  for (const std::size_t count : {1U, 3U, 1000U, 100000U, 0xffffffffU}) {
    for (const std::size_t size : {1U, 1000U, 1U << 20, 256U << 20}) {
      const Dimensions found = dimensions_for(count, size);
      EXPECT_GE(found.capacity, size);
      EXPECT_GE(found.writers, 15U);
      EXPECT_LE(found.writers * (found.depth + 1), 65535U);
      EXPECT_LE(std::uint64_t{found.capacity} * (found.depth + 1),
                std::max<std::uint64_t>(64U << 20, std::uint64_t{size} * (found.depth + 1)));
    }
  }
  EXPECT_EQ(dimensions_for(1, (256U << 20) + 1).capacity, 0U);
}

TEST_F(CreateTest, HoldsEveryMdsMessage) {
  ASSERT_EQ(ach_create(MDS_CHAN_PARAM_NAME, 10, 3000, nullptr), ACH_OK);
  Handle handle(MDS_CHAN_PARAM_NAME);
  static mds_joint_param_t sent, received;
  std::memset(&sent, 7, sizeof sent);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(ach_put(&handle.channel, &sent, sizeof sent), ACH_OK);
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(ach_get(&handle.channel, &received, sizeof received, &handle.size, nullptr, 0), ACH_OK)
        << "Ach itself kept one of these";
  }
  const auto bytes_of = [](const mds_joint_param_t& frame) {
    return std::string_view(reinterpret_cast<const char*>(&frame), sizeof frame);
  };
  EXPECT_EQ(bytes_of(sent), bytes_of(received));
}

TEST(ResultTest, HasAchsNames) {
  EXPECT_STREQ(ach_result_to_string(ACH_OK), "ACH_OK");
  EXPECT_STREQ(ach_result_to_string(ACH_STALE_FRAMES), "ACH_STALE_FRAMES");
  EXPECT_STREQ(ach_result_to_string(ACH_CANCELED), "ACH_CANCELED");
  EXPECT_STREQ(ach_result_to_string(ACH_EINTR), "ACH_EINTR");
  EXPECT_STREQ(ach_result_to_string(static_cast<ach_status_t>(19)), "UNKNOWN");
}

}  // namespace
}  // namespace sinew::xach
