// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/base/draws.h"
#include "sinew/picture/drawing.h"
#include "sinew/picture/image.h"

namespace sinew::lab {

/// Something that was measured of a solution.
struct Measure {
  std::string name;  ///< With its unit, SI: "worst_position_error_m".
  double value = 0.0;
};

/// What a solution is worth, and why.
struct Grade {
  bool passed = false;
  double score = 0.0;  ///< 0 to 100; 100 when passed.
  std::vector<Measure> measures;
  std::string reason;  ///< One or two sentences for the student.
  Drawing picture;     ///< Of the run; empty when there was none.
  Image photo;         ///< Of a robot that was built; without pixels when there is none.
};

/// A solution that did not play: a fair word and no points.
Grade no_points(std::string reason);

}  // namespace sinew::lab
