// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>

#include <fmt/format.h>

#include "sinew/base/result.h"

namespace sinew::bench {

/// Says why on stderr, and gives what every benchmark exits with then: 2 where the command line is wrong, 1
/// where something else could not be done, or was measured and is not as it must be. 0: all went well.
inline int complain(const Error& error) {
  constexpr int kUsageError = 2;
  fmt::print(stderr, "sinew: {}\n", error.message);
  return error.code == ErrorCode::InvalidInput ? kUsageError : 1;
}

}  // namespace sinew::bench
