// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/kinematics/chain_choice.h"

#include "poses.h"

namespace sinew::bench {

/// What counts as reached [m, rad].
inline constexpr double kReached = 1e-6;

/// How one solver did on one chain.
struct IkRow {
  std::string robot;
  std::string solver;         ///< "sinew" or "kdl".
  std::string method;         ///< "closed form: spherical wrist", "LMA with restarts".
  std::vector<double> times;  ///< One for each pose [µs].
  std::size_t solved = 0;     ///< Answers within kReached of the target and within limits.
  std::size_t limit_violations = 0;
  double max_position_error = 0.0;  ///< Of the answers given [m].
  double max_rotation_error = 0.0;  ///< Of the answers given [rad].
};

/// Times of a row [µs].
struct TimeSummary {
  double mean = 0.0;
  double median = 0.0;
  double p99 = 0.0;
  double worst = 0.0;
};
/// `times` must not be empty.
TimeSummary summary_of(std::vector<double> times);

/// Percent of the poses.
double success_of(const IkRow& row);

struct IkMeasure {
  bool with_kdl = true;
  bool with_numerical = false;  ///< Also our numerical search where there is a closed form.
};

/// Solves all poses with our inverse kinematics and with KDL's, some of each in turn in this thread, and
/// judges every answer by KDL's forward kinematics; by ours where KDL is missing.
std::vector<IkRow> measure_ik(const std::string& robot, const ChosenChain& chosen, const PoseList& poses,
                              const IkMeasure& options);

/// Forward kinematics with Jacobian [ns per configuration].
struct ForwardRow {
  std::string robot;
  double single_ns = 0.0;  ///< In double precision, one at a time.
  double batch_ns = 0.0;   ///< In single precision, eight at once.
  double kdl_ns = 0.0;     ///< Zero where KDL is missing.
};
ForwardRow measure_forward(const std::string& robot, const ChosenChain& chosen, bool with_kdl);

}  // namespace sinew::bench
