// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace sinew::channels {

/// The release that this library belongs to; channels carry it, to say which program is older.
inline constexpr std::string_view kVersion = SINEW_VERSION;

}  // namespace sinew::channels
