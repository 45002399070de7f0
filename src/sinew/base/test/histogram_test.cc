// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/histogram.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Histogram, QuantilesAreThoseOfTheSortedDurations) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> duration_ns(8.0, 3.0);
  std::vector<std::int64_t> all_ns;
  const auto histogram = std::make_unique<Histogram>();
  for (int i = 0; i < 10'000; ++i) {
    all_ns.push_back(static_cast<std::int64_t>(duration_ns(random)));
    histogram->add(all_ns.back());
  }
  std::sort(all_ns.begin(), all_ns.end());
  for (const std::size_t percent : {1, 10, 50, 90, 99}) {
    const auto exact_ns = static_cast<double>(all_ns[all_ns.size() * percent / 100 - 1]);
    EXPECT_NEAR(histogram->quantile_ns(static_cast<double>(percent) / 100), exact_ns, exact_ns * 0.004 + 0.5);
  }
  EXPECT_EQ(histogram->max_ns(), all_ns.back());
  EXPECT_EQ(histogram->count(), all_ns.size());
}

TEST(Histogram, CountsWhatIsOutOfRangeAtTheEnds) {
  const auto histogram = std::make_unique<Histogram>();
  histogram->add(-5);
  EXPECT_EQ(histogram->quantile_ns(1.0), 0.0);
  histogram->add(INT64_MAX);
  EXPECT_GT(histogram->quantile_ns(1.0), 1e12);
}

TEST(Histogram, MergesLikeOneHistogramOfAll) {
  const auto both = std::make_unique<Histogram>();
  const auto left = std::make_unique<Histogram>();
  const auto right = std::make_unique<Histogram>();
  for (int i = 0; i < 1000; ++i) {
    both->add(i * i);
    (i % 3 == 0 ? left : right)->add(i * i);
  }
  left->merge(*right);
  for (const double quantile : {0.0, 0.1, 0.5, 0.99, 1.0})
    EXPECT_EQ(left->quantile_ns(quantile), both->quantile_ns(quantile));
  EXPECT_EQ(left->max_ns(), both->max_ns());
}

TEST(Histogram, IsZeroWhenEmpty) {
  EXPECT_EQ(std::make_unique<Histogram>()->quantile_ns(0.5), 0.0);
}

}  // namespace
}  // namespace sinew
