// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

namespace sinew::web {

/// Checks UTF-8 that comes in pieces: no overlong forms, no surrogates, nothing beyond U+10FFFF.
class Utf8Check {
 public:
  /// False from the first byte on that cannot belong to it.
  bool takes(std::string_view bytes) {
    for (const char letter : bytes) {
      const auto byte = static_cast<std::uint8_t>(letter);
      if (expected_ == 0 ? !begins(byte) : !continues(byte)) return false;
    }
    return true;
  }
  /// Whether the last letter is whole.
  bool is_whole() const { return expected_ == 0; }

 private:
  bool begins(std::uint8_t byte) {
    if (byte < 0x80) return true;
    if (byte < 0xC2 || byte > 0xF4) return false;
    expected_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    // only the second byte tells overlong forms, surrogates and what lies beyond
    lowest_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    highest_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    return true;
  }
  bool continues(std::uint8_t byte) {
    if (byte < lowest_ || byte > highest_) return false;
    lowest_ = 0x80;
    highest_ = 0xBF;
    --expected_;
    return true;
  }

  int expected_ = 0;
  std::uint8_t lowest_ = 0x80;
  std::uint8_t highest_ = 0xBF;
};

/// Whether a text is whole UTF-8.
inline bool is_utf8(std::string_view text) {
  Utf8Check check;
  return check.takes(text) && check.is_whole();
}

}  // namespace sinew::web
