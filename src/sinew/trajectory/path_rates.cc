// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/path_rates.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/assert.h"
#include "sinew/trajectory/timing_kernel.h"
#include "sinew/trajectory/timing_lanes.h"

namespace sinew {
namespace {

constexpr std::size_t kPowers = kernel::kSlopePowers;

}  // namespace

PathRates::PathRates(const JointPath& path, std::span<const LimitSection> sections)
    : path_(path), stride_(filled_lanes(path.joint_count())) {
  for (std::vector<double>* each : {&slowness_, &softness_, &roundness_})
    each->assign(sections.size() * stride_, 0.0);
  for (std::size_t k = 0; k < sections.size(); ++k) {
    const auto limits = sections[k].limits;
    SINEW_ASSERT(limits.size() == path.joint_count());
    ends_.push_back(sections[k].end);
    for (std::size_t j = 0; j < limits.size(); ++j) {
      slowness_[k * stride_ + j] = 1.0 / limits[j].velocity;
      softness_[k * stride_ + j] = 1.0 / limits[j].acceleration;
      roundness_[k * stride_ + j] = 1.0 / limits[j].jerk;
    }
  }
  slope_.assign(path.piece_count() * kPowers * stride_, 0.0);
  for (std::size_t j = 0; j < path.joint_count(); ++j) {
    for (std::size_t i = 0; i < path.piece_count(); ++i) {
      const Coefficients& c = path.polynomial(i, j);
      for (std::size_t k = 0; k < kPowers; ++k)
        slope_[(i * kPowers + k) * stride_ + j] = static_cast<double>(k + 1) * c[k + 1];
    }
  }
}

double PathRates::needed_at(const CurvePoint& s, std::size_t& piece) const {
  const auto knots = path_.knots();
  while (piece > 0 && s.value < knots[piece]) --piece;
  while (piece + 1 < path_.piece_count() && s.value >= knots[piece + 1]) ++piece;
  const auto section = std::lower_bound(ends_.begin(), ends_.end() - 1, s.value) - ends_.begin();
  const std::size_t of_section = static_cast<std::size_t>(section) * stride_;
  const kernel::RateShares shares =
      kernel::timing_kernels().rates({.rows = static_cast<int>(stride_),
                                      .slope = &slope_[piece * kPowers * stride_],
                                      .slowness = &slowness_[of_section],
                                      .softness = &softness_[of_section],
                                      .roundness = &roundness_[of_section],
                                      .t = std::clamp(s.value - knots[piece], 0.0, path_.piece_length(piece)),
                                      .speed = s.first,
                                      .acceleration = s.second,
                                      .jerk = s.third});
  double needed = shares.velocity;
  // most often neither is passed, and no root is needed
  if (shares.acceleration > 1.0) needed = std::max(needed, std::sqrt(shares.acceleration));
  if (shares.jerk > 1.0) needed = std::max(needed, std::cbrt(shares.jerk));
  return needed;
}

}  // namespace sinew
