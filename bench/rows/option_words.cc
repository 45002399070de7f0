// SPDX-License-Identifier: BSD-3-Clause
#include "rows/option_words.h"

#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::bench {

Status read_option_words(std::span<const char* const> words, const OptionPlaces& places) {
  std::vector<std::string> names;
  for (const auto& [name, place] : places.texts) names.push_back(name);
  for (const auto& [name, place] : places.flags) names.push_back(name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    const auto flag = places.flags.find(word);
    const auto text = places.texts.find(word);
    if (flag != places.flags.end()) {
      *flag->second = true;
    } else if (text == places.texts.end()) {
      return Error{ErrorCode::InvalidInput,
                   fmt::format("there is no option '{}'{}; see --help", word, did_you_mean(word, names))};
    } else if (i + 1 == words.size()) {
      return Error{ErrorCode::InvalidInput, fmt::format("{} needs a value; see --help", word)};
    } else {
      *text->second = words[++i];
    }
  }
  return Done{};
}

}  // namespace sinew::bench
