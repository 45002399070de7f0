// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/base/histogram.h"

namespace sinew::bench {

/// How long a piece of arithmetic takes at 1 kHz that wants no memory and takes `length_ns` undisturbed, for
/// `seconds`, on a thread that sleeps as the controller does: what is above that is the machine's.
Histogram measure_yardstick(double seconds, std::int64_t length_ns, std::int64_t early_ns);

}  // namespace sinew::bench
