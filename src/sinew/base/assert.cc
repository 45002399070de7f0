// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace sinew {

void assertion_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "sinew: bug: '%s' does not hold (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace sinew
