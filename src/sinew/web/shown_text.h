// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace sinew::web {

/// What somebody else wrote, cut short and fit for an answer or a log.
inline std::string shown_text(std::string_view text, std::size_t most = 60) {
  std::string clean(text.substr(0, most));
  std::ranges::replace_if(
      clean, [](char c) { return c < ' ' || c > '~' || c == '"' || c == '<'; }, '?');
  return clean;
}

}  // namespace sinew::web
