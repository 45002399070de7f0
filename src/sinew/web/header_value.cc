// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/header_value.h"

#include <algorithm>

namespace sinew::web {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Takes what stands before the next `separator` out of `rest`.
std::string_view take_part(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return trimmed(part);
}

// "q=0", "q=0.0": not wanted.
bool is_zero_weight(std::string_view parameter) {
  return parameter.size() > 2 && is_same(parameter.substr(0, 2), "q=") &&
         parameter.substr(2).find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

bool is_same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty())
    if (is_same(take_part(list, ','), word)) return true;
  return false;
}

bool accepts(std::string_view accept_encoding, std::string_view coding) {
  std::optional<bool> by_star;
  while (!accept_encoding.empty()) {
    std::string_view parameters = take_part(accept_encoding, ',');
    const std::string_view name = take_part(parameters, ';');
    const bool is_wanted = !is_zero_weight(trimmed(parameters));
    if (is_same(name, coding)) return is_wanted;
    if (name == "*") by_star = is_wanted;
  }
  return by_star.value_or(false);
}

}  // namespace sinew::web
