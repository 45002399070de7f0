// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace sinew {

/// Whether somebody waits who must not wait. Long computations ask now and then, and end early when it is so;
/// their caller puts them off. It must be cheap. Empty: nobody ever does.
using Interruption = std::function<bool()>;

inline bool is_interrupted(const Interruption& interruption) {
  return interruption && interruption();
}

}  // namespace sinew
