// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace sinew {

inline constexpr std::string_view kProgramVersion = SINEW_VERSION;

}  // namespace sinew
