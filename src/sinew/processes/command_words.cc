// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/command_words.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::processes {
namespace {

// Replaces the keys of one word; `was_filled` says whether there were any.
Result<std::string> fill_word(std::string_view word, const std::map<std::string, std::string>& values,
                              bool& was_filled) {
  std::string out;
  while (!word.empty()) {
    const std::size_t open = word.find('{');
    const std::size_t close = word.find('}', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    const std::string key(word.substr(open + 1, close - open - 1));
    const auto found = values.find(key);
    if (found == values.end()) {
      std::vector<std::string> keys;
      for (const auto& [name, value] : values) keys.push_back(name);
      return Error{ErrorCode::InvalidInput,
                   fmt::format("'{{{}}}' stands for nothing{}; there are {{{}}}", key,
                               did_you_mean(key, keys), fmt::join(keys, "} {"))};
    }
    out += word.substr(0, open);
    out += found->second;
    was_filled = true;
    word.remove_prefix(close + 1);
  }
  return out + std::string(word);
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool is_in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') return Error{ErrorCode::InvalidInput, "a command cannot hold a zero byte"};
    const bool is_blank = c == ' ' || c == '\t' || c == '\n';
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      is_in_word = true;
    } else if (quote != '\0') {
      c == quote ? static_cast<void>(quote = '\0') : word.push_back(c);
    } else if (c == '\'' || c == '"') {
      quote = c;
      is_in_word = true;
    } else if (!is_blank) {
      word += c;
      is_in_word = true;
    } else if (is_in_word) {
      words.push_back(std::exchange(word, {}));
      is_in_word = false;
    }
  }
  if (quote != '\0')
    return Error{ErrorCode::InvalidInput,
                 fmt::format("the {} that opens is never closed in: {}", quote, text)};
  if (is_in_word) words.push_back(word);
  if (words.empty()) return Error{ErrorCode::InvalidInput, "the command is empty"};
  return words;
}

Result<std::vector<std::string>> fill_words(const std::vector<std::string>& words,
                                            const std::map<std::string, std::string>& values) {
  std::vector<std::string> filled;
  for (const std::string& word : words) {
    bool was_filled = false;
    auto text = fill_word(word, values, was_filled);
    if (!text) return text.error();
    if (!was_filled || !text->empty()) {
      filled.push_back(*std::move(text));
    } else if (!filled.empty() && filled.back().starts_with("--")) {
      filled.pop_back();
    }
  }
  return filled;
}

}  // namespace sinew::processes
