// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace sinew {

/// Copies `text` into `field`, cut to fit and always ended by a zero byte; the rest of the field becomes
/// zero.
template <std::size_t Size>
constexpr void set_text(std::array<char, Size>& field, std::string_view text) {
  field.fill('\0');
  std::copy_n(text.begin(), std::min(text.size(), Size - 1), field.begin());
}

/// The text in a field that another process may have filled: up to the first zero byte or the field's end.
template <std::size_t Size>
constexpr std::string_view text_of(const std::array<char, Size>& field) {
  const std::string_view all(field.data(), Size);
  return all.substr(0, all.find('\0'));
}

}  // namespace sinew
