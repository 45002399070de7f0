// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"

#include "apps/cli/command.h"

namespace sinew::cli {
std::string Words::text(std::string_view option) const {
  if (const auto given = options_.find(std::string(option)); given != options_.end()) return given->second;
  const auto fallback = fallbacks_.find(std::string(option));
  return fallback != fallbacks_.end() ? fallback->second : std::string();
}

Result<double> number_from(std::string_view word) {
  double number = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size() && std::isfinite(number)) return number;
  return usage_error(fmt::format("'{}' is no finite number", word));
}

Result<std::vector<double>> Words::numbers(std::string_view option) const {
  std::string list = text(option);
  std::replace(list.begin(), list.end(), ',', ' ');
  std::vector<double> numbers;
  for (std::size_t start = 0; (start = list.find_first_not_of(' ', start)) != std::string::npos;) {
    const std::size_t end = std::min(list.find(' ', start), list.size());
    const auto number = number_from(std::string_view(list).substr(start, end - start));
    if (!number) return usage_error(fmt::format("{}: {}", option, number.error().message));
    numbers.push_back(*number);
    start = end;
  }
  return numbers;
}

Result<double> Words::number(std::string_view option, double lowest, double highest) const {
  const std::string value = text(option);
  auto number = number_from(value);
  if (number && *number >= lowest && *number <= highest) return number;
  return usage_error(
      fmt::format("{} takes a number from {} to {}, not '{}'", option, lowest, highest, value));
}

Result<std::uint32_t> Words::whole(std::string_view option, std::uint32_t lowest,
                                   std::uint32_t highest) const {
  const std::string value = text(option);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_number = error == std::errc() && end == value.data() + value.size();
  if (is_number && number >= lowest && number <= highest) return number;
  return usage_error(
      fmt::format("{} takes a whole number from {} to {}, not '{}'", option, lowest, highest, value));
}

// Reads the words of one command from left to right.
class WordsParser {
 public:
  explicit WordsParser(const Command& command) : command_(command) {
    for (const auto options : {std::span<const Option>(command.options), common_options()}) {
      for (const Option& option : options) {
        options_.push_back(&option);
        names_.emplace_back(option.name);
        if (!option.fallback.empty()) words_.fallbacks_[std::string(option.name)] = option.fallback;
      }
    }
  }

  Result<Words> parse(std::span<const std::string> words) {
    bool only_arguments = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (only_arguments || !is_option(words[i])) {
        words_.arguments_.push_back(words[i]);
      } else if (words[i] == "--") {
        only_arguments = true;
      } else if (const Status taken = take_option(words, i); !taken) {
        return taken.error();
      }
    }
    if (words_.has("--help")) return std::move(words_);
    if (const Status counted = check_count(); !counted) return counted.error();
    return std::move(words_);
  }

 private:
  // "-0.5" is a number, "-" a file, and "-h" the old friend of "--help"
  bool is_option(const std::string& word) const {
    return word.starts_with("--") || word == "-h" || long_name(word) != word;
  }

  // "--out" for "-o" where the command has it so
  std::string long_name(const std::string& word) const {
    for (const Option* option : options_) {
      if (!option->short_name.empty() && option->short_name == word) return std::string(option->name);
    }
    return word;
  }

  Status take_option(std::span<const std::string> words, std::size_t& i) {
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i] == "-h" ? "--help" : long_name(words[i].substr(0, equals));
    const auto found =
        std::find_if(options_.begin(), options_.end(), [&](const Option* o) { return o->name == name; });
    if (found == options_.end()) {
      return usage_error(fmt::format("'sinew {}' has no option '{}'{}; see 'sinew {} --help'", command_.name,
                                     name, did_you_mean(name, names_), command_.name));
    }
    if ((*found)->value_name.empty()) {
      if (equals != std::string::npos) return usage_error(fmt::format("{} takes no value", name));
      words_.options_[name] = "";
    } else if (equals != std::string::npos) {
      words_.options_[name] = words[i].substr(equals + 1);
    } else if (i + 1 < words.size()) {
      std::string& value = words_.options_[name] = words[++i];
      for (std::size_t k = 1; k < (*found)->most_values && i + 1 < words.size() && !is_option(words[i + 1]);
           ++k)
        value += " " + words[++i];
    } else {
      return usage_error(fmt::format("{} needs a value: {} {}", name, name, (*found)->value_name));
    }
    return Done{};
  }

  Status check_count() const {
    std::size_t needed = 0;
    bool takes_more = false;
    for (const Argument& argument : command_.arguments) {
      needed += argument.is_optional ? 0 : 1;
      takes_more = takes_more || argument.is_repeated;
    }
    if (words_.arguments_.size() < needed) {
      return usage_error(fmt::format("{} is missing; usage: {}",
                                     command_.arguments[words_.arguments_.size()].name, usage_of(command_)));
    }
    if (!takes_more && words_.arguments_.size() > command_.arguments.size()) {
      return usage_error(fmt::format("'{}' is one word too many; usage: {}",
                                     words_.arguments_[command_.arguments.size()], usage_of(command_)));
    }
    return Done{};
  }

  const Command& command_;
  std::vector<const Option*> options_;
  std::vector<std::string> names_;
  Words words_;
};

Result<Words> parse_words(const Command& command, std::span<const std::string> words) {
  return WordsParser(command).parse(words);
}

FoundCommand find_command(std::span<const std::string> words) {
  FoundCommand best;
  for (const Command& command : all_commands()) {
    std::string_view rest = command.name;
    std::size_t count = 0;
    while (!rest.empty() && count < words.size()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      if (word != words[count]) break;
      ++count;
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
    if (rest.empty() && count > best.word_count) best = {.command = &command, .word_count = count};
  }
  return best;
}

}  // namespace sinew::cli
