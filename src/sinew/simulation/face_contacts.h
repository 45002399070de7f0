// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace sinew {

/// How the names of meshes begin that are prisms: for each corner about the axis its two ends, lower and
/// upper.
inline constexpr std::string_view kPrismMesh = "prism";

/// From now on, in all of MuJoCo, boxes and prisms that touch face to face do so in the corners of what the
/// faces share, found by geometry; all others as MuJoCo has it, by search. Always the same: any order will
/// do.
void use_face_contacts();

}  // namespace sinew
