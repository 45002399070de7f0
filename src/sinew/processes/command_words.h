// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew::processes {

/// Splits a command line into words as a shell does: blanks separate, '…' and "…" hold together, a backslash
/// outside '…' takes the next character as it is. Nothing is expanded and no shell runs.
Result<std::vector<std::string>> split_command(std::string_view text);

/// Replaces each {key} in the words by its value. A word that comes out empty is left out, together with the
/// option (a word that begins with "--") before it. A {key} that `values` does not have is refused.
Result<std::vector<std::string>> fill_words(const std::vector<std::string>& words,
                                            const std::map<std::string, std::string>& values);

}  // namespace sinew::processes
