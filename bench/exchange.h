// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "runner.h"

namespace sinew::bench {

/// What one reader saw. Written by that reader only.
struct alignas(128) ReaderRecord {
  std::atomic<std::uint64_t> received{0};  ///< Messages, warm-up included.
  std::uint64_t torn = 0;                  ///< Messages whose head and tail differ.
  Histogram latency;
};

/// What the processes of a measurement share beside the system that is measured. Lies in shared memory.
struct Exchange {
  std::atomic<bool> is_open{false};  ///< The writer is there; readers may open.
  std::atomic<bool> is_over{false};  ///< Everybody should end.
  /// Number of the first message after the warm-up.
  std::atomic<std::uint64_t> first_measured{std::numeric_limits<std::uint64_t>::max()};

  std::uint64_t sent = 0;        ///< Messages after the warm-up.
  std::int64_t duration_ns = 0;  ///< Of the sending, after the warm-up.
  Histogram sends;

  std::atomic<bool> has_complaint{false};
  std::array<char, 512> complaint{};
  std::array<ReaderRecord, kMaxReaders> readers;

  /// Leaves word for the main process why this cannot go on; the first word stands.
  void complain(std::string_view why);
  std::string complaint_text() const;
};

/// The writer's part: sends until every reader has heard some, then measured for the plan's time. False, and
/// a complaint, when a reader hears nothing.
bool publish(Transport& transport, const RunPlan& plan, Exchange& exchange);

/// A reader's part, until it is over.
void receive(Transport& transport, const Cell& cell, Exchange& exchange, int reader);

}  // namespace sinew::bench
