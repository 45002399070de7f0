// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/text.h"

#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/hash.h"
#include "sinew/base/time.h"

namespace sinew {
namespace {

TEST(TextTest, ShowsQuantitiesInTheUnitsPeopleUse) {
  EXPECT_EQ(angle_text(-std::numbers::pi / 2), "-90.0 deg");
  EXPECT_EQ(length_text(0.0123), "12.3 mm");
  EXPECT_EQ(length_text(-1.5), "-1.500 m");
  EXPECT_EQ(duration_text(850), "850 ns");
  EXPECT_EQ(duration_text(12'340), "12.3 us");
  EXPECT_EQ(duration_text(4'500'000), "4.5 ms");
  EXPECT_EQ(duration_text(2 * kSecond_ns), "2.0 s");
  EXPECT_EQ(bytes_text(64), "64 B");
  EXPECT_EQ(bytes_text(16 * 1024), "16 KiB");
  EXPECT_EQ(bytes_text(3 * 512 * 1024), "1.5 MiB");
}

TEST(TextTest, SuggestsTheWordThatWasMeant) {
  const std::vector<std::string> words{"echo", "info", "latency", "bench"};
  EXPECT_EQ(nearest_word("ehco", words), "echo");
  EXPECT_EQ(nearest_word("latencey", words), "latency");
  EXPECT_EQ(nearest_word("inf", words), "info");
  EXPECT_EQ(nearest_word("sausage", words), std::nullopt);
  EXPECT_EQ(did_you_mean("bensh", words), " (did you mean 'bench'?)");
  EXPECT_EQ(did_you_mean("", words), "");
}

TEST(HashTest, MatchesThePublishedVectorsOfFnv1a) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325U);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8U);
  EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar"));
}

TEST(TimeTest, ConvertsSecondsAndSaturates) {
  EXPECT_EQ(nanoseconds_from_seconds(1.5), 1'500'000'000);
  EXPECT_EQ(nanoseconds_from_seconds(-0.25), -250'000'000);
  EXPECT_EQ(nanoseconds_from_seconds(1e300), kNever_ns);
  EXPECT_EQ(nanoseconds_from_seconds(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(deadline_after_ns(5, kNever_ns), kNever_ns);
  EXPECT_EQ(deadline_after_ns(5, 6), 11);
}

TEST(TimeTest, TheMonotonicClockNeverGoesBack) {
  std::int64_t last_ns = monotonic_now_ns();
  for (int i = 0; i < 10'000; ++i) {
    const std::int64_t now_ns = monotonic_now_ns();
    ASSERT_GE(now_ns, last_ns);
    last_ns = now_ns;
  }
}

}  // namespace
}  // namespace sinew
