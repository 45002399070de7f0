// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/text_input.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// The bytes that follow a UTF-8 lead byte; 4 when it is none.
std::size_t continuation_bytes(unsigned char lead) {
  if (lead < 0x80) return 0;
  if (lead >= 0xC2 && lead < 0xE0) return 1;
  if (lead >= 0xE0 && lead < 0xF0) return 2;
  if (lead >= 0xF0 && lead < 0xF5) return 3;
  return 4;
}

// Overlong forms, surrogates and what lies beyond Unicode show in the second byte.
bool is_second_byte_allowed(unsigned char lead, unsigned char second) {
  if (lead == 0xE0) return second >= 0xA0;
  if (lead == 0xED) return second < 0xA0;
  if (lead == 0xF0) return second >= 0x90;
  if (lead == 0xF4) return second < 0x90;
  return true;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t follow = continuation_bytes(lead);
    if (follow == 4 || i + follow >= text.size() + (follow == 0 ? 1 : 0)) return false;
    for (std::size_t k = 1; k <= follow; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if (byte < 0x80 || byte > 0xBF || (k == 1 && !is_second_byte_allowed(lead, byte))) return false;
    }
    i += follow + 1;
  }
  return true;
}

Error too_large(std::string_view file, std::uintmax_t size) {
  return {ErrorCode::OutOfLimits, fmt::format("{} has {}, more than the {} that are read; is it a mesh?",
                                              file, bytes_text(size), bytes_text(kMostTextBytes))};
}

}  // namespace

Result<std::string> read_text_file(const std::filesystem::path& path, const RobotFiles& files) {
  return files.read(path, {.most_bytes = kMostTextBytes, .remedy = "is it a mesh?"});
}

Status check_text(std::string_view text, std::string_view file) {
  if (text.size() > kMostTextBytes) return too_large(file, text.size());
  if (text.find('\0') != std::string_view::npos || !is_utf8(text)) {
    return Error{ErrorCode::InvalidInput, fmt::format("{} is not UTF-8 text; save it as UTF-8", file)};
  }
  return Done{};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  // from_chars knows no plus sign
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size()) {
    // too small is zero; too large is refused with infinity
    const std::string copy(text);
    value = std::strtod(copy.c_str(), nullptr);
    if (std::abs(value) < 1.0) return value;
    return std::nullopt;
  }
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::vector<double>> parse_numbers(std::string_view text, std::size_t most) {
  std::vector<double> numbers;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    const auto number = parse_number(text.substr(0, end));
    if (!number || numbers.size() == most) return std::nullopt;
    numbers.push_back(*number);
    text.remove_prefix(end);
  }
  return numbers;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t size = std::min(text.size(), kMost);
  // not in the middle of a character
  while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80) --size;
  std::string result(text.substr(0, size));
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return size < text.size() ? result + "…" : result;
}

}  // namespace sinew
