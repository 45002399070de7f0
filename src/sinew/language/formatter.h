// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sinew/language/syntax.h"

namespace sinew::language {

/// A file in the one way to write it: words in capitals, two blanks per block, one statement a line, at most
/// one empty line. Numbers, names, brackets and comments stay as they are. Formatting what was formatted
/// changes nothing. The file must have been parsed without errors.
std::string format_file(const Block& statements);

/// An expression on one line.
std::string format_expression(const Expression& expression);

}  // namespace sinew::language
