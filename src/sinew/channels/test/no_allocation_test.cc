// SPDX-License-Identifier: BSD-3-Clause
// Puts and reads run in the control cycle: they must not allocate.
#include <cstdlib>
#include <new>

#include "sinew/channels/test/channel_fixture.h"

namespace {

thread_local std::uint64_t allocation_count = 0;

void* counted_allocation(std::size_t size) {
  ++allocation_count;
  return std::malloc(size > 0 ? size : 1);
}

}  // namespace

// replaced for the whole test program; inlined, they would look mismatched to the compiler
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = counted_allocation(size);
  if (memory == nullptr) std::abort();
  return memory;
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return operator new(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

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
