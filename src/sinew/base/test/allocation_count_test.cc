// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/test/allocation_count.h"

#include <array>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace {

/// How many allocations `work` makes, and that it gives all of them back.
template <class Work>
std::uint64_t allocations_of(const Work& work) {
  const std::uint64_t taken = allocation_count;
  const std::uint64_t given = release_count;
  work();
  EXPECT_EQ(release_count - given, allocation_count - taken);
  return allocation_count - taken;
}

// what the compiler cannot leave out
void use(void* memory) {
  asm volatile("" : : "r"(memory) : "memory");
}

TEST(AllocationCountTest, SeesNew) {
  EXPECT_EQ(allocations_of([] { use(std::make_unique<std::array<char, 100>>().get()); }), 1U);
  EXPECT_EQ(allocations_of([] { use(std::string(100, 'x').data()); }), 1U);
  EXPECT_EQ(allocations_of([] {}), 0U);
}

// as Eigen does for matrices whose size the compiler does not know
TEST(AllocationCountTest, SeesMallocAndItsKin) {
  if (!kCountsMalloc) GTEST_SKIP() << "only new and delete are seen here";
  const auto through = [](void* memory) {
    use(memory);
    std::free(memory);
  };
  EXPECT_EQ(allocations_of([&] { through(std::malloc(100)); }), 1U);
  EXPECT_EQ(allocations_of([&] { through(std::calloc(10, 10)); }), 1U);
  EXPECT_EQ(allocations_of([&] { through(std::aligned_alloc(64, 128)); }), 1U);
  EXPECT_EQ(allocations_of([&] {
              void* memory = nullptr;
              EXPECT_EQ(posix_memalign(&memory, 64, 128), 0);
              through(memory);
            }),
            1U);
  const std::uint64_t before = allocation_count;
  through(std::realloc(std::malloc(10), 1000));
  EXPECT_EQ(allocation_count - before, 2U);
}

}  // namespace
