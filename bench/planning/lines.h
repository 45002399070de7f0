// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sinew/kinematics/serial_chain.h"

namespace sinew::bench {

struct LineOptions {
  std::size_t count = 300;
  std::uint64_t seed = 1;
  std::size_t rounds = 1;  ///< Each line is followed so often, and the shortest time counts.
};

/// What became of lines of 0.2 to 0.4 m whose points can be reached, each by itself.
struct LineRow {
  std::size_t count = 0;
  std::size_t done = 0;         ///< Followed from some posture at the begin.
  std::size_t infeasible = 0;   ///< Shown to be so from every posture.
  std::size_t unexplained = 0;  ///< Neither.
  double median_us = 0.0;       ///< To follow one, or to say that it cannot be.
  double p95_us = 0.0;
  double max_us = 0.0;
};

/// Follows drawn lines of the tool of `chain`.
LineRow measure_lines(const SerialChain& chain, const LineOptions& options);

/// For people, or as JSON.
std::string line_row_text(const LineRow& row, bool is_json);

}  // namespace sinew::bench
