// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/picture/chart.h"
#include "sinew/spatial/pose.h"

namespace sinew::lab {

/// A place that was asked for or asked about, and the one that a solution came to.
struct Miss {
  Vector3 wanted = Vector3::Zero();  ///< [m]
  Vector3 got = Vector3::Zero();     ///< [m]
  bool is_right = false;
};

/// Green dots where all is right, red ones with a line towards what came out, from the side and from above.
Drawing draw_misses(std::span<const Miss> misses, const std::string& title);

/// Charts below each other under a title.
Drawing draw_charts(std::span<const Chart> charts, const std::string& title);

/// A level line across a chart from x = begin to x = end, dashed, such as a limit.
ChartCurve bound_curve(const std::string& name, double begin, double end, double y);

}  // namespace sinew::lab
