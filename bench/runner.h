// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "sinew/base/histogram.h"
#include "sinew/base/result.h"

#include "cell.h"
#include "compare/transport.h"
#include "conditions.h"

namespace sinew::bench {

inline constexpr int kMaxReaders = 8;
inline constexpr std::uint32_t kMinSize = 24;     ///< Stamp and two sequence numbers [bytes].
inline constexpr std::uint32_t kMaxSize = 65000;  ///< What one datagram takes [bytes].

/// Set by the signal handler: wind up and go.
extern std::atomic<bool> stop_requested;

/// One measurement of one system.
struct RunPlan {
  Cell cell;
  double seconds = 0.5;  ///< Of measuring, after the warm-up [s].
  int burst = 1;         ///< Messages in each period, 5 µs apart.
};

/// What a measurement found.
struct RunFinding {
  Histogram latency;  ///< From just before the send to the whole message in a reader's memory, all readers.
  Histogram sends;    ///< How long the send took; empty when flat out.
  double sent_per_s = 0;
};

/// Forks a writer and the readers, lets them exchange messages and collects what they saw. A torn message is
/// ErrorCode::Damaged, a signal ErrorCode::Interrupted.
Result<std::unique_ptr<RunFinding>> run(Transport& transport, const RunPlan& plan,
                                        const Conditions& conditions);

}  // namespace sinew::bench
