// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace sinew {

/// Two things that would come too near to each other.
struct TooNear {
  std::string_view a;
  std::string_view b;
  double distance = 0.0;  ///< [m] The nearest that was found on the way; negative: that deep in each other.
  double margin = 0.0;    ///< [m] What they must keep.
};

/// For people: "left_hand would come within 8.0 mm of right_hand; they must stay 10.0 mm apart", "left_hand
/// would touch table; …". A way may also be refused though the distances found on it were enough, because of
/// what lies between them: "left_hand might come nearer to table than the 10.0 mm that they must stay apart".
std::string too_near_sentence(const TooNear& pair);

}  // namespace sinew
