// SPDX-License-Identifier: BSD-3-Clause
#include "rows/row_options.h"

#include <charconv>
#include <fstream>

#include <fmt/format.h>

namespace sinew::bench {
namespace {

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() && number > 0;
}

}  // namespace

Result<RowOptions> row_options_from(std::span<const char* const> words, const RowOptions& usual,
                                    std::string_view own_flag) {
  RowOptions options = usual;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool takes_value = word == "--count" || word == "--seed" || word == "--csv";
    if (takes_value && i + 1 == words.size())
      return Error{ErrorCode::InvalidInput, fmt::format("{} needs a value; see --help", word)};
    const std::string_view value = takes_value ? words[++i] : "";
    bool is_fine = true;
    if (word == "--json") {
      options.is_json = true;
    } else if (word == "--help") {
      options.is_help = true;
    } else if (word == "--csv") {
      options.csv = value;
    } else if (word == "--count") {
      is_fine = read_number(value, options.count);
    } else if (word == "--seed") {
      is_fine = read_number(value, options.seed);
    } else if (word == own_flag && !word.empty()) {
      options.is_own_flag = true;
    } else {
      return Error{ErrorCode::InvalidInput, fmt::format("there is no option '{}'; see --help", word)};
    }
    if (!is_fine)
      return Error{ErrorCode::InvalidInput,
                   fmt::format("{} takes a whole number above zero, not '{}'; see --help", word, value)};
  }
  return options;
}

Status write_csv(const RowOptions& options, const std::string& text) {
  if (options.csv.empty()) return Done{};
  std::ofstream file(options.csv);
  file << text;
  file.flush();
  if (file) return Done{};
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot write '{}'; check that its folder is there", options.csv)};
}

}  // namespace sinew::bench
