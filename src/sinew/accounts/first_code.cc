// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/first_code.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sinew::accounts {
namespace {

// 32 of them, so that each comes as often as any other; without 0 O 1 I, which look like one another
constexpr std::string_view kLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
static_assert(kLetters.size() == 32);
constexpr std::size_t kGroup = 4;
constexpr std::size_t kLength = 2 * kGroup;
constexpr std::size_t kLongestTyped = 32;

// As it is compared: capitals, and no '-' or space.
std::string plain(std::string_view typed) {
  std::string letters;
  for (char c : typed.substr(0, kLongestTyped)) {
    if (c == '-' || c == ' ') continue;
    letters += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return letters;
}

}  // namespace

FirstCode FirstCode::random(const Randomness& randomness) {
  std::array<std::byte, kLength> bytes{};
  randomness(bytes);
  FirstCode code;
  for (std::size_t i = 0; i < kLength; ++i) {
    if (i == kGroup) code.text_ += '-';
    code.text_ += kLetters[std::to_integer<std::size_t>(bytes[i]) % kLetters.size()];
  }
  return code;
}

FirstCode FirstCode::from(std::string_view text) {
  const std::string letters = plain(text);
  const bool is_code =
      letters.size() == kLength && text.size() <= kLongestTyped &&
      std::ranges::all_of(letters, [](char c) { return kLetters.find(c) != std::string_view::npos; });
  FirstCode code;
  if (is_code) code.text_ = letters.substr(0, kGroup) + '-' + letters.substr(kGroup);
  return code;
}

bool FirstCode::accepts(std::string_view code) {
  if (is_used_up()) return false;
  if (is_same_secret(plain(code), plain(text_))) return true;
  if (++tries_ >= kMostTries) use_up();
  return false;
}

void FirstCode::use_up() {
  wipe(text_);
}

}  // namespace sinew::accounts
