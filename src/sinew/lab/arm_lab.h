// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "sinew/lab/grade.h"

namespace sinew::lab {

/// 01: a URDF of the desk arm that the exercise describes: its joints, how they move, what they weigh and
/// bear, and whether it can hold itself up in the simulator. `file` names the text in messages.
Grade grade_arm(const std::string& urdf, const std::string& file, std::uint64_t seed);

}  // namespace sinew::lab
