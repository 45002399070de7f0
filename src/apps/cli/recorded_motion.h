// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/safety.h"
#include "sinew/picture/robot_charts.h"
#include "sinew/recording/mcap_reader.h"

namespace sinew::cli {

/// A change of what the controller did or held back, in a recording.
struct SafetyMark {
  double seconds = 0.0;  ///< From the recording's first state.
  Safety safety;
  std::uint32_t fault_bits = 0;  ///< Of the device, then.
};

/// What a robot did, in a recording, thinned out where that is long.
struct RecordedMotion {
  static constexpr std::size_t kMostMarks = 200;

  std::string name;  ///< The robot's, as in `NAME/state`.
  JointLog log;      ///< Where the joints were.
  /// [rad, m] What the device was told, and what was wanted before limits, smoothing and guard: a row for
  /// each of `log`. Empty where nobody had said so yet.
  std::vector<std::vector<double>> processed;
  std::vector<std::vector<double>> wanted;
  std::vector<SafetyMark> marks;  ///< By time; the first tells how it began.
};

/// The robots whose state a recording holds.
std::vector<std::string> recorded_robots(const recording::McapContents& contents);

/// The motion of a robot in a recording, in at most `most_rows` rows. `name` is the robot's; empty: the only
/// one. Refused when there is none, or more than one without a name.
Result<RecordedMotion> recorded_motion(const recording::McapReader& reader, const std::string& name,
                                       std::size_t most_rows);

}  // namespace sinew::cli
