// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::language {

/// Where in a program something stands.
struct Place {
  std::uint32_t file = 0;    ///< Into Program::files.
  std::uint32_t line = 0;    ///< From 1; zero: the file as a whole.
  std::uint32_t column = 0;  ///< From 1, in characters.
  friend bool operator==(const Place&, const Place&) = default;
};

enum class Severity { Error, Warning };

/// Something to say about a program.
struct Finding {
  Severity severity = Severity::Error;
  Place place;
  std::string text;  ///< What, the value, the bound, and what to do next.
};

/// What was found, at most kMostFindings of it; the same at the same place counts once.
class FindingList {
 public:
  static constexpr std::size_t kMostFindings = 100;

  void error(const Place& place, std::string text) { add({Severity::Error, place, std::move(text)}); }
  void warning(const Place& place, std::string text) { add({Severity::Warning, place, std::move(text)}); }
  void add(Finding finding);

  bool has_errors() const { return errors_ > 0; }
  bool is_full() const { return findings_.size() >= kMostFindings; }
  const std::vector<Finding>& all() const { return findings_; }
  /// How many were left out because the list is full.
  std::size_t dropped() const { return dropped_; }

  /// By place: file, line, column.
  void sort();

 private:
  std::vector<Finding> findings_;
  std::size_t errors_ = 0;
  std::size_t dropped_ = 0;
};

/// "weld.prog:12:7: error: what; remedy". `files` are the names that Place::file counts.
std::string finding_text(const Finding& finding, const std::vector<std::string>& files);

/// `text` cut to a length that suits a message, control characters replaced.
std::string shown(std::string_view text);

}  // namespace sinew::language
