// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/finding.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace sinew::language {

void FindingList::add(Finding finding) {
  const bool is_known = std::any_of(findings_.begin(), findings_.end(), [&](const Finding& f) {
    return f.place == finding.place && f.text == finding.text;
  });
  if (is_known) return;
  errors_ += finding.severity == Severity::Error ? 1 : 0;
  if (is_full()) {
    ++dropped_;
    return;
  }
  findings_.push_back(std::move(finding));
}

void FindingList::sort() {
  std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.place.file, a.place.line, a.place.column) <
           std::tie(b.place.file, b.place.line, b.place.column);
  });
}

std::string finding_text(const Finding& finding, const std::vector<std::string>& files) {
  const std::string file = finding.place.file < files.size() ? files[finding.place.file] : "?";
  return fmt::format("{}:{}:{}: {}: {}", file, finding.place.line, finding.place.column,
                     finding.severity == Severity::Error ? "error" : "warning", finding.text);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string result;
  for (const char c : text.substr(0, kMost)) result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  // a cut must not leave half a character
  while (text.size() > kMost && !result.empty() && (static_cast<unsigned char>(result.back()) & 0x80U) != 0)
    result.pop_back();
  return text.size() > kMost ? result + "…" : result;
}

}  // namespace sinew::language
