// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace sinew {
namespace {

// edits that turn `a` into `b`: a letter added, dropped or changed, or two neighbours swapped
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> row_before(row);
  std::vector<std::size_t> next(row);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), row[j] + 1, next[j - 1] + 1});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) next[j] = std::min(next[j], row_before[j - 2] + 1);
    }
    row_before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

// nought has no sign, however little below it the number was
std::string tenths(double value) {
  std::string text = fmt::format("{:.1f}", value);
  return text == "-0.0" ? "0.0" : text;
}

}  // namespace

std::string shown_text(std::string_view text, std::size_t most) {
  std::string clean(text.substr(0, most));
  std::ranges::replace_if(
      clean, [](char c) { return c < ' ' || c > '~' || c == '"' || c == '<'; }, '?');
  return clean;
}

std::string angle_text(double angle) {
  return tenths(angle * 180.0 / std::numbers::pi) + " deg";
}

std::string length_text(double length) {
  return std::abs(length) < 1.0 ? tenths(length * 1e3) + " mm" : fmt::format("{:.3f} m", length);
}

std::string duration_text(std::int64_t duration_ns) {
  const double value = static_cast<double>(duration_ns);
  const double size = std::abs(value);
  if (size < 1e3) return fmt::format("{} ns", duration_ns);
  if (size < 1e6) return fmt::format("{:.1f} us", value * 1e-3);
  if (size < 1e9) return fmt::format("{:.1f} ms", value * 1e-6);
  if (size < 120e9) return fmt::format("{:.1f} s", value * 1e-9);
  if (size < 7200e9) return fmt::format("{:.0f} min", value * 1e-9 / 60);
  return fmt::format("{:.1f} h", value * 1e-9 / 3600);
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  const bool is_mega = bytes >= 1024 * 1024;
  const double value = static_cast<double>(bytes) / (is_mega ? 1024.0 * 1024.0 : 1024.0);
  const char* unit = is_mega ? "MiB" : "KiB";
  return value == std::floor(value) ? fmt::format("{:.0f} {}", value, unit)
                                    : fmt::format("{:.1f} {}", value, unit);
}

std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> candidates) {
  // a third of the letters wrong is still a slip; more is another word
  const std::size_t farthest = std::max<std::size_t>(1, word.size() / 3);
  std::optional<std::string> best;
  std::size_t best_distance = farthest + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > word.size() + farthest || word.size() > 256) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto nearest = nearest_word(word, candidates);
  return nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : std::string();
}

}  // namespace sinew
