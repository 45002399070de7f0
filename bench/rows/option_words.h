// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>

#include "sinew/base/result.h"

namespace sinew::bench {

/// Where the options of a command line go, by name.
struct OptionPlaces {
  std::map<std::string, std::string*> texts;  ///< Those that take a value.
  std::map<std::string, bool*> flags;
};

/// Puts each word where it belongs. Refuses an option that there is not, and one whose value is missing.
Status read_option_words(std::span<const char* const> words, const OptionPlaces& places);

}  // namespace sinew::bench
