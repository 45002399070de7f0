// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/base/histogram.h"
#include "sinew/base/result.h"

namespace sinew::bench {

/// How late cyclictest (Debian's rt-tests) wakes up at 1 kHz with the controller's priority, for about
/// `seconds`. Refused when it is not installed or not allowed.
Result<Histogram> run_cyclictest(double seconds, int priority);

}  // namespace sinew::bench
