// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace sinew::language {

// What editors need to colour programs, written from the table of words. The files in editor/ are these
// texts; `sinew language` prints them, and a test tells when they are old.

/// A TextMate grammar (JSON), as VS Code and many others read it.
std::string textmate_grammar();

/// The words by kind (JSON), for a stream parser such as CodeMirror's.
std::string word_table_json();

/// All words with their meaning, as a Markdown table for the reference page.
std::string word_table_markdown();

}  // namespace sinew::language
