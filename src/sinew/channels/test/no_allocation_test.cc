// SPDX-License-Identifier: BSD-3-Clause
// Puts and reads run in the control cycle: they must not allocate.
#include "sinew/base/test/allocation_count.h"
#include "sinew/channels/test/channel_fixture.h"

namespace sinew::channels {
namespace {

TEST_F(ChannelTest, PutsAndReadsNeverAllocate) {
  const auto writer = open_writer(options());
  const auto reader = open_reader(options());
  ASSERT_GE(sinew_reader_fd(reader.get()), 0);
  ASSERT_GT(allocation_count, 0U) << "the counter does not count";
  const std::uint64_t before = allocation_count;
  int wrong = 0;
  for (std::uint64_t n = 1; n <= 1000; ++n) {
    std::uint64_t number = 0;
    sinew_frame frame{};
    wrong += put(writer, n) != n;
    wrong += sinew_read_newest(reader.get(), &number, sizeof number, &frame) != SINEW_OK;
    wrong += sinew_read_fresh(reader.get(), &number, sizeof number, &frame) != SINEW_NOTHING_NEW;
    wrong += sinew_read_next(reader.get(), &number, sizeof number, &frame) != SINEW_NOTHING_NEW;
    wrong += sinew_read_sequence(reader.get(), n, &number, sizeof number, &frame) != SINEW_OK;
    wrong += sinew_read_at(reader.get(), frame.stamp_ns, &number, sizeof number, &frame) != SINEW_OK;
    sinew_skip(reader.get());
  }
  EXPECT_EQ(allocation_count, before);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace sinew::channels
