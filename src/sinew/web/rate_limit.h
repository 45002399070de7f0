// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "sinew/base/time.h"

namespace sinew::web {

/// Lets so many through at once, and then so many a second. Time is an argument.
class RateLimit {
 public:
  RateLimit(double at_once, double per_second) : most_(at_once), per_second_(per_second), left_(at_once) {}

  /// Whether one more may pass now; if so it has.
  bool allows(std::int64_t now_ns) {
    if (last_ns_ != 0)
      left_ = std::min(most_, left_ + per_second_ * seconds_from_nanoseconds(
                                                        std::max<std::int64_t>(0, now_ns - last_ns_)));
    last_ns_ = now_ns;
    if (left_ < 1.0) return false;
    left_ -= 1.0;
    return true;
  }

 private:
  friend class AddressLimits;
  double most_;
  double per_second_;
  double left_;
  std::int64_t last_ns_ = 0;
};

/// The same for each address by itself, so that nobody is slowed down by others. Bounded: of more addresses
/// than it has room for, the one that has been silent longest is forgotten.
class AddressLimits {
 public:
  static constexpr std::size_t kMostAddresses = 256;

  AddressLimits(double at_once, double per_second) : fresh_(at_once, per_second) {}

  bool allows(const std::string& address, std::int64_t now_ns) {
    if (limits_.size() >= kMostAddresses && !limits_.contains(address)) {
      const auto by_silence = [](const auto& a, const auto& b) {
        return a.second.last_ns_ < b.second.last_ns_;
      };
      limits_.erase(std::ranges::min_element(limits_, by_silence));
    }
    return limits_.try_emplace(address, fresh_).first->second.allows(now_ns);
  }

 private:
  RateLimit fresh_;
  std::map<std::string, RateLimit> limits_;
};

}  // namespace sinew::web
