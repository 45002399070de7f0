// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/recording/mcap_reader.h"

namespace sinew {

/// What came of running a recorded robot's cycles through the controller again.
struct ReplayedRun {
  std::string robot;              ///< Prefix of its channels.
  std::uint64_t cycles = 0;       ///< Commands that came out the same, bit for bit.
  std::uint64_t first_cycle = 0;  ///< Of those.
  std::uint64_t last_cycle = 0;
  std::uint64_t left_out = 0;   ///< Cycles of which something is missing in the recording.
  std::string left_out_reason;  ///< Of the first of them.
  std::string difference;       ///< The first, in words; nothing is run after it. Empty: there is none.
};

struct ReplayRunOptions {
  std::string robot;   ///< Name or path to take instead of the one recorded; empty: that one.
  std::string site{};  ///< What was set up on site then; empty: none, or what its folder has now.
};

/// Gives the recorded inputs of every robot in the recording to a controller as `sinew-controller` runs it,
/// and compares each command and safety message with the recorded one. Begins with the first snapshot, and
/// after a gap with the next. Refused: a recording without cycles, of another version, or of a robot whose
/// files have changed since.
Result<std::vector<ReplayedRun>> replay_through_controller(const recording::McapReader& reader,
                                                           const ReplayRunOptions& options = {});

}  // namespace sinew
